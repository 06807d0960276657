"""A course's line `order = 0.5`: without it no student gets a line; with it, lines of some gaps, and fewer points."""

import copy
import dataclasses
import json
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import CourseError
from autograder.common.nodes import as_node, grade_id
from autograder.common.paths import ROOT
from autograder.course import bundle
from autograder.course.ordering import taken_apart
from autograder.examine.result import Result, verdict_to_json
from autograder.examine.work import Work
from autograder.gradebook.first_screen import questions
from autograder.gradebook.state import Done
from autograder.gradebook.steps import write_outputs
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits
from autograder.site import private
from tests.helpers.own_lessons import HERE, added, course_in
from utils.checks.engine.outcome import Verdict
from utils.checks.order import LINES

ON = "order = 0.5\n"


def course_with(folder: Path, settings: str) -> Course:
    (folder / "course.toml").write_text(settings)
    return Course(folder)


def shipped(folder: Path, course: Course) -> dict[str, str]:
    """Return the text of each lesson's file of lines in the students' modules."""
    for name in course.lessons:
        (folder / name / "made").mkdir(parents=True)
    (folder / "common").mkdir()
    bundle.adapt(folder, course)
    return {path.parent.parent.name: path.read_text(encoding="utf-8") for path in folder.rglob(LINES)}


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, str]:
    """The files of lines of a course with lines and a lesson of its own."""
    folder = tmp_path_factory.mktemp("on")
    with pytest.MonkeyPatch.context() as patched:
        course = added(course_in(folder, patched), "sorting", HERE / "sorting")
        return shipped(folder / "modules", course_with(course.folder, ON))


def test_without_the_course_s_line_no_file_of_lines_is_made(tmp_path):
    assert shipped(tmp_path / "modules", course_with(tmp_path, 'assistants = "any"\n')) == {}
    assert not list((ROOT / "utils").rglob(LINES))


def test_with_it_each_lesson_has_lines_the_course_s_own_too(files):
    assert files.keys() == {*WORKBOOK.lessons, "sorting"} and sum(map(len, files.values())) < 50_000
    gaps = json.loads(files["sorting"])
    assert {name: (gap["wrong"], gap["most"]) for name, gap in gaps.items()} == {
        "merge": (2, 1.5),
        "merge_sort": (1, 1),
    }


@pytest.mark.parametrize("name", WORKBOOK.lessons)
def test_the_lines_are_those_of_gaps_of_3_to_12_lines_and_nothing_else_that_is_private(files, name):
    lesson, gaps = Lesson.load(name, WORKBOOK), json.loads(files[name])
    of_gaps = {" ".join(line[2].split()) for gap in gaps.values() for line in gap["lines"]}
    read = " ".join(files[name].split())
    code = {" ".join(line.split()) for text in private._code() for line in text.splitlines()}
    found = [line for line in code if len(line) >= private.LINE and line in read]
    assert found and all(any(line in known for known in of_gaps) for line in found)
    for question in lesson.tests.keys() - gaps:
        _, kept = taken_apart(lesson.solutions[question].source)
        assert not 3 <= len(kept) <= 12 or question == "heal", question


@pytest.mark.parametrize("value", ["-0.1", "1.5", "true", '"half"'])
def test_another_value_is_refused(tmp_path, value):
    with pytest.raises(CourseError, match="order must be a number from 0 to 1"):
        course_with(tmp_path, f"order = {value}\n").settings  # noqa: B018


# ---- what an answer from lines earns -------------------------------------------------------------------------

GPT = Lesson.load("gpt", WORKBOOK)
ANSWER = '# check.block.order("d a c")\n' + GPT.solutions["block"].code
NOTEBOOK = compose(GPT, {"block": ANSWER})
WORK = Work(NOTEBOOK, GPT, Limits())


def result_of(course: Course, answer: str, outcome: str = "passed") -> Result:
    """Return the result of a notebook with this answer to `block`, in which each test has the same outcome."""
    work = copy.copy(WORK)
    work.lesson = dataclasses.replace(GPT, course=course)
    work.cells = [as_node(cell | {"source": answer}) if grade_id(cell) == "block" else cell for cell in WORK.cells]
    verdicts = [verdict_to_json(Verdict("a", "asks", 1.0, outcome))]
    run = {"outputs": {}, "stopped": [], "cpu_seconds": 0.0}
    return work.result(dict.fromkeys(work.questions.values(), verdicts) | {work.cells_key: run})


@pytest.mark.parametrize(
    ("settings", "answer", "outcome", "points"),
    [
        (ON, ANSWER, "passed", 2),
        (ON, ANSWER, "wrong", 0),
        (ON, ANSWER.replace("# check", "    #check"), "passed", 2),
        (ON, ANSWER.partition("\n")[2], "passed", 4),
        (ON, ANSWER.replace("check.block", "check.step"), "passed", 4),
        ("order = 1\n", ANSWER, "passed", 4),
        ("", ANSWER, "passed", 4),
    ],
)
def test_the_comment_above_the_lines_decides_the_points(tmp_path, settings, answer, outcome, points):
    result = result_of(course_with(tmp_path, settings), answer, outcome)
    for question in result.questions:
        whole = question.max_points if outcome == "passed" else 0
        assert question.points in (None, points if question.id == "test_block" else whole)


@pytest.mark.parametrize(("language", "says"), [("en", "by putting lines in order"), ("fr", "2 sur 4"), ("zh", "2/4")])
def test_feedback_says_why_an_answer_from_lines_earns_less(tmp_path, language, says):
    notebook = as_node(NOTEBOOK)
    notebook.metadata["workbook"]["language"] = language
    write_outputs(notebook, result_of(course_with(tmp_path, ON), ANSWER), GPT)
    [line] = [line for line in questions(notebook, GPT, language) if line.id == "test_block"]
    assert says in line.reason and not line.command
    [cell] = [cell for cell in notebook.cells if grade_id(cell) == "test_block"]
    assert line.reason in cell.outputs[0].text


def test_another_share_is_graded_anew(tmp_path):
    hashes = {Done(course_with(tmp_path, text), "gpt")._grading_hash("ada", "") for text in ("", ON, "order = 0.25\n")}
    assert len(hashes) == 3
