"""All axes of a test differ in length by two at least: no mistake of one place looks like another axis."""

from itertools import combinations

import pytest

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.exams.exam import exams_of
from autograder.exams.reference import checks_of
from autograder.lesson.text import Lesson

NO_AXIS = {"L"}  # the number of layers
OWN_CODE, ROWS = "own_code", {"N", "S"}  # the answers to its questions name rows, so only the rows' axes must differ


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_no_size_of_a_check_or_an_exam_is_another_one_or_beside_it(name):
    lesson = Lesson.load(name, WORKBOOK)
    for question in [*checks_of(lesson).values(), *exams_of(lesson).values()]:
        sizes = {symbol: size for symbol, size in question.sizes.items() if symbol not in NO_AXIS}
        if question.name == OWN_CODE:
            sizes = {symbol: size for symbol, size in sizes.items() if symbol in ROWS}
        near = [pair for pair in combinations(sizes, 2) if abs(sizes[pair[0]] - sizes[pair[1]]) < 2]
        assert not near, (question.name, question.sizes)


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_what_the_text_asks_to_be_written_by_hand_is_refused_by_check_and_grading_alike(name):
    lesson = Lesson.load(name, WORKBOOK)
    by_check = {question: set(check.by_hand) for question, check in checks_of(lesson).items() if check.by_hand}
    by_grading = {entry["question"]: set(entry["names"]) for entry in mistakes.entries(lesson, "by_hand")}
    assert by_check == by_grading
