"""The pretended GPU is in the student's process; who changes it gains nothing."""

from pathlib import Path

import nbformat
import pytest

from autograder.common.course import WORKBOOK
from autograder.examine.examiner import examine
from autograder.examine.result import Result
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox

ATTENTION = Lesson.load("attention", WORKBOOK)
CHANGED = (Path(__file__).parents[2] / "attacks" / "marks__pretended_gpu.py").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def limits() -> Limits:
    return Limits()


def examined(sandbox: Sandbox, first_cell: str) -> Result:
    """Examine a notebook whose `add_position` works on the CPU alone."""
    code = ATTENTION.solutions["add_position"].code
    assert code.count("return ") == 1
    on_the_cpu = code.replace("return ", "return torch.zeros(1) + ")
    notebook = compose(ATTENTION, {"add_position": on_the_cpu})
    notebook.cells.insert(0, nbformat.v4.new_code_cell(first_cell, id="first"))
    return examine(notebook, ATTENTION, sandbox)


def lost(result: Result) -> dict[str, str]:
    question = result.question("test_add_position")
    return {verdict.name: verdict.reason.render() for verdict in question.verdicts if not verdict.passed}


def test_a_pretended_gpu_that_refuses_nothing_earns_nothing(sandbox):
    honest, changed = examined(sandbox, "import torch"), examined(sandbox, CHANGED)
    assert list(lost(honest)) == list(lost(changed)) == ["joined_on_gpu"]
    assert "your code has changed that" in lost(changed)["joined_on_gpu"]
    assert any("looks into the checks" in flag for flag in changed.flags)


def test_a_line_that_the_pretended_gpu_cannot_do_costs_nothing_and_is_flagged(sandbox):
    line = "raise NotImplementedError(\"Could not run 'aten::x' with arguments from the 'Lazy' backend\")"
    code = ATTENTION.solutions["add_position"].code.replace("    ### BEGIN", "    ### BEGIN")
    head, body = code.split("\n", 1)
    assert head.startswith("def add_position(")
    name = head.split("(")[1].split(",")[0].split(")")[0]
    body = f"    if {name}.device.type != 'cpu':\n        {line}\n{body}"
    result = examine(compose(ATTENTION, {"add_position": f"{head}\n{body}"}), ATTENTION, sandbox)
    assert lost(result) == {}
    assert any("counts as right: raise NotImpl" in flag for flag in result.flags)
