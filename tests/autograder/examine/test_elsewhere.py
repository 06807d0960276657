"""What works where students work costs nothing here, or the reason is reported."""

import pytest
from nbformat.v4 import new_code_cell

from autograder.common.course import WORKBOOK
from autograder.examine.examiner import examine
from autograder.examine.newer_python import needed_python
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson

LESSON = Lesson.load("seq2seq", WORKBOOK)
OWN_CELLS = """\
import torch
torch.set_default_device("cuda")
device = torch.device("cuda")
###
from google.colab import drive
drive.mount("/content/drive")
###
%load_ext an_extension_that_nobody_has
%a_magic_that_nobody_has x
name = input("Your name?")
###
%%a_cell_magic_that_nobody_has
kept = torch.ones(2).cuda() + torch.ones(2, device="cuda:0").to("cuda")
assert kept.tolist() == [2, 2]
"""
DOTS = """\
%load_ext an_extension_that_nobody_has
from google.colab import files
key = input()
def dot_similarity(a, b):
    return (a.to("cuda") @ b.cuda().T).to(device)
"""
ATTEND = """\
def attend(scores, states, mask):
    hidden = torch.zeros(scores.shape, device="cuda").masked_fill(~mask, float("-inf"))
    weights = (scores + hidden).softmax(dim=1)
    return torch.einsum("nt,ntd->nd", weights, states), weights
"""


def test_colab_a_gpu_questions_and_foreign_magics_cost_nothing(sandbox):
    notebook = compose(LESSON, {"dot_similarity": DOTS, "attend": ATTEND})
    notebook.cells[1:1] = [new_code_cell(text, id=f"own{i}") for i, text in enumerate(OWN_CELLS.split("###\n"))]
    result = examine(notebook, LESSON, sandbox)
    for question in ("dot_similarity", "attend", "summarise"):
        verdicts = result.question(LESSON.tests[question].grade_id).verdicts
        assert {v.name: v.reason and v.reason.render() for v in verdicts if not v.passed} == {}


def test_syntax_of_a_newer_python_is_reported_with_its_cause(sandbox):
    newer = 'def dot_similarity[T](a: T, b: T) -> T:\n    print(f"{a.shape["0"]}")\n    return a @ b.T\n'
    result = examine(compose(LESSON, {"dot_similarity": newer}), LESSON, sandbox)
    (reason, *_) = {v.reason.render() for v in result.question(LESSON.tests["dot_similarity"].grade_id).verdicts}
    if not needed_python(newer, "SyntaxError"):
        pytest.skip("this Python reads it")
    assert "its cell needs Python 3.12, but the grader has 3." in reason
    assert any("needs Python 3.12, and this one is 3." in flag for flag in result.flags)


@pytest.mark.parametrize(
    ("source", "exception", "needed"),
    [
        ('print(f"{d["k"]}")', "SyntaxError: f-string: expecting '}'", "3.12"),
        ("def f[T](x): ...", "SyntaxError: expected '('", "3.12"),
        ("type Row = list[int]", "SyntaxError: invalid syntax", "3.12"),
        ("try:\n    f()\nexcept A, B:\n    pass", "SyntaxError: multiple exception types", "3.14"),
        ("x = (1", "SyntaxError: '(' was never closed", ""),
        ("def f[T](x): ...", "NameError: name 'T' is not defined", ""),
    ],
)
def test_the_version_that_a_cell_needs_is_known_by_its_syntax(source, exception, needed):
    assert needed_python(source, exception, here=(3, 11)) == needed
    assert needed_python(source, exception, here=(3, 14)) == ""
