"""The best of several attempts: chosen by the tests' points, less lateness; nbgrader sees no other."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK, Course
from autograder.gradebook import attempt_page, best, books, converters, grade, ledger
from autograder.gradebook.first_screen import titles_of
from autograder.intake import attempts
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from autograder.reports import report
from tests.helpers.courses import configure

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
ESSAY = next(iter(ATTENTION.essays))
LAST = list(ATTENTION.solutions)[-1]
START = datetime(2026, 11, 20, 12)


@pytest.fixture(scope="module")
def course(tmp_path_factory, store) -> Course:
    """A course in which an instructor has marked the essay of ada's second and best attempt of three."""
    folder = tmp_path_factory.mktemp("best")
    configure(folder, 'c.LatePolicy.rule = "20 % a day"')
    (folder / "course.toml").write_text(f'[{LESSON}]\nkeep = "best"\n')
    course = Course(folder)
    half = compose(ATTENTION, {LAST: "pass"})
    for hours, notebook in enumerate([half, compose(ATTENTION, {ESSAY: "Order."}), compose(ATTENTION, blank=True)]):
        take(course, notebook, hours)
    with attempts.opened(course, LESSON) as kept:
        kept.place("ada")
    grade.grade(LESSON, course=course)
    with gradebook(course) as book:
        book.find_grade(ESSAY, LESSON, LESSON, "ada").manual_score = 1.0
        book.find_grade(ESSAY, LESSON, LESSON, "ada").needs_manual_grade = False
        book.find_assignment(LESSON).duedate = START + timedelta(hours=12)
        book.db.commit()
    return course


def gradebook(course: Course) -> Gradebook:
    return Gradebook(f"sqlite:///{course / 'gradebook.db'}")


def take(course: Course, notebook: NotebookNode, hours: float) -> None:
    """Take an attempt of ada's, so many hours after the start."""
    away = Course(course.folder.with_name(f"away {hours}"))
    path = hand_in(notebook, away, "ada", LESSON)
    path.with_name("timestamp.txt").write_text(f"{START + timedelta(hours=hours)} UTC")
    with attempts.opened(course, LESSON) as kept:
        kept.take(path.parent, "ada", attempts.EXCHANGE, lambda _place, _names: [], 10**7)


def counts(course: Course) -> int:
    """Return the number of the attempt in submitted/."""
    return int(attempts.Attempts(course, LESSON).rows.placed["ada"][0])


def test_the_best_attempt_is_in_the_book_and_no_other_leaves_a_trace(course):
    points = sum(cell.points for cell in ATTENTION.of_role("test"))
    assert counts(course) == 2 and books.standings(course, LESSON)["ada"].total == points + 1
    assert [line["student"] for line in ledger.lines(course) if line["what"] == ledger.GRADE] == ["ada"]
    take(course, compose(ATTENTION, {LAST: "pass", ESSAY: "Another essay."}), 4)
    grade.grade(LESSON, course=course)
    standing = books.standings(course, LESSON)["ada"]
    assert counts(course) == 2 and standing.total == points + 1 and ESSAY not in standing.waiting
    assert [line["student"] for line in ledger.lines(course) if line["what"] == ledger.GRADE] == ["ada"]


def test_the_report_says_at_which_attempt_a_question_had_full_points_first(course):
    first = report.facts(course, ATTENTION)["first_full"]
    # This gap is open in the first attempt.
    assert first == {name: {2 if name == LAST else 1: 1} for name in ATTENTION.tests}
    title = titles_of(ATTENTION, "en")[ATTENTION.tests[LAST].grade_id]
    page = " ".join(report.write_report(course, ATTENTION)[0].read_text(encoding="utf-8").split())
    assert f"<li>{title}: attempt 2: 1 of 1</li>" in page


def test_lateness_counts_in_the_choice_and_of_equals_the_later_is_taken(course):
    take(course, compose(ATTENTION), 30)  # late: all points, less a fifth
    grade.grade(LESSON, course=course)
    assert counts(course) == 2
    take(course, compose(ATTENTION, {ESSAY: "A third essay."}), 11)
    grade.grade(LESSON, course=course)
    assert counts(course) == 6


def test_with_the_last_attempt_nothing_is_examined_that_does_not_count(course, monkeypatch, tmp_path):
    monkeypatch.setattr(best, "points", lambda _: pytest.fail("an attempt was examined"))
    (course / "course.toml").write_text(f"[{LESSON}]\nattempts = 3\n")
    with attempts.opened(course, LESSON) as kept:
        best.choose(ATTENTION, kept, ["ada"], lambda _: pytest.fail("an attempt was examined"))
        assert kept.rows.placed["ada"][0] == 3
    (course / "course.toml").write_text(f'[{LESSON}]\nkeep = "best"\n')


@pytest.mark.parametrize("language", ["en", "fr", "zh"])
def test_the_page_of_an_attempt_that_does_not_count_names_what_is_wrong_and_hides_the_tests(course, language):
    lesson = Lesson.load(LESSON, course)
    result = best.result_of(
        lesson, attempts.Attempts(course, LESSON).path(attempts.Attempts(course, LESSON).of("ada")[0])
    )
    page = attempt_page.page(lesson, result, 1, 2, language)
    assert f'lang="{language}"' in page and "2" in page.partition("<h2>")[0]
    assert page.count("<h2>") == len(list(ATTENTION.of_role("test")))
    hidden = {line.strip() for test in ATTENTION.of_role("test") for line in test.hidden.split("\n")} - {""}
    assert hidden and not any(line in page for line in hidden)


def test_feedback_is_that_of_the_attempt_that_counts(course):
    grade.grade(LESSON, course=course)
    assert converters.feedback(course, LESSON) == (["ada"], {})
    page = Path(course / "feedback" / "ada" / LESSON / f"{LESSON}.html").read_text()
    assert "A third essay." in page
