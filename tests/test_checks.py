"""Questions: what passes, what is named, what is said. The example's gap is `scale(x) = x / sqrt(E)`."""

import json
import math

import pytest
import torch

from utils.checks import observation
from utils.checks import question as core
from utils.checks.observation import Failure, Observation, Tolerance
from utils.checks.probe import Probe
from utils.checks.question import CheckFailed, Question, StoredKey, judge, observe, store_answers
from utils.common import messages
from utils.common.errors import WorkbookError
from utils.common.messages import Message

TOLERANCE = Tolerance(1e-4, 1e-5)


def make_question() -> Question:
    question = Question("scale", title="Scaling", sizes={"N": 3, "E": 7}, hints=("look", "think", "nearly"))

    @question.test("divides by the root of the width", weight=3)
    def output(probe, scale):
        return scale(probe.normal(*probe["N E"]))

    @question.test("leaves its input alone")
    def untouched(probe, scale):
        x = probe.normal(*probe["N E"])
        before = x.clone()
        scale(x)
        return torch.equal(x, before)

    return question


def right(x):
    return x / math.sqrt(x.shape[-1])


def by_width(x):
    return x / x.shape[-1]


def in_place(x):
    x /= math.sqrt(x.shape[-1])
    return x


@pytest.fixture
def key(tmp_path, monkeypatch):
    question = make_question()
    mutants = {"by_width": (by_width,), "in_place": (in_place,)}
    stored = {
        "questions": {"scale": store_answers(question, (right,), mutants)},
        "says": {"by_width": "You divide by E instead of its root.", "in_place": "You change the input."},
    }
    monkeypatch.setattr(core, "ANSWERS", tmp_path)
    (tmp_path / f"{question.lesson}.json").write_text(json.dumps(stored))
    return StoredKey(question.lesson, "scale")


def verdicts_of(key, student):
    question = make_question()
    return {
        v.name: v
        for v in judge(question, key, lambda t: observe(t, Probe(question.sizes, core.CHECK_SEED), (student,)))
    }


def test_the_right_answer_passes_in_single_precision(key):
    verdicts = verdicts_of(key, lambda x: torch.einsum("ne,->ne", x, torch.tensor(7**-0.5)))
    assert all(verdict.passed for verdict in verdicts.values())
    assert [verdict.share for verdict in verdicts.values()] == [0.75, 0.25]


@pytest.mark.made_up_texts
def test_a_known_mistake_is_named_from_its_output(key):
    verdict = verdicts_of(key, lambda x: x.div(7))["output"]
    assert (verdict.outcome, verdict.mistake) == ("wrong", "by_width")
    assert "instead of its root" in verdict.reason.render()


def test_two_mistakes_at_once_are_both_named(key):
    def both(x):
        x /= x.shape[-1]
        return x

    verdicts = verdicts_of(key, both)
    assert (verdicts["output"].mistake, verdicts["untouched"].mistake) == ("by_width", "in_place")


def test_an_unknown_mistake_gets_a_counter_example(key):
    verdict = verdicts_of(key, lambda x: x / math.sqrt(7) + (torch.arange(7) == 4) * 0.5)["output"]
    assert verdict.mistake is None
    assert "at [0, 4] expected" in verdict.reason.render()
    assert "(3 of 21 values differ)" in verdict.reason.render()


def test_shapes_are_named_by_their_symbols(key):
    verdict = verdicts_of(key, lambda x: right(x).T)["output"]
    assert "expected shape (N, E) = (3, 7), got (E, N) = (7, 3)" in verdict.reason.render()


@pytest.mark.parametrize(
    ("student", "outcome", "says"),
    [
        (lambda x: None, "not attempted", "return missing"),
        (lambda x: (_ for _ in ()).throw(NotImplementedError("gap")), "not attempted", "nothing here yet"),
        (lambda x: x @ x, "raised", "RuntimeError"),
        (lambda x: exit(), "raised", "SystemExit"),
        (lambda x: right(x) * float("nan"), "wrong", "21 of 21 values are NaN"),
        (lambda x: "seven", "wrong", "got 'seven'"),
        (lambda x: (right(x), x), "wrong", "expected tensor"),
    ],
)
def test_outcomes_are_told_apart(key, student, outcome, says):
    verdict = verdicts_of(key, student)["output"]
    assert verdict.outcome == outcome
    assert says in verdict.reason.render()


@pytest.mark.made_up_texts
def test_a_check_raises_one_sentence_and_shows_the_reasons(key, capsys):
    with pytest.raises(CheckFailed, match=r"scale: 1 of 2 tests pass so far\."):
        make_question()(by_width)
    assert "You divide by E" in capsys.readouterr().out
    make_question()(right)
    assert "✓ Scaling: all 2 tests pass" in capsys.readouterr().out


def test_a_failed_check_shows_no_traceback_in_a_notebook():
    assert CheckFailed("one sentence")._render_traceback_() == ["CheckFailed: one sentence"]


@pytest.mark.made_up_texts
def test_hints_come_one_by_one(capsys):
    question = make_question()
    for _ in range(4):
        question.hint()
    question.hint(1)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Hint 1 of 3: look"
    assert lines[2:] == ["Hint 3 of 3: nearly", "Hint 3 of 3: nearly", "Hint 1 of 3: look"]


def test_missing_answers_say_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(core, "ANSWERS", tmp_path)
    with pytest.raises(WorkbookError, match="make build"):
        StoredKey("nothing", "scale")


def test_an_exam_repeats_the_check_with_weights():
    exam = Question.exam(make_question(), weights={"output": 5, "untouched": 0})
    assert {name: test.weight for name, test in exam.tests.items()} == {"output": 5}
    with pytest.raises(WorkbookError, match="no test"):
        Question.exam(make_question(), weights={"outputs": 1})


def test_probes_with_one_seed_give_the_same_inputs_and_parameters():
    one, two, other = (Probe({"N": 2}, seed) for seed in (1, 1, 2))
    assert torch.equal(one.normal(2, 3), two.normal(2, 3))
    assert not torch.equal(one.normal(2, 3), other.normal(2, 3))
    modules = [torch.nn.Linear(3, 2) for _ in range(2)]
    one.fill(modules[0])
    two.fill(modules[1])
    assert torch.equal(modules[0].weight, modules[1].weight)
    assert not modules[0].training


def test_fingerprints_tell_arrays_apart_and_forgive_rounding():
    array = torch.randn(5, 7, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    print_ = observation.fingerprint(Observation(array))
    assert observation.recognises(print_, Observation(array.float()), TOLERANCE)
    assert not observation.recognises(print_, Observation(array.T), TOLERANCE)
    assert not observation.recognises(print_, Observation(array + 0.01), TOLERANCE)
    assert not observation.recognises(print_, Observation(failure=Failure("ValueError", "x")), TOLERANCE)
    assert len(json.dumps(print_)) < 200


def test_a_statistic_agrees_within_its_own_tolerance():
    probe = Probe({}, 0)
    want = probe.approx(0.5, atol=0.1)
    assert observation.difference(probe.approx(0.58, atol=0.1), want, TOLERANCE, {}) is None
    print_ = observation.fingerprint(Observation(want))
    assert observation.recognises(print_, Observation(probe.approx(0.58, atol=0.1)), TOLERANCE)
    assert not observation.recognises(print_, Observation(probe.approx(0.7, atol=0.1)), TOLERANCE)
    assert "expected about 0.5, got 0.7" in observation.difference(probe.approx(0.7, 0.1), want, TOLERANCE, {}).render()


@pytest.mark.made_up_texts
def test_messages_survive_json_and_fall_back_to_english():
    message = Message("expected {expected}, got {got}", {"expected": 1, "got": Message("nothing")})
    again = Message.from_json(json.loads(json.dumps(message.to_json())))
    assert again == message
    assert again.render("en") == "expected 1, got nothing"
    assert messages.translate("a text that no catalogue has", "fr") == "a text that no catalogue has"


def test_the_language_is_the_notebooks(tmp_path, monkeypatch):
    monkeypatch.delenv(messages.LANGUAGE_VARIABLE, raising=False)
    notebook = tmp_path / "lesson.ipynb"
    notebook.write_text(json.dumps({"metadata": {"workbook": {"language": "zh"}}}))
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook))
    assert messages.notebook_language() == "zh"
    monkeypatch.delenv("JPY_SESSION_NAME")
    (tmp_path / "fr").mkdir()
    monkeypatch.chdir(tmp_path / "fr")
    assert messages.notebook_language() == "fr"
    monkeypatch.setenv(messages.LANGUAGE_VARIABLE, "en")
    assert messages.notebook_language() == "en"


# ---- weights and names --------------------------------------------------------------------------------------


class Key:
    """An answer key by hand: what is expected, and of each mistake what it shows in which test."""

    def __init__(self, expected: dict, mistakes: dict[str, dict]):
        self._expected, self._mistakes, self.asked = expected, mistakes, []

    def expected(self, test):
        return self._expected[test.name]

    def mistakes(self):
        return list(self._mistakes)

    def is_mistake(self, mistake, test, seen):
        self.asked.append((mistake, test.name))
        return seen.failure is None and self._mistakes[mistake].get(test.name) == seen.value

    def says(self, mistake):
        return f"You made {mistake}."


def asked(weights: dict[str, float]) -> Question:
    question = Question("q", "Q", {})
    for name, weight in weights.items():

        def function(probe, students, name=name):
            return students[name]

        function.__name__ = name
        question.test(f"asks {name}", weight=weight)(function)
    return question


def judged(seen: dict, mistakes: dict[str, dict], weights: dict[str, float] | None = None) -> dict:
    question = asked(weights or dict.fromkeys(seen, 1))
    key = Key(dict.fromkeys(seen, 0), mistakes)
    return {v.name: v for v in judge(question, key, lambda test: observe(test, Probe({}, 0), (seen,)))}


def test_a_share_is_the_weight_by_the_sum_of_weights():
    verdicts = judged({"a": 0, "b": 1, "c": 0}, {}, {"a": 3, "b": 0.5, "c": 1.5})
    assert [verdict.share for verdict in verdicts.values()] == [0.6, 0.1, 0.3]
    assert [verdict.passed for verdict in verdicts.values()] == [True, False, True]
    assert [(verdict.name, verdict.ask) for verdict in verdicts.values()] == [(n, f"asks {n}") for n in "abc"]


def test_a_weight_is_one_where_none_is_given():
    question = Question("q", "Q", {})
    question.test("asks")(lambda probe: 1)
    assert [test.weight for test in question.tests.values()] == [1.0]


def test_an_exams_weights_are_those_given_or_one_and_its_sizes_may_be_others():
    check = make_question()
    exam = Question.exam(check, weights={"untouched": 0.5})
    assert {name: test.weight for name, test in exam.tests.items()} == {"output": 1.0, "untouched": 0.5}
    assert (exam.name, exam.title, exam.sizes, exam.hints) == (check.name, check.title, check.sizes, check.hints)
    assert exam.examines and not check.examines
    assert Question.exam(check, sizes={"N": 11}).sizes == {"N": 11}
    assert Question.exam(check).tests.keys() == check.tests.keys()
    assert check.tests["output"].weight == 3


@pytest.mark.made_up_texts
def test_of_two_explanations_the_one_of_more_tests_is_named():
    seen = {"a": 1, "b": 2, "c": 3, "d": 0}
    mistakes = {"small": {"a": 1}, "large": {"a": 1, "b": 2, "d": 0}, "other": {"c": 3, "d": 7}}
    verdicts = judged(seen, mistakes)
    assert {name: verdict.mistake for name, verdict in verdicts.items()} == {
        "a": "large",
        "b": "large",
        "c": "other",
        "d": None,
    }
    assert verdicts["a"].reason.render() == "You made large. (expected 0, got 1)"


@pytest.mark.made_up_texts
def test_passed_tests_weigh_as_much_as_failed_ones_in_an_explanation():
    mistakes = {"wrong_of_d": {"a": 1, "b": 2, "c": 7, "d": 7}, "right_of_d": {"a": 1, "c": 0, "d": 0}}
    assert judged({"a": 1, "b": 0, "c": 0, "d": 0}, mistakes)["a"].mistake == "right_of_d"


@pytest.mark.made_up_texts
def test_the_first_of_equal_explanations_is_named():
    assert judged({"a": 1}, {"one": {"a": 1}, "two": {"a": 1}})["a"].mistake == "one"


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

        return observe(core.Test("a", "asks", function, 1.0, TOLERANCE), Probe({}, 0), ({},))

    (verdict,) = judge(question, Key({"a": 0}, {}), run)
    return verdict.outcome, verdict.reason.render()


@pytest.mark.parametrize(
    ("failure", "outcome", "says"),
    [
        (Failure("NotImplementedError", "x"), "not attempted", "there is nothing here yet: write your code in the"),
        (Failure("NothingReturned", ""), "not attempted", "your code returned None: is the return missing?"),
        (
            Failure("Stopped", "not run, because your code had to be stopped before"),
            "stopped",
            "not run, because your code had to be stopped before",
        ),
        (Failure("NameError", "name 'f' is gone"), "not attempted", "name 'f' is gone: did its cell run without an"),
        (Failure("NameError", "x", "y = f"), "raised", "your code raised NameError: x, in the line “y = f”"),
        (Failure("ValueError", "x"), "raised", "calling your code raised ValueError: x"),
        (Failure("ValueError", "x", "y = f"), "raised", "your code raised ValueError: x, in the line “y = f”"),
    ],
)
def test_every_failure_has_its_outcome_and_sentence(failure, outcome, says):
    found, reason = failed(None, failure)
    assert found == outcome and reason.startswith(says)


@pytest.mark.parametrize("error", [SystemExit(3), MemoryError("much"), RecursionError("deep"), GeneratorExit("x")])
def test_whatever_is_raised_is_a_failure(error):
    assert failed(error) == ("raised", f"calling your code raised {type(error).__name__}: {error}")


def test_an_interrupt_is_the_persons_own():
    with pytest.raises(KeyboardInterrupt):
        failed(KeyboardInterrupt())


def test_an_errors_text_is_one_line_of_300_characters():
    assert core.failure_of(ValueError("a\n  b\tc")) == Failure("ValueError", "a b c")
    assert core.failure_of(ValueError("x" * 301)).text == "x" * 300


@pytest.mark.parametrize("name", ["<cell answer>", "/tmp/ipykernel_7/123.py"])
def test_the_innermost_line_of_the_notebook_is_named(name):
    line = f"return 1 / 0  # {'y' * 130}"
    code = f"def g(f):\n    return f()  # outer\n\ndef f():\n    {line}\n"
    core.linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    names = {}
    exec(compile(code, name, "exec"), names)
    try:
        names["g"](names["f"])
    except ZeroDivisionError as error:
        assert core.failure_of(error) == Failure("ZeroDivisionError", "division by zero", line[:120])
    del core.linecache.cache[name]


# ---- stored answers -----------------------------------------------------------------------------------------


def stored_and_read(function, reference, mutants: dict, tmp_path, monkeypatch, **tolerances) -> tuple:
    """A question of one test, and its answers, written and read again."""
    question = Question("q", "Q", {})
    question.test("asks", **tolerances)(function)
    (test,) = question.tests.values()
    stored = store_answers(question, (reference,), {name: (mutant,) for name, mutant in mutants.items()})
    monkeypatch.setattr(core, "ANSWERS", tmp_path)
    says = {name: f"You made {name}." for name in mutants}
    (tmp_path / "x.json").write_text(json.dumps({"questions": {"q": stored}, "says": says}))
    return test, StoredKey("x", "q"), stored


def test_an_answer_comes_back_from_its_file(tmp_path, monkeypatch):
    x = torch.tensor([[1.0, -2.5], [3.25, 4.0]], dtype=torch.float64)
    answer = {"x": x, "n": 3, "f": 2.5, "t": ["a", None, True], "e": torch.zeros(0, 2), "s": torch.tensor(1.5)}
    test, key, _ = stored_and_read(lambda probe, value: value, answer, {}, tmp_path, monkeypatch)
    back = key.expected(test)
    assert back["x"].dtype == torch.float64
    assert observation.difference(back, {**answer, "t": ["a", None, True]}, Tolerance(0, 0), {}) is None
    assert torch.equal(back["x"], x) and back["e"].shape == (0, 2) and back["s"].shape == ()


def test_numbers_are_stored_with_seven_digits_of_the_largest(tmp_path, monkeypatch):
    x = torch.tensor([123.456789, 0.000123456, float("inf"), float("nan")], dtype=torch.float64)
    _, _, stored = stored_and_read(lambda probe, value: [value, 0.123456789], x, {}, tmp_path, monkeypatch)
    array, number = next(iter(stored.values()))["expected"]
    assert array["values"][:3] == [123.4568, 0.0001, float("inf")] and array["shape"] == [4]
    assert number == 0.1234568


def test_a_statistic_is_stored_with_its_tolerance(tmp_path, monkeypatch):
    test, key, _ = stored_and_read(lambda probe, x: probe.approx(x, atol=0.1), 0.5, {}, tmp_path, monkeypatch)
    probe = Probe({}, 0)
    assert observation.difference(probe.approx(0.59, 0.1), key.expected(test), TOLERANCE, {}) is None
    assert observation.difference(probe.approx(0.61, 0.1), key.expected(test), TOLERANCE, {}) is not None


def test_a_mistake_that_a_test_cannot_see_looks_like_the_reference(tmp_path, monkeypatch):
    x = torch.ones(3)
    mutants = {"seen": 2 * x, "unseen": x + 1e-6}
    test, key, stored = stored_and_read(lambda probe, value: value, x, mutants, tmp_path, monkeypatch)
    assert list(next(iter(stored.values()))["mistakes"]) == ["seen"] == key.mistakes()
    assert key.is_mistake("seen", test, Observation(2 * x)) and not key.is_mistake("seen", test, Observation(x))
    assert key.is_mistake("unseen", test, Observation(x)) and not key.is_mistake("unseen", test, Observation(2 * x))
    assert key.says("seen") == "You made seen."


def test_what_a_mistake_shows_by_chance_is_nothing_to_know_it_by(tmp_path, monkeypatch):
    mutants = {"chance": lambda: torch.rand(3), "nan": lambda: torch.full((3,), float("nan"))}
    test, key, stored = stored_and_read(
        lambda probe, make: make(), lambda: torch.ones(3), mutants, tmp_path, monkeypatch
    )
    assert next(iter(stored.values()))["mistakes"]["chance"] == ["chance"]
    assert key.is_mistake("nan", test, Observation(torch.full((3,), float("nan"))))


def test_answers_are_computed_in_double_precision_and_the_default_is_put_back(tmp_path, monkeypatch):
    kinds = []

    def function(probe, value):
        kinds.append((torch.get_default_dtype(), probe.normal(2).dtype))
        return value

    stored_and_read(function, 1.0, {"a": 2.0}, tmp_path, monkeypatch)
    assert set(kinds) == {(torch.float64, torch.float64)}
    assert torch.get_default_dtype() == torch.float32
    with pytest.raises(WorkbookError, match=r"The reference fails in q\.fails: .*ZeroDivisionError"):

        def fails(probe, value):
            return 1 / 0

        stored_and_read(fails, 1.0, {}, tmp_path, monkeypatch)
    assert torch.get_default_dtype() == torch.float32


@pytest.mark.made_up_texts
def test_without_hints_one_is_told_so_and_a_level_is_one_of_those_there_are(capsys):
    Question("q", "Q", {}).hint()
    question = make_question()
    for level in (2, None, 9):
        question.hint(level)
    assert capsys.readouterr().out.splitlines() == [
        "There is no hint for this question.",
        "Hint 2 of 3: think",
        "Hint 3 of 3: nearly",
        "Hint 3 of 3: nearly",
    ]


def test_a_lesson_is_named_by_the_module_of_its_checks():
    from utils.checks import attention

    assert attention.loss.lesson == "attention"
