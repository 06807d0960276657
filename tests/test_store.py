"""The result store: whole entries or none, and keys that see every change."""

import errno
import json
import os
import subprocess
import sys

import pytest

from autograder.examine import store
from autograder.examine.store import Store, StoreError, digest


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


def test_digests_see_order_and_nesting():
    assert digest("a", "b") != digest("ab")
    assert digest({"x": 1, "y": 2}) == digest(json.loads('{"y": 2, "x": 1}'))


def test_an_exams_hash_sees_what_the_exam_calls(monkeypatch):
    def outer():
        return [inner() for _ in range(2)]  # noqa: F821

    meanings = []
    for called in (lambda: 1, lambda: 2, lambda: {"a", "b"}):
        monkeypatch.setitem(outer.__globals__, "inner", called)
        meanings.append(store._meaning(outer))
    assert meanings[0] != meanings[1] != meanings[2]
    assert meanings[2] == store._meaning(outer)


def test_a_set_in_an_exam_means_the_same_in_every_process():
    code = "from autograder.examine import store\ndef f(x): return x in {'a', 'b', 'c', 'd'}\nprint(store._meaning(f))"
    environment = os.environ | {"PYTHONPATH": str(store.ROOT)}
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env=environment | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
