"""A question's verdicts: shares by weight, the mistake that explains most, and what is said of every failure."""

import linecache
import math

import pytest
import torch

from autograder.exams.exam import Exam
from utils.checks.check import Check
from utils.checks.engine.evidence import evidence
from utils.checks.engine.failure import Failure
from utils.checks.engine.naming import Match
from utils.checks.engine.observation import NO_GRADIENT, Observation, Tolerance, same, shared_parts
from utils.checks.engine.outcome import points
from utils.checks.engine.pair_prints import print_of
from utils.checks.engine.probe import ON_GPU, Probe
from utils.checks.engine.question import Question, Test, failure_of, observe
from utils.checks.engine.verdict import judge


class Key:
    """An answer key by hand: what is expected, and of each mistake what it shows in which test."""

    def __init__(self, expected: dict, mistakes: dict[str, dict], together: dict[str, dict] | None = None):
        self._expected, self._mistakes, self._together = expected, mistakes, together or {}

    def expected(self, test):
        return self._expected[test.name]

    def mistakes(self):
        return list(self._mistakes)

    def shows(self, mistake, test, seen):
        """What is not written of a mistake is as expected."""
        shown = self._mistakes[mistake].get(test.name, self._expected[test.name])
        if shown == "random":
            return Match.CHANCE
        return Match.SAME if same(seen, Observation(shown), test.tolerance) else Match.OTHER

    def passes(self, mistake, test):
        shown = self._mistakes[mistake].get(test.name, self._expected[test.name])
        return same(Observation(shown), Observation(self._expected[test.name]), test.tolerance)

    def parts(self, mistake, test, seen):
        shown = Observation(self._mistakes[mistake].get(test.name, self._expected[test.name]))
        return shared_parts(shown.print, Observation(self._expected[test.name]).print, seen, test.tolerance)

    def pairs(self):
        return [tuple(pair.split(" + ")) for pair in self._together]

    def both_show(self, pair, test, seen):
        shown = self._together[" + ".join(pair)].get(test.name)
        return None if shown is None else print_of(Observation(shown), test.tolerance).agrees(seen)

    def sentence(self, look_alikes, *, least=1):
        if len(look_alikes) < least:
            return None
        return " or ".join(sorted(look_alikes)), f"You made {' or '.join(sorted(look_alikes))}."


def asked(weights: dict[str, float]) -> Question:
    question = Question("q", "Q", {})
    for name, weight in weights.items():

        def function(probe, students, name=name):
            return students[name]

        function.__name__ = name
        question.test(f"asks {name}", weight=weight)(function)
    return question


def right_for(seen):
    """What is right where something was seen: zeros."""
    if isinstance(seen, dict):
        return {key: right_for(one) for key, one in seen.items()}
    return torch.zeros_like(seen) if isinstance(seen, torch.Tensor) else 0


def judged(
    seen: dict, mistakes: dict[str, dict], weights: dict[str, float] | None = None, together: dict | None = None
) -> dict:
    """The verdicts on what was seen; of `mistakes`, and of two `together`, what differs from the right 0."""
    question = asked(weights or dict.fromkeys(seen, 1))
    right = {name: right_for(one) for name, one in seen.items()}
    key = Key(right, mistakes, together)
    return {v.name: v for v in judge(question, key, lambda test: observe(test, Probe({}, 0), (seen,)))}


def test_a_share_is_the_weight_by_the_sum_of_weights():
    verdicts = judged({"a": 0, "b": 1, "c": 0}, {}, {"a": 3, "b": 0.5, "c": 1.5})
    assert [verdict.share for verdict in verdicts.values()] == [0.6, 0.1, 0.3]
    assert [verdict.passed for verdict in verdicts.values()] == [True, False, True]
    assert [(verdict.name, verdict.ask) for verdict in verdicts.values()] == [(n, f"asks {n}") for n in "abc"]


def test_points_are_hundredths_between_nothing_and_the_most():
    verdicts = list(judged({"a": 0, "b": 1, "c": 0}, {}, {"a": 1, "b": 1, "c": 5}).values())
    assert points(verdicts, 1.0) == 0.86 and points(verdicts[1:2], 3.0) == 0.0
    assert points(verdicts[::2], 2.5) == 2.5 and points([], 2.5) == 0.0


def test_a_weight_is_one_where_none_is_given():
    question = Question("q", "Q", {})
    question.test("asks")(lambda probe: 1)
    assert [test.weight for test in question.tests.values()] == [1.0]


def make_check() -> Check:
    check = Check("q", "Q", {"N": 3}, asked({"output": 3, "untouched": 1}).tests)
    check.hints = ("look", "think", "nearly")
    return check


def test_an_exams_weights_are_those_given_or_one_and_its_sizes_may_be_others():
    check = make_check()
    exam = Exam.of(check, weights={"untouched": 0.5})
    assert {name: test.weight for name, test in exam.tests.items()} == {"output": 1.0, "untouched": 0.5}
    assert (exam.name, exam.title, exam.sizes) == (check.name, check.title, check.sizes)
    assert Exam.of(check, sizes={"N": 11}).sizes == {"N": 11}
    assert Exam.of(check).tests.keys() == check.tests.keys()
    assert check.tests["output"].weight == 3


VALUES = [1.0, 2.0, 3.0]  # numbers enough to know a mistake by
OTHERS = [4.0, 5.0, 6.0]


@pytest.mark.made_up_texts
def test_one_mistake_is_named_that_shows_all_that_was_seen():
    seen = {"a": 1, "b": 2, "c": 0}
    verdicts = judged(seen, {"part": {"a": 1}, "whole": {"a": 1, "b": 2}, "more": {"a": 1, "b": 2, "c": 3}})
    assert {name: verdict.mistake for name, verdict in verdicts.items()} == {"a": "whole", "b": "whole", "c": None}
    assert verdicts["a"].reason.render() == "You made whole. (expected 0, got 1)"


@pytest.mark.made_up_texts
def test_passed_tests_weigh_as_much_as_failed_ones():
    mistakes = {"wrong_of_d": {"a": 1, "d": 7}, "right_of_d": {"a": 1}}
    assert judged({"a": 1, "b": 0, "d": 0}, mistakes)["a"].mistake == "right_of_d"
    del mistakes["right_of_d"]
    assert judged({"a": 1, "b": 0, "d": 0}, mistakes)["a"].mistake is None


@pytest.mark.made_up_texts
def test_look_alikes_are_told_in_one_sentence():
    assert judged({"a": 1}, {"one": {"a": 1}, "two": {"a": 1}})["a"].reason.render().startswith("You made one or two.")


@pytest.mark.made_up_texts
def test_two_mistakes_are_named_where_only_they_together_explain_the_values():
    mistakes = {"one": {"a": VALUES}, "two": {"b": OTHERS}, "third": {"c": VALUES}}
    seen = {"a": VALUES, "b": OTHERS, "c": 0}
    assert {n: v.mistake for n, v in judged(seen, mistakes).items()} == {"a": "one", "b": "two", "c": None}
    assert not any(v.mistake for v in judged(seen | {"c": OTHERS}, mistakes).values())  # nothing explains c
    # Two ways to explain everything: no name is better than one that may be false.
    other_way = mistakes | {"both_and_d": {"a": VALUES, "d": 1}, "b_and_d": {"b": OTHERS, "d": 1}}
    assert not any(v.mistake for v in judged(seen | {"c": 0, "d": 1}, other_way).values())


@pytest.mark.made_up_texts
def test_three_mistakes_at_once_are_named_and_four_are_not():
    seen = {"a": VALUES, "b": OTHERS, "c": VALUES, "d": 0}
    mistakes = {"one": {"a": VALUES}, "two": {"b": OTHERS}, "three": {"c": VALUES}, "four": {"d": OTHERS}}
    assert [v.mistake for v in judged(seen, mistakes).values()] == ["one", "two", "three", None]
    assert not any(v.mistake for v in judged(seen | {"d": OTHERS}, mistakes).values())


FRACTIONS = torch.tensor([0.25, 1.5, -0.75])


def named(seen: dict, mistakes: dict[str, dict], together: dict | None = None) -> list:
    return [verdict.mistake for verdict in judged(seen, mistakes, together=together).values()]


@pytest.mark.made_up_texts
def test_one_telling_test_is_enough_for_a_name_and_what_no_mistake_explains_silences_nothing():
    seen = {"a": FRACTIONS, "b": OTHERS, "c": 0}
    assert named(seen, {"one": {"a": FRACTIONS}}) == ["one", None, None]
    assert named(seen, {"one": {"a": FRACTIONS, "c": 1}}) == [None, None, None]  # it would have failed c
    more = {"one": {"a": FRACTIONS}, "two": {"a": FRACTIONS}}
    assert named(seen, more) == ["one or two", None, None]
    more["two"]["d"] = FRACTIONS
    assert named(seen | {"d": FRACTIONS}, more) == ["two", None, None, "two"]  # explains more


@pytest.mark.made_up_texts
def test_a_mistake_is_named_only_if_it_explains_more_tests_than_it_contradicts():
    seen = {"a": FRACTIONS, "b": OTHERS, "c": 0}
    contradicted = {"one": {"a": FRACTIONS, "b": VALUES}}
    assert named(seen, contradicted) == [None, None, None]  # alone it would give something else in b
    assert named(seen, contradicted | {"other": {"b": OTHERS}}) == ["one", "other", None]
    # As in a decoder layer of which everything is dropped, alone and in a stack: two tests agree, two do not.
    both = {"one": {"a": FRACTIONS, "b": FRACTIONS, "c": VALUES, "d": VALUES}}
    assert named({"a": FRACTIONS, "b": FRACTIONS, "c": OTHERS, "d": OTHERS}, both) == [None] * 4
    assert named({"a": FRACTIONS, "b": FRACTIONS, "c": OTHERS, "d": VALUES}, both) == ["one", "one", None, "one"]


@pytest.mark.made_up_texts
@pytest.mark.parametrize(
    "value",
    [
        pytest.param(torch.tensor([1e-5, 2e-5, 5e-4]), id="near the right result"),
        pytest.param(torch.tensor([0.25, 1.5]), id="two numbers"),
        pytest.param(torch.tensor([0.25, 0.25, 0.25, 0.25]), id="one number"),
        pytest.param(torch.tensor([0.25, 1.5, -0.75, math.nan]), id="NaN among numbers"),
        pytest.param(torch.tensor([0.25, 1.5, -0.75, math.inf]), id="an infinity among numbers"),
        pytest.param(torch.tensor([True, False, True, True]), id="truths"),
        pytest.param([[3, 5], [7, 11]], id="a shape"),
        pytest.param(torch.tensor([3, 5, 7, 11]), id="words, in one test"),
        pytest.param(torch.full((3, 5), 7), id="a constant"),
    ],
)
def test_a_result_that_many_answers_have_is_no_evidence(value):
    assert named({"a": value, "b": OTHERS}, {"one": {"a": value, "b": VALUES}}) == [None, None]


@pytest.mark.made_up_texts
def test_words_are_evidence_in_two_tests():
    words = torch.tensor([3, 5, 7, 11])
    mistakes = {"one": {"a": words, "b": words, "c": VALUES}}
    assert named({"a": words, "b": words, "c": OTHERS}, mistakes) == ["one", "one", None]


@pytest.mark.made_up_texts
def test_a_mistake_is_named_by_a_part_of_a_result_and_something_else_is_said_to_be_wrong_too():
    shown, other = {"x": FRACTIONS, "y": VALUES}, {"x": VALUES, "y": VALUES}
    mistakes = {"one": {"a": shown, "b": shown}, "two": {"a": other, "b": other}}
    seen = {key: {"x": FRACTIONS, "y": OTHERS} for key in ("a", "b")}
    verdict = judged(seen, mistakes)["a"]
    assert named(seen, mistakes) == ["one", "one"]
    assert named(seen, {"one": {"a": shown, "b": other}}) == [None, None]  # a part of one test alone
    nan = {"a": seen["a"], "b": {"x": FRACTIONS, "y": torch.tensor([math.nan] * 3)}}
    assert named(nan, mistakes) == [None, None]
    assert verdict.reason.render().startswith("You made one. Something else is wrong as well. (")
    assert named(seen | {"c": 0}, {"one": {**mistakes["one"], "c": 1}}) == [None, None, None]  # it would fail c
    few = {key: {"x": FRACTIONS[:2], "y": OTHERS} for key in ("a", "b")}
    assert named(few, {"one": {key: {"x": FRACTIONS[:2], "y": VALUES} for key in ("a", "b")}}) == [None, None]
    both = {"one + two": seen}
    assert "Two mistakes at once" in judged(seen, mistakes, together=both)["a"].reason.render()  # better evidence


@pytest.mark.made_up_texts
@pytest.mark.parametrize(
    ("value", "right", "worth"),
    [
        pytest.param("1×7×3 7×7×3 7", "1×7×5 7×7×5 7", 2, id="shapes in a text"),
        pytest.param("float32 7", "float64 7", 0, id="two words"),
        pytest.param({"w": NO_GRADIENT, "b": 0.25, "v": 1.5}, {"w": 0.5, "b": 0.5, "v": 0.5}, 2, id="no gradient"),
        pytest.param({"w": NO_GRADIENT, "b": NO_GRADIENT}, {"w": 0.5, "b": 0.5}, 0, id="no gradient, twice"),
        pytest.param(
            torch.tensor([0.25, 1.5, 0.75, 0, 0, 0]), torch.tensor([0.25, 1.5, 0.75, 3, 5, 7]), 2, id="cut off"
        ),
        pytest.param(torch.tensor([1.0, 2, 3, 0, 0, 0]), torch.tensor([1.0, 2, 3, 3, 5, 7]), 1, id="words cut off"),
    ],
)
def test_evidence_is_three_things_that_seldom_agree_by_accident(value, right, worth):
    assert evidence(Observation(value), right, Tolerance(1e-4, 1e-5)) == worth


@pytest.mark.made_up_texts
def test_two_mistakes_at_once_are_known_by_what_both_show_together():
    mistakes = {"one": {"a": FRACTIONS, "b": 1}, "two": {"a": -FRACTIONS, "c": 2}}
    together = {"one + two": {"a": 2 * FRACTIONS}}
    seen = {"a": 2 * FRACTIONS, "b": 1, "c": 2, "d": 0}
    verdicts = judged(seen, mistakes, together=together)
    assert [(v.mistake, v.also) for v in verdicts.values()] == [
        ("one", "two"),
        ("one", None),
        ("two", None),
        (None, None),
    ]
    assert verdicts["a"].reason.render().startswith("Two mistakes at once. You made one. And: You made two. (")
    # Another result in one test: this pair was not made.
    assert named(seen | {"d": 3}, mistakes, together) == [None] * 4
    # Neither fails `d` alone, but both together do.
    both = judged(seen | {"d": 3}, mistakes, together={"one + two": {"a": 2 * FRACTIONS, "d": 3}})["d"]
    assert (both.mistake, both.also) == ("one", "two")


@pytest.mark.made_up_texts
def test_of_several_pairs_that_fit_the_common_mistake_is_named():
    mistakes = {name: {"a": number * FRACTIONS} for number, name in enumerate(("one", "two", "three"), 2)}
    mistakes["one"]["b"] = 1
    seen = {"a": 9 * FRACTIONS, "b": 1}
    either = {"one + two": {"a": 9 * FRACTIONS}, "one + three": {"a": 9 * FRACTIONS}}
    verdicts = judged(seen, mistakes, together=either)
    assert [(v.mistake, v.also) for v in verdicts.values()] == [("one", "three or two"), ("one", None)]
    nothing_common = {"one + two": {"a": 9 * FRACTIONS}, "four + three": {"a": 9 * FRACTIONS, "b": 1}}
    assert named(seen, mistakes | {"four": {"a": FRACTIONS}}, nothing_common) == [None, None]


class WithoutClasses(Key):
    """A key that has a sentence for single mistakes alone."""

    def sentence(self, look_alikes, *, least=1):
        return super().sentence(look_alikes, least=least) if len(look_alikes) == 1 else None


@pytest.mark.made_up_texts
def test_where_a_part_of_a_set_has_no_name_the_pair_still_tells_it():
    """In `b`, two and three look alike; beside one, only two gives what is seen in `c`."""
    mistakes = {"one": {"a": FRACTIONS}, "two": {"b": VALUES}, "three": {"b": VALUES, "a": OTHERS}}
    key = WithoutClasses({"a": 0 * FRACTIONS, "b": 0}, mistakes, {"one + two": {}})
    seen = {"a": FRACTIONS, "b": VALUES}
    told = judge(asked(dict.fromkeys(seen, 1)), key, lambda test: observe(test, Probe({}, 0), (seen,)))
    assert [(verdict.mistake, verdict.also) for verdict in told] == [("one", None), ("two", None)]


@pytest.mark.made_up_texts
def test_no_mistake_is_named_by_nan_alone():
    nan = torch.tensor([math.nan] * 3)
    assert judged({"a": nan}, {"one": {"a": nan}})["a"].mistake is None
    either = judged({"a": nan}, {"one": {"a": nan}, "two": {"a": nan}})["a"]
    assert "A likely cause: You made one or two." in either.reason.render()
    both = judged({"a": nan, "b": VALUES}, {"one": {"a": nan, "b": VALUES}})
    assert both["a"].reason.render().startswith("You made one.")
    truths = {"a": nan, "b": True}
    assert judged(truths, {"one": truths})["b"].mistake is None  # a truth beside NaN is no more than NaN
    assert named({"a": nan, "b": VALUES}, {"one": {"a": nan}, "two": {"b": VALUES}}) == [None, None]


@pytest.mark.made_up_texts
def test_what_agrees_in_more_tests_is_named_before_what_is_random_there():
    mistakes = {"steady": {"a": 1, "b": 2}, "partly": {"a": "random", "b": 2}}
    assert judged({"a": 1, "b": 2}, mistakes)["a"].mistake == "steady"
    assert judged({"a": 3, "b": 2}, mistakes)["a"].mistake == "partly"
    assert judged({"a": 3, "b": 0}, {"chance": {"a": "random"}})["a"].mistake is None
    always = {"always": {"a": "random", "b": 2}, "while training": {"b": 2}}
    assert judged({"a": 0, "b": 2}, always)["b"].mistake == "while training"
    assert judged({"a": 3, "b": 2}, always)["b"].mistake == "always"


def test_what_is_unknown_or_was_not_attempted_has_no_name():
    assert judged({"a": 5}, {"one": {"a": 1}})["a"].mistake is None
    assert judged({"a": None}, {"one": {"a": None}})["a"].mistake is None


def failed(error: BaseException | None, failure: Failure | None = None) -> tuple[str, str]:
    """The outcome and the reason where a student's code fails."""
    question = asked({"a": 1})

    def run(test):
        if failure:
            return Observation(failure=failure)
        return observe(test, Probe({}, 0), ({"a": property(None)},)) if error is None else raised(test, error)

    def raised(test, error):
        def function(probe, students):
            raise error

        return observe(Test("a", "asks", function, 1.0, Tolerance(1e-4, 1e-5)), Probe({}, 0), ({},))

    (verdict,) = judge(question, Key({"a": 0}, {}), run)
    return verdict.outcome, verdict.reason.render()


@pytest.mark.parametrize(
    ("failure", "outcome", "says"),
    [
        (Failure("NotImplementedError", ""), "not attempted", "nothing to check yet: write your code in place of"),
        (
            Failure("NotImplementedError", "loss: write the missing lines, then run again"),
            "not attempted",
            "nothing to check yet: write your code in place of",
        ),
        (
            Failure("NotWritten", "F is to be written."),
            "not attempted",
            "F is to be written. If you have written it: is",
        ),
        (Failure("NotImplementedError", '"bmm" for Bool', "y = f"), "raised", "your code raised NotImplementedError: "),
        (
            Failure("NotImplementedError", 'Module [A] is missing the required "forward" function', "y = f"),
            "wrong",
            "your class has no `forward`: is the name misspelt",
        ),
        (
            Failure("TypeError", "_forward_unimplemented() got an unexpected keyword argument 'query'"),
            "wrong",
            "your class has no `forward`: is the name misspelt",
        ),
        (
            Failure("NotImplementedError", 'Module [ModuleList] is missing the required "forward" function'),
            "wrong",
            "a `ModuleList` only holds modules",
        ),
        (
            Failure("NotImplementedError", "derivative for aten::argmax is not implemented"),
            "wrong",
            "no gradient flows through `argmax`",
        ),
        (
            Failure(
                "RuntimeError",
                "a view of a leaf Variable that requires grad is being used in an in-place operation",
                "w[:] = 0",
            ),
            "raised",
            "a tensor that takes part in a gradient is changed in place, in the line “w[:] = 0”: make a new tensor",
        ),
        (Failure("NothingReturned", ""), "not attempted", "your code returned None: is the return missing?"),
        (
            Failure("Stopped", "not run, because your code had already been stopped"),
            "stopped",
            "not run, because your code had already been stopped",
        ),
        (Failure("NameError", "name 'f' is gone"), "not attempted", "name 'f' is gone: did its cell run without an"),
        (Failure("NameError", "x", "y = f"), "raised", "your code raised NameError: x, in the line “y = f”"),
        (
            Failure("ValueError", "x"),
            "raised",
            "the test could not go on, ValueError: x; does your code take and return",
        ),
        (Failure("ResultError", "expected shape (5, 6), got (5,)"), "wrong", "expected shape (5, 6), got (5,)"),
        (
            Failure("ResultError", "expected 2 results, got 1"),
            "wrong",
            "your code should return 2 things, as a tuple; it",
        ),
        (
            Failure("TypeError", "list indices must be integers"),
            "wrong",
            "your code returned a list or a tuple where a single",
        ),
        (Failure("AttributeError", "'tuple' object has no attribute 'pow'"), "wrong", "your code returned a list or a"),
        (
            Failure("TypeError", "unsupported operand: 'list' and 'list'"),
            "wrong",
            "your code returned a list or a tuple",
        ),
        (Failure("ValueError", "x.", "y = f"), "raised", "your code raised ValueError: x, in the line “y = f”"),
    ],
)
def test_every_failure_has_its_outcome_and_sentence(failure, outcome, says):
    found, reason = failed(None, failure)
    assert found == outcome and reason.startswith(says)


CANNOT = NotImplementedError(
    "Could not run 'aten::empty.memory_format' with arguments from the 'Lazy' backend. If you are a Facebook employee …"
)


def raises(error):
    def function(probe, students):
        raise error

    return function


@pytest.mark.parametrize("ask", [ON_GPU, "asks"])
def test_what_the_simulated_gpu_cannot_do_costs_nothing_where_a_gpu_is_asked_for(ask):
    question = asked({"a": 1, "b": 3})
    question.tests["b"] = Test("b", ask, raises(CANNOT), 3.0, Tolerance(1e-4, 1e-5))
    verdicts = judge(question, Key({"a": 0, "b": 0}, {"m": {"a": 1}}), lambda t: observe(t, Probe({}, 0), ({"a": 1},)))
    assert points(verdicts, 4) == (3 if ask == ON_GPU else 0)
    assert verdicts[0].mistake == ("m" if ask == ON_GPU else None)
    told = verdicts[1].reason.render()
    assert ("our fault" in told) == (ask == ON_GPU)
    assert ask != ON_GPU or not any(word in told for word in ("Lazy", "lazy", "aten::", "backend", "Facebook"))


def test_an_error_on_the_simulated_gpu_is_told_in_words_of_a_real_one():
    wrong = TypeError("legacy constructor expects device type: cpu but device type: lazy was passed")
    question = asked({"a": 1})
    question.tests["a"] = Test("a", ON_GPU, raises(wrong), 1.0, Tolerance(1e-4, 1e-5))
    (verdict,) = judge(question, Key({"a": 0}, {}), lambda test: observe(test, Probe({}, 0), ({},)))
    assert not verdict.passed and "but device type: cuda was passed" in verdict.reason.render()


@pytest.mark.parametrize("error", [SystemExit(3), MemoryError("much"), RecursionError("deep"), GeneratorExit("x")])
def test_whatever_is_raised_is_a_failure(error):
    outcome, reason = failed(error)
    assert outcome == "raised" and reason.startswith(f"the test could not go on, {type(error).__name__}: {error};")


def test_an_interrupt_is_the_persons_own():
    with pytest.raises(KeyboardInterrupt):
        failed(KeyboardInterrupt())


def test_an_errors_text_is_one_line_of_300_characters():
    assert failure_of(ValueError("a\n  b\tc")) == Failure("ValueError", "a b c")
    assert failure_of(ValueError("x" * 300)).text == "x" * 300
    assert failure_of(ValueError("x" * 301)).text == "x" * 299 + "…"


@pytest.mark.parametrize("name", ["<cell answer>", "/tmp/ipykernel_7/123.py"])
def test_the_innermost_line_of_the_notebook_is_named(name):
    line = f"return 1 / 0  # {'y' * 130}"
    code = f"def g(f):\n    return f()  # outer\n\ndef f():\n    {line}\n"
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    names = {}
    exec(compile(code, name, "exec"), names)
    try:
        names["g"](names["f"])
    except ZeroDivisionError as error:
        assert failure_of(error) == Failure("ZeroDivisionError", "division by zero", line[:119] + "…")
    del linecache.cache[name]


def test_a_line_of_the_notebook_without_text_is_three_dots():
    names = {}
    exec(compile("def f():\n    return 1 / 0\n", "<cell whose text is gone>", "exec"), names)
    with pytest.raises(ZeroDivisionError) as raised:
        names["f"]()
    assert failure_of(raised.value).where == "…"


@pytest.mark.made_up_texts
def test_without_hints_one_is_told_so_and_a_level_is_one_of_those_there_are(capsys):
    Check("q", "Q", {}).hint()
    question = make_check()
    for level in (2, None, 9):
        question.hint(level)
    assert capsys.readouterr().out.splitlines() == [
        "There is no hint for this question.",
        "Hint 2 of 3: think",
        "Hint 3 of 3: nearly",
        "There are no more hints (3); hint(1) shows the first again.",
    ]


@pytest.mark.parametrize(
    ("module", "lesson"),
    [
        ("utils.attention.check", "attention"),
        ("source.seq2seq.exam", "seq2seq"),
        ("utils.captioning.check.model", "captioning"),
    ],
)
def test_a_lesson_is_named_by_the_module_of_its_first_test(module, lesson):
    question = asked({"a": 1, "b": 1})
    for test, where in zip(question.tests.values(), (module, "elsewhere"), strict=True):
        test.function.__module__ = where
    assert question.lesson == lesson


def test_what_has_no_name_is_described_in_words_before_the_numbers():
    want = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
    question = asked({"a": 1, "b": 1})
    seen = {"a": -want, "b": -want}
    mistakes = {"one": {"a": -want, "b": 7}}
    verdicts = judge(question, Key({"a": want, "b": 0}, mistakes), lambda test: Observation(seen[test.name]))
    assert verdicts[0].mistake is verdicts[1].mistake is None
    reason = verdicts[0].reason.render()
    assert reason.startswith("right except for the sign of all values (at [0, 0] expected 1, got -1")
    assert verdicts[1].reason.render() == "expected shape (), got (2, 2)"


def test_a_kind_of_difference_is_told_of_numbers_and_of_nothing_else():
    want = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
    question = asked({"a": 1})
    for right, mine in ((True, False), (want, NO_GRADIENT)):
        key = Key({"a": {"first": right, "then": want}}, {})
        (verdict,) = judge(question, key, lambda test, mine=mine: Observation({"first": mine, "then": -want}))
        assert "sign of all values" not in verdict.reason.render()
