"""What works where students work, in Colab or on a computer with a GPU, is harmless here.

    device "cuda"     the CPU, or the simulated GPU while there is one
    `google.colab`    modules whose functions do nothing, unless the cell itself provides for their absence
    `input()`         an empty line

Magics that this computer lacks are left out in `compat.py`. All this happens in the student's process, so it protects
nothing: it only keeps an honest answer from failing.
"""

import builtins
import contextlib
import sys
import types
from collections.abc import Iterator
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from utils.checks.engine.pretended_gpu import GPU, PretendedGpu


def here(value: Any) -> Any:
    """Return a device of this computer in place of "cuda", and anything else as it is."""
    if isinstance(value, str | torch.device) and str(value).split(":")[0] == "cuda":
        return GPU if PretendedGpu.opened else "cpu"
    return value


class CudaIsHere(TorchFunctionMode):
    """Within this context, torch's functions take the device "cuda" for one of this computer's."""

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if function is torch.device:  # a device is made once, and may be used on the CPU and on the simulated GPU
            return function(*args, **(kwargs or {}))
        if function is torch.Tensor.cuda:
            return args[0].to(here("cuda"))
        return function(*map(here, args), **{name: here(value) for name, value in (kwargs or {}).items()})


def _without_cuda() -> None:
    """Make "cuda" harmless from now on. Only a cell that names it pays for this: each operation takes longer."""
    set_default_device = torch.set_default_device
    torch.set_default_device = lambda device: set_default_device(here(device))
    torch.cuda.synchronize = lambda *_args: None
    torch.cuda.get_device_name = lambda *_args: "none"
    CudaIsHere().__enter__()  # type: ignore[no-untyped-call]


class Silent(types.ModuleType):
    """A module with any attribute: another silent module, which may be called and does nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Silent(name)

    def __call__(self, *_args: Any, **_options: Any) -> None:
        return None


class Elsewhere:
    """The state of one shell: whether "cuda" has been made harmless."""

    def __init__(self) -> None:
        self.cuda = False
        builtins.input = lambda prompt="": print(prompt) or ""

    @contextlib.contextmanager
    def harmless(self, source: str) -> Iterator[None]:
        """Within this context a cell runs whose text is `source`."""
        if "cuda" in source and not self.cuda:
            _without_cuda()
            self.cuda = True
        # A cell that tries the import provides for a computer that is not Colab: there it must fail.
        silent = ["google.colab"] if "google.colab" in source and "try:" not in source else []
        if silent and "google" not in sys.modules:
            silent.append("google")
        for name in silent:
            sys.modules[name] = Silent(name)
        try:
            yield
        finally:
            for name in silent:
                sys.modules.pop(name, None)
