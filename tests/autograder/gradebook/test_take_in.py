"""nbgrader's reader of submissions: one conversion, from what was handed in to the text of the graded notebook."""

import nbformat
import pytest

from autograder.common.course import WORKBOOK
from autograder.gradebook.steps import TakeIn
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook

LESSON = "attention"
OWN = "# mine"


@pytest.fixture
def path(tmp_path):
    """A submission with a cell of the student's own."""
    path = tmp_path / f"{LESSON}.ipynb"
    notebook = compose(Lesson.load(LESSON, WORKBOOK))
    notebook.cells.insert(3, nbformat.v4.new_code_cell(OWN, id="mine"))
    path.write_text(write_notebook(notebook), encoding="utf-8")
    return path


def converted(path, *steps) -> tuple[str, dict]:
    exporter = TakeIn()
    exporter._preprocessors = list(steps)
    return exporter.from_filename(str(path), {"nbgrader": {"notebook": LESSON, "student": "ada"}})


def test_steps_work_on_what_intake_returns_and_the_result_is_a_notebooks_text(path):
    def mark(notebook, resources):
        assert OWN in [cell.source for cell in notebook.cells]
        notebook.metadata["marked"] = True
        return notebook, resources

    text, resources = converted(path, mark)
    notebook = nbformat.reads(text, as_version=4)
    assert notebook.metadata.marked and OWN in [cell.source for cell in notebook.cells]
    assert text == write_notebook(notebook)
    assert "outputs" not in resources, "nothing lies beside the submission that would go on with it"


def test_time_and_secret_go_on_with_the_notebook(path):
    path.with_name("timestamp.txt").write_text("2026-11-20 13:45:10 UTC")
    path.with_name("submission_secret.txt").write_text("ab" * 64)
    _, resources = converted(path)
    assert resources["outputs"] == {
        "timestamp.txt": b"2026-11-20 13:45:10",
        "submission_secret.txt": b"ab" * 64,
    }


def test_a_step_that_breaks_the_notebook_is_found(path):
    def breaks(notebook, resources):
        notebook.cells[0].source = 3
        return notebook, resources

    with pytest.raises(nbformat.ValidationError):
        converted(path, breaks)
