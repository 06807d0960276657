"""The result store's keys: they see every change that a mark could depend on, and nothing else."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.examine import hashes, keys
from autograder.examine.hashes import digest
from autograder.examine.work import Work
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits

ATTENTION = Lesson.load("attention", WORKBOOK)


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """A copy of the instructors' side whose files may be changed, and a fresh look at them."""
    shutil.copytree(ROOT / "autograder", tmp_path / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(hashes, "HERE", tmp_path / "autograder")
    yield tmp_path / "autograder"
    hashes.environment.cache_clear()


def environment() -> str:
    hashes.environment.cache_clear()
    return hashes.environment()


@pytest.mark.parametrize(
    "part",
    [
        "examine/examiner.py",
        "examine/exam_run.py",
        "examine/remote.py",
        "examine/outputs.py",
        "examine/suspicion.py",
        "sandbox/limits.py",
        "sandbox/states.py",
        "sandbox/inside/state.py",
        "exams/reference.py",
        "mistakes.py",
    ],
)
def test_a_changed_engine_is_another_environment(engine, part):
    before = environment()
    assert environment() == before
    with (engine / part).open("a") as file:
        file.write("# mended\n")
    assert environment() != before


@pytest.mark.parametrize("part", ["gradebook/books.py", "reports/report.py", "course/build.py"])
def test_what_decides_no_mark_of_every_lesson_is_not_in_the_environment(engine, part):
    before = environment()
    with (engine / part).open("a") as file:
        file.write("# changed\n")
    assert environment() == before


def work(cells: dict[str, str] | None = None, limits: Limits | None = None) -> Work:
    return Work(compose(ATTENTION, cells or {}), ATTENTION, limits or Limits())


def test_other_limits_are_other_keys():
    usual, shorter = work(), work(limits=replace(Limits(), cell_cpu_seconds=0.2))
    assert not set(usual.keys) & set(shorter.keys)
    assert usual.keys == work().keys


def test_a_cell_changes_the_keys_of_the_questions_after_it_alone():
    first, second, *_ = ATTENTION.solutions
    usual, changed = work(), work({second: ATTENTION.solutions[second].code + "\n# the same"})
    assert changed.cells_key != usual.cells_key
    if changed.seed == usual.seed:  # else every question has other inputs
        assert changed.questions[first] == usual.questions[first]
    assert changed.questions[second] != usual.questions[second]


def test_digests_see_order_and_nesting():
    assert digest("a", "b") != digest("ab")
    assert digest({"x": 1, "y": 2}) == digest(json.loads('{"y": 2, "x": 1}'))


def test_an_exams_hash_sees_what_the_exam_calls(monkeypatch):
    def outer():
        return [inner() for _ in range(2)]  # noqa: F821

    meanings = []
    for called in (lambda: 1, lambda: 2, lambda: {"a", "b"}):
        monkeypatch.setitem(outer.__globals__, "inner", called)
        meanings.append(keys._meaning(outer))
    assert meanings[0] != meanings[1] != meanings[2]
    assert meanings[2] == keys._meaning(outer)


@pytest.mark.whole
def test_a_set_in_an_exam_means_the_same_in_every_process():
    code = "from autograder.examine import keys\ndef f(x): return x in {'a', 'b', 'c', 'd'}\nprint(keys._meaning(f))"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    said = {
        subprocess.run(
            [sys.executable, "-c", code], env=environment | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


OF_ANOTHER_FORM = [[], {}, "x", 7, [{"name": 1}], [7], {"outputs": [], "stopped": [], "cpu_seconds": 0.1}]


@pytest.mark.parametrize("entry", OF_ANOTHER_FORM, ids=repr)
def test_an_entry_of_another_form_is_as_good_as_none(entry):
    examined = work()
    assert set(examined.stored(lambda _key: entry).values()) == {None}


def test_entries_are_taken_under_keys_of_their_kind():
    examined = work()
    ran = {"outputs": {}, "stopped": [], "cpu_seconds": 0.1}
    verdicts = [
        {"name": "x", "ask": "x", "outcome": "passed", "share": 1.0, "reason": None, "mistake": None, "also": None}
    ]
    assert {key for key, entry in examined.stored(lambda _key: ran).items() if entry} == {examined.cells_key}
    judged = {key for key, entry in examined.stored(lambda _key: verdicts).items() if entry}
    assert judged == set(examined.questions.values())
