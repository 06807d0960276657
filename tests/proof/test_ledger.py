"""A sample of the random operations that `python -m benchmarks.proof ledger` does."""

from benchmarks.proof import ledger


def test_after_random_operations_no_mark_differs_from_the_ledgers_last_line(tmp_path):
    played = ledger.play(ledger.made_class(tmp_path, 3), 40)
    assert played.complaints == []
    assert {"lose", "killed", "rubric", "formgrader"} <= played.done.keys()
