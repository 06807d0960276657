"""Where a class stands: each number of the status, over students at every stage."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from nbgrader.utils import notebook_hash

from autograder.common.course import Course
from autograder.gradebook.books import StudentMarks
from autograder.gradebook.roll import EXCUSED, GRADED, MISSING, TO_GRADE, WAITS, Member, Roll
from autograder.intake.notebook import UNREADABLE, WRONG_LESSON
from autograder.reports import status
from tests.helpers.courses import configure

LESSON = "attention"
STATES = {
    "ada": GRADED,
    "bob": GRADED,  # handed in again since
    "cyd": WAITS,
    "dan": UNREADABLE,
    "eve": WRONG_LESSON,
    "fay": EXCUSED,
    "guy": MISSING,
    "hua": TO_GRADE,
    "ill": UNREADABLE,  # not even graded as empty
}
GRADED_ONCE = ("ada", "bob", "cyd", "dan", "eve", "stranger")
UNCHANGED = ("ada", "cyd", "dan", "eve", "hua", "stranger")  # a mark of hua's is not in the gradebook any more


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    course, exchange = tmp_path / "course", tmp_path / "exchange"
    course.mkdir()
    configure(course, f"c.Exchange.root = {str(exchange)!r}", "c.CourseDirectory.course_id = 'abc'")
    roll = Roll({name: Member(name, state) for name, state in STATES.items()}, ["stranger", "another"])
    handed_in = {name: Path(name) for name in (*GRADED_ONCE, "hua")}
    monkeypatch.setattr(Course, "in_order", lambda course: [LESSON])
    monkeypatch.setattr(status, "submissions", lambda course, name: (handed_in, {}))
    monkeypatch.setattr(status, "roll_of", lambda course, name: roll)
    monkeypatch.setattr(status, "standings", lambda *asked: {name: StudentMarks(hash=name) for name in GRADED_ONCE})
    done = SimpleNamespace(
        is_unchanged=lambda student, path: student in UNCHANGED and path == Path(student),
        feedback_is_from=lambda student, hash_: student in ("ada", "stranger") and hash_ == student,
    )
    monkeypatch.setattr(status, "Done", lambda course, name: done)
    return course


def test_each_student_of_the_class_is_counted_at_each_stage_and_strangers_apart(course):
    (found,) = status.status(Course(course))
    assert found == status.Status(
        lesson=LESSON,
        released=False,
        collected=6,  # ada, bob, cyd, dan, eve, hua
        graded=2,  # ada, cyd
        changed=2,  # bob, hua
        waiting=1,
        feedback=1,
        returned=0,
        unreadable=3,
        excused=1,
        missing=1,
        strangers=2,
    )


def test_released_and_returned_are_what_lies_in_the_courses_own_exchange(course):
    exchange = course.parent / "exchange" / "abc"
    (exchange / "outbound" / LESSON).mkdir(parents=True)
    secrets = {"ada": "a" * 32, "bob": "b" * 32, "cyd": ""}
    for student, secret in secrets.items():
        folder = course / "feedback" / student / LESSON
        folder.mkdir(parents=True)
        if secret:
            (folder / "submission_secret.txt").write_text(secret)
    (exchange / "feedback").mkdir()
    returned = notebook_hash(secret=secrets["ada"], notebook_id=LESSON)
    (exchange / "feedback" / f"{returned}.html").touch()
    (exchange / "feedback" / "unknown.html").touch()
    (found,) = status.status(Course(course))
    assert (found.released, found.returned) == (True, 1)


def test_without_an_exchange_of_its_own_a_course_has_the_systems(course):
    configure(course, "c.CourseDirectory.course_id = 'abc'")
    assert status._exchange(Course(course)) == Path("/usr/local/share/nbgrader/exchange/abc")
