"""No change to a notebook's cells or metadata gains a mark, changes what is asked, or stops the run."""

import json

import pytest

from autograder.examine.examiner import examine
from autograder.examine.store import ResultStore
from autograder.gradebook.steps import note_intake, write_outputs
from autograder.intake.notebook import take_in_bytes
from autograder.lesson.text import write_notebook
from autograder.sandbox.limits import Limits

from .corpus import ATTENTION, honest
from .notebooks import CHANGES


@pytest.fixture(scope="module")
def limits() -> Limits:
    return Limits()


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Most changes are undone by intake, so that the same notebook is examined again and again."""
    return ResultStore(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="module")
def blank_points(sandbox, store):
    return {question.id: question.points for question in examine(honest("blank"), ATTENTION, sandbox, store).questions}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_change(change, sandbox, store, blank_points):
    notebook = json.loads(write_notebook(honest("blank")))
    change(notebook)
    taken = take_in_bytes(json.dumps(notebook).encode(), ATTENTION)
    note_intake(taken)
    result = examine(taken.notebook, ATTENTION, sandbox, store)
    write_outputs(taken.notebook, result, ATTENTION)

    assert {question.id: question.points for question in result.questions} == blank_points
    asked = {cell.grade_id: cell.points for cell in ATTENTION.of_role("test", "essay")}
    assert {question.id: question.max_points for question in result.questions} == asked
    cells = [cell.metadata.nbgrader for cell in taken.notebook.cells if "nbgrader" in cell.metadata]
    assert {cell.grade_id: cell.points for cell in cells if cell.grade} == asked
    assert len({cell.id for cell in taken.notebook.cells}) == len(taken.notebook.cells)
    write_notebook(taken.notebook).encode()
