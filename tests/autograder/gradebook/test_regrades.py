"""A regrade request is a row of a file: with points it changes the mark, and says so; without, it is counted."""

import shutil

import pytest
from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import CourseError
from autograder.gradebook import books, converters, grade, regrades
from autograder.gradebook.configuration import gradebook_url
from autograder.gradebook.state import Done
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from tests.helpers.courses import configure

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
HEAD = "id,lesson,question,points,reason\n"


@pytest.fixture(scope="module")
def course(tmp_path_factory, store):
    folder = tmp_path_factory.mktemp("regrades")
    configure(folder)
    hand_in(compose(ATTENTION, blank=True), Course(folder), "ada", LESSON)
    grade.grade(LESSON, course=Course(folder))
    return folder


def test_points_and_reason_reach_the_mark_and_the_feedback_once(course):
    rows = f"ada,{LESSON},update,0.5,The formula is right.\nada,{LESSON},conv_network,,please look\nada,seq2seq,x,,\n"
    (course / "regrades.csv").write_text(HEAD + rows)
    done = grade.grade(LESSON, course=Course(course))
    assert done.news == [
        "Regraded: ada, update: 0 → 0.5 (The formula is right.).",
        "Regrade requests that wait for points in regrades.csv: 1.",
    ]
    assert done.moved == {"ada": (0.0, 0.5)}
    converters.feedback(Course(course), LESSON)
    converters.settle(Course(course), Done(Course(course), LESSON), feedback=True)
    page = (course / "feedback" / "ada" / LESSON / f"{LESSON}.html").read_text(encoding="utf-8")
    assert page.count("0 → 0.5: The formula is right.") == 2  # on the first screen, and beside the answer
    assert grade.grade(LESSON, course=Course(course), force=True).moved == {}  # it survives grading again
    assert books.standings(Course(course), LESSON)["ada"].scores["test_update"] == 0.5


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("ada,attention,los,1,", "line 2: there is no question 'los'; the questions are: make_datasets"),
        ("ada,attention,update,3,", "line 2: '3' is not a number of points from 0 to 2"),
        ("ada,attention,update,two,", "line 2: 'two' is not a number of points"),
        ("eve,attention,update,1,", "line 2: eve has not handed in attention"),
    ],
)
def test_a_request_that_cannot_be_meant_is_one_sentence(course, row, says):
    (course / "regrades.csv").write_text(f"{HEAD}{row}\n")
    with pytest.raises(CourseError, match=says):
        regrades.apply_requests(Course(course), ATTENTION)


BAD_LINES = {
    "regrades.csv": f"{HEAD}ada,attention,update,1,right\nzz9,attention,update,1,\n",
    "extensions.csv": "id,lesson,due,excused\nada,attention,next week,\n",
    "course.toml": "[atention]\nweight = 2\n",
}


@pytest.mark.parametrize("table", BAD_LINES)
def test_a_table_that_is_refused_changes_nothing_and_is_refused_before_anything_is_examined(
    course, table, monkeypatch, tmp_path
):
    here = tmp_path / "course"
    shutil.copytree(course, here)
    (here / "regrades.csv").unlink(missing_ok=True)
    before = books.standings(Course(here), LESSON)
    (here / table).write_text(BAD_LINES[table])
    monkeypatch.setattr(grade, "_fill", lambda *_, **__: pytest.fail("a notebook was examined"))
    refusal = r"zz9 has not handed in|'next week' is not a time|\[atention\] is not the name"
    with pytest.raises(CourseError, match=refusal):
        grade.grade(LESSON, course=Course(here), force=True)
    (here / table).unlink()
    assert books.standings(Course(here), LESSON) == before


def test_a_request_for_a_student_who_is_graded_in_the_same_run_is_taken_up(course, tmp_path):
    here = tmp_path / "course"
    shutil.copytree(course, here)
    hand_in(compose(ATTENTION, blank=True), Course(here), "bea", LESSON)
    (here / "regrades.csv").write_text(f"{HEAD}bea,{LESSON},update,1,right\n")
    assert "Regraded: bea, update: 0 → 1 (right)." in grade.grade(LESSON, course=Course(here)).news


def test_whoever_marks_after_a_decision_has_the_last_word(course, tmp_path):
    here = Course(shutil.copytree(course, tmp_path / "course"))
    row = f"ada,{LESSON},conv_network,1,half\n"
    (here / "regrades.csv").write_text(f"{HEAD}ada,{LESSON},conv_network,2,all\n{row}")
    assert regrades.apply_requests(here, ATTENTION) == ["Regraded: ada, conv_network: 0 → 1 (half)."]  # the last counts
    with Gradebook(gradebook_url(here)) as gradebook:
        gradebook.find_grade("test_conv_network", LESSON, LESSON, "ada").manual_score = 1.5
        gradebook.db.commit()
    assert regrades.apply_requests(here, ATTENTION) == []
    assert books.standings(here, LESSON)["ada"].scores["test_conv_network"] == 1.5
    (here / "regrades.csv").write_text(f"{HEAD}{row}ada,{LESSON},conv_network,1.5,stays\n")
    assert regrades.apply_requests(here, ATTENTION) == ["Regraded: ada, conv_network: 1.5 → 1.5 (stays)."]  # a reply


def test_without_requests_nothing_is_asked_of_the_gradebook(course, monkeypatch):
    (course / "regrades.csv").unlink()
    monkeypatch.setattr(regrades, "Gradebook", None)
    assert regrades.apply_requests(Course(course), ATTENTION) == []
