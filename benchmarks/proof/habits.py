"""Harmless habits: what careful students write in a cell of their own costs no mark and raises no flag in any lesson.

Each habit stands in a cell before the first gap of a submission whose answers are right, alone and together with all
the others.
"""

import sys
import time
from typing import TypedDict

import nbformat
from rich.console import Console
from rich.table import Table

from autograder.common.course import WORKBOOK
from autograder.examine.examiner import examine
from autograder.intake.notebook import take_in_bytes
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook
from autograder.sandbox.parent import Sandbox

# The habit, and the code of its cell.
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
    "a module loaded again": (
        "import importlib\nimport importlib.metadata\nimport utils.common.progress\n"
        "importlib.reload(utils.common.progress)\nprint(importlib.metadata.version('torch'))"
    ),
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
    "a cell that is timed": "%%time\nimport torch\ntorch.ones(3).sum()",
    "a line that is timed many times": "%timeit -n 1 -r 1 sum(range(10))",
    "a folder in which modules are looked for": "import sys\nsys.path.append('..')",
    "a figure that is saved": (
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('figure.png')\nplt.close()"
    ),
    "weights that are saved and loaded": (
        "import torch\nfrom torch import nn\nlayer = nn.Linear(3, 2)\n"
        "torch.save(layer.state_dict(), 'layer.pt')\n"
        "layer.load_state_dict(torch.load('layer.pt', weights_only=True))"
    ),
    "random numbers apart": (
        "import torch\nwith torch.random.fork_rng():\n    torch.manual_seed(1)\n    torch.rand(2)"
    ),
    "values computed again in place of stored": (
        "import torch\nfrom torch.utils.checkpoint import checkpoint\n"
        "x = torch.ones(3, requires_grad=True)\n"
        "checkpoint(torch.sin, x, use_reentrant=False).sum().backward()"
    ),
    "a parametrisation of one's own": (
        "import torch\nfrom torch import nn\nfrom torch.nn.utils import parametrize\n"
        "class Symmetric(nn.Module):\n    def forward(self, x):\n"
        "        return x.triu() + x.triu(1).transpose(-1, -2)\nlayer = nn.Linear(3, 3)\n"
        "parametrize.register_parametrization(layer, 'weight', Symmetric())\n"
        "assert (layer.weight == layer.weight.T).all()"
    ),
    "a profile of torch": (
        "import torch\nwith torch.profiler.profile() as p:\n    torch.ones(3).sum()\np.key_averages()"
    ),
    "a profile of Python": "import cProfile\ncProfile.run('sum(range(10))')",
    "a traced module": "import torch\nfrom torch import nn\nprint(torch.fx.symbolic_trace(nn.Linear(3, 2)).graph)",
    "a help text": "from torch import nn\nhelp(nn.Identity.forward)",
    "a question mark": "from torch import nn\nnn.Identity?",
    "versions": "import sys\nimport torch\nprint(torch.__version__, sys.version)",
    "a variable of the environment, unless it is set": (
        "import os\nos.environ['CUBLAS_WORKSPACE_CONFIG'] = ':4096:8'\nos.environ.setdefault('PYTHONHASHSEED', '0')"
    ),
    "a style of figures": (
        "import matplotlib.pyplot as plt\nplt.style.use('ggplot')\nplt.rcParams.update({'font.size': 9})"
    ),
    "sharp figures": "%config InlineBackend.figure_format = 'retina'",
    "warnings ignored": "import warnings\nwarnings.filterwarnings('ignore')",
    "an output that is cleared": (
        "from IPython.display import clear_output\nfor i in range(3):\n    clear_output(wait=True)\n    print(i)"
    ),
    "an example in a docstring": (
        "import doctest\ndef one():\n    '''\n    >>> one()\n    1\n    '''\n    return 1\nprint(doctest.testmod())"
    ),
    "a look at source code": (
        "import inspect\nfrom torch import nn\ninspect.signature(nn.Linear)\ninspect.getsource(nn.Identity)"
    ),
    "a comparison with torch's attention": (
        "import torch\nimport torch.nn.functional as F\nq = torch.rand(1, 2, 3, 4)\n"
        "assert torch.allclose(F.scaled_dot_product_attention(q, q, q), torch.softmax(q @ q.mT / 2, -1) @ q, atol=1e-6)"
    ),
    "a list of names": "%who\n%whos",
    "a hook on a tensor": (
        "import torch\nx = torch.ones(3, requires_grad=True)\nx.register_hook(lambda g: print(g))\nx.sum().backward()"
    ),
    "gradients compared with differences": (
        "import torch\nx = torch.rand(3, dtype=torch.float64, requires_grad=True)\n"
        "assert torch.autograd.gradcheck(torch.sin, x)"
    ),
    "a function with a gradient of its own": (
        "import torch\nclass Double(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(ctx, x):\n        return 2 * x\n    @staticmethod\n    def backward(ctx, g):\n"
        "        return 2 * g\nx = torch.ones(2, requires_grad=True)\n"
        "Double.apply(x).sum().backward()"
    ),
    "a number of threads between operations": "import torch\ntorch.set_num_interop_threads(2)",
    "a call with other parameters": (
        "import torch\ntorch.func.jacrev(torch.sin)(torch.ones(3))\nlayer = torch.nn.Linear(2, 2)\n"
        "torch.func.functional_call(layer, dict(layer.named_parameters()), torch.ones(1, 2))"
    ),
    "a package installed": "%pip install -q einops",
    "weights that are pruned": (
        "import torch\nfrom torch.nn.utils import prune\nfrom torch import nn\n"
        "prune.l1_unstructured(nn.Linear(3, 3), 'weight', amount=0.3)"
    ),
}

# These two change what other habits do, and so stand last: numbers of another kind, and warnings that are errors.
LAST = ("numbers in double precision", "warnings as errors")
TOGETHER = (*(habit for habit in HABITS if habit not in LAST), *LAST)


class HabitCounts(TypedDict):
    """The habits examined in one lesson; `complaints`: those that cost something, each with what they cost."""

    habits: int
    seconds: float
    complaints: dict[str, list[str]]


def examine_habits(lessons: list[Lesson], only: str = "") -> dict[str, HabitCounts]:
    """Examine in each lesson each habit whose name contains `only`, alone, and all together where `only` is empty."""
    chosen = {habit: (habit,) for habit in HABITS if only in habit} | ({} if only else {"all together": TOGETHER})
    table: dict[str, HabitCounts] = {}
    with Sandbox(WORKBOOK) as sandbox:
        for lesson in lessons:
            started = time.monotonic()
            found = {name: costs(lesson, habits, sandbox) for name, habits in chosen.items()}
            table[lesson.name] = {
                "habits": len(found),
                "seconds": round(time.monotonic() - started, 2),
                "complaints": {name: complaints for name, complaints in found.items() if complaints},
            }
    return table


def print_habits(table: dict[str, HabitCounts]) -> None:
    """Print the habits of each lesson, and what each of those that cost something cost."""
    console = Console(soft_wrap=True, width=None if sys.stdout.isatty() else 120, markup=False, highlight=False)
    shown = Table("habits", "graded", "cost something", "s")
    for lesson, found in table.items():
        shown.add_row(lesson, str(found["habits"]), str(len(found["complaints"])), f"{found['seconds']:g}")
    console.print(shown)
    for lesson, found in table.items():
        for name, complaints in found["complaints"].items():
            console.print(f"{lesson}, {name}: {'; '.join(complaints)}")


def costs(lesson: Lesson, habits: tuple[str, ...], sandbox: Sandbox) -> list[str]:
    """Return what these habits cost a submission with right answers: errors, lost points and flags."""
    notebook = compose(lesson)
    first_gap = next(n for n, cell in enumerate(notebook.cells) if cell.metadata.get("nbgrader", {}).get("solution"))
    notebook.cells[first_gap:first_gap] = [nbformat.v4.new_code_cell(HABITS[habit]) for habit in habits]
    taken = take_in_bytes(write_notebook(notebook).encode(), lesson).notebook
    result = examine(taken, lesson, sandbox)
    ids = {cell.source: cell.id for cell in taken.cells}  # intake gives a student's own cells new ids
    shown = [(habit, output) for habit in habits for output in result.outputs[ids[HABITS[habit]]]]
    errors = [f"{habit} raises {output['ename']}" for habit, output in shown if output["output_type"] == "error"]
    lost = [
        f"{one.id} lost {one.max_points - (one.points or 0):g} points"
        for one in result.questions
        if one.kind == "auto" and one.points != one.max_points
    ]
    reasons = [f"{v.name}: {v.reason.render()}" for one in result.questions for v in one.verdicts if v.reason]
    return [*errors, *lost, *reasons, *result.flags]
