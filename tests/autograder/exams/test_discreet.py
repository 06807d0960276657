"""Feedback on hidden tests: what is told of an expected value, and what is not."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.exams.discreet import REPLACED, judge_discreetly, without_values
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from utils.checks.engine import case_picture, verdict
from utils.checks.engine.kinds import TIMES, kind_of
from utils.checks.engine.observation import Statistic, Tolerance, difference
from utils.checks.engine.question import observe
from utils.common.messages import Message

TOLERANCE = Tolerance(1e-4, 1e-5)
SIZES = {"N": 3, "E": 5}
# Sentences that quote what is expected but no value: a shape, a number of results, a word's place.
OF_FORM = {
    "expected shape {expected}, got {got}",
    "your code should return {expected} things, as a tuple; it returned {got}",
    "word {number}",
}


def told(seen: object, expected: object) -> str:
    return without_values(difference(seen, expected, TOLERANCE, SIZES)).render()


@pytest.mark.parametrize(
    ("seen", "expected", "sentence"),
    [
        (0.5, 0.1875, "your code gives 0.5, which is not right"),
        (1.0, 1.0101, "your code gives 1, which is not right"),
        ("le", "chat", "your code gives 'le', which is not right"),
        (True, False, "your code gives yes, which is not right"),
        (Statistic(0.5, 0.01), Statistic(0.1, 0.01), "your code gives 0.5, which is too far from the right value"),
        (torch.zeros(3, 5), torch.ones(3, 5), "none of the 15 values is right"),
        (torch.zeros(5), torch.tensor([1.0, 1, 1, 0, 0]), "most of the 5 values are wrong"),
        (torch.zeros(5), torch.tensor([1.0, 0, 0, 0, 0]), "some of the 5 values are wrong"),
        (torch.zeros(5, 3), torch.ones(3, 5), "expected shape (N, E) = (3, 5), got (E, N) = (5, 3)"),
        ("None", torch.ones(3, 5), "expected tensor (N, E) = (3, 5), got 'None'"),
        ([1.5], [1.5, torch.ones(3)], "expected (…, tensor (N,) = (3,)), got (1.5)"),
        ({"a": [0.5]}, {"a": [0.25]}, "a: your code gives 0.5, which is not right"),
    ],
)
def test_a_value_that_came_is_told_and_one_that_was_expected_is_not(seen, expected, sentence):
    assert told(seen, expected) == sentence


def test_a_number_by_which_the_right_values_follow_is_not_told_unless_it_is_a_length():
    right = torch.tensor([[0.5, 1.25, -2.0, 3.0, 0.75]])
    kinds = [kind_of(one, right, TOLERANCE, SIZES) for one in (right * 1.7, right + 1.7, right * 5**0.5)]
    assert [without_values(kind).render() for kind in kinds] == [
        "all values are the right ones, multiplied by the same number",
        "all values differ from the right ones by the same number",
        "all values are the right ones times √E",
    ]
    assert kinds[2].render() == "all values are the right ones times 2.236 (√E)"


def test_every_sentence_of_the_checks_with_a_number_of_the_expected_result_is_replaced():
    files = {*Path(verdict.__file__).parent.glob("*.py")} - {Path(case_picture.__file__)}  # exams show no cases
    engine = "".join(path.read_text(encoding="utf-8") for path in files)
    quoting = {text for text in re.findall(r'N_\(\s*"(.*?)"', engine) if re.search(r"{(expected|factor|number)}", text)}
    assert quoting == set(REPLACED) | OF_FORM


def messages_in(message: Message) -> Iterator[Message]:
    yield message
    for value in message.values.values():
        if isinstance(value, Message):
            yield from messages_in(value)


@pytest.mark.parametrize("question", ["update", "self_attention", "positional_encoding"])
def test_no_known_mistake_brings_an_expected_value_into_feedback(question):
    lesson = Lesson.load("attention", WORKBOOK)
    exam = exams_of(lesson)[question]
    key = reference.key_of(lesson, exam, 7)
    reasons = []
    for mistake in reference.mistakes_of(lesson, question):
        students = reference.mutant_students(lesson, question, mistake)
        run = judge_discreetly(exam, key, lambda test, students=students: observe(test, key.probe(test), students))
        reasons += [one.reason for one in run if one.reason]
    assert len(reasons) > len(mistakes.load(lesson)) / 20
    for message in (one for reason in reasons for one in messages_in(reason)):
        assert message.template not in REPLACED or (message.template == TIMES and "." not in message.values["factor"])
        assert "expected" not in message.values or message.template in OF_FORM
