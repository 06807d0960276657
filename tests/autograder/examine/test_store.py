"""The result store: whole entries or none."""

import errno
import os
import time

import pytest
from click.testing import CliRunner

from autograder.__main__ import main
from autograder.common.errors import StoreError
from autograder.examine.store import DAY, MOST_BYTES, Cleaned, ResultStore


def test_an_entry_comes_back(tmp_path):
    kept = ResultStore(tmp_path)
    assert kept.get("ab12") is None
    kept.put("ab12", {"points": 1.5, "text": "é"})
    assert kept.get("ab12") == {"points": 1.5, "text": "é"}


@pytest.mark.parametrize("text", ['{"points": ', "[" * 200_000], ids=["half", "brackets without end"])
def test_a_damaged_entry_is_as_good_as_none(tmp_path, text):
    kept = ResultStore(tmp_path)
    kept.put("ab12", {"points": 1})
    (tmp_path / "a" / "ab12.json").write_text(text)
    assert kept.get("ab12") is None


def test_a_full_disk_is_one_sentence_and_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(*_args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(StoreError, match=r"No space left on device.*run the same command again"):
        ResultStore(tmp_path).put("ab12", {"points": 1})
    assert list((tmp_path / "a").iterdir()) == []


def test_killed_while_writing_the_old_entry_stays(tmp_path, monkeypatch):
    kept = ResultStore(tmp_path)
    kept.put("ab12", {"points": 1})

    def killed(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        kept.put("ab12", {"points": 2})
    assert kept.get("ab12") == {"points": 1}


# ---- what is old is removed ------------------------------------------------------------------------------------

MEGABYTE = 2**20


def filled(folder, *days: int) -> ResultStore:
    """A store with an entry of a megabyte for each age in days, named by it."""
    store = ResultStore(folder)
    for age in days:
        store.put(f"{age:04}", "x" * (MEGABYTE - 2))  # and its quotes
        used = time.time() - age * DAY
        os.utime(folder / f"{age:04}"[:1] / f"{age:04}.json", (used, used))
    return store


def left(folder) -> list[int]:
    return sorted(int(path.stem) for path in folder.rglob("*.json"))


def test_what_was_not_used_for_long_is_removed(tmp_path):
    done = filled(tmp_path, 1, 100, 300, 3000).clean(most_seconds=200 * DAY)
    assert left(tmp_path) == [1, 100]
    assert done == Cleaned(2, 2 * MEGABYTE, 2, 2 * MEGABYTE)


def test_of_too_much_what_was_used_last_is_kept(tmp_path):
    store = filled(tmp_path, 1, 3, 5, 7)
    assert store.get("0005") is not None  # now it is the youngest
    store.put("0004", "x")  # small, and would fit: but what is older goes first
    os.utime(tmp_path / "0" / "0004.json", (time.time() - 4 * DAY,) * 2)
    assert store.clean(most_bytes=2 * MEGABYTE + 2).left == 2
    assert left(tmp_path) == [1, 5]


def test_what_a_killed_writer_left_is_removed_as_well(tmp_path):
    store = filled(tmp_path, 1)
    part = tmp_path / "0" / ".123.part"
    part.touch()
    os.utime(part, (0, 0))
    store.clean(most_seconds=DAY * 2)
    assert not part.exists() and left(tmp_path) == [1]


def test_an_empty_store_or_none_is_clean(tmp_path):
    assert ResultStore(tmp_path / "nothing").clean() == Cleaned()


def test_the_command_says_what_it_removed(tmp_path, monkeypatch):
    filled(tmp_path, 1, 2, 300)
    monkeypatch.setenv("ATTENTION_WORKBOOK_STORE", str(tmp_path))
    done = CliRunner().invoke(main, ["clean", "--most", "1"])
    assert done.output == "Removed 2 results (2.0 MB) from the store; 1 are left (1.0 MB).\n"
    assert MOST_BYTES == 4 * 2**30 and left(tmp_path) == [1]
