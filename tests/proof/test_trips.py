"""Notebooks that went through ten kinds of editors lose no mark and no answer, and are not flagged."""

import pytest

from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from autograder.sandbox.parent import Sandbox
from benchmarks.proof import trips

LESSONS = list(WORKBOOK.lessons)


# What editors do depends little on the lesson; `python -m benchmarks.proof trips` sends all lessons on all trips.
@pytest.mark.parametrize("name", [LESSONS[0], LESSONS[-1]])
def test_no_editor_costs_a_mark_an_answer_or_a_flag(name):
    with Sandbox(WORKBOOK) as sandbox:
        found = dict(trips.travel(Lesson.load(name, WORKBOOK), 1, sandbox))
    assert len(found) == 10
    assert {trip: counts.complaints for trip, counts in found.items() if counts.complaints} == {}


def test_a_lost_answer_a_lost_mark_and_a_flag_are_complaints():
    with Sandbox(WORKBOOK) as sandbox:
        untouched = trips.Untouched(Lesson.load("attention", WORKBOOK), 0, sandbox)
        cells = [dict(cell) for cell in untouched.student.notebook["cells"]]
        essay = next(name for name, text in untouched.student.essays.items() if text)
        gap = next(cell for cell in cells if cell["id"] == "loss")
        asks = "os.getenv('NBGRADER_EXECUTION')"
        gap["source"] = f"import os\n\n\ndef loss_function(prediction, target):\n    return {asks}"
        next(cell for cell in cells if cell["id"] == essay)["source"] = "Something else."
        _, said = untouched.complaints(untouched.student.notebook | {"cells": cells})
    assert any(f"{essay} lacks text" in sentence for sentence in said)
    assert any("looks for the grader" in sentence for sentence in said)
    assert any(sentence.startswith("test_loss: ") for sentence in said)
