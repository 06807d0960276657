"""A course's own lesson is proved by both doors; what its files do holds up that lesson alone."""

import threading
from pathlib import Path

import pytest

from autograder.common.course import Course
from autograder.common.errors import BuildError
from autograder.common.paths import ROOT
from autograder.course import apart, own
from autograder.gradebook import doors
from autograder.lesson.text import Lesson
from tests.helpers.own_lessons import HERE, added, course_in, proved

LESSON, EXAM, MISTAKES = (f"source/clusters/{name}" for name in ("lesson.py", "exam.py", "mistakes.toml"))
CHECK = "utils/clusters/check.py"
TOP = '"""The public checks of our lesson on clusters."""\n'
FIRST = "    labels = probe.integers(0, 2, probe"
IMPORT, CLONE = "from typing import Any", "    new = centres.clone()"
CALLED = "nearest(probe.normal(13, 7), probe.normal(5, 7))"
CATCHES = "while True:\n    try:\n        while True: pass\n    except BaseException: pass\n"

# What is wrong -> the file, a text in it, the text in its place, and what the refusal says.
BROKEN = {
    "exit at the top of the check": (CHECK, TOP, "raise SystemExit(0)\n", "check.py, line 1: SystemExit: 0"),
    "exit in a test": (CHECK, FIRST, f"    exit(3)\n{FIRST}", "moved.lonely: SystemExit: 3"),
    "end of Python": (EXAM, IMPORT, f"import os; os._exit(0)\n{IMPORT}", "files end Python"),
    "a crash": (EXAM, IMPORT, f"import ctypes; ctypes.string_at(0)\n{IMPORT}", "files end Python"),
    "a loop in a test": (CHECK, FIRST, f"    while 1: pass\n{FIRST}", r"check.py, line 3\d: this takes too long"),
    "a loop in the reference": (LESSON, CLONE, f"    while 1: pass\n{CLONE}", r"lesson.py, line 4\d: this takes too"),
    "a loop that catches all": (EXAM, IMPORT, CATCHES + IMPORT, "files end Python|takes too long"),
    "a sleep": (EXAM, IMPORT, f"import time; time.sleep(9999)\n{IMPORT}", "exam.py, line 3: this takes too long"),
    "memory": (CHECK, TOP, "much = bytearray(10**11)\n", "check.py, line 1: MemoryError"),
    "memory of torch": (CHECK, TOP, "import torch; torch.ones(10**11)\n", "check.py, line 1: RuntimeError"),
    "syntax of the exam": (EXAM, IMPORT, f"from {IMPORT}", "exam.py, line 3: SyntaxError"),
    "syntax of a cell": (LESSON, "new = centres", "new = = centres", r"lesson.py, line 4\d: SyntaxError"),
    "syntax of the mistakes": (MISTAKES, 'id = "sum_for_mean"', "id = sum", "line 23: TOMLDecodeError"),
    "a mistake of another text": (MISTAKES, '"argmin"', '"argmim"', "mistakes.toml, line 2: .*occurs 0 times"),
    "a mistake without a sentence": (MISTAKES, 'says = "A centre moves', 'say = "A', "line 23: .* lacks says"),
    "a mistake that is none": (MISTAKES, "mine.sum(dim=0)", "mine.mean(dim=(0,))", "line 23: .*does not notice"),
    "a question without a check": (CHECK, 'Check("moved"', 'Check("move"', r"lesson.py, line \d+: .* has no check"),
    "a question without an exam": (EXAM, "moved = Exam.of(check.moved)", "", r"lesson.py, line \d+: .* has no exam"),
    "a name that is not there": (
        LESSON,
        "exam.moved(moved)",
        "exam.moved(m)",
        r"lesson.py, line \d+: NameError: .*'m'",
    ),
    "an import that fails": (LESSON, "import torch", "import torhc", r"lesson.py, line \d+: ModuleNotFoundError"),
    "a value of no kind": (CHECK, "    return near", "    return object() or near", r"line 1\d: The reference fails"),
    "two cells of one name": (LESSON, "# %% solution moved", "# %% solution nearest", "have the same name: nearest"),
}
# The same, which only a run shows.
ON_A_STUDENTS = "on a student's computer, the cell"
BY_A_DOOR = {
    "a package that students lack": (CHECK, TOP, "import nbformat\n", f"{ON_A_STUDENTS} imports.*nbformat"),
    "the instructors' half": (CHECK, TOP, "import autograder.common\n", f"{ON_A_STUDENTS} imports.*autograder"),
    "a cell that fails": (LESSON, "print(centres)", "print(centre)", rf"line \d+: {ON_A_STUDENTS} run does .*'centre'"),
    "a test on a stand-in": (EXAM, CALLED, f"list({CALLED})", r"line 1\d: When graded, .*probe.value"),
    "an operator on a stand-in": (EXAM, CALLED, f"{CALLED} @ {CALLED}", r"line 1\d: When graded, .*probe.value"),
    "an exam in the students' half": ("utils/clusters/exam_old.py", "", "", "exam_old.py would be handed out"),
}


@pytest.fixture
def course(tmp_path, monkeypatch) -> Course:
    return course_in(tmp_path, monkeypatch)


def broken(course: Course, file: str, old: str, new: str) -> Course:
    found = added(course, "clusters", ROOT / "docs" / "course")
    text = (found / file).read_text() if old else ""
    assert text.count(old)
    (found / file).write_text(text.replace(old, new, 1))
    return found


@pytest.fixture(autouse=True)
def little_time(monkeypatch):
    monkeypatch.setattr(apart, "SECONDS", 2)
    monkeypatch.setattr(apart, "GRACE", 1)
    monkeypatch.setattr(apart, "PATIENCE", 1)


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_lesson_is_one_sentence_with_its_line(course, what):
    *change, says = BROKEN[what]
    found = broken(course, *change)
    with pytest.raises(Exception, match=says) as refused:
        own.bring_up_to_date(Lesson.load("clusters", found))
    assert "\n" not in str(refused.value) and not (found / "utils/clusters/made/made_from").exists()


def sampled(names, sample):
    """Each of these takes ten seconds of processor time; `make attacks` takes them all."""
    marks = pytest.mark.only_with_all_attacks
    return [pytest.param(name, marks=() if name in sample else marks) for name in names]


@pytest.mark.parametrize("what", sampled(BY_A_DOOR, ("a cell that fails", "a test on a stand-in")))
def test_a_lesson_that_fails_by_a_door_is_refused(course, what, monkeypatch):
    monkeypatch.setattr(apart, "SECONDS", 300)
    *change, says = BY_A_DOOR[what]
    found = broken(course, *change)
    with pytest.raises(BuildError, match=says):
        proved(found, "clusters")
    assert not (found / ".grading" / "proved" / "clusters").exists()


@pytest.mark.parametrize("name", sampled(sorted(path.name for path in HERE.iterdir()), ("bytes",)))
def test_lessons_written_from_the_page_alone_pass_both_doors(course, name, monkeypatch):
    monkeypatch.setattr(apart, "SECONDS", 300)
    monkeypatch.setattr(apart, "PATIENCE", 10)  # by the clock, of a computer that others use
    found = added(course, name, HERE / name)
    proved(found, name)
    started = []
    monkeypatch.setattr(doors, "run_apart", lambda *given: started.append(given))
    proved(found, name)
    assert not started  # nothing has changed since it passed


def test_threads_that_a_lesson_leaves_hold_up_nothing(course):
    thread = "import threading; threading.Thread(target=threading.Event().wait).start()\n"
    found = broken(course, CHECK, TOP, thread)
    own.bring_up_to_date(Lesson.load("clusters", found))
    assert (found / "utils/clusters/made/answers.json").is_file() and threading.active_count() < 50


def test_an_unfinished_lesson_is_none_of_another_s_business(course):
    found = broken(course, CHECK, TOP, "raise SystemExit(0)\n")
    for name in ("attention", "seq2seq"):
        own.bring_up_to_date(Lesson.load(name, found))
        doors.prove(Lesson.load(name, found))
    assert not Path(found / "utils/clusters/made").exists()
