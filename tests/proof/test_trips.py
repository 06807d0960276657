"""Notebooks that went through editors and students' habits lose no mark and no answer, and are not flagged."""

import json
import random

import pytest

from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits
from benchmarks.proof import trips
from benchmarks.proof.editors import EDITORS, HABITS

LESSONS = list(WORKBOOK.lessons)
TRIPS = list((EDITORS | HABITS).items())


@pytest.fixture(scope="module")
def limits() -> Limits:
    return Limits()


# Each trip with one lesson, whose notebook is examined only where the code became another;
# `python -m benchmarks.proof trips` sends all lessons on all trips.
@pytest.mark.parametrize("number", range(len(LESSONS)), ids=LESSONS)
def test_no_editor_costs_a_mark_an_answer_or_a_flag(sandbox, number):
    seed = trips.EXAMINED + number
    untouched = trips.Untouched(Lesson.load(LESSONS[number], WORKBOOK), seed, sandbox)
    for name, change in TRIPS[number :: len(LESSONS)]:
        changed = json.loads(json.dumps(untouched.student.notebook))
        change(changed, random.Random(seed))
        assert (name, untouched.complaints(changed, name)[1]) == (name, [])


def test_ten_kinds_of_editors_are_proved():
    assert len(EDITORS) == 10 and len(HABITS) >= 10


def test_a_lost_answer_a_lost_mark_and_a_flag_are_complaints(sandbox):
    untouched = trips.Untouched(Lesson.load("attention", WORKBOOK), 0, sandbox)
    cells = [dict(cell) for cell in untouched.student.notebook["cells"]]
    essay = next(name for name, text in untouched.student.essays.items() if text)
    gap = next(cell for cell in cells if cell["id"] == "update")
    asks = "os.getenv('NBGRADER_EXECUTION')"
    gap["source"] = f"import os\n\n\ndef update(model, optimizer, inputs, targets):\n    return {asks}"
    next(cell for cell in cells if cell["id"] == essay)["source"] = "Something else."
    _, said = untouched.complaints(untouched.student.notebook | {"cells": cells})
    assert any(f"{essay} lacks text" in sentence for sentence in said)
    assert any("looks for the grader" in sentence for sentence in said)
    assert any(sentence.startswith("test_update: ") for sentence in said)
