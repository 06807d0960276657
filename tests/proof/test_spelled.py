"""Known mistakes in other code than the catalogue's: the check names them, and nothing false."""

import ast

import pytest

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson
from benchmarks.proof.spellings import examine, good, spellings


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
@pytest.mark.parametrize("two", [False, True])
def test_spellings_are_code_with_known_mistakes_of_their_question(name, two):
    lesson = Lesson.load(name, WORKBOOK)
    known = mistakes.load(lesson)
    for one in spellings(lesson, two=two):
        ast.parse(one.code)
        assert {known[of].cell for of in one.of} <= {one.question} and len(set(one.of)) == len(one.of)
        assert len(one.of) == 2 or not two


def test_the_norms_mistakes_are_named_in_another_spelling():
    all_ = spellings(Lesson.load("gpt", WORKBOOK), "rms_norm")
    found = [examine(one) for one in all_ if one.style == "the length over the root of E"]
    assert good(found) and len(found) > 9
    assert all(one.true for one in found if one.spelling.of)
