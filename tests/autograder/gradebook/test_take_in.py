"""nbgrader's two passes over a submission: what the first has made goes on to the second as it is."""

import nbformat
import pytest

from autograder.common import compat
from autograder.common.nodes import text_of
from autograder.gradebook.steps import TakeIn
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook

LESSON = "attention"
OWN = "# mine"


@pytest.fixture
def passes(tmp_path, monkeypatch):
    """A submission, and a function that takes a file through a pass."""
    path, exporter, first = tmp_path / f"{LESSON}.ipynb", TakeIn(), [True]
    notebook = compose(Lesson.load(LESSON))
    notebook.cells.insert(3, nbformat.v4.new_code_cell(OWN, id="mine"))
    path.write_text(write_notebook(notebook), encoding="utf-8")
    exporter._preprocessors = []
    monkeypatch.setattr(compat, "is_reading_submission", lambda _: first[0])

    def taken(path) -> str:
        text, _ = exporter.from_filename(str(path), {"nbgrader": {"notebook": LESSON}})
        first[0] = False
        return text

    return path, taken


def test_the_second_pass_need_not_read_what_the_first_has_written(passes, tmp_path, monkeypatch):
    path, taken = passes
    between = tmp_path / "between.ipynb"
    between.write_text(taken(path), encoding="utf-8")
    made = nbformat.read(between, as_version=4)
    monkeypatch.setattr(nbformat, "read", None)
    assert taken(between) == text_of(made)
    assert any(cell.source == OWN for cell in made.cells)


def test_what_was_changed_in_between_is_read(passes, tmp_path):
    path, taken = passes
    between = tmp_path / "between.ipynb"
    between.write_text(taken(path).replace(OWN, "# changed"), encoding="utf-8")
    cells = nbformat.reads(taken(between), as_version=4).cells
    assert {OWN, "# changed"} & {cell.source for cell in cells} == {"# changed"}
