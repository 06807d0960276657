"""What the sandbox reaches into of IPython and torch: each seam fails here first when a library changes it."""

import inspect
import subprocess
import sys

import pytest
import torch
from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.common.paths import ROOT
from autograder.sandbox.inside import compat

# In a process of its own: what torch has loaded cannot be unloaded.
FRESH = "import sys, torch\nsys.path.insert(0, {root!r})\nfrom autograder.sandbox.inside import compat\n{code}"


def fresh(code: str) -> str:
    """What a fresh Python prints after `code`."""
    command = [sys.executable, "-c", FRESH.format(root=str(ROOT), code=code)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


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


def test_an_optimizer_steps_without_torchs_compiler():
    code = (
        "compat.leave_compiler_unloaded()\n"
        "w = torch.nn.Parameter(torch.ones(2)); w.grad = torch.ones(2)\n"
        "torch.optim.SGD([w], lr=0.25).step()\n"
        "print(w.tolist(), type(sys.modules[compat.COMPILER]).__name__)"
    )
    assert fresh(code) == "[0.75, 0.75] CompilerStandIn"


def test_the_stand_in_leaves_functions_alone():
    def double(x: int) -> int:
        return 2 * x

    stand_in = compat.CompilerStandIn(compat.COMPILER)
    assert stand_in.disable(double) is double
    assert stand_in.disable(recursive=False)(double) is double
    assert stand_in.graph_break() is None


def test_who_looks_through_all_modules_passes_the_stand_in_by():
    stand_in = compat.CompilerStandIn(compat.COMPILER)
    with pytest.raises(AttributeError):
        stand_in.__file__  # noqa: B018
    assert inspect.getmodule(stand_in.disable) is not stand_in


def test_the_stand_in_becomes_the_real_compiler_when_more_is_asked():
    code = (
        "compat.leave_compiler_unloaded()\n"
        "reset = torch._dynamo.reset\n"
        "print(callable(reset), type(sys.modules[compat.COMPILER]).__name__, reset.__module__)"
    )
    assert fresh(code) == "True module torch._dynamo"


def test_a_real_compiler_that_is_there_stays():
    code = "import torch._dynamo as real\ncompat.leave_compiler_unloaded()\nprint(sys.modules[compat.COMPILER] is real)"
    assert fresh(code) == "True"


def test_torch_still_looks_for_its_compiler_where_the_stand_in_is():
    assert hasattr(torch, "_dynamo") or "torch._dynamo" in inspect.getsource(torch.__getattr__), (
        "torch no longer loads torch._dynamo by attribute; see compat.leave_compiler_unloaded"
    )
