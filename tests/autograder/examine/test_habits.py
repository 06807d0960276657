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
    "seeds of torch": (
        "import torch\ntorch.manual_seed(0)\ngenerator = torch.Generator().manual_seed(1)\n"
        "torch.rand(2, generator=generator)"
    ),
    "reproducible kernels": (
        "import torch\ntorch.backends.cudnn.deterministic = True\ntorch.backends.cudnn.benchmark = False"
    ),
    "a device chosen": "import torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
    "a default device": "import torch\ntorch.set_default_device('cpu')",
    "a number of threads": "import torch\ntorch.set_num_threads(4)\nx = torch.rand(300, 300)\n(x @ x).sin()",
    "a precision of products": "import torch\ntorch.set_float32_matmul_precision('high')",
    "mixed precision": (
        "import torch\nfrom torch import nn\nwith torch.autocast('cpu', dtype=torch.bfloat16):\n"
        "    assert nn.Linear(3, 2)(torch.ones(1, 3)).dtype == torch.bfloat16"
    ),
    "memory freed": "import gc\nimport torch\ngc.collect()\ntorch.cuda.empty_cache()",
    "a variable of the environment": "import os\nos.environ['KMP_DUPLICATE_LIB_OK'] = 'TRUE'",
    "a library that only Colab has": (
        "try:\n    from google.colab import drive\nexcept ImportError:\n    print('not in Colab')"
    ),
    "modules loaded again": "%load_ext autoreload\n%autoreload 2",
    "figures in the notebook": (
        "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.rcParams['figure.dpi'] = 50\n"
        "plt.plot([1, 2])\nplt.show()"
    ),
    "a bar of progress": "from tqdm.auto import tqdm\ntotal = sum(tqdm(range(3)))",
    "a log": "import logging\nlogging.basicConfig(level=logging.INFO)\nlogging.info('begin')",
    "a time taken": "import time\nstarted = time.perf_counter()\nprint(f'{time.perf_counter() - started:.1f} s')",
    "errors of numpy raised": "import numpy as np\nnp.seterr(all='raise')",
    "print options of numpy": "import numpy as np\nnp.set_printoptions(precision=3, suppress=True)",
    "a hook": (
        "import torch\nfrom torch import nn\nlayer = nn.Linear(3, 2)\nseen = []\n"
        "layer.register_forward_hook(lambda *given: seen.append(given))\nlayer(torch.ones(1, 3))\n"
        "assert len(seen) == 1"
    ),
    "a scripted function": (
        "import torch\n\n\n@torch.jit.script\ndef double(x):\n    return 2 * x\n\n\n"
        "assert double(torch.ones(3)).sum() == 6"
    ),
    "a vectorised function": (
        "import torch\nassert torch.vmap(torch.dot)(torch.ones(2, 3), torch.ones(2, 3)).shape == (2,)"
    ),
    "a summary of a model": (
        "from torch import nn\nmodel = nn.Sequential(nn.Linear(3, 2), nn.ReLU())\n"
        "print(model, sum(p.numel() for p in model.parameters() if p.requires_grad))"
    ),
    "a copy of a model": (
        "import copy\nfrom torch import nn\n"
        "copy.deepcopy(nn.Linear(3, 2)).load_state_dict(nn.Linear(3, 2).state_dict())"
    ),
    "a learning rate that falls": (
        "import torch\nfrom torch import nn\noptimizer = torch.optim.AdamW(nn.Linear(3, 2).parameters())\n"
        "schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 3)\noptimizer.step()\n"
        "schedule.step()"
    ),
    "something shown": "from IPython.display import Markdown, display\ndisplay(Markdown('**my notes**'))",
    "annotations as texts": (
        "from __future__ import annotations\nimport dataclasses\n\n\n@dataclasses.dataclass\nclass Run:\n"
        "    rate: float = 0.1"
    ),
    "a cache": "import functools\n\n\n@functools.cache\ndef square(x):\n    return x * x\n\n\nassert square(3) == 9",
    "no gradient while looking": "import torch\nwith torch.inference_mode():\n    torch.ones(3).sum()",
    "a magic that times": "%time sum(range(10))",
    "a test of one's own": (
        "import unittest\n\n\nclass Mine(unittest.TestCase):\n    def test_sum(self):\n"
        "        self.assertEqual(sum([1, 2]), 3)\n\n\nunittest.main(argv=[''], exit=False)"
    ),
    "torch.testing": "import torch\ntorch.testing.assert_close(torch.ones(2), torch.ones(2))",
}


@pytest.fixture(scope="module")
def sandbox():
    with Sandbox() as sandbox:
        yield sandbox


def assert_costs_nothing(lesson: Lesson, habits: dict[str, str], sandbox: Sandbox) -> None:
    notebook = compose(lesson)
    first_gap = next(n for n, cell in enumerate(notebook.cells) if cell.metadata.get("nbgrader", {}).get("solution"))
    ids = {f"habit-{number}": habit for number, habit in enumerate(habits)}
    cells = [nbformat.v4.new_code_cell(habits[habit], id=name) for name, habit in ids.items()]
    notebook.cells[first_gap:first_gap] = cells
    result = examine(notebook, lesson, sandbox)
    shown = [(ids[name], output) for name in ids for output in result.outputs[name]]
    assert [(habit, output) for habit, output in shown if output["output_type"] == "error"] == []
    lost = {one.id: one.points for one in result.questions if one.kind == "auto" and one.points < one.max_points}
    reasons = [v.reason.render() for one in result.questions for v in one.verdicts if v.reason]
    assert (lost, reasons) == ({}, [])
    assert [flag for flag in result.flags if "importlib" not in flag] == []


@pytest.mark.parametrize("habit", HABITS)
def test_a_harmless_habit_costs_no_mark_and_raises_no_flag(habit, sandbox):
    assert_costs_nothing(Lesson.load("attention"), {habit: HABITS[habit]}, sandbox)


@pytest.mark.parametrize("name", lesson_names())
def test_all_harmless_habits_together_cost_no_mark_in_any_lesson(name, sandbox):
    """Last come those that change what the others do: another kind of numbers, and warnings that are errors."""
    last = ["numbers in double precision", "warnings as errors"]
    ordered = [*(habit for habit in HABITS if habit not in last), *last]
    assert_costs_nothing(Lesson.load(name), {habit: HABITS[habit] for habit in ordered}, sandbox)


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
