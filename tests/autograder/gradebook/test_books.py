"""What changes around a graded class reaches marks and feedback: hand grading, due dates, lost gradebooks."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.gradebook import books, converters, copies, grade, late_rule
from autograder.gradebook.state import Done
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from tests.helpers.courses import configure
from tests.helpers.typed import nbgrader

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
ESSAY = next(iter(ATTENTION.essays))
SECRET = "7" * 128
DUE = datetime(2026, 11, 20, 12)


@pytest.fixture(scope="module")
def course(tmp_path_factory, store) -> Path:
    """A class of three: ada by the exchange and late, hua from elsewhere in Chinese, bob by mail."""
    folder = tmp_path_factory.mktemp("course")
    configure(folder, 'c.LatePolicy.rule = "10 % a day, cap 50 %"')
    for student, language in (("ada", "fr"), ("bob", "en"), ("hua", "zh")):
        hand_in(compose(ATTENTION, language=language), Course(folder), student, LESSON)
    for student in ("ada", "hua"):
        place = folder / "submitted" / student / LESSON
        (place / "timestamp.txt").write_text(str(DUE + timedelta(hours=34)) + " UTC")
    (folder / "submitted" / "ada" / LESSON / "submission_secret.txt").write_text(SECRET)
    (folder / "submitted" / "bob" / LESSON / "submission_secret.txt").write_text("../../../etc/passwd")
    run(folder)
    return folder


def run(course: Path) -> list[str]:
    """Grade as the command does; return whose feedback was written."""
    grade.grade(LESSON, course=Course(course))
    written, failed = converters.feedback(Course(course), LESSON)
    assert failed == {}
    converters.settle(Course(course), Done(Course(course), LESSON), feedback=True)
    return written


def page(course: Path, student: str) -> str:
    html = (course / "feedback" / student / LESSON / f"{LESSON}.html").read_text()
    return " ".join(re.sub(r"<style.*?</style>|<[^>]+>", " ", html, flags=re.DOTALL).split())


def edit(course: Path, what) -> None:
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        what(gradebook)
        gradebook.db.commit()


def test_feedback_says_in_the_students_language_what_waits(course):
    assert "not graded yet (of 3)" in page(course, "bob")
    assert "pas encore noté (sur 3)" in page(course, "ada")
    assert "尚未评分" in page(course, "hua")
    html = (course / "feedback" / "ada" / LESSON / f"{LESSON}.html").read_text()
    assert '<html lang="fr" dir="ltr">' in html
    assert not re.search(r"<script|<link|mathjax[./]|src=.https?:|url\(.?https?:", html, re.IGNORECASE)
    assert html.count("<math ") > 20 and "$" not in html.partition("<body")[2]


def test_a_settled_class_costs_nothing_and_marks_by_hand_renew_the_feedback(course):
    assert grade.all_unchanged(Course(course), LESSON) == 3
    assert run(course) == []

    def by_hand(gradebook):
        found = gradebook.find_grade(ESSAY, LESSON, LESSON, "ada")
        found.manual_score, found.needs_manual_grade = 2.5, False
        gradebook.find_comment(ESSAY, LESSON, LESSON, "ada").manual_comment = "Bien vu."

    before = books.standings(Course(course), LESSON)["ada"]
    edit(course, by_hand)
    assert grade.all_unchanged(Course(course), LESSON) == 0
    assert run(course) == ["ada"]
    assert "Bien vu." in page(course, "ada") and "2,5 / 3" in page(course, "ada")
    after = books.standings(Course(course), LESSON)["ada"]
    assert after.total == before.total + 2.5
    assert after.waiting == before.waiting - {ESSAY}


def test_a_regrade_asks_again_only_for_essays_that_changed(course):
    def by_hand(gradebook):
        for student in ("ada", "bob"):
            found = gradebook.find_grade(ESSAY, LESSON, LESSON, student)
            found.manual_score, found.needs_manual_grade = 2, False

    edit(course, by_hand)
    assert grade.grade(LESSON, course=Course(course), force=True).graded == ["ada", "bob", "hua"]
    found = books.standings(Course(course), LESSON)
    assert ESSAY not in found["ada"].waiting | found["bob"].waiting
    assert found["ada"].scores[ESSAY] == found["bob"].scores[ESSAY] == 2
    hand_in(compose(ATTENTION, {ESSAY: "Another answer."}), Course(course), "bob", LESSON)
    assert grade.grade(LESSON, course=Course(course)).graded == ["bob"]
    found = books.standings(Course(course), LESSON)
    assert ESSAY in found["bob"].waiting and ESSAY not in found["ada"].waiting
    run(course)


def test_due_dates_extensions_and_rules_reach_marks_and_feedback(course):
    def due(gradebook):
        gradebook.find_assignment(LESSON).duedate = DUE

    edit(course, due)
    earned = sum(books.standings(Course(course), LESSON)["ada"].scores.values())
    assert run(course) == ["ada", "hua"]
    found = books.standings(Course(course), LESSON)
    assert found["ada"].penalty == pytest.approx(0.2 * earned)  # 34 hours: two days begun
    assert found["bob"].penalty == 0 and found["bob"].no_time
    assert "Rendu en retard" in page(course, "ada")
    (course / "extensions.csv").write_text(f"id,lesson,due,excused\nada,{LESSON},2026-11-21 23:00 UTC,\nhua,,,yes\n")
    assert grade.all_unchanged(Course(course), LESSON) == 0
    assert run(course) == ["ada"]
    found = books.standings(Course(course), LESSON)
    assert found["ada"].penalty == 0 and found["ada"].seconds_late == 0
    assert found["hua"].excused and not found["ada"].excused
    (course / "extensions.csv").unlink()
    run(course)
    assert books.standings(Course(course), LESSON)["ada"].penalty == pytest.approx(0.2 * earned)


def test_feedback_goes_to_the_exchange_for_those_who_can_fetch_it(course, tmp_path):
    exchange = tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    done = nbgrader(course, "release_feedback", LESSON, f"--Exchange.root={exchange}")
    assert done.returncode == 0, done.stderr
    from nbgrader.utils import notebook_hash

    released = exchange / "attention" / "feedback" / f"{notebook_hash(secret=SECRET, notebook_id=LESSON)}.html"
    assert [path.name for path in released.parent.iterdir()] == [released.name]
    assert released.read_text() == (course / "feedback" / "ada" / LESSON / f"{LESSON}.html").read_text()
    assert "2 did not hand in through the exchange and cannot fetch theirs there: 'bob', 'hua'" in done.stderr


def test_a_lost_gradebook_is_noticed(course):
    edit(course, lambda gradebook: gradebook.remove_submission(LESSON, "hua"))
    assert grade.grade(LESSON, course=Course(course)).graded == ["hua"]
    (course / "gradebook.db").unlink()
    assert grade.all_unchanged(Course(course), LESSON) == 0
    with pytest.raises(GradingError, match="The gradebook is gone"):
        grade.grade(LESSON, course=Course(course))
    copies.folder_of(Course(course)).rename(course / "copies of another gradebook")  # a person decides to begin anew
    (course / copies.LEDGER).rename(course / "another ledger")
    assert grade.grade(LESSON, course=Course(course)).graded == ["ada", "bob", "hua"]


def test_a_missing_driver_is_one_sentence(tmp_path):
    configure(tmp_path, 'c.CourseDirectory.db_url = "mysql://grader@localhost/marks"')
    with pytest.raises(GradingError, match=r"driver is not installed \(MySQLdb\).*pip install 'mysqlclient'"):
        books.standings(Course(tmp_path), LESSON)
    configure(tmp_path, 'c.CourseDirectory.db_url = "nonesuch://grader@localhost/marks"')
    with pytest.raises(GradingError, match="Python driver is not installed"):
        books.standings(Course(tmp_path), LESSON)


@pytest.mark.parametrize(
    ("rule", "score", "hours", "lost"),
    [
        ("", 31, 1000, 0),
        ("10 % a day", 31, 0.5, 3.1),
        ("10% per day", 31, 47, 6.2),
        ("10 % a day, cap 50 %", 31, 1000, 15.5),
        ("0.5 points an hour", 31, 2.5, 1.5),
        ("0.5 points an hour, cap 3 points", 31, 100, 3),
        ("0.5 points an hour", 1, 100, 1),
        ("1 point a day, grace 15 min", 31, 0.25, 0),
        ("1 point a day, grace 15 min", 31, 0.26, 1),
    ],
)
def test_what_late_work_costs(rule, score, hours, lost):
    read = late_rule.read_rule(rule)
    assert (read.penalty(score, hours * 3600) if read else 0) == pytest.approx(lost)


def test_a_student_reads_the_rule_for_late_work():
    rule = "10 % a day, grace 15 min, cap 3 points"
    said = "10 % for each day begun, at most 3 points, none in the first 15 min"
    assert late_rule.described(rule, "en") == said and late_rule.described("", "en") == ""
    assert late_rule.described("0.5 points an hour", "fr").startswith("0,5 points par heure")


@pytest.mark.parametrize("rule", ["10", "10 % a week", "10 % a day, cap", "-1 points a day", "cap 5 %", "a day"])
def test_a_rule_that_cannot_be_read_is_one_sentence(tmp_path, rule):
    configure(tmp_path, f"c.LatePolicy.rule = {rule!r}")
    with pytest.raises(GradingError, match="rule for late work"):
        converters.configuration(Course(tmp_path))


def test_a_notebook_of_another_lesson_is_told_so():
    from autograder.intake.notebook import take_in_bytes
    from autograder.lesson.text import write_notebook

    other = write_notebook(compose(Lesson.load("captioning", WORKBOOK))).encode()
    taken = take_in_bytes(other, ATTENTION)
    assert "This is the notebook of the lesson captioning" in taken.refused.render()
    assert take_in_bytes(other, Lesson.load("captioning", WORKBOOK)).refused is None


def test_status_counts_what_is_where(course):
    from autograder.reports.status import status

    run(course)
    (course / "students.csv").write_text("id\nada\nbob\nhua\nzoe\nill\n")
    (course / "extensions.csv").write_text(f"id,lesson,due,excused\nill,,,yes\nhua,{LESSON},,yes\nzoe,seq2seq,,yes\n")
    hand_in(compose(ATTENTION, {ESSAY: "Once more."}), Course(course), "bob", LESSON)
    found = {one.lesson: one for one in status(Course(course))}
    (course / "students.csv").unlink()
    (course / "extensions.csv").unlink()
    one = found[LESSON]
    assert (one.collected, one.graded, one.changed, one.feedback, one.missing) == (3, 2, 1, 3, 1)
    assert one.waiting == 2 and not one.released and one.returned == 0
    assert one.excused == 2  # ill handed in nothing, hua did
    assert (found["seq2seq"].collected, found["seq2seq"].excused, found["seq2seq"].missing) == (0, 2, 3)
