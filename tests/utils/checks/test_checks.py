"""Questions: what passes, what is named, what is said. The example's gap is `scale(x) = x / sqrt(E)`."""

import json
import math
import re
import zlib

import numpy as np
import pytest
import torch

from autograder.exams.exam import Exam
from utils.checks.check import Check
from utils.checks.engine import answer_key, evidence, observation, panel
from utils.checks.engine.answer_key import CHECK_SEED, StoredKey, store_answers
from utils.checks.engine.failure import Failure
from utils.checks.engine.observation import Observation, Tolerance
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import observe
from utils.checks.engine.verdict import judge, tell
from utils.common import messages
from utils.common.errors import CheckFailed, WorkbookError
from utils.common.messages import Message

TOLERANCE = Tolerance(1e-4, 1e-5)


def make_question() -> Check:
    question = Check("scale", title="Scaling", sizes={"N": 3, "E": 7}, hints=("look", "think", "nearly"))

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
        "whys": [],
        "classes": {},
        "pairs": {},
        "says": {"by_width": "You divide by E instead of its root.", "in_place": "You change the input."},
    }
    monkeypatch.setattr(answer_key.lessons, "made", lambda lesson, name: tmp_path / f"{lesson}.json")
    (tmp_path / f"{question.lesson}.json").write_text(json.dumps(stored))
    return StoredKey.of(question.lesson, "scale")


def verdicts_of(key, student):
    question = make_question()
    return {
        v.name: v for v in judge(question, key, lambda t: observe(t, Probe(question.sizes, CHECK_SEED), (student,)))
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
    assert "(values that differ: 3 of 21)" in verdict.reason.render()


def test_shapes_are_named_by_their_symbols(key):
    verdict = verdicts_of(key, lambda x: right(x).T)["output"]
    assert "expected shape (N, E) = (3, 7), got (E, N) = (7, 3)" in verdict.reason.render()


@pytest.mark.parametrize(
    ("student", "outcome", "says"),
    [
        (lambda x: None, "not attempted", "return missing"),
        (lambda x: (_ for _ in ()).throw(NotImplementedError), "not attempted", "nothing to check yet"),
        (lambda x: x @ x, "raised", "RuntimeError"),
        (lambda x: exit(), "raised", "SystemExit"),
        (lambda x: right(x) * float("nan"), "wrong", "values that are NaN: 21 of 21"),
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
    with pytest.raises(CheckFailed, match=r"scale: tests passed so far: 1 of 2\."):
        make_question()(by_width)
    assert "You divide by E" in capsys.readouterr().out
    make_question()(right)
    assert "✓ Scaling: all tests pass (2)" in capsys.readouterr().out


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
    assert lines[2] == "Hint 3 of 3: nearly"
    assert lines[3].startswith("There are no more hints (3)")
    assert lines[4] == "Hint 1 of 3: look"


@pytest.mark.made_up_texts
def test_the_last_panel_can_be_had_as_data(key, capsys):
    question = make_question()
    question.json()
    assert capsys.readouterr().out == "Run the check first: this prints its last panel.\n"
    with pytest.raises(CheckFailed):
        question(by_width)
    shown = capsys.readouterr().out
    question.json()
    data = json.loads(capsys.readouterr().out)
    assert data["outcome"] == "wrong" and data["check"] in shown
    [failed] = data["failed"]
    assert failed["test"] == "divides by the root of the width" and "E instead of its root" in failed["reason"]
    assert data["passed"] == ["leaves its input alone"]
    question(right)
    capsys.readouterr()
    question.json()
    assert json.loads(capsys.readouterr().out)["failed"] == []


@pytest.mark.made_up_texts
@pytest.mark.parametrize(("student", "offered_at"), [(by_width, 2), (lambda x: x + 1, 0)])
def test_a_hint_is_offered_after_three_tries_or_where_nothing_is_named(key, capsys, student, offered_at):
    question = make_question()
    offers = []
    for _ in range(3):
        with pytest.raises(CheckFailed):
            question(student)
        offers.append("A hint: check.scale.hint()" in capsys.readouterr().out)
    assert offers == [attempt >= offered_at for attempt in range(3)]


@pytest.mark.made_up_texts
def test_no_hint_is_offered_once_all_are_given(key, capsys):
    question = make_question()
    for level in (2, 3):
        question.hint(level)
        with pytest.raises(CheckFailed):
            question(lambda x: x + 1)
        assert ("A hint: check.scale.hint()" in capsys.readouterr().out) == (level == 2)


@pytest.mark.made_up_texts
def test_what_all_tests_say_is_said_once(key, capsys):
    with pytest.raises(CheckFailed):
        make_question()(lambda x: x @ x)
    shown = capsys.readouterr().out
    assert shown.count("RuntimeError") == 1
    assert "(in all 2 tests)" in shown


@pytest.mark.made_up_texts
def test_an_untouched_gap_is_one_line(key, capsys):
    with pytest.raises(CheckFailed):
        make_question()(raising(NotImplementedError))
    assert capsys.readouterr().out.splitlines() == [
        "○ Scaling: nothing to check yet: write your code in place of `raise NotImplementedError`"
    ]


def raising(error):
    def student(x):
        raise error

    return student


class Named:
    """What a test may stumble over."""


def test_what_the_test_stumbles_over_is_told_of_the_object():
    question = make_question()

    @question.test("has weights")
    def weights(probe, scale):
        return scale(probe.normal(2, 2)).weights

    def told(result):
        seen = observe(question.tests["weights"], Probe(question.sizes, 1), (lambda x: result,))
        outcome, reason = tell(question, question.tests["weights"], seen, None)
        return outcome, reason.render()

    assert told(None) == ("not attempted", "your code returned None: is the return missing?")
    assert told(Named()) == ("wrong", "your Named has no `weights`")
    question.lacks = {"weights": "your layer has no `v`: make the vector in the constructor and keep it as `self.v`"}
    assert told(Named())[1].startswith("your layer has no `v`")


def contrast(one, other):
    """WCAG 2.2's contrast ratio, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_signs_can_be_told_from_light_and_dark_grounds_and_text_has_the_theme_s_colour():
    for colour in panel.COLOURS.values():
        assert contrast(colour, "#FFFFFF") >= 4.5
        assert contrast(colour, "#111111") >= 3  # a sign, 1.4.11
    colours = set(re.findall(r"[ \"]color: ([^;\"]+)", panel.TEMPLATE))
    assert colours == {"inherit", "{{ colours[row.outcome] }}", "{{ colours.passed }}"}


def test_truths_and_nan_are_no_values_to_know_a_mistake_by():
    assert evidence.of_values({"result": torch.arange(3.0)})
    for nothing in (True, [True, False, True], torch.ones(5, dtype=torch.bool), torch.full((7,), float("nan")), "text"):
        assert not evidence.of_values(nothing)


@pytest.mark.made_up_texts
def test_a_missing_gradient_is_told_first_and_truths_are_words():
    want = {"a": 1.0, "proj.weight": 2.0}
    seen = {"a": 9.0, "proj.weight": observation.NO_GRADIENT}
    assert observation.difference(seen, want, TOLERANCE, {}).render() == "no gradient reaches `proj.weight`"
    told = observation.difference(
        {"word 1": {"earlier ones": True}}, {"word 1": {"earlier ones": False}}, TOLERANCE, {}
    )
    assert told.render() == "word 1: earlier ones"


def test_a_student_s_dictionary_is_not_taken_for_a_statistic(capsys):
    """Stored statistics are written as {"approx", "atol"}; a student's value of that form is simply wrong."""
    from utils.seq2seq import check as seq2seq

    for value in ({"approx": 1.0}, {"approx": 1.0, "atol": 9.0}, {"items": {}}, {"shape": [], "values": [0.0]}):
        with pytest.raises(CheckFailed, match="loss"):
            seq2seq.sentence_loss(lambda logits, target, value=value: value, torch.nn.Identity())
        shown = capsys.readouterr().out
        assert "✓" not in shown and "KeyError" not in shown
        assert "got {" in shown


def test_missing_answers_say_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(answer_key.lessons, "made", lambda lesson, name: tmp_path / f"{lesson}.json")
    with pytest.raises(WorkbookError, match="make build"):
        StoredKey.of("nothing", "scale")


def test_an_exam_repeats_the_check_with_weights():
    exam = Exam.of(make_question(), weights={"output": 5, "untouched": 0})
    assert {name: test.weight for name, test in exam.tests.items()} == {"output": 5}
    with pytest.raises(WorkbookError, match="no test"):
        Exam.of(make_question(), weights={"outputs": 1})


def test_probes_with_one_seed_give_the_same_inputs_and_parameters():
    one, two, other = (Probe({"N": 2}, seed) for seed in (1, 1, 2))
    assert torch.equal(one.normal(2, 3), two.normal(2, 3))
    assert not torch.equal(one.normal(2, 3), other.normal(2, 3))
    modules = [torch.nn.Linear(3, 2) for _ in range(2)]
    one.fill(modules[0])
    two.fill(modules[1])
    assert torch.equal(modules[0].weight, modules[1].weight)
    assert not modules[0].training


def test_inputs_and_parameters_are_the_numbers_of_numpys_frozen_generator():
    frozen, asked = np.random.RandomState(5), Probe({}, 5)
    np.testing.assert_array_equal(asked.normal(2, 3), frozen.standard_normal((2, 3)).astype("float32"))
    np.testing.assert_array_equal(asked.uniform(4, low=-1.0, high=2.0), frozen.uniform(-1, 2, 4).astype("float32"))
    np.testing.assert_array_equal(asked.integers(0, 9, 5), frozen.randint(0, 9, 5))
    values = np.random.RandomState(zlib.crc32(b"weight") + 5).standard_normal((3, 2))
    np.testing.assert_array_equal(asked.parameter_values("weight", (3, 2), 0.5), 0.5 * values)
    assert asked.parameter_values("scale", (), 1.0).shape == ()


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


def test_notebooks_in_several_languages_decide_nothing(tmp_path, monkeypatch):
    monkeypatch.delenv(messages.LANGUAGE_VARIABLE, raising=False)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    for folder, languages, expected in (
        ("fr", ("zh", "en"), "fr"),
        ("two", ("zh", "fr"), "en"),
        ("one", ("zh",) * 2, "zh"),
    ):
        (tmp_path / folder).mkdir()
        monkeypatch.chdir(tmp_path / folder)
        for number, language in enumerate(languages):
            content = {"metadata": {"workbook": {"language": language}}}
            (tmp_path / folder / f"{number}.ipynb").write_text(json.dumps(content))
        assert messages.notebook_language() == expected
