"""What the grader itself spends on a submission is bounded: work is counted here, not timed."""

import ast
import random

import nbformat
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from autograder.common.course import WORKBOOK
from autograder.examine import code_reading, exam_run, suspicion
from autograder.exams import reference
from autograder.exams.discreet import judge_discreetly
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from autograder.sandbox.inside import wire
from autograder.sandbox.processes import own_data
from benchmarks.proof import values
from utils.checks.engine.naming import Match
from utils.checks.engine.observation import Observation, Tolerance, same
from utils.checks.engine.outcome import Verdict

ATTENTION = Lesson.load("attention", WORKBOOK)
# The lesson with the fewest mistakes: each mistake that a value is compared with has to run once.
RECALL = Lesson.load("recall", WORKBOOK)
QUESTION = "self_attention"


# ---- comparing with the catalogue's mistakes ------------------------------------------------------------------

SHAPES = st.lists(st.integers(0, 3), max_size=3).map(tuple)
NUMBERS = st.one_of(
    SHAPES.map(torch.zeros),
    SHAPES.map(lambda shape: torch.zeros(shape, dtype=torch.complex64)),
    SHAPES.map(lambda shape: torch.zeros((*shape, 2))),
    SHAPES.map(lambda shape: torch.zeros(shape).numpy()),
    st.sampled_from([0, 0.0, False, 2**64, "nothing", "0", None]),
)
TREES = st.recursive(
    NUMBERS,
    lambda branch: st.one_of(
        st.lists(branch, max_size=2),
        st.tuples(branch, branch),
        st.dictionaries(st.sampled_from(["a", "b"]), branch, max_size=2),
    ),
    max_leaves=4,
)


@given(TREES, TREES)
def test_values_of_different_forms_are_never_the_same(one, other):
    if list(reference.form(one)) != list(reference.form(other)):
        assert not same(Observation(one), Observation(other), Tolerance(1.0, 1e9))


@given(TREES)
def test_a_value_has_the_form_of_itself(tree):
    assert list(reference.form(tree)) == list(reference.form(tree))


@pytest.fixture
def compared(monkeypatch) -> list[Observation]:
    """What was compared value by value."""
    found: list[Observation] = []

    def noted(seen: Observation, shown: Observation, tolerance: Tolerance) -> bool:
        found.extend([] if shown.failure else [seen])
        return same(seen, shown, tolerance)

    monkeypatch.setattr(reference, "same", noted)
    return found


def key() -> reference.LiveKey:
    return reference.LiveKey(ATTENTION, exams_of(ATTENTION)[QUESTION], 0)


def test_a_value_of_nobodys_form_is_compared_with_no_mistake(compared):
    large = [torch.zeros(wire.MAX_ELEMENTS)] * (wire.MAX_ALL_ELEMENTS // wire.MAX_ELEMENTS)
    judge, seen = key(), Observation(large)
    tests = list(judge.question.tests.values())
    mistakes = judge.mistakes()
    assert len(mistakes) > 10
    assert Match.SAME not in {judge.shows(mistake, test, seen) for mistake in mistakes for test in tests}
    assert not any(one is seen for one in compared)


def test_what_a_mistake_shows_is_compared_and_recognised(compared):
    judge = key()
    test = next(iter(judge.question.tests.values()))
    for mistake in judge.mistakes():
        shown = reference.observe(test, judge.probe(test), reference.mutant_students(ATTENTION, QUESTION, mistake))
        before = len(compared)
        assert judge.shows(mistake, test, shown) is Match.SAME
        assert any(one is shown for one in compared[before:]) and len(compared) - before <= 3
    assert len(judge.mistakes()) > 10


# ---- the time and the numbers that one notebook's verdicts may take -----------------------------------------------


def test_a_value_of_no_mistakes_size_is_not_searched_for_names(monkeypatch):
    judge = key()
    monkeypatch.setattr(judge, "shows", lambda *_: pytest.fail("compared"))
    monkeypatch.setattr(judge, "both_show", lambda *_: pytest.fail("compared"))
    monkeypatch.setattr(judge, "parts", lambda *_: pytest.fail("compared"))
    for value in ([1.0] * 9_900, {"a": [torch.zeros(())] * 900}, torch.zeros(2**18), ["x" * 9_000] * 50):
        verdicts = judge_discreetly(judge.question, judge, lambda _, value=value: Observation(value))
        assert not any(verdict.passed or verdict.mistake for verdict in verdicts)


def test_a_search_that_takes_too_long_gives_no_name_and_changes_no_verdict():
    judge, mistake = key(), "softmax_over_queries"

    def verdicts(patience: exam_run.Patience) -> list[Verdict]:
        with patience.of_question():
            return judge_discreetly(judge.question, judge, lambda test: judge.shown(mistake, test), patience)

    named, unnamed = verdicts(exam_run.Patience()), verdicts(exam_run.Patience(0.0))
    assert {verdict.mistake for verdict in named} - {None}
    assert {verdict.mistake for verdict in unnamed} == {None}
    assert [verdict.outcome for verdict in named] == [verdict.outcome for verdict in unnamed]


def test_the_time_of_reference_and_mistakes_is_nobodys():
    judge, patience = key(), exam_run.Patience(0.0)
    with patience.of_question():
        for test in judge.question.tests.values():
            judge.shown(judge.mistakes()[0], test)
    assert reference.KEY_TIME.seconds > -patience.left > 0


# Seeds whose values take seconds.
LONG = {1, 3, 4, 8, 9, 12, 15}


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=pytest.mark.whole if seed in LONG else []) for seed in range(24)]
)
def test_values_without_sense_earn_nothing_and_end(seed):
    """A sample of `python -m benchmarks.proof values`, which measures."""
    found = values.cost(RECALL, values.value(random.Random(seed)), memory=seed % 3 == 0)
    assert found.passed == 0 and found.megabytes < values.MOST_MEGABYTES


# ---- looking for suspicious lines -----------------------------------------------------------------------------

PIECES = ("f(a.b)\n", "x = 'a' + 'b'\n", "class A:\n    pass\n", "import os\n", "q = torch\n", "{0: 1}\n", "a\n")


@pytest.mark.parametrize("piece", PIECES)
def test_the_search_for_suspicions_takes_work_in_proportion_to_the_text(piece, monkeypatch):
    def work(times: int) -> int:
        """Nodes that are looked at, and letters of texts."""
        seen: list[int] = []
        walk = ast.walk
        monkeypatch.setattr(code_reading.ast, "walk", lambda tree: seen.append(len(found := list(walk(tree)))) or found)
        suspicion.suspicions([nbformat.v4.new_code_cell(piece * times)], [])
        monkeypatch.undo()
        return sum(seen)

    assert work(2) > 0
    assert work(400) <= 2 * work(200) + 100


def test_a_line_of_a_text_is_not_searched_to_its_end():
    text = nbformat.v4.new_markdown_cell("x" * suspicion.LONG_LINE + "<script>")
    assert suspicion.suspicions([], [text]) == []


# ---- memory ------------------------------------------------------------------------------------------------------


def test_a_test_can_take_no_more_of_the_graders_memory_than_it_may():
    with exam_run.bounded_memory(own_data() + 2**26):
        bytearray(2**24)
        with pytest.raises(MemoryError):
            bytearray(2**28)
        with pytest.raises(RuntimeError, match="allocate memory"):
            torch.zeros(2**26)
    assert len(bytearray(2**28)) == 2**28
