"""Library calls that a course does not allow: named in the code itself, they cost the question and are said."""

import pytest

from autograder.common.paths import ROOT
from autograder.examine.ready_made import NOT_ALLOWED, named_in, refuse_ready_made
from autograder.examine.result import Graded, Result
from autograder.lesson.text import Lesson
from utils.checks.verdict import Verdict

LESSON = Lesson.load("captioning")
READY = (ROOT / "tests" / "variants" / "captioning" / "multi_head_attention__scaled_dot_product.py").read_text()
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
    assert named_in(code) == {"a", "x", "F", "c", "d"}
    assert named_in("def f(:") == set()
