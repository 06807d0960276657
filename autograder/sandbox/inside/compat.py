"""Foreign internals that the sandbox reaches into: IPython's, and Python's own. Each has its reason, and a test.

Torch's stand in `light_torch.py`, nbgrader's and nbconvert's in `autograder/common/compat.py`; this file is apart
because it is seen from inside. Read from IPython 8.20 and 9.18, and Python 3.10 to 3.13.
"""

import _thread
import contextlib
import ctypes
import os
from collections.abc import Callable, Iterator
from typing import Any

from IPython.core.interactiveshell import InteractiveShell


class CollectingShell(InteractiveShell):
    """IPython's shell without a kernel, a terminal or windows.

    `_showtraceback` is how IPython's own kernel takes tracebacks (ipykernel overrides it, too); `_tee` appeared in
    IPython 8.3x and keeps a second, unbounded copy of all that is printed.
    """

    error: tuple[str, str, str] | None = None  # kind, text, traceback of what the last cell raised

    def _showtraceback(self, etype: type, evalue: BaseException, stb: Any) -> None:
        self.error = (etype.__name__, str(evalue), self.InteractiveTB.stb2text(stb))

    @contextlib.contextmanager
    def _tee(self, channel: str) -> Iterator[None]:
        yield

    def enable_gui(self, gui: object = None) -> None:
        """Open no windows."""


def name_cells(shell: InteractiveShell, name: Callable[[], str]) -> None:
    """Have the lines of each cell show in tracebacks and to `inspect` as those of the file `name()`.

    IPython's compiler asks its `get_code_name` (since 7.18; ipykernel overrides it as well).
    """
    shell.compile.get_code_name = lambda *_: name()  # type: ignore[method-assign]  # that is the seam


_libc = ctypes.PyDLL(None)  # which keeps Python's lock while it calls


def fork() -> int:
    """Fork as the C library does where no thread runs: `os.fork` then makes 450 pages the child's own, to no purpose.

    It has each logging handler, `random` and the like prepare themselves for threads that are gone, which costs as much
    as half of the fork itself. With threads it is `os.fork`: what waits for one of them must learn that it is gone.
    """
    return os.fork() if _thread._count() else int(_libc.fork())
