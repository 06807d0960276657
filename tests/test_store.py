"""The result store: whole entries or none."""

import errno
import os

import pytest

from autograder.common.errors import StoreError
from autograder.examine.store import Store


def test_an_entry_comes_back(tmp_path):
    kept = Store(tmp_path)
    assert kept.get("ab12") is None
    kept.put("ab12", {"points": 1.5, "text": "é"})
    assert kept.get("ab12") == {"points": 1.5, "text": "é"}


def test_a_damaged_entry_is_as_good_as_none(tmp_path):
    kept = Store(tmp_path)
    kept.put("ab12", {"points": 1})
    (tmp_path / "ab" / "ab12.json").write_text('{"points": ')
    assert kept.get("ab12") is None


def test_a_full_disk_is_one_sentence_and_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(*_args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match=r"No space left on device.*run the same command again"):
        Store(tmp_path).put("ab12", {"points": 1})
    assert list((tmp_path / "ab").iterdir()) == []


def test_killed_while_writing_the_old_entry_stays(tmp_path, monkeypatch):
    kept = Store(tmp_path)
    kept.put("ab12", {"points": 1})

    def killed(*_args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        kept.put("ab12", {"points": 2})
    assert kept.get("ab12") == {"points": 1}
