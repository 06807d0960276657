"""No test has two sizes alike: √T would be taken for √E, and an exchange of two axes would go unnoticed."""

import sys

import pytest
import torch

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import observe

# Arguments that have two equal axes by their meaning: places that look, and places looked at.
SQUARE = {"weights", "attn_mask", "mask", "similarity"}
# Tests that have equal sizes on purpose: nothing may be guessed from them, or perpendicular keys are a square; and the
# trained weights of a patient have the sizes with which it was trained.
ON_PURPOSE = {
    "add_position.square",
    "read.square",
    "read_all.perpendicular",
    "answers.all_right",
    "heal.cured",
    "heal.named",
}


def alike(question, test, students):
    """The arguments of the reference's functions in a test that have two equal sizes, other than 1."""
    found = {}

    def note(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith("<cell "):
            for name in frame.f_code.co_varnames[: frame.f_code.co_argcount]:
                value = frame.f_locals.get(name)
                if isinstance(value, torch.Tensor) and value.is_floating_point() and name not in SQUARE:
                    sizes = [size for size in value.shape if size != 1]
                    if len(set(sizes)) < len(sizes):
                        found[f"{question.name}.{test.name}.{name}"] = tuple(value.shape)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        observe(test, Probe(question.sizes, 1), students)
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_no_input_of_a_test_has_two_equal_sizes(name):
    lesson, found = Lesson.load(name, WORKBOOK), {}
    for question in (*reference.checks_of(lesson).values(), *exams_of(lesson).values()):
        students = reference.students_of(lesson, question.name)
        for test in question.tests.values():
            if f"{question.name}.{test.name}" in ON_PURPOSE:
                continue
            found |= alike(question, test, students)
    assert found == {}
