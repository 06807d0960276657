"""The released notebook, run top to bottom, fails only where a student has something to write, and says what."""

import contextlib
import io

import pytest

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson
from utils.common.errors import CheckFailed


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_a_blank_release_fails_only_at_the_gaps(name):
    lesson = Lesson.load(name, WORKBOOK)
    names: dict = {"__name__": "__main__"}
    failed = {}
    for cell in release_notebook(lesson).cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
        if cell.cell_type != "code" or grade_id in lesson.shown_only:
            continue
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                reference.run_cell(cell.source, f"blank {cell.id}", names)
        except (NotImplementedError, CheckFailed) as error:
            failed[grade_id] = str(error)
    assert set(failed) <= {cell.grade_id for cell in lesson.of_role("test", "given")}
    assert set(failed) >= {cell.grade_id for cell in lesson.of_role("test")}
    assert all(len(sentence) > 20 for sentence in failed.values())
