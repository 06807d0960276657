"""The stored prints of two mistakes at once are those that the code of today computes, byte for byte.

To compute all takes a quarter of an hour, so `build --check` takes them from the file while their checksum is the same.
Here a few of each question are computed again, some of them of a random mistake with one that always fails alike.
"""

import json
import random

import pytest

from autograder.common.course import WORKBOOK
from autograder.course import made
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.checks.engine.answer_key import ANSWERS, CHANCE, store_pairs
from utils.checks.engine.pair_prints import Pair, PairPrints
from utils.common import lessons

EACH = 2


def answers(name: str) -> dict:
    return json.loads(lessons.made(name, ANSWERS).read_text(encoding="utf-8"))


def drawn(prints: PairPrints, stored: dict) -> list[Pair]:
    """A few pairs of a question, always the same: of a random mistake with a certain one in one test, and others."""
    pairs = [pair for pair in sorted(prints) if prints.of(pair)]
    random.Random(0).shuffle(pairs)
    mixed = [pair for pair in pairs if any(is_mixed(test["mistakes"], pair) for test in stored.values())][:EACH]
    return mixed + [pair for pair in pairs if pair not in mixed][:EACH]


def is_mixed(known: dict, pair: Pair) -> bool:
    """Whether a test's result is random with one mistake, and an exception or not a number with the other."""
    alone = [known.get(mistake) for mistake in pair]
    return CHANCE in alone and any(print_ and ("raised" in print_ or "nan" in str(print_).lower()) for print_ in alone)


@pytest.mark.filterwarnings("ignore::UserWarning")  # torch's, of shapes that do not match: an error here alone
@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_pairs_computed_again_have_the_prints_that_are_stored(name):
    lesson, stored = Lesson.load(name, WORKBOOK), answers(name)
    compared = 0
    for question, check in reference.checks_of(lesson).items():
        prints = PairPrints(stored["pairs"][question])
        pairs = drawn(prints, stored["questions"][question])
        students = [(pair, reference.pair_students(lesson, question, pair)) for pair in pairs]
        again = PairPrints(store_pairs(check, stored["questions"][question], students))
        assert {pair: again.of(pair) for pair in pairs} == {pair: prints.of(pair) for pair in pairs}
        compared += len(pairs)
    assert compared >= 10


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_pairs_are_computed_anew_when_the_code_of_their_prints_changes(name, monkeypatch):
    lesson, stored = Lesson.load(name, WORKBOOK), answers(name)
    checks = reference.checks_of(lesson)
    sums = {name: made.checksum_of_pairs(lesson, checks[name], key) for name, key in stored["questions"].items()}
    assert sums == stored["pairs_of"]
    monkeypatch.setattr(made, "store_pairs", lambda *_: {})
    for question, key in stored["questions"].items():
        assert made.checksum_of_pairs(lesson, checks[question], key) != sums[question]


def test_only_the_pairs_of_a_question_that_changed_are_computed_anew(monkeypatch):
    lesson, stored = Lesson.load("recall", WORKBOOK), answers("recall")
    computed: list[str] = []
    monkeypatch.setattr(made, "pair_students", lambda lesson, question: computed.append(question) or ())
    made._pairs(lesson, stored["questions"], answers("recall"))
    assert computed == []
    question = next(iter(stored["questions"]))
    next(iter(stored["questions"][question].values()))["print"] = ["another result"]
    made._pairs(lesson, stored["questions"], answers("recall"))
    assert computed == [question]
