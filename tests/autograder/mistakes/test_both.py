"""Two mistakes of a cell in one answer: their texts may overlap, as long as they change different words."""

import ast
import itertools

import pytest

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.lesson.text import Lesson


def both(lesson: str, one: str, other: str) -> str | None:
    loaded = Lesson.load(lesson, WORKBOOK)
    known = mistakes.load(loaded)
    return mistakes.code_of_both(loaded, known[one], known[other])


@pytest.mark.parametrize(
    ("lesson", "one", "other", "line"),
    [
        (
            "attention",
            "absolute_loss",
            "loss_detached",
            "loss = nn.functional.l1_loss(model(inputs).detach(), targets)",
        ),
        ("seq2seq", "attend_sigmoid", "attend_scaled", "weights = (scores / states.shape[2] ** 0.5).sigmoid()"),
        ("seq2seq", "loss_pad_not_ignored", "loss_sum", "target.flatten(), reduction='sum')"),
    ],
)
def test_mistakes_in_one_expression_are_made_together(lesson, one, other, line):
    assert line in (both(lesson, one, other) or "")
    assert both(lesson, one, other) == both(lesson, other, one)


def test_a_change_of_a_line_that_moves_is_made_in_this_line():
    """Feed-forward first, and nothing added at the second sum, was told as the feed-forward part's replacing."""
    moved = "        x = x + self.feed_forward(self.norm2(x))\n        x = self.attention(self.norm1(x))\n"
    assert moved in (both("gpt", "block_attention_replaces", "block_feed_forward_first") or "")


def test_two_changes_of_the_same_words_are_no_answer_with_both():
    assert both("captioning", "softmax_over_queries", "softmax_over_heads") is None


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_pairs_made_by_hand_are_neither_mistake_alone_and_cannot_be_merged(name):
    lesson = Lesson.load(name, WORKBOOK)
    known = mistakes.load(lesson)
    for entry in mistakes.entries(lesson, "both"):
        one, other = (known[mistake] for mistake in entry["of"])
        code = mistakes.code_of_both(lesson, other, one)
        assert code is not None and one.cell == other.cell, entry["of"]
        assert ast.dump(ast.parse(code)) not in {
            ast.dump(ast.parse(mistakes.code_of(lesson, mistake))) for mistake in (one, other)
        }


def test_few_pairs_are_left_out_of_what_is_known_of_two_at_once():
    left_out = pairs = 0
    for name in WORKBOOK.lessons:
        lesson = Lesson.load(name, WORKBOOK)
        for one, other in itertools.combinations(mistakes.load(lesson).values(), 2):
            if one.cell == other.cell:
                pairs += 1
                left_out += mistakes.code_of_both(lesson, one, other) is None
    assert left_out < 0.13 * pairs  # these change the same words, so that nobody makes both


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_two_mistakes_whose_sentences_exclude_each_other_have_one_of_their_own(name):
    """Query and key layers exchanged were told as two layers shared, which is true of none of them."""
    lesson = Lesson.load(name, WORKBOOK)
    known = mistakes.load(lesson)
    for entry in mistakes.entries(lesson, "exclude"):
        one, other = (known[mistake] for mistake in entry["of"])
        code, third = mistakes.code_of_both(lesson, one, other), mistakes.code_of(lesson, known[entry["to"]])
        assert code is not None and ast.dump(ast.parse(code)) == ast.dump(ast.parse(third))
