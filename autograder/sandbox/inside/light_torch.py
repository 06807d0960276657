"""Torch without parts that no lesson uses and that take long to load. Each has a placeholder that loads it when needed.

    torch._dynamo     2 s when an optimizer is first made: its compiler
    symbolic_shapes   with sympy, when a gradient is first propagated: sizes that are not known yet

`torch._meta_registrations`, a third of the import, must be loaded: without it `torch.Generator()` raises, and with that
every DataLoader that shuffles; the real compiler needs it as well. Read from torch 2.0.1 and 2.13;
`tests/autograder/sandbox/test_inside_compat.py` has a test for each.
"""

import contextlib
import importlib
import sys
import types
from collections.abc import Iterable
from typing import Any

COMPILER, SIZES = "torch._dynamo", "torch.fx.experimental.symbolic_shapes"
# Packages of which an operation may load further modules when it is first used.
LOADED_LATE = ("torch", "sympy")


class StandIn(types.ModuleType):
    """In place of a module of torch; loads the real one when an attribute is missing."""

    # Special names that load the real module. Other special names do not, because code that looks through all modules
    # asks for them.
    loads_at: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in self.loads_at:
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


class CompilerStandIn(StandIn):
    """`torch._dynamo`, which torch's optimizers load on first use, only to exclude themselves from compilation."""

    loads_at = ("__path__",)  # read when a submodule of this package is imported

    def disable(self, function: Any = None, *_args: Any, **_kwargs: Any) -> Any:
        """Return the function itself: nothing is compiled here."""
        return function or (lambda later: later)

    def graph_break(self, *_args: Any, **_kwargs: Any) -> None:
        """Do nothing, because no graph exists."""


class SizesStandIn(StandIn):
    """`symbolic_shapes`, which `backward(gradient)` loads on first use, with sympy, only to compare two shapes."""

    def sym_eq(self, size: Any, other: Any) -> bool:
        """Return whether two sizes or shapes are equal; here none of them is symbolic."""
        sequences = isinstance(size, list | tuple) and isinstance(other, list | tuple)
        return tuple(size) == tuple(other) if sequences else bool(size == other)

    def expect_true(self, fact: Any, *_args: Any) -> bool:
        """Return the fact itself, which is never symbolic here."""
        return bool(fact)


class Arrivals:
    """The modules of torch and sympy that are loaded from now on."""

    def __init__(self) -> None:
        self._before = dict(sys.modules)

    def new(self) -> list[str]:
        """Return the modules loaded since the last call; of a new package only its own name, not its submodules."""
        before, self._before = self._before, dict(sys.modules)
        new = {name for name, module in sys.modules.items() if before.get(name) is not module}
        tops = [name for name in sys.modules if name in new and name.rpartition(".")[0] not in new]
        return [name for name in tops if name.partition(".")[0] in LOADED_LATE]


def load(names: Iterable[str]) -> bool:
    """Load modules in place of their placeholders, except those not installed; return whether any was loaded."""
    loaded = False
    for name in names:
        if isinstance(sys.modules.get(name), StandIn | None):  # else another import has loaded it
            sys.modules.pop(name, None)
            with contextlib.suppress(ImportError):  # the name comes from a session and may be anything
                importlib.import_module(name)
                loaded = True
    return loaded


def leave_compiler_unloaded() -> None:
    """Put the placeholders into `sys.modules`, unless the real modules are loaded already."""
    import torch
    import torch.fx.experimental

    if COMPILER not in sys.modules:
        sys.modules[COMPILER] = torch._dynamo = CompilerStandIn(COMPILER)
    if SIZES not in sys.modules:
        sys.modules[SIZES] = SizesStandIn(SIZES)
