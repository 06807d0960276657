"""The attack corpus: one file an attack, composed into submissions and graded for real. See `corpus.py`."""
