"""The course's instructor notebook: brought up to date, and never written over when somebody edited it."""

from dataclasses import replace
from pathlib import Path

import nbformat
import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.gradebook import converters
from autograder.lesson.text import Lesson, write_notebook
from tests.helpers.courses import configure

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)


@pytest.fixture
def path(tmp_path) -> Path:
    """An instructor notebook as an older text of the lesson had it."""
    path = tmp_path / "source" / LESSON / f"{LESSON}.ipynb"
    path.parent.mkdir(parents=True)
    cells = tuple(cell for cell in ATTENTION.cells if cell.role != "prose")
    path.write_text(write_notebook(replace(ATTENTION, cells=cells).to_instructors()))
    return path


def current() -> str:
    return write_notebook(ATTENTION.to_instructors())


def stopped(*_args, **_options):
    raise KeyboardInterrupt


def fails(*_args, **_options):
    raise ValueError("no kernel")


@pytest.fixture
def prepare(path, monkeypatch):
    """Prepare the course as far as the notebook; what nbgrader then does with it is tested elsewhere."""
    monkeypatch.setattr(converters, "_create_whole", stopped)

    def prepare() -> None:
        with pytest.raises(KeyboardInterrupt):
            converters.prepare(Course(path.parents[2]), Lesson.load(LESSON, Course(path.parents[2])))

    return prepare


def test_a_notebook_of_an_older_text_is_written_anew(path, prepare):
    assert path.read_text() != current()
    prepare()
    assert path.read_text() == current()


def test_a_missing_notebook_is_written(path, prepare):
    path.unlink()
    prepare()
    assert path.read_text() == current()


@pytest.mark.parametrize("of", ["older", "current"])
def test_a_notebook_edited_by_hand_is_never_overwritten(path, of):
    notebook = nbformat.reads(path.read_text() if of == "older" else current(), as_version=4)
    notebook.cells[3].source += "\nby hand"
    path.write_text(write_notebook(notebook))
    before = path.read_bytes()
    with pytest.raises(GradingError, match=rf"{LESSON}\.ipynb has been edited .*course.toml.*build {LESSON} --pull`"):
        converters.prepare(Course(path.parents[2]), Lesson.load(LESSON, Course(path.parents[2])))
    assert path.read_bytes() == before


def test_a_notebook_that_was_only_run_is_left_as_it_is(path, prepare):
    notebook = nbformat.reads(current(), as_version=4)
    next(cell for cell in notebook.cells if cell.cell_type == "code").execution_count = 7
    path.write_text(write_notebook(notebook))
    before = path.read_bytes()
    prepare()
    assert path.read_bytes() == before


def test_a_gradebook_that_is_up_to_date_is_not_made_again(tmp_path, monkeypatch):
    configure(tmp_path)
    course = Course(tmp_path)
    lesson = Lesson.load(LESSON, course)
    assert converters.prepare(course, lesson) == []
    monkeypatch.setattr(converters, "convert", fails)
    assert converters.prepare(course, lesson) == []
    dearer = [replace(cell, points=cell.points + (cell.role == "test")) for cell in lesson.cells]
    with pytest.raises(GradingError) as raised:
        converters.prepare(course, replace(lesson, cells=tuple(dearer)))
    assert str(raised.value) == (
        "The gradebook could not be brought up to date with source/attention/lesson.py (no kernel); "
        "restore that text as it was released, or grade in a separate course folder (--course)."
    )
