"""A part of the class has other questions; gradebook, penalty, export, term, report and feedback agree on them.

Each number is compared with one that is calculated here from the points that each question earned.
"""

import csv
import io
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert.exporters.exporter import ResourcesDict
from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import CourseError, LessonError
from autograder.common.nodes import grade_id
from autograder.gradebook import books, regrades
from autograder.gradebook.keep import KeepGraded
from autograder.gradebook.pages import Words
from autograder.gradebook.state import Done
from autograder.gradebook.steps import leave_out
from autograder.intake.roster import not_asked
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook
from autograder.reports import export, report, term
from autograder.reports.after_grading import summed_up
from autograder.speed.gradebook import ask_alembic_here
from tests.helpers.courses import configure

LESSON = "attention"
QUESTIONS = {cell.name: cell for cell in Lesson.load(LESSON, WORKBOOK).of_role("test", "essay")}
GRADUATES, OTHERS = "why_convolutions_fail", next(iter(Lesson.load(LESSON, WORKBOOK).tests))
DUE = datetime(2030, 1, 1)
TRACKS = {"ada": "graduate", "bob": "", "cyd": "under"}
# The share of each question's points that a student's answer earns, asked or not; each is a day late but Bob.
SHARES = {"ada": 0.5, "bob": 0.75, "cyd": 1.0}
RULES = f"""
[term]
late = "10 % a day"
[{LESSON}]
out_of = 20
only = {{ {GRADUATES} = "graduate", {OTHERS} = "under" }}
"""


def asked(student: str) -> list[Any]:
    """Return the questions that count for a student, by the rules above."""
    lacks = {"ada": {OTHERS}, "bob": {GRADUATES, OTHERS}, "cyd": {GRADUATES}}[student]
    return [cell for name, cell in QUESTIONS.items() if name not in lacks]


def earned(student: str) -> float:
    lost = 0.0 if student == "bob" else 0.1
    return sum(cell.points for cell in asked(student)) * SHARES[student] * (1 - lost)


def most(student: str) -> float:
    return sum(cell.points for cell in asked(student))


def grade(course: Course, student: str) -> None:
    """Do what nbgrader's autograde does after the examination, without an examination."""
    lesson = Lesson.load(LESSON, course)
    notebook = compose(lesson)
    leave_out(notebook, not_asked(course, LESSON, student))
    for cell in notebook.cells:
        name = grade_id(cell).removeprefix("test_")
        if cell.cell_type == "code" and name in QUESTIONS:
            value = {"text/plain": repr(QUESTIONS[name].points * SHARES[student])}
            cell.outputs = [nbformat.v4.new_output("execute_result", value, execution_count=1)]
    path = course / "autograded" / student / LESSON / f"{LESSON}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_notebook(notebook))
    names = {"notebook": LESSON, "assignment": LESSON, "student": student, "db_url": url(course)}
    KeepGraded().preprocess(notebook, ResourcesDict(nbgrader=names))
    with Gradebook(url(course)) as gradebook:
        for mark in gradebook.find_submission_notebook(LESSON, LESSON, student).grades:
            if mark.needs_manual_grade:
                mark.manual_score, mark.needs_manual_grade = mark.max_score * SHARES[student], False
        gradebook.db.commit()


def url(course: Course) -> str:
    return f"sqlite:///{course}/gradebook.db"


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    folder = tmp_path_factory.mktemp("tracks")
    configure(folder)
    ask_alembic_here()
    (folder / "course.toml").write_text(RULES)
    (folder / "students.csv").write_text("id,track\n" + "".join(f"{s},{track}\n" for s, track in TRACKS.items()))
    course, lesson = Course(folder), Lesson.load(LESSON, Course(folder))
    with Gradebook(url(course)) as gradebook:
        gradebook.add_assignment(LESSON, duedate=DUE)
        gradebook.add_notebook(LESSON, LESSON)
        about: dict[str, Any] = {"assignment": LESSON, "notebook": LESSON}
        for cell in lesson.of_role("test", "essay"):
            kind: dict[str, Any] = {"max_score": cell.points, "cell_type": cell.kind}
            gradebook.add_grade_cell(cell.grade_id, **kind, **about)
        for name in [*lesson.solutions, *lesson.essays]:
            gradebook.add_solution_cell(name, **about)
        for student in TRACKS:
            gradebook.add_student(student)
            with gradebook.db.no_autoflush:
                submission: Any = gradebook.add_submission(LESSON, student)
            submission.timestamp = DUE + timedelta(hours=-1 if student == "bob" else 1)
        gradebook.db.commit()
    for student in TRACKS:
        grade(course, student)
    books.renew_penalties(course, LESSON)
    return course


def test_the_gradebook_has_marks_for_the_questions_that_are_asked_and_the_penalty_is_of_these(course):
    for student, standing in books.standings(course, LESSON).items():
        assert set(standing.scores) == {cell.grade_id for cell in asked(student)}
        assert (standing.total, standing.max_score) == (pytest.approx(earned(student)), most(student))


def test_every_table_has_the_same_marks_as_the_calculation(course):
    lesson = Lesson.load(LESSON, course)
    rows = {row["id"]: row for row in csv.DictReader(io.StringIO(export.export(course, lesson, "csv")))}
    (column,) = term.columns(course)
    totals = {line.student: line for line in term.lines([column], course)}
    top = max(map(most, TRACKS))
    for student, row in rows.items():
        share = earned(student) / most(student)
        assert (row["points"], row["max_points"]) == (f"{round(earned(student), 2):g}", f"{most(student):g}")
        assert totals[student].scaled == [f"{top * share:.4g}"]
        assert row["of_20"] == f"{round(20 * share, 2):g}" and totals[student].total == pytest.approx(100 * share)
        assert {name for name in QUESTIONS if row[name]} == {cell.name for cell in asked(student)}
        assert totals[student].marks[0].endswith(f" / {most(student):g}") == (most(student) != top)
    facts = report.facts(course, lesson)
    scaled = [earned(student) / most(student) * top for student in TRACKS]
    assert facts["mean"] == pytest.approx(sum(scaled) / 3) and facts["examined_points"] == top and facts["one_scale"]
    counted = {numbers["question"]: numbers["graded"] for numbers in facts["questions"]}
    assert counted == {name: sum(cell in asked(s) for s in TRACKS) for name, cell in QUESTIONS.items()}
    no_logs: dict[str, Any] = {student: {} for student in TRACKS}
    assert f"mean {sum(scaled) / 3:.1f} of {top:g}" in summed_up(lesson, report.graded_roll(course, LESSON), no_logs)


def test_feedback_has_the_students_own_maximum_and_names_the_other_questions(course, monkeypatch):
    monkeypatch.setattr("autograder.gradebook.pages.course_in", lambda config: course)
    notebook = nbformat.read(course / "autograded" / "bob" / LESSON / f"{LESSON}.ipynb", as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.metadata.nbgrader["score"] = cell.metadata.nbgrader["points"]
    names = {"notebook": LESSON, "assignment": LESSON, "student": "bob", "db_url": url(course)}
    resources = ResourcesDict(nbgrader=names)
    Words(config=books.configuration(course)).preprocess(notebook, resources)
    assert resources["nbgrader"]["max_score"] == most("bob")
    assert resources["workbook"]["unasked"].count(";") == len(QUESTIONS) - len(asked("bob")) - 1
    assert len(resources["workbook"]["questions"]) == len(asked("bob"))


def test_another_track_makes_a_submission_due_for_grading_and_brings_the_mark_back(course):
    path = course / "submitted" / "bob" / LESSON / f"{LESSON}.ipynb"
    students, before = course / "students.csv", Done(course, LESSON).basis(path)
    former = students.read_text()
    students.write_text(former.replace("bob,", "bob,graduate"))
    assert Done(course, LESSON).basis(path) != before
    grade(course, "bob")
    assert GRADUATES in books.standings(course, LESSON)["bob"].scores
    students.write_text(former)
    grade(course, "bob")
    assert GRADUATES not in books.standings(course, LESSON)["bob"].scores


def test_a_question_that_does_not_count_for_a_student_is_not_regraded(course):
    (course / "regrades.csv").write_text(f"id,lesson,question,points,reason\nbob,{LESSON},{GRADUATES},1,why\n")
    try:
        with pytest.raises(CourseError, match=f"line 2: This question does not count for bob: {GRADUATES}"):
            regrades.requests(course, Lesson.load(LESSON, course), TRACKS)
    finally:
        (course / "regrades.csv").unlink()


@pytest.mark.parametrize(
    ("only", "sentence"),
    [
        ('{ why_positon = "graduate" }', "has no question 'why_positon'"),
        (f'{{ {GRADUATES} = "gradute" }}', "no student has the track 'gradute'"),
        (f"{{ {GRADUATES} = 3 }}", "only must be a table"),
    ],
)
def test_a_misspelled_question_or_track_is_refused(tmp_path: Path, only, sentence):
    (tmp_path / "students.csv").write_text("id,section\nada,graduate\n")
    (tmp_path / "course.toml").write_text(f"[{LESSON}]\nonly = {only}\n")
    course = Course(tmp_path)
    with pytest.raises((CourseError, LessonError), match=sentence):
        Lesson.load(LESSON, course)
        not_asked(course, LESSON, "ada")


def test_a_platforms_section_may_be_the_track(tmp_path: Path):
    (tmp_path / "students.csv").write_text("id,section\nada,CS 680\nbob,CS 480\n")
    (tmp_path / "course.toml").write_text(f'[{LESSON}]\nonly = {{ {GRADUATES} = "CS 680" }}\n')
    assert [not_asked(Course(tmp_path), LESSON, student) for student in ("ada", "bob")] == [set(), {GRADUATES}]
