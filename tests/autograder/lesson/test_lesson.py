"""The lesson's text: its markers, nbgrader's metadata, and the way back."""

import re

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator

from autograder.common.course import WORKBOOK
from autograder.common.errors import LessonError
from autograder.common.paths import ROOT
from autograder.lesson.setup import SETUP_NAME, STANDING_NAME
from autograder.lesson.text import Lesson, content_hash, to_text
from utils.seq2seq.scores import LENGTHS

TEXT = """\
# %% [markdown]
# # Title

# %% given imports
import torch

# %% solution double
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION

# %% test double 3
check.double(double)
### BEGIN HIDDEN TESTS
exam.double(double)
### END HIDDEN TESTS

# %% show curve
plot(double)

# %% essay why 2 [markdown]
# **Why?**
#
# ### BEGIN SOLUTION
# Because.
# ### END SOLUTION

# %%
1 + 1
"""


def test_roles_become_nbgrader_metadata():
    notebook = Lesson.parse("tiny", TEXT, WORKBOOK).to_notebook()
    managed = {c.metadata.nbgrader.grade_id: c.metadata.nbgrader for c in notebook.cells if "nbgrader" in c.metadata}
    assert list(managed) == [SETUP_NAME, "imports", "double", "test_double", "curve", "why", STANDING_NAME]
    assert (managed["double"].solution, managed["double"].grade, managed["double"].locked) == (True, False, False)
    assert (managed["test_double"].grade, managed["test_double"].points, managed["test_double"].locked) == (
        True,
        3,
        True,
    )
    assert (managed["why"].grade, managed["why"].solution, managed["why"].points) == (True, True, 2)
    assert (managed["imports"].locked, managed["imports"].grade) == (True, False)
    MetadataValidator().validate_nb(notebook)
    nbformat.validate(notebook)


def test_an_essays_question_is_prose_of_its_own():
    cells = Lesson.parse("tiny", TEXT, WORKBOOK).to_notebook().cells
    question = next(cell for cell in cells if cell.source == "**Why?**")
    assert "nbgrader" not in question.metadata
    assert cells[cells.index(question) + 1].metadata.nbgrader.grade_id == "why"


def test_hidden_tests_import_the_exam():
    cells = {c.id: c for c in Lesson.parse("tiny", TEXT, WORKBOOK).to_notebook().cells}
    assert "from autograder.exams import tiny as exam" in cells["test_double"].source


def test_the_way_back_loses_nothing():
    assert to_text(Lesson.parse("tiny", TEXT, WORKBOOK).to_notebook()) == TEXT


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_real_lessons_come_back_whole(name):
    text = (ROOT / "source" / name / "lesson.py").read_text(encoding="utf-8")
    assert to_text(Lesson.parse(name, text, WORKBOOK).to_notebook()) == text


def test_cell_ids_are_stable_when_a_cell_is_added():
    before = [cell.id for cell in Lesson.parse("tiny", TEXT, WORKBOOK).to_notebook().cells]
    more = TEXT.replace("# %% given", "# %% [markdown]\n# More.\n\n# %% given", 1)
    after = [cell.id for cell in Lesson.parse("tiny", more, WORKBOOK).to_notebook().cells]
    assert len(after) == len(before) + 1
    assert [cell for cell in after if cell in before] == before


def test_content_hash_sees_sources_and_not_outputs():
    notebook = Lesson.parse("tiny", TEXT, WORKBOOK).to_notebook()
    clean = content_hash(notebook)
    notebook.cells[2].outputs = [nbformat.v4.new_output("stream", text="hello")]
    assert content_hash(notebook) == clean
    notebook.cells[2].source += "\n1"
    assert content_hash(notebook) != clean


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("# %% test double 3", "# %% test double", "cannot be read"),
        ("# %% solution double", "# %% solved double", "cannot be read"),
        ("# %% given imports", "# %% given Imports!", "cannot be read"),
        ("exam.double(double)\n", "", "no hidden test"),
        ("    ### BEGIN SOLUTION\n", "", "lacks the lines"),
        (" [markdown]\n# **Why?**", "\n# **Why?**", "must be markdown"),
    ],
)
def test_a_broken_marker_is_named(old, new, says):
    assert old in TEXT
    with pytest.raises(LessonError, match=says):
        Lesson.parse("tiny", TEXT.replace(old, new, 1), WORKBOOK)


def test_an_unknown_lesson_names_the_known_ones():
    with pytest.raises(LessonError, match="attention"):
        Lesson.load("nonesuch", WORKBOOK)


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_a_lesson_says_first_how_it_works_and_what_students_need_not_read_is_folded_away(name):
    cells = Lesson.load(name, WORKBOOK).to_notebook().cells
    how = next(i for i, cell in enumerate(cells) if cell.source.startswith("## How a lesson works"))
    assert how == 1 and f"`{name}.ipynb`" in cells[how].source
    setup = next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == SETUP_NAME)
    assert setup.metadata["jupyter"] == {"source_hidden": True}
    imports = next(cell for cell in cells if cell.metadata.get("nbgrader", {}).get("grade_id") == "imports")
    assert imports.metadata["jupyter"] == {"source_hidden": True}
    assert cells[how + 1] == setup and f'how_a_lesson_works("{name}"' in cells[how + 2].source


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_the_first_gap_comes_after_at_most_700_words(name):
    """Formulas are not words, and neither are the lines of tables."""
    cells = Lesson.load(name, WORKBOOK).cells
    first = next(i for i, cell in enumerate(cells) if cell.role == "solution")
    text = "\n".join(cell.source for cell in cells[:first] if cell.kind == "markdown")
    prose = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|^[|][^\n]*$", " ", text, flags=re.DOTALL | re.MULTILINE)
    assert len(re.findall(r"\w[\w'’-]*", prose)) <= 700


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_before_each_training_is_a_guess_whose_name_comes_back_with_a_verdict(name):
    cells = Lesson.load(name, WORKBOOK).cells
    asked = [
        set(re.findall(r'guesses\["(.+?)"\] = \.\.\.', cell.source)) if cell.role == "scratch" else set()
        for cell in cells
    ]
    assert any(asked)
    later = "".join(cell.source for cell in cells if cell.role == "show") + str(list(LENGTHS))
    for place, names in enumerate(asked):
        assert all(f'"{one}"' in later or f"'{one}'" in later for one in names)
        if names:  # the next cell that runs is the training
            assert next(cell.role for cell in cells[place + 1 :] if cell.kind == "code") == "show"
    assert later.count("verdict(guesses, ") >= 3


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_between_a_guess_and_the_cell_that_judges_it_nobody_is_told_the_result(name):
    """Few cells of prose are between them, none of which has a number with a decimal point."""
    cells = Lesson.load(name, WORKBOOK).cells
    for place, cell in enumerate(cells):
        if cell.role == "scratch" and "guesses[" in cell.source:
            judges = next(i for i, later in enumerate(cells) if i > place and "verdict(guesses" in later.source)
            between = [later.source for later in cells[place + 1 : judges] if later.kind == "markdown"]
            assert len(between) <= 4 and not any(re.search(r"\d\.\d", text) for text in between), cell.source
