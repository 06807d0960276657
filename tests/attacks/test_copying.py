"""The game of copying from feedback: hand in, read what was expected, write it into the answer, hand in again."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from autograder.common.course import WORKBOOK
from autograder.examine.work import SEEDS, Work
from autograder.exams.discreet import judge_discreetly
from autograder.exams.exam import exams_of
from autograder.exams.reference import LiveKey
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits
from utils.checks.engine.observation import Observation, Statistic, difference
from utils.checks.engine.outcome import Verdict, points
from utils.checks.engine.pair_prints import Pair
from utils.checks.engine.question import Test
from utils.checks.engine.verdict import judge

LESSONS = list(WORKBOOK.lessons)
# The game takes a dozen CPU-seconds in a lesson with a large exam, so `make attacks` alone plays it in all lessons.
PLAYED = [pytest.param(name, marks=[pytest.mark.only_with_all_attacks] * (name != "attention")) for name in LESSONS]
RESUBMISSIONS = 40
SECRET = "5" * 64
# Of a sentence of feedback: the place and the value that were expected, or any number at all.
AT, VALUE, NUMBER = (
    r"at \[([\d, ]*)\] expected ([^ ,]+)",
    r"expected (?:about )?([^ ,]+),",
    r"(-?\d[\d.]*(?:e[+-]?\d+)?)",
)


class Nameless(LiveKey):
    """An exam's answers without the known mistakes, whose names and sentences hold no value."""

    def mistakes(self) -> list[str]:
        return []

    def pairs(self) -> list[Pair]:
        return []


class Copier:
    """Copies like nobody could: it decides what every test observes, and is told form, truths and the wrong part.

    What it copied is kept by seed, because an answer can recognise inputs that it has met before.
    """

    def __init__(self) -> None:
        self.copied: dict[tuple[int, str, str], dict[int, Any]] = {}  # seed, test and path -> place -> value

    def answer(self, key: LiveKey, test: Test) -> Observation:
        def guess(path: str, leaf: Any) -> Any:
            known = self.copied.get((key.seed, test.name, path), {})
            if isinstance(leaf, torch.Tensor) and leaf.dtype != torch.bool:
                guessed = torch.zeros(leaf.numel(), dtype=torch.float64)
                for place, value in known.items():
                    guessed[place] = value
                return guessed.reshape(leaf.shape)
            if isinstance(leaf, Statistic):
                return Statistic(known.get(0, 0.0), leaf.atol)
            return leaf if isinstance(leaf, bool | torch.Tensor) else known.get(0, type(leaf)())

        return Observation(of_leaves(guess, key.expected(test)))

    def read(self, key: LiveKey, test: Test, reason: str) -> None:
        """Copy the number that the reason tells to the place that it tells, or else to the first that is wrong."""
        own = dict(with_paths(self.answer(key, test).value))
        for path, right in with_paths(key.expected(test)):
            if difference(own[path], right, test.tolerance, {}):
                place, told = self._told(reason, right)
                if told is not None:
                    self.copied.setdefault((key.seed, test.name, path), {})[place] = told
                return

    @staticmethod
    def _told(reason: str, right: Any) -> tuple[int, Any]:
        if isinstance(right, str):
            text = re.search(r"expected '(.*?)'", reason)
            return 0, text and text[1]
        if found := re.search(AT, reason):
            index = tuple(int(number) for number in found[1].split(","))
            return int(np.ravel_multi_index(index, np.shape(right))), number_of(found[2])
        found = re.search(VALUE, reason) or re.search(NUMBER, reason)
        return 0, number_of(found[1]) if found else None


def number_of(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def of_leaves(change: Callable[[str, Any], Any], tree: Any, path: str = "") -> Any:
    """Return a tree with each leaf changed."""
    if isinstance(tree, dict):
        return {key: of_leaves(change, tree[key], f"{path}/{key}") for key in sorted(tree)}
    if isinstance(tree, list | tuple):
        return [of_leaves(change, item, f"{path}/{number}") for number, item in enumerate(tree)]
    return change(path, tree)


def with_paths(tree: Any) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    of_leaves(lambda path, leaf: found.append((path, leaf)), tree)
    return found


def played(lesson: Lesson, seeds: list[int], judged: Callable[..., list[Verdict]]) -> float:
    """Return the points that the last of these submissions has more than one that copies nothing."""
    copier, gained = Copier(), 0.0
    for number, seed in enumerate(seeds):
        for name, exam in exams_of(lesson).items():
            key = Nameless(lesson, exam, seed)
            most = lesson.tests[name].points
            verdicts = judged(exam, key, lambda test, key=key: copier.answer(key, test))
            if number == len(seeds) - 1:
                nothing = judge(exam, key, lambda test, key=key: Copier().answer(key, test))
                gained += points(verdicts, most) - points(nothing, most)
            for test, verdict in zip(exam.tests.values(), verdicts, strict=True):
                if verdict.reason:
                    copier.read(key, test, verdict.reason.render())
    return gained


@pytest.fixture(scope="module")
def seeds() -> Callable[[Lesson], list[int]]:
    """The seeds of submissions that differ in one word, with the secret of one course."""

    def of(lesson: Lesson) -> list[int]:
        gap = next(iter(lesson.solutions))
        tries = [compose(lesson, {gap: f"tries = {number}"}) for number in range(RESUBMISSIONS)]
        return [Work(notebook, lesson, Limits(), SECRET).seed for notebook in tries]

    return of


@pytest.mark.parametrize("name", PLAYED)
def test_copying_from_feedback_gains_nothing_in_forty_resubmissions(name, seeds):
    lesson = Lesson.load(name, WORKBOOK)
    drawn = seeds(lesson)
    assert len(set(drawn)) == SEEDS
    assert played(lesson, drawn, judge_discreetly) == 0


@pytest.mark.parametrize("name", PLAYED)
def test_the_game_can_be_won_where_feedback_tells_values(name, seeds):
    """So the player is a good one; with one set of inputs and expected values in feedback it wins points."""
    lesson = Lesson.load(name, WORKBOOK)
    assert played(lesson, seeds(lesson)[:1] * (RESUBMISSIONS // 2), judge) >= 1


@pytest.mark.parametrize("name", LESSONS)
def test_nobody_knows_the_inputs_without_the_courses_secret(name):
    notebook, lesson = compose(Lesson.load(name, WORKBOOK)), Lesson.load(name, WORKBOOK)
    drawn = {Work(notebook, lesson, Limits(), f"{course}").seed for course in range(20)}
    assert len(drawn) == 20
    assert Work(notebook, lesson, Limits(), SECRET).seed == Work(notebook, lesson, Limits(), SECRET).seed
