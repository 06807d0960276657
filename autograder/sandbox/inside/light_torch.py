"""Torch without what no lesson uses and takes long to load: each part has a stand-in, which becomes it when asked.

    torch._dynamo     2 s when an optimizer is first made: its compiler
    symbolic_shapes   with sympy, when a gradient first goes back: sizes that are not known yet

And torch loaded without looking for the source of each line that registers something: a twentieth of its import.

Not `torch._meta_registrations`, a third of torch's import: without what it brings, `torch.Generator()` raises, and with
it each DataLoader that shuffles, and the real compiler can be loaded after it alone. Read from torch 2.0.1 and 2.13;
`tests/autograder/sandbox/test_inside_compat.py` and `test_loading.py` have a test for each.
"""

import contextlib
import importlib
import inspect
import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any

COMPILER, SIZES = "torch._dynamo", "torch.fx.experimental.symbolic_shapes"
# Packages of which an operation may load a part when it is first used.
LOADED_LATE = ("torch", "sympy")


class StandIn(types.ModuleType):
    """Looks like a module of torch's, and becomes it when more is asked than it knows itself."""

    loads_at: tuple[str, ...] = ()  # special names: others are asked by whoever looks through all modules

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in self.loads_at:
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(importlib.import_module(self.__name__), name)


class CompilerStandIn(StandIn):
    """`torch._dynamo` as torch's optimizers load it on first use, only to keep the compiler away from themselves."""

    loads_at = ("__path__",)  # it is a package, and this is asked to load a module of it

    def disable(self, function: Any = None, *_args: Any, **_kwargs: Any) -> Any:
        """Return the function itself: nothing is compiled here."""
        return function or (lambda later: later)

    def graph_break(self, *_args: Any, **_kwargs: Any) -> None:
        """Do nothing: there is no graph."""


class SizesStandIn(StandIn):
    """`symbolic_shapes` as `backward(gradient)` loads it on first use, to compare two shapes; sympy comes with it."""

    def sym_eq(self, one: Any, other: Any) -> bool:
        """Return whether two sizes, or two shapes, are equal; none of them is symbolic here."""
        sequences = isinstance(one, list | tuple) and isinstance(other, list | tuple)
        return tuple(one) == tuple(other) if sequences else bool(one == other)

    def expect_true(self, fact: Any, *_args: Any) -> bool:
        """Return what is known already."""
        return bool(fact)


class Arrivals:
    """The modules of torch and sympy that come to be loaded, told once each."""

    def __init__(self) -> None:
        self._before = dict(sys.modules)

    def new(self) -> list[str]:
        """Return what was loaded since this was asked last; of a package that was, not what is in it."""
        if len(self._before) == len(sys.modules):  # to copy two thousand entries takes up to half a millisecond
            return []
        before, self._before = self._before, dict(sys.modules)
        new = {name for name, module in sys.modules.items() if before.get(name) is not module}
        tops = [name for name in sys.modules if name in new and name.rpartition(".")[0] not in new]
        return [name for name in tops if name.partition(".")[0] in LOADED_LATE]


def load(names: Iterable[str]) -> bool:
    """Load modules in the place of their stand-ins; return whether any was loaded. What is not here is left out."""
    loaded = False
    for name in names:
        if isinstance(sys.modules.get(name), StandIn | None):  # one may have been loaded by another
            sys.modules.pop(name, None)
            with contextlib.suppress(ImportError):  # a session may say whatever it likes
                importlib.import_module(name)
                loaded = True
    return loaded


@contextlib.contextmanager
def loaded_quickly() -> Iterator[None]:
    """Load torch in here: it notes from which file and line each of its operations comes, and no more is looked up.

    For that it asks `inspect`, which reads the file's text, too, and looks through all modules for the one whose file
    it is, some hundred times.
    """
    module_of, place_of = inspect.getmodule, inspect.getframeinfo

    def getmodule(thing: Any, filename: str | None = None) -> types.ModuleType | None:
        if inspect.isframe(thing):
            return sys.modules.get(thing.f_globals.get("__name__", ""))
        return module_of(thing, filename)

    def getframeinfo(frame: Any, context: int = 1) -> inspect.Traceback:
        return place_of(frame, context=0)

    names = vars(inspect)
    names.update(getmodule=getmodule, getframeinfo=getframeinfo)
    try:
        yield
    finally:
        names.update(getmodule=module_of, getframeinfo=place_of)


def leave_compiler_unloaded() -> None:
    """Put the stand-ins where torch looks, unless the real ones are there already."""
    import torch
    import torch.fx.experimental

    if COMPILER not in sys.modules:
        sys.modules[COMPILER] = torch._dynamo = CompilerStandIn(COMPILER)
    if SIZES not in sys.modules:
        sys.modules[SIZES] = SizesStandIn(SIZES)
