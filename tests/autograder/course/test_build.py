"""Generated files: the same bytes twice, no edit lost, and a release that fails only at the gaps."""

import gettext
import io
import json
import logging
import warnings
from dataclasses import replace

import nbformat
import pytest
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder import mistakes
from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import BuildError
from autograder.common.paths import ROOT
from autograder.course import build, edits, lookalikes, made
from autograder.exams.reference import checks_of
from autograder.lesson import translation
from autograder.lesson.release import OF_THE_COURSE, PREPROCESSORS, release_notebook
from autograder.lesson.text import Lesson, write_notebook
from autograder.mistakes import Mistake
from utils.checks.engine.answer_key import ANSWERS, StoredKey
from utils.common import lessons
from utils.common.errors import WorkbookError

TEXT = """\
# %% [markdown]
# # Tiny

# %% solution double
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% test double 3
double(2)
### BEGIN HIDDEN TESTS
exam.double(double)
### END HIDDEN TESTS
"""


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of one tiny lesson, without checks."""
    monkeypatch.setattr(Course, "adds", False)  # the build takes it for the workbook
    monkeypatch.setattr(build, "ROOT", tmp_path)
    for module in (build, translation):
        monkeypatch.setattr(module, "NOTEBOOKS", tmp_path / "notebooks")
    monkeypatch.setattr(made, "answers", lambda lesson, check: "{}\n")
    monkeypatch.setattr(build, "locales", dict)
    monkeypatch.setattr(build, "fonts", dict)
    (tmp_path / "source" / "tiny").mkdir(parents=True)
    (tmp_path / "source" / "tiny" / "lesson.py").write_text(TEXT)
    return Course(tmp_path)


def build_tiny(course, **options):
    return build.build([Lesson.load("tiny", course)], **options)


def edit(path, old, new):
    notebook = nbformat.read(path, as_version=4)
    cell = next(cell for cell in notebook.cells if old in cell.source)
    cell.source = cell.source.replace(old, new)
    path.write_text(write_notebook(notebook))


UNFILLABLE = {"{n} rows": "{k} linhas", "{m} lines": "{m linhas", "a row": "uma linha"}


def with_unfillable(path):
    """Write a catalogue in which two of three translations cannot be filled in."""
    catalogue = translation.update_catalogue(path, "pt", list(UNFILLABLE))
    for entry in catalogue:
        entry.msgstr = UNFILLABLE[entry.msgid]
    path.parent.mkdir(exist_ok=True)
    catalogue.save(str(path))


def shows_english_for_unfillable(compiled):
    found = gettext.GNUTranslations(io.BytesIO(compiled))
    return [found.gettext(text) for text in UNFILLABLE] == ["{n} rows", "{m} lines", "uma linha"]


def test_a_message_that_could_not_be_filled_in_stays_english(tmp_path, monkeypatch):
    monkeypatch.setattr(translation, "NOTEBOOKS", tmp_path)
    monkeypatch.setattr(build, "TRANSLATED", ("pt",))
    with_unfillable(tmp_path / "pt" / "messages.po")
    [compiled] = build.locales().values()
    assert shows_english_for_unfillable(compiled)


def test_a_message_of_a_lesson_that_could_not_be_filled_in_stays_english(course, monkeypatch):
    monkeypatch.setattr(made, "TRANSLATED", ("pt",))
    with_unfillable(course / "source" / "tiny" / "pt.po")
    files = made.of_lesson(Lesson.load("tiny", course), check=True)
    assert shows_english_for_unfillable(files[course / "utils" / "tiny" / "made" / "pt.mo"])


def test_the_second_build_changes_nothing(course):
    written = build_tiny(course)
    assert {path.relative_to(course.folder).as_posix() for path in written} == {
        "source/tiny/tiny.ipynb",
        "release/tiny/tiny.ipynb",
        "notebooks/en/tiny.ipynb",
        "utils/tiny/made/answers.json",
        "utils/tiny/made/outline.json",
        "environment.yml",
    }
    assert build_tiny(course) == []
    assert build_tiny(course, check=True) == []


def test_check_sees_a_difference_and_writes_nothing(course):
    build_tiny(course)
    released = course / "release" / "tiny" / "tiny.ipynb"
    released.write_text(released.read_text().replace("Tiny", "Small"))
    before = released.read_text()
    assert build_tiny(course, check=True) == [released]
    assert released.read_text() == before


def test_an_edit_in_the_notebook_is_never_overwritten(course):
    build_tiny(course)
    notebook = course / "source" / "tiny" / "tiny.ipynb"
    edit(notebook, "# Tiny", "# Tiny, edited")
    with pytest.raises(BuildError, match="--pull"):
        build_tiny(course)
    assert "edited" in notebook.read_text()


def test_pull_brings_the_edit_into_the_text(course):
    build_tiny(course)
    edit(course / "source" / "tiny" / "tiny.ipynb", "return 2 * x", "return x + x")
    edited = edits.pull(Lesson.load("tiny", course))
    assert (course / "source" / "tiny" / "lesson.py").read_text() == TEXT.replace("return 2 * x", "return x + x")
    assert edited == Lesson.load("tiny", course)
    build_tiny(course)
    assert not edits.pull(Lesson.load("tiny", course))


def insert(course, cell, at=0):
    path = course / "source" / "tiny" / "tiny.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(at, cell)
    path.write_text(write_notebook(notebook))


def marked(kind, grade_id, **marks):
    cell = nbformat.v4.new_markdown_cell("x") if kind == "markdown" else nbformat.v4.new_code_cell("x = 1")
    given = {"grade": False, "locked": False, "schema_version": 3, "solution": False, "task": False}
    cell.metadata["nbgrader"] = given | {"grade_id": grade_id} | marks
    return cell


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        (nbformat.v4.new_raw_cell("raw"), r"Cell 1 of .* is a raw cell"),
        (marked("markdown", "cell-12ab34", task=True), "Manually graded task"),
        (marked("code", "cell-12ab34", solution=True), "has the ID 'cell-12ab34'; in the Create Assignment panel"),
        (marked("code", "triple", grade=True, points=2), "make it begin with test_"),
        (marked("code", "triple", grade=True, solution=True, points=2), "graded by hand"),
    ],
)
def test_what_the_text_cannot_hold_is_refused_before_anything_is_written(course, cell, says):
    build_tiny(course)
    insert(course, cell)
    with pytest.raises(BuildError, match=says):
        edits.pull(Lesson.load("tiny", course))
    assert (course / "source" / "tiny" / "lesson.py").read_text() == TEXT


@pytest.mark.parametrize("at", [0, 1, -1])
@pytest.mark.parametrize("kind", ["code", "markdown"])
def test_empty_cells_are_left_out_and_lock_nobody_up(course, kind, at):
    build_tiny(course)
    empty = nbformat.v4.new_code_cell("") if kind == "code" else nbformat.v4.new_markdown_cell(" \n")
    insert(course, empty, at)
    edit(course / "source" / "tiny" / "tiny.ipynb", "return 2 * x", "return x + x")
    edits.pull(Lesson.load("tiny", course))
    assert (course / "source" / "tiny" / "lesson.py").read_text() == TEXT.replace("return 2 * x", "return x + x")
    build_tiny(course)
    assert not edits.pull(Lesson.load("tiny", course))


def test_a_test_cell_without_exam_is_refused():
    lesson = Lesson.load("attention", WORKBOOK)
    text = (ROOT / "source" / "attention" / "lesson.py").read_text() + TEXT.split("# %% solution")[1].join(
        ["\n# %% solution", ""]
    )
    with pytest.raises(BuildError, match=r"“# %% test double” of attention has no check"):
        made.refuse_tests_that_test_nothing(Lesson.parse("attention", text, WORKBOOK))
    made.refuse_tests_that_test_nothing(lesson)


@pytest.mark.parametrize("exams", [False, True])
def test_mistakes_that_look_alike_need_a_sentence_for_checks_and_exams(monkeypatch, exams):
    stored = json.loads(lessons.made("attention", ANSWERS).read_text(encoding="utf-8"))
    lesson, said = Lesson.load("attention", WORKBOOK), StoredKey(stored, "self_attention")
    lookalikes.refuse_unsaid(lesson, {"self_attention": said}, exams=True)
    if exams:  # so that the check's classes are not what is refused
        monkeypatch.setattr(lookalikes, "of_check", lambda *_: iter(()))
    unsaid = StoredKey(stored | {"classes": {}}, "self_attention")
    with pytest.raises(BuildError, match=r"self_attention: keys_times_queries, query_key_exchanged$"):
        lookalikes.refuse_unsaid(lesson, {"self_attention": unsaid}, exams=exams)


def test_a_check_asks_again_for_look_alikes_if_any_answer_has_changed(monkeypatch):
    lesson, asked = Lesson.load("recall", WORKBOOK), []
    before = json.loads(lessons.made("recall", ANSWERS).read_text(encoding="utf-8"))
    monkeypatch.setattr(made, "store_answers", lambda question, *_: before["questions"][question.name])
    monkeypatch.setattr(made, "refuse_unsaid", lambda *_, exams: asked.append(exams))
    assert made.answers_of(lesson, check=True) == before and asked == []
    made.answers_of(lesson)
    assert asked == [True]
    monkeypatch.setattr(made, "_before", lambda part: before | {"classes": {}})
    made.answers_of(lesson, check=True)
    assert asked == [True, False]


@pytest.mark.parametrize(("difference", "as_before"), [(1e-7, True), (1e-4, False)])
def test_a_computer_that_rounds_otherwise_writes_the_same_answers(monkeypatch, difference, as_before):
    before = json.loads(lessons.made("recall", ANSWERS).read_text(encoding="utf-8"))

    def elsewhere(value):
        if isinstance(value, dict):
            return {key: elsewhere(item) for key, item in value.items()}
        if isinstance(value, list):
            return [elsewhere(item) for item in value]
        return value * (1 + difference) if isinstance(value, float) else value

    monkeypatch.setattr(made, "store_answers", lambda question, *_: elsewhere(before["questions"][question.name]))
    monkeypatch.setattr(made, "refuse_unsaid", lambda *_, exams: None)
    monkeypatch.setattr(made, "_pairs", lambda *_: {key: before[key] for key in ("pairs", "pairs_of")})
    assert (made.answers_of(Lesson.load("recall", WORKBOOK)) == before) is as_before


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"replacements": (("argmim", "argmax"),)}, "in the cell update, where it occurs 0 times"),
        ({"replacements": (("inputs", "targets"),)}, r"in the cell update, where it occurs \d+ times"),
        ({"cell": "lose"}, "is in no cell: the lesson has no solution 'lose'"),
        ({"replacements": (("def update", "def def update"),)}, "the cell update raises SyntaxError"),
    ],
)
def test_a_mistake_that_cannot_be_made_stops_the_build(monkeypatch, change, says):
    lesson = Lesson.load("attention", WORKBOOK)
    unmade = Mistake("unmade", "update", (("def update", "def update"),), "Said.", ("test_update",))
    monkeypatch.setattr(mistakes, "load", lambda _: {"unmade": replace(unmade, **change)})
    monkeypatch.setattr(made.reference, "checks_of", lambda _: {"update": checks_of(lesson)["update"]})
    monkeypatch.setattr(made, "refuse_tests_that_test_nothing", lambda _: None)
    with pytest.raises(WorkbookError, match=says):
        made.answers_of(lesson)


def test_running_the_notebook_is_no_edit(course):
    build_tiny(course)
    path = course / "source" / "tiny" / "tiny.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count, cell.outputs = 3, [nbformat.v4.new_output("stream", text="2")]
    path.write_text(write_notebook(notebook))
    assert not edits.pull(Lesson.load("tiny", course))
    build_tiny(course)
    assert '"execution_count": 3' not in path.read_text()


def test_edits_on_both_sides_are_refused(course):
    build_tiny(course)
    edit(course / "source" / "tiny" / "tiny.ipynb", "# Tiny", "# Tiny, edited")
    (course / "source" / "tiny" / "lesson.py").write_text(TEXT.replace("# Tiny", "# Tiny too"))
    with pytest.raises(BuildError, match="Both"):
        edits.pull(Lesson.load("tiny", course))


def test_translations_change_prose_and_nothing_else(course):
    catalogue = translation.update_catalogue(course / "x.po", "fr", translation.prose(Lesson.load("tiny", course)))
    catalogue[0].msgstr = "# Minuscule"
    catalogue.save(str(course / "source" / "tiny" / "fr.po"))
    build_tiny(course)
    english, french = (nbformat.read(course / f"notebooks/{name}/tiny.ipynb", as_version=4) for name in ("en", "fr"))
    assert [c.source for c in french.cells if c.cell_type == "markdown"] == ["# Minuscule"]
    assert [c for c in french.cells if c.cell_type == "code"] == [c for c in english.cells if c.cell_type == "code"]
    assert french.metadata.workbook.language == "fr"


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_the_release_holds_no_solution_and_no_hidden_test(name):
    lesson = Lesson.load(name, WORKBOOK)
    released = "\n".join(cell.source for cell in release_notebook(lesson).cells)
    assert "### BEGIN SOLUTION" not in released
    assert "### BEGIN HIDDEN" not in released
    assert "autograder" not in released.replace("autograder tests", "")
    for cell in lesson.solutions.values():
        assert f'NotImplementedError("{cell.name}: ' in released


def generate(instructors, lesson_name, folder):
    """Return the students' notebook, made by nbgrader's generate_assignment in a course in a folder."""
    source = folder / "source" / lesson_name / f"{lesson_name}.ipynb"
    source.parent.mkdir(parents=True)
    source.write_text(write_notebook(instructors), encoding="utf-8")
    config = Config()
    config.CourseDirectory.root = str(folder)
    config.CourseDirectory.assignment_id = lesson_name
    config.GenerateAssignment.no_database = True
    config.SaveCells.enabled = False
    config.GenerateAssignment.preprocessors = [step for step in PREPROCESSORS if step not in OF_THE_COURSE]
    converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
    converter.log.setLevel(logging.ERROR)
    converter.start()
    return nbformat.read(folder / "release" / lesson_name / f"{lesson_name}.ipynb", as_version=4)


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_our_release_is_the_one_nbgrader_makes(name, tmp_path):
    lesson = Lesson.load(name, WORKBOOK)
    released = generate(lesson.to_notebook(), name, tmp_path)
    assert write_notebook(released) == write_notebook(release_notebook(lesson))


def test_what_torch_says_of_a_known_mistake_is_not_printed_while_a_lesson_is_built(monkeypatch, recwarn):
    monkeypatch.setattr(made, "answers", lambda lesson, check=False: warnings.warn("a target size", stacklevel=1) or "")
    made.of_lesson(Lesson.load("attention", WORKBOOK))
    assert not recwarn.list
