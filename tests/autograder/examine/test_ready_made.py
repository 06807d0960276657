"""Library calls that a course does not allow: named in the code itself, they cost the question and are said."""

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.examine.examiner import examine
from autograder.examine.ready_made import NOT_ALLOWED, named_in, refuse_ready_made
from autograder.examine.result import Graded, Result
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from utils.checks.engine.outcome import Verdict

LESSON = Lesson.load("captioning", WORKBOOK)
READY = (ROOT / "source" / "captioning" / "variants" / "multi_head_attention__scaled_dot_product.py").read_text()
OWN = LESSON.solutions["multi_head_attention"].code
CALLS = ["scaled_dot_product_attention", "MultiheadAttention"]


def judged(code: str, not_allowed: list[str]) -> Result:
    ids = [LESSON.tests[name].grade_id for name in ("multi_head_attention", "positional_encoding")]
    result = Result("captioning", [Graded(name, "auto", 8, [Verdict("a", "asks", 1.0, "passed")]) for name in ids])
    refuse_ready_made(result, LESSON, {"multi_head_attention": code, "positional_encoding": OWN}, not_allowed)
    return result


@pytest.mark.parametrize(("code", "not_allowed", "points"), [(READY, CALLS, 0), (READY, [], 8), (OWN, CALLS, 8)])
def test_what_a_course_does_not_allow_earns_nothing_and_is_said(code, not_allowed, points):
    result = judged(code, not_allowed)
    assert [question.points for question in result.questions] == [points, 8]
    reasons = [verdict.reason for verdict in result.questions[0].verdicts if verdict.reason]
    assert [reason.template for reason in reasons] == ([] if points else [NOT_ALLOWED])
    assert len(result.flags) == (0 if points else 1)


def test_names_are_those_of_the_code_and_not_of_its_texts():
    code = '"""Like nn.MultiheadAttention."""\nfrom torch.nn.functional import a as b\nx = F.c(d)  # e\n'
    assert named_in(code) == {"a", "x", "F", "c", "F.c", "d"}
    assert named_in("def f(:") == set()


GREEDY = Lesson.load("seq2seq", WORKBOOK)
BEAM = """\
def greedy_decode(model, source, source_mask, max_length=40):
    return training.beam_decode(model, source, source_mask, max_length, width=1)
"""
IMPORTED = "from utils.seq2seq import training\n\n\n"


def points_of_greedy(code, sandbox):
    result = examine(compose(GREEDY, {"greedy_decode": code}), GREEDY, sandbox)
    refuse_ready_made(result, GREEDY, {"greedy_decode": code}, [])
    return result.question(GREEDY.tests["greedy_decode"].grade_id).points, result.flags


def test_a_beam_of_width_one_is_not_the_answer_of_a_greedy_search(sandbox):
    assert points_of_greedy(IMPORTED + BEAM, sandbox)[0] == 0
    points, flags = points_of_greedy(IMPORTED + "training.StandInTranslator = tuple\n\n\n" + BEAM, sandbox)
    assert points == 0
    assert "question greedy_decode uses beam_decode, which this course does not allow" in flags
    assert any("overwrites a library's function" in flag for flag in flags)


def test_a_function_of_ones_own_may_be_called_like_a_ready_made_one():
    assert named_in("def beam_decode(x):\n    return x\n\n\nbeam_decode(1)") == {"x"}
    assert "beam_decode" in named_in("def beam_decode(x):\n    return training.beam_decode(x)")
    assert "beam_decode" in named_in("\uff42eam_decode(1)")  # the same name to Python
