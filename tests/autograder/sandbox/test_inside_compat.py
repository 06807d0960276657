"""What the sandbox reaches into of IPython and torch: each seam fails here first when a library changes it."""

import inspect

import pytest
import torch
from IPython.core.compilerop import CachingCompiler
from IPython.core.inputtransformer2 import TransformerManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.text import lessons_of
from autograder.sandbox.inside import compat, light_torch
from tests.autograder.speed import test_loading

# The parts of torch that our stand-ins are for. Where they are others, it loads more of them, and all works as well.
newer_torch = pytest.mark.skipif(
    tuple(map(int, torch.__version__.split(".")[:2])) < (2, 13), reason="this torch's compiler has other parts"
)
pytestmark = pytest.mark.whole
# In a process of its own: what torch has loaded cannot be unloaded.
FRESH = """\
import re, sys, torch
from autograder.sandbox.inside import compat, light_torch, warm
"""


def fresh(code: str) -> str:
    """What a fresh Python prints after `code`."""
    return test_loading.fresh(FRESH + code)


def test_ipython_still_hands_tracebacks_to_showtraceback():
    assert list(inspect.signature(InteractiveShell._showtraceback).parameters) == ["self", "etype", "evalue", "stb"]


def test_ipython_still_asks_its_compiler_for_a_cells_name():
    assert callable(CachingCompiler.get_code_name)
    assert "get_code_name" in inspect.getsource(CachingCompiler.cache)


def test_a_traceback_reaches_the_collector_and_names_the_cell():
    shell = compat.CollectingShell.instance(config=Config({"InteractiveShell": {"colors": "nocolor"}}))
    try:
        compat.name_cells(shell, lambda: "<cell loss>")
        shell.run_cell("def f():\n    1 / 0")
        assert shell.user_ns["f"].__code__.co_filename == "<cell loss>"
        shell.run_cell("f()")
        kind, text, trace = shell.error
        assert (kind, text) == ("ZeroDivisionError", "division by zero")
        assert "ZeroDivisionError: division by zero" in trace
    finally:
        compat.CollectingShell.clear_instance()


def test_what_ipython_would_leave_as_it_is_is_not_searched_for_magics():
    files = [path.read_text(encoding="utf-8") for path in ROOT.glob("source/*/variants/*.py")]
    for lesson in lessons_of(WORKBOOK):
        files += [mistakes.code_of(lesson, mistake) for mistake in mistakes.load(lesson).values()]
        files += [cell.code for cell in lesson.cells if cell.kind == "code"]
    plain = [source for source in files if compat.is_plain(source)]
    several_lines = [source for source in files if "\n" in source.strip()]
    assert len(plain) > 0.98 * len(several_lines) > 500
    for source in plain:
        assert TransformerManager().transform_cell(source).rstrip("\n") == source.rstrip("\n")


@pytest.mark.parametrize(
    "source",
    [
        "ls",
        "x = 1",
        "x = 1\n",
        "\nx = 1\ny = 2",
        "  x = 1\n  y = 2",
        "%time x = 1\ny = 2",
        "%%time\nx = 1",
        "x = !ls\ny = 2",
        "x = %who\ny = 2",
        "print?\nx = 1",
        ">>> x = 1\n>>> y = 2",
        "In [1]: x\ny = 2",
        "if x:\n...: y\n",
        "await x\ny = 2",
        "x = (\ny = 2",
        "x = 1\ny = '\0'",
    ],
)
def test_what_may_be_a_magic_is_ipythons(source):
    assert not compat.is_plain(source)


def test_a_plain_cell_is_run_as_ipython_runs_it():
    shell = compat.CollectingShell.instance(config=Config({"InteractiveShell": {"colors": "nocolor"}}))
    try:
        assert shell.run_cell("x = 1\ny = (5\n% 3)").success
        assert shell.plain
        assert shell.user_ns["y"] == 2
        assert shell.run_cell("import asyncio\nawait asyncio.sleep(0)\nz = 3").success
        assert not shell.plain
        assert shell.user_ns["z"] == 3
        shell.input_transformers_post.append(lambda lines: [line.replace("1", "7") for line in lines])
        shell.run_cell("x = 1\ny = 1")
        assert shell.user_ns["x"] == 7
    finally:
        compat.CollectingShell.clear_instance()


@pytest.mark.filterwarnings("error")
def test_a_doubtful_cell_is_warned_of_once_and_not_when_it_is_looked_at():
    assert compat.is_plain("x = '\\d'\ny = x is 1")


def test_the_parent_loads_no_library_in_advance_that_few_sessions_need():
    code = (
        "from autograder.sandbox.inside import main, operations\n"
        "main.warm_up()\n"
        "print([name for name in operations.LATE if name in sys.modules], file=sys.__stdout__)"
    )
    assert fresh(code) == "[]"


def test_memory_comes_into_huge_pages():
    code = (
        "huge = lambda: int(re.search(r'AnonHugePages: +([0-9]+)', open('/proc/self/smaps_rollup').read())[1])\n"
        "kept = [bytes(400) for _ in range(100_000)]\n"
        "before = huge()\n"
        "compat.use_huge_pages()\n"
        "print((huge() - before) // 1024)"
    )
    if not (megabytes := int(fresh(code))):
        pytest.skip("this kernel collapses no pages (Linux 6.1 does), or has no huge ones")
    assert megabytes >= 100  # of some 160 that torch and these objects take


def test_an_optimizer_steps_without_torchs_compiler():
    code = (
        "light_torch.leave_compiler_unloaded()\n"
        "w = torch.nn.Parameter(torch.ones(2)); w.grad = torch.ones(2)\n"
        "torch.optim.SGD([w], lr=0.25).step()\n"
        "print(w.tolist(), type(sys.modules[light_torch.COMPILER]).__name__)"
    )
    assert fresh(code) == "[0.75, 0.75] CompilerStandIn"


def test_the_stand_in_leaves_functions_alone():
    def double(x: int) -> int:
        return 2 * x

    stand_in = light_torch.CompilerStandIn(light_torch.COMPILER)
    assert stand_in.disable(double) is double
    assert stand_in.disable(recursive=False)(double) is double
    assert stand_in.graph_break() is None


def test_who_looks_through_all_modules_passes_the_stand_in_by():
    stand_in = light_torch.CompilerStandIn(light_torch.COMPILER)
    with pytest.raises(AttributeError):
        stand_in.__file__  # noqa: B018
    assert inspect.getmodule(stand_in.disable) is not stand_in


def test_the_stand_in_becomes_the_real_compiler_when_more_is_asked():
    code = (
        "light_torch.leave_compiler_unloaded()\n"
        "reset = torch._dynamo.reset\n"
        "print(callable(reset), type(sys.modules[light_torch.COMPILER]).__name__, reset.__module__)"
    )
    assert fresh(code) == "True module torch._dynamo"


BACKWARD = (
    "light_torch.leave_compiler_unloaded()\n"
    "w = torch.ones(2, 3, requires_grad=True)\n"
    "(2 * w).backward(torch.full((2, 3), 7.0))\n"
    "print(w.grad.unique().tolist(), type(sys.modules[light_torch.SIZES]).__name__, 'sympy' in sys.modules)\n"
    "try:\n    (2 * w).backward(torch.ones(3, 2))\n"
    "except RuntimeError as error:\n    print('Mismatch in shape' in str(error))"
)


@newer_torch
def test_a_gradient_goes_back_without_symbolic_sizes():
    assert fresh(BACKWARD) == "[14.0] SizesStandIn False\nTrue"


def test_it_goes_back_in_the_same_way_with_them():
    assert (
        fresh(BACKWARD.replace("light_torch.leave", f"import {light_torch.SIZES}\nlight_torch.leave"))
        == "[14.0] module True\nTrue"
    )


@newer_torch
@pytest.mark.parametrize(
    ("one", "other", "same"), [((2, 3), [2, 3], True), (torch.Size([2]), (3,), False), (5, 5, True)]
)
def test_plain_sizes_are_compared_as_torch_compares_them(one, other, same):
    from torch.fx.experimental.symbolic_shapes import expect_true, sym_eq

    stand_in = light_torch.SizesStandIn(light_torch.SIZES)
    assert stand_in.sym_eq(one, other) is sym_eq(one, other) is same
    assert stand_in.expect_true(same) is expect_true(same)


def test_the_sizes_stand_in_becomes_the_real_module_when_more_is_asked():
    code = (
        "light_torch.leave_compiler_unloaded()\n"
        "from torch.fx.experimental.symbolic_shapes import ShapeEnv\n"
        "print(ShapeEnv.__module__, type(sys.modules[light_torch.SIZES]).__name__)"
    )
    assert fresh(code) == f"{light_torch.SIZES} module"


def test_a_real_compiler_that_is_there_stays():
    code = "import torch._dynamo as real\nlight_torch.leave_compiler_unloaded()\n"
    code += "print(sys.modules[light_torch.COMPILER] is real)"
    assert fresh(code) == "True"


@newer_torch
def test_torch_still_looks_for_its_compiler_where_the_stand_in_is():
    assert hasattr(torch, "_dynamo") or "torch._dynamo" in inspect.getsource(torch.__getattr__), (
        "torch no longer loads torch._dynamo by attribute; see light_torch.leave_compiler_unloaded"
    )


LATE = (
    "light_torch.leave_compiler_unloaded()\narrivals = light_torch.Arrivals()\n"
    "import colorsys\nprint(arrivals.new())\n"
    "torch.ones(2, 3, device='meta').new_zeros(3).sum()\n"
    "import torch.fx.passes.net_min_base, torch.utils._sympy.printers\nfound = arrivals.new()\n"
    "print([name in found for name in ('torch.utils._sympy', 'torch.utils._sympy.printers', 'sympy', 'mpmath')])\n"
    "print(arrivals.new())\n"
    "loaded = light_torch.load([light_torch.SIZES]), light_torch.load([light_torch.SIZES])\n"
    "print(*loaded, type(sys.modules[light_torch.SIZES]).__name__)"
)


@newer_torch
def test_what_torch_loads_late_is_known_by_its_packages_and_can_be_loaded_before():
    assert fresh(LATE) == "[]\n[True, False, True, False]\n[]\nTrue False module"
