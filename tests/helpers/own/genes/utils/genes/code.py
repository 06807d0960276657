"""The genetic code: which amino acid three letters stand for; `*` is a stop."""

LETTERS = "TCAG"
ACIDS = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG"
CODE = dict(zip((a + b + c for a in LETTERS for b in LETTERS for c in LETTERS), ACIDS, strict=True))
