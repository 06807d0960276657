"""The whole path: a class hands in, is graded by our command and by nbgrader's own, and gets feedback."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder import mistakes
from autograder.__main__ import main
from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError, SandboxError
from autograder.common.paths import ROOT
from autograder.gradebook import books, converters, grade
from autograder.gradebook.state import only_one
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from tests.helpers.courses import configure
from tests.helpers.typed import nbgrader, workbook

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)


def wrong_answer() -> tuple[mistakes.Mistake, dict[str, str]]:
    """A mistake in the last gap, and the cell that makes it."""
    last = list(ATTENTION.solutions)[-1]
    mistake = next(m for m in mistakes.load(Lesson.load(LESSON, WORKBOOK)).values() if m.cell == last)
    return mistake, {last: mistakes.code_of(ATTENTION, mistake)}


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A class of four, graded by our command, with its feedback."""
    folder = tmp_path_factory.mktemp("course")
    configure(folder)
    hand_in(compose(ATTENTION), Course(folder), "right", LESSON)
    hand_in(compose(ATTENTION, blank=True), Course(folder), "blank", LESSON)
    hand_in(compose(ATTENTION, wrong_answer()[1]), Course(folder), "wrong", LESSON)
    hand_in("{ this is no notebook", Course(folder), "broken", LESSON)
    report = grade.grade(LESSON, course=Course(folder))
    assert report.graded == ["blank", "broken", "right", "wrong"]
    converters.feedback(Course(folder), LESSON)
    return folder


def automatic(course: Path) -> dict[str, dict[str, float]]:
    tests = {cell.grade_id for cell in ATTENTION.of_role("test")}
    marks = books.marks(Course(course), LESSON)
    return {student: {name: marks[student][name] or 0.0 for name in tests} for student in marks}


def test_marks_are_in_the_gradebook(course):
    points = {cell.grade_id: cell.points for cell in ATTENTION.of_role("test")}
    mistake, _ = wrong_answer()
    marks = automatic(course)
    assert marks["right"] == points
    assert set(marks["blank"].values()) == set(marks["broken"].values()) == {0.0}
    lost = {name for name, score in marks["wrong"].items() if score < points[name]}
    assert lost == set(mistake.loses)


def test_essays_wait_for_a_person_and_empty_ones_do_not(course):
    essays = list(ATTENTION.essays)
    marks = books.marks(Course(course), LESSON)
    assert {marks["right"][name] for name in essays} == {None}
    assert {marks["blank"][name] for name in essays} == {0.0}


def test_feedback_names_the_mistake_and_hides_the_tests(course):
    page = (course / "feedback" / "wrong" / LESSON / f"{LESSON}.html").read_text()
    text = " ".join(re.sub(r"<[^>]+>", "", page).split())
    assert wrong_answer()[0].says.split(";")[0].split(":")[0][:40] in text
    assert "HIDDEN" not in page
    # Bootstrap breaks words anywhere; the rule that stands later counts.
    assert page.rindex("word-break: normal; overflow-wrap: anywhere") > page.index("word-break: break-all")
    assert "autograder.exams" not in page


def test_a_broken_file_is_refused_in_one_sentence(course):
    page = (course / "feedback" / "broken" / LESSON / f"{LESSON}.html").read_text()
    assert "Your file is not a notebook (line 1 is not valid JSON" in page


def test_nbgraders_own_command_gives_the_same_marks(course, tmp_path):
    folder = tmp_path / "course"
    shutil.copytree(course / "submitted", folder / "submitted")
    shutil.copytree(course / "source", folder / "source")
    configure(folder)
    for command in ("generate_assignment", "autograde"):
        done = nbgrader(folder, command, LESSON)
        assert done.returncode == 0, done.stderr
    assert automatic(folder) == automatic(course)


def test_an_unchanged_class_is_left_alone_and_a_changed_one_is_not(course):
    assert grade.grade(LESSON, course=Course(course)).graded == []
    path = hand_in(compose(ATTENTION), Course(course), "blank", LESSON)
    try:
        assert grade.grade(LESSON, course=Course(course)).graded == ["blank"]
        assert automatic(course)["blank"] == automatic(course)["right"]
    finally:
        hand_in(compose(ATTENTION, blank=True), Course(course), "blank", LESSON)
        assert grade.grade(LESSON, course=Course(course)).graded == ["blank"]
    assert path.is_file()


def test_manual_grades_and_comments_survive_regrading(course):
    from nbgrader.api import Gradebook

    essay = next(iter(ATTENTION.essays))
    url = f"sqlite:///{course / 'gradebook.db'}"
    with Gradebook(url) as gradebook:
        gradebook.find_grade(essay, LESSON, LESSON, "right").manual_score = 1.5
        gradebook.find_comment(essay, LESSON, LESSON, "right").manual_comment = "Well put."
        gradebook.db.commit()
    grade.grade(LESSON, course=Course(course), force=True)
    with Gradebook(url) as gradebook:
        assert gradebook.find_grade(essay, LESSON, LESSON, "right").manual_score == 1.5
        assert gradebook.find_comment(essay, LESSON, LESSON, "right").manual_comment == "Well put."


def test_two_graders_at_once_are_told_so(course):
    with only_one(Course(course)), pytest.raises(GradingError, match="Another grading"):
        grade.grade(LESSON, course=Course(course))


def test_a_class_without_submissions_is_one_sentence(tmp_path):
    with pytest.raises(GradingError, match="no submissions of attention"):
        grade.grade(LESSON, course=Course(tmp_path))


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("try", "attention", "no-such-file.ipynb"), "There is no file no-such-file.ipynb"),
        (("try", "nonesuch", "README.md"), "There is no lesson 'nonesuch'"),
        (("compose", "attention", "--cell", "nothing", "-o", "x.ipynb"), "write GRADE_ID=FILE"),
        (("compose", "attention", "--cell", "nothing=README.md", "-o", "x.ipynb"), "has no cell nothing"),
        (
            ("compose", "attention", "--cell", "x=utils/locale/fr/LC_MESSAGES/messages.mo", "-o", "x"),
            "is not UTF-8 text",
        ),
        (("compose", "attention", "-o", "no/such/folder/x.ipynb"), "x.ipynb cannot be used (No such file"),
        (("grade", "nonesuch"), "There is no lesson 'nonesuch'"),
    ],
)
def test_bad_input_is_one_clear_sentence(command, says, monkeypatch):
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(main, command, catch_exceptions=False)
    assert done.exit_code == 1
    assert says in done.stderr and done.stderr.count("\n") == 1


def test_try_prints_the_promised_json(tmp_path):
    notebook = tmp_path / "one.ipynb"
    cell = tmp_path / "cell.py"
    mistake, cells = wrong_answer()
    cell.write_text(cells[mistake.cell])
    assert workbook(ROOT, "compose", LESSON, "--cell", f"{mistake.cell}={cell}", "-o", str(notebook)).returncode == 0
    done = workbook(ROOT, "try", LESSON, str(notebook), "--json")
    data = json.loads(done.stdout)
    assert set(data) >= {"lesson", "questions", "mended", "flags", "seconds", "cpu_seconds"}
    failed = [q for q in data["questions"] if q["kind"] == "auto" and q["points"] < q["max_points"]]
    assert [question["id"] for question in failed] == list(mistake.loses)
    test = next(test for test in failed[0]["tests"] if not test["passed"])
    assert set(test) == {"name", "points", "max_points", "passed", "reason", "mistake", "also"}
    assert mistake.id in {test["mistake"] for test in failed[0]["tests"]}
    assert {q["points"] for q in data["questions"] if q["kind"] == "manual"} == {None}


def test_without_bubblewrap_the_sentence_says_what_to_type(monkeypatch):
    from autograder.sandbox import bubblewrap

    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    with pytest.raises(SandboxError, match="apt-get install bubblewrap"):
        bubblewrap.bubblewrap()
