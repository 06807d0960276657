"""What careful students write in a cell of their own costs no mark and raises no flag, in any lesson."""

import nbformat
import pytest

from autograder.common.paths import lesson_names
from autograder.examine.examiner import examine
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.sandbox.parent import Sandbox

HABITS = {
    "numbers in double precision": "import torch\ntorch.set_default_dtype(torch.float64)",
    "deterministic algorithms": "import torch\ntorch.use_deterministic_algorithms(True)",
    "anomalies detected": "import torch\ntorch.autograd.set_detect_anomaly(True)",
    "warnings as errors": "import warnings\nwarnings.simplefilter('error')",
    "a compiled function": (
        "import torch\n\n\n@torch.compile\ndef double(x):\n    return 2 * x\n\n\n"
        "assert double(torch.ones(3)).sum() == 6"
    ),
    "a gradient by torch.func": "import torch\nassert torch.func.grad(lambda x: x**2)(torch.tensor(3.0)) == 6",
    "workers that load": (
        "import torch\nloader = torch.utils.data.DataLoader(range(6), batch_size=2, num_workers=2)\n"
        "assert len(list(loader)) == 3"
    ),
    "a parametrised layer": (
        "import torch\nfrom torch import nn\n"
        "layer = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))\nassert layer(torch.ones(1, 3)).shape == (1, 2)"
    ),
    "a registered parameter": (
        "import torch\nfrom torch import nn\nlayer = nn.Module()\n"
        "layer.register_parameter('v', nn.Parameter(torch.zeros(3)))\nassert len(list(layer.parameters())) == 1"
    ),
    "a seed": "import random\nimport numpy as np\nrandom.seed(0)\nnp.random.seed(0)",
    "print options": "import torch\ntorch.set_printoptions(precision=2, sci_mode=False)\nprint(torch.rand(3))",
    "a look at a package": "from importlib.util import find_spec\nassert find_spec('hypothesis') is None",
}


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as sandbox:
        yield sandbox


@pytest.mark.parametrize("name", lesson_names())
@pytest.mark.parametrize("habit", HABITS)
def test_a_harmless_habit_costs_no_mark_and_raises_no_flag(habit, name, sandbox):
    lesson = Lesson.load(name)
    notebook = compose(lesson)
    first_gap = next(n for n, cell in enumerate(notebook.cells) if cell.metadata.get("nbgrader", {}).get("solution"))
    notebook.cells.insert(first_gap, nbformat.v4.new_code_cell(HABITS[habit], id="habit"))
    result = examine(notebook, lesson, sandbox)
    errors = [output for output in result.outputs["habit"] if output["output_type"] == "error"]
    assert errors == []
    lost = {one.id: one.points for one in result.questions if one.kind == "auto" and one.points < one.max_points}
    reasons = [v.reason.render() for one in result.questions for v in one.verdicts if v.reason]
    assert (lost, reasons) == ({}, [])
    assert [flag for flag in result.flags if "importlib" not in flag] == []


@pytest.mark.parametrize(("name", "gap"), [("attention", "self_attention"), ("captioning", "multi_head_attention")])
def test_a_compiled_forward_is_a_right_answer(name, gap, sandbox):
    lesson = Lesson.load(name)
    code = lesson.solutions[gap].code
    compiled = code.replace("    def forward(", "    @torch.compile\n    def forward(", 1)
    assert compiled != code
    result = examine(compose(lesson, {gap: f"import torch\n{compiled}"}), lesson, sandbox)
    assert [one.points for one in result.questions if one.kind == "auto"] == [
        one.max_points for one in result.questions if one.kind == "auto"
    ]
    assert result.flags == []
