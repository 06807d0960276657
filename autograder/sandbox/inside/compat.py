"""Internals of IPython and Linux that the sandbox relies on. Each has its reason here, and a test.

Torch's are in `light_torch.py`, nbgrader's and nbconvert's in `autograder/common/compat.py`, which the sandbox cannot
see. Read from IPython 8.20 and 9.18, and Python 3.10 to 3.13.
"""

import ast
import contextlib
import ctypes
import platform
import signal
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell


class CollectingShell(InteractiveShell):
    """IPython's shell without a kernel, a terminal or windows.

    ipykernel overrides `_showtraceback`, too, to receive tracebacks. `_tee` appeared in IPython 8.3x and would keep a
    second, unbounded copy of everything that is printed.
    """

    error: tuple[str, str, str] | None = None  # kind, text and traceback of the exception that ended the last cell
    plain = False  # whether the current cell is plain Python, see `is_plain`

    def transform_cell(self, raw_cell: str) -> str:
        """Return a cell's text with its magics translated; plain Python stays as it is.

        IPython reads a cell's tokens again and again to find magics. Measured: without this short cut an examination
        takes a tenth more processor time (0.162 CPU-s in place of 0.149).
        """
        self.plain = is_plain(raw_cell) and not self.input_transformers_post
        if self.plain:
            return raw_cell if raw_cell.endswith("\n") else raw_cell + "\n"
        return str(super().transform_cell(raw_cell))  # type: ignore[no-untyped-call]  # IPython's

    def should_run_async(self, raw_cell: str, **options: Any) -> bool:
        return not self.plain and super().should_run_async(raw_cell, **options)

    def _showtraceback(self, etype: type, evalue: BaseException, stb: Any) -> None:
        self.error = (etype.__name__, str(evalue), self.InteractiveTB.stb2text(stb))

    @contextlib.contextmanager
    def _tee(self, channel: str) -> Iterator[None]:
        yield

    def run_line_magic(self, magic_name: str, line: str, _stack_depth: int = 1) -> Any:
        """Run `%magic`; leave out one that this computer lacks, so that it costs itself and not the cell."""
        lacking = (UsageError, ImportError) if magic_name in ("load_ext", "reload_ext") else (UsageError,)
        try:
            return super().run_line_magic(magic_name, line, _stack_depth + 1)
        except lacking as error:
            print(f"%{magic_name} is left out here: {error}")
            return None

    def run_cell_magic(self, magic_name: str, line: str, cell: str) -> Any:
        """Run `%%magic`; of an unknown one, run the lines below it."""
        if self.find_cell_magic(magic_name) is None:  # type: ignore[no-untyped-call]
            print(f"%%{magic_name} is left out here.")
            return self.ex(self.transform_cell(cell))  # type: ignore[no-untyped-call]
        return super().run_cell_magic(magic_name, line, cell)  # type: ignore[no-untyped-call]

    def enable_gui(self, gui: object = None) -> None:
        """Open no windows."""


def is_plain(source: str) -> bool:
    """Return whether IPython would leave a cell unchanged: it parses as Python and has several lines.

    Magics are not Python, but a single line may be a magic without its `%`. IPython strips the prompts `In [1]:` and
    `...:` and a leading blank line, so a cell with any of these is not plain.
    """
    if source[:1].isspace() or "\n" not in source.strip() or "In [" in source or "...:" in source:
        return False
    # Parsing is enough, because other errors are reported when the cell runs. Only `await` outside of a function
    # parses but does not compile; IPython runs it, Python does not.
    flags = 0 if "await" in source or "async" in source else ast.PyCF_ONLY_AST
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the same warning appears when the cell runs
        try:
            compile(source, "<cell>", "exec", flags, dont_inherit=True)
        except Exception:  # SyntaxError, ValueError for a zero byte, RecursionError
            return False
    return True


def name_cells(shell: InteractiveShell, name: Callable[[], str]) -> None:
    """Make each cell appear in tracebacks and to `inspect` as the file `name()`.

    IPython's compiler calls `get_code_name` (since 7.18; ipykernel overrides it as well).
    """
    shell.compile.get_code_name = lambda *_: name()  # type: ignore[method-assign]  # that is the seam


_libc = ctypes.PyDLL(None)  # PyDLL keeps Python's lock during a call, so that no other thread runs in between
# The number of the system call `clone` (asm/unistd.h): 220 on most machines.
CLONE = {"x86_64": 56, "ppc64le": 120}.get(platform.machine(), 220)


def clone(flags: int) -> int:
    """Fork a child into new namespaces; return -1 if that fails. The C library has no function for it.

    So the child is never outside of its namespaces.
    """
    return int(_libc.syscall(*map(ctypes.c_long, (CLONE, flags | signal.SIGCHLD, 0, 0, 0, 0))))


MADV_COLLAPSE = 25  # from <linux/mman.h>, since Linux 6.1
HUGE_PAGE = 2**21  # bytes


def use_huge_pages() -> None:
    """Move this process' own memory into huge pages, of which a fork copies one entry in place of 512.

    A session forks for each question. Measured: without huge pages `grade` of 100 submissions takes a fifth more
    (attention 26.1 CPU-s in place of 20.8, gpt 38.9 in place of 31.8). An older kernel refuses, which costs only time.
    """
    with open("/proc/self/maps") as maps:
        for line in maps:
            addresses, rights, _offset, _device, _file, *name = line.split()
            start, end = (int(address, 16) for address in addresses.split("-"))
            start, end = -(-start // HUGE_PAGE) * HUGE_PAGE, end // HUGE_PAGE * HUGE_PAGE
            if rights == "rw-p" and name in ([], ["[heap]"]) and start < end:
                _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), MADV_COLLAPSE)
