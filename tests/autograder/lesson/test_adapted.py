"""A course's points, and the questions that it leaves out: the notebook follows, and nothing elsewhere."""

import shutil
import subprocess
import sys

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.course_file import CourseFile, LessonSettings, with_points
from autograder.common.errors import CourseError
from autograder.common.paths import ROOT
from autograder.course import bundle
from autograder.gradebook.state import Done
from autograder.lesson.adapted import adapted, joined
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson

NAME = "attention"
TEXT = (ROOT / "source" / NAME / "lesson.py").read_text(encoding="utf-8")


@pytest.fixture
def here(tmp_path):
    return Course(tmp_path)


def test_without_settings_the_text_is_the_workbooks():
    assert adapted(NAME, TEXT, LessonSettings()) == TEXT


def test_points_move_and_questions_go(here):
    before = Lesson.parse(NAME, TEXT, WORKBOOK)
    (here / "course.toml").write_text(
        '[attention]\npoints = { self_attention = 8, update = 0.5 }\nwithout = ["why_position", "conv_network"]\n'
    )
    lesson = Lesson.load(NAME, here)
    assert lesson.tests["self_attention"].points == 8 and lesson.tests["update"].points == 0.5
    assert set(before.tests) - set(lesson.tests) == {"conv_network"}
    assert set(before.essays) - set(lesson.essays) == {"why_position"}
    ours = [cell for cell in release_notebook(lesson).cells if "nbgrader" in cell.metadata]
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in ours}
    given = cells["conv_network"]
    assert not given.metadata.nbgrader.solution and "NotImplementedError" not in given.source
    assert given.source == before.solutions["conv_network"].code  # the cells below need it
    assert "test_conv_network" not in cells and "why_position" not in cells
    assert cells["test_self_attention"].metadata.nbgrader.points == 8


def test_questions_on_own_code_go_with_their_text_and_nothing_else_does(here):
    before = Lesson.load(NAME, WORKBOOK)
    (here / "course.toml").write_text('[attention]\nwithout = ["own_code"]\n')
    lesson = Lesson.load(NAME, here)
    left = [cell for cell in before.cells if cell not in lesson.cells]
    assert [(cell.role, cell.name) for cell in left[1:]] == [
        ("show", "ask"),
        ("solution", "own_code"),
        ("test", "own_code"),
    ]
    assert left[0].source.startswith("### Two questions about your own code")
    assert len(lesson.cells) == len(before.cells) - 4


@pytest.mark.parametrize("name", ["attention", "gpt", "recall"])
def test_the_sick_model_goes_with_its_section_and_nothing_else_does(here, name):
    before = Lesson.load(name, WORKBOOK)
    (here / "course.toml").write_text(f'[{name}]\nwithout = ["heal"]\n')
    lesson = Lesson.load(name, here)
    left = [cell for cell in before.cells if cell not in lesson.cells]
    first = before.cells.index(left[0])
    assert left == list(before.cells[first : first + len(left)])  # one section
    headings = [cell for cell in left if cell.source.startswith("## ")]
    assert headings == left[:1] and " sick " in left[0].source and lesson.cells[first].source.startswith("## ")
    assert [cell.name for cell in left if cell.role in ("solution", "test")] == ["heal", "heal"]
    code = "\n".join(cell.source for cell in lesson.cells if cell.kind == "code")
    assert "whose =" not in code and "admitted" not in code and len(lesson.cells) + len(left) == len(before.cells)


def test_the_practice_of_catching_mistakes_goes_with_its_text(here):
    before = Lesson.load(NAME, WORKBOOK)
    (here / "course.toml").write_text('[attention]\nwithout = ["catch"]\n')
    left = [cell for cell in before.cells if cell not in Lesson.load(NAME, here).cells]
    assert [cell.role for cell in left] == ["prose", "scratch"]
    assert left[0].source.startswith("**Catch the mistakes first**") and ".catch(" in left[1].source


def test_other_courses_and_no_course_have_the_workbooks_lesson(here, tmp_path_factory):
    (here / "course.toml").write_text("[attention]\npoints = { update = 9 }\n")
    assert Lesson.load(NAME, here).tests["update"].points == 9
    other = Course(tmp_path_factory.mktemp("other"))
    assert Lesson.load(NAME, other) is Lesson.parse(NAME, TEXT, other)
    assert Lesson.load(NAME, other).cells == Lesson.load(NAME, WORKBOOK).cells
    assert Lesson.load(NAME, WORKBOOK) is Lesson.parse(NAME, TEXT, WORKBOOK)


def test_what_is_graded_is_graded_again_when_the_points_move(here):
    path = here / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    for file in (path, Done(here, NAME).graded("ada"), here / ".grading" / "logs" / NAME / "ada.json"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")
    done = Done(here, NAME)
    done.note("ada", done.content(path))
    assert done.is_unchanged("ada", path)
    (here / "course.toml").write_text("[attention]\ntitle = 'Devoir 1'\n")
    assert done.is_unchanged("ada", path)
    (here / "course.toml").write_text("[attention]\npoints = { update = 9 }\n")
    assert not done.is_unchanged("ada", path)


def test_the_modules_for_students_know_the_courses_questions_and_order(here, tmp_path):
    (here / "course.toml").write_text('lessons = ["seq2seq", "attention"]\n[attention]\nwithout = ["heal"]\n')
    copy = tmp_path / "copy" / "utils"
    shutil.copytree(ROOT / "utils", copy, ignore=bundle.IGNORED)
    outline = copy / "attention" / "made" / "outline.json"
    assert '"heal"' in outline.read_text()
    bundle.adapt(copy, here)
    assert '"heal"' not in outline.read_text()
    asked = "from utils.version import __version__; from utils.common.lessons import ORDER; print(__version__, *ORDER)"
    done = subprocess.run([sys.executable, "-c", asked], cwd=copy.parent, capture_output=True, text=True)
    assert done.stdout.split() == [here.version, "seq2seq", "attention"], done.stderr
    assert here.in_order() == ["seq2seq", "attention"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "[attention]\npoints = { los = 3 }",
            r"\[attention\] has no question 'los'; the questions are: make_",
        ),
        ('[attention]\nwithout = ["nothing"]', r"has no question 'nothing'"),
        ("[attention]\npoints = { loss = -1 }", r"attention\.points must be a table such as"),
        ("[attention]\nout_of = 0", r"attention\.out_of must be above 0"),
        ("[attention]\nwheight = 2", r"\[attention\] has wheight, which is none of title, out_of, weight"),
        ("[atention]\nweight = 2", r"\[atention\] is not the name of a lesson; the lessons are: attention, "),
        ("attention = 3", r"attention must be a table: \[attention\]"),
        ('lessons = "attention"', r"lessons must be a list such as"),
        ('timezone = "Paris"', r"There is no time zone 'Paris'"),
        ("timezone = ", r"course\.toml cannot be read \(.*\); correct that line"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_one_sentence(here, text, says):
    (here / "course.toml").write_text(text)
    with pytest.raises(CourseError, match=says):
        Lesson.load(NAME, here)
    assert CourseFile.of(here.folder.parent).by_lesson == {}


OWN = "# %% after update\n# %% [markdown]\n# More.\n\n# %% after self_attention\n# %% given more\nx = 1\n"


def test_a_course_s_cells_come_below_the_questions_that_they_name():
    text = joined(NAME, [TEXT, OWN])
    cells = Lesson.parse(NAME, text, WORKBOOK).cells
    names = [cell.grade_id for cell in cells]
    assert names[names.index("test_self_attention") + 1] == "more"
    assert cells[names.index("test_update") + 1].source == "More."
    assert len(cells) == len(Lesson.parse(NAME, TEXT, WORKBOOK).cells) + 2


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("# %% given more\nx = 1\n", "must begin with a line such as: # %% after self_attention"),
        ("# %% after nothing\n# %% given more\nx = 1\n", "after nothing: the lesson has no cell of that name"),
    ],
)
def test_a_course_s_text_that_names_no_place_is_refused(own, said):
    with pytest.raises(CourseError, match=said):
        joined(NAME, [TEXT, own])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "\n[attention]\npoints = { update = 3 }\n"),
        ("# mine\n[attention]\nout_of = 20\n", "# mine\n[attention]\npoints = { update = 3 }\nout_of = 20\n"),
        ("[attention]\npoints = { a = 1 }\n[gpt]\n", "[attention]\npoints = { update = 3 }\n[gpt]\n"),
        ("[gpt]\npoints = { a = 1 }\n", "[gpt]\npoints = { a = 1 }\n\n[attention]\npoints = { update = 3 }\n"),
    ],
)
def test_points_are_written_into_the_course_s_file_and_nothing_else_changes(before, after):
    assert with_points(before, NAME, {"update": 3.0}) == after


def test_points_in_several_lines_are_left_to_the_person():
    with pytest.raises(CourseError, match="not on one line; change them there by hand"):
        with_points("[attention]\npoints.update = 2\n", NAME, {"update": 3.0})
