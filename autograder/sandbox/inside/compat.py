"""Foreign internals that the sandbox reaches into: IPython's, Python's, the C library's. Each has reason and test.

Torch's stand in `light_torch.py`, nbgrader's and nbconvert's in `autograder/common/compat.py`; this file is apart
because it is seen from inside. Read from IPython 8.20 and 9.18, and Python 3.10 to 3.13.
"""

import _thread
import ast
import contextlib
import ctypes
import os
import platform
import signal
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from IPython.core.interactiveshell import InteractiveShell


class CollectingShell(InteractiveShell):
    """IPython's shell without a kernel, a terminal or windows.

    `transform_cell` and `should_run_async` look for magics, reading a cell's tokens again and again, and for `await`.
    `_showtraceback` is how IPython's own kernel takes tracebacks (ipykernel overrides it, too); `_tee` appeared in
    IPython 8.3x and keeps a second, unbounded copy of all that is printed.
    """

    error: tuple[str, str, str] | None = None  # kind, text, traceback of what the last cell raised
    plain = False  # whether the cell is what `is_plain` says

    def transform_cell(self, raw_cell: str) -> str:
        """Return a cell without magics; one that has none as it is, which takes a tenth of the time."""
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

    def enable_gui(self, gui: object = None) -> None:
        """Open no windows."""


def is_plain(source: str) -> bool:
    """Return whether IPython would leave a cell as it is: several lines of Python, that no prompt or blank line begins.

    Magics are no Python; a single line may be one without its `%`. `In [1]: x` and `...: x` would be both.
    """
    if source[:1].isspace() or "\n" not in source.strip() or "In [" in source or "...:" in source:
        return False
    # What is wrong with a cell that can be read is said when it is run; only `await` outside a function IPython can do.
    flags = 0 if "await" in source or "async" in source else ast.PyCF_ONLY_AST
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it will be said when the cell is run
        try:
            compile(source, "<cell>", "exec", flags, dont_inherit=True)
        except Exception:  # SyntaxError, ValueError for a zero byte, RecursionError
            return False
    return True


def name_cells(shell: InteractiveShell, name: Callable[[], str]) -> None:
    """Have the lines of each cell show in tracebacks and to `inspect` as those of the file `name()`.

    IPython's compiler asks its `get_code_name` (since 7.18; ipykernel overrides it as well).
    """
    shell.compile.get_code_name = lambda *_: name()  # type: ignore[method-assign]  # that is the seam


class _Mallinfo(ctypes.Structure):
    """What glibc says of its heap (`struct mallinfo2`, since 2.33): ten numbers, of which these two are read."""

    _fields_ = [("others", ctypes.c_size_t * 8), ("fordblks", ctypes.c_size_t), ("keepcost", ctypes.c_size_t)]


_libc = ctypes.PyDLL(None)  # which keeps Python's lock while it calls
_libc.malloc.argtypes, _libc.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
_libc.free.argtypes, _libc.free.restype = [ctypes.c_void_p], None
_libc.sbrk.argtypes, _libc.sbrk.restype = [ctypes.c_ssize_t], ctypes.c_void_p

# Sizes of blocks to ask glibc for, the largest first: it cuts small ones off larger ones, and keeps bins of each 16.
BLOCKS = (*(2**16 >> n for n in range(3)), *range(8192, 1032, -512), *range(1032, 16, -16))


def take_gaps() -> int:
    """Take what is free between blocks of glibc's heap, for good; return how many bytes.

    It looks for room there first, and notes in each gap what it left of it: a fork copies the page. Where all is taken,
    a fork's own blocks lie together at the heap's end. With another C library nothing is done.
    """
    if not hasattr(_libc, "mallinfo2"):
        return 0
    _libc.mallinfo2.restype = _Mallinfo
    heap = _libc.mallinfo2()
    taken, most = 0, 2 * (heap.fordblks - heap.keepcost) + 2**20  # of what it keeps aside for reuse it says nothing
    for size in BLOCKS:
        end = _libc.sbrk(0) - _libc.mallinfo2().keepcost  # which is what is free at its end
        while taken < most:  # should the heap not be one piece, `end` tells nothing
            block = _libc.malloc(size)
            if block is None or block >= end:
                _libc.free(block)
                break
            taken += size
    return taken


MADV_COLLAPSE, HUGE = 25, 2**21  # from <linux/mman.h>, since 6.1; a huge page, in bytes


def use_huge_pages() -> int:
    """Put Python's memory into huge pages, of which a fork copies one entry in place of 512; return how many bytes.

    An older kernel declines. glibc's own memory lies in such pages from the start, see GLIBC_TUNABLES in
    `bubblewrap.py`.
    """
    used = 0
    with open("/proc/self/maps") as maps:
        lines = [line.split() for line in maps]
    for addresses, rights, *_others in (fields for fields in lines if len(fields) == 5):  # without a file or a name
        start, end = (int(address, 16) for address in addresses.split("-"))
        start, end = -(-start // HUGE) * HUGE, end // HUGE * HUGE
        if rights == "rw-p" and start < end:
            done = _libc.madvise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), MADV_COLLAPSE) == 0
            used += done * (end - start)
    return used


# Linux' number of `clone` (asm/unistd.h), 220 in most of its tables.
CLONE = {"x86_64": 56, "ppc64le": 120}.get(platform.machine(), 220)
# The newer one, the same everywhere, which takes a `struct clone_args`; its flag from <linux/sched.h>.
CLONE_3, CLONE_INTO_CGROUP = 435, 0x200000000


def clone(flags: int, group: int = -1) -> int:
    """Fork into new namespaces at once, for which the C library has no function; -1 when that fails.

    To fork, leave the namespaces and fork again would copy all tables of pages once more, and all pages that it takes.
    With a descriptor of a control group the child is in that group, where the kernel allows it (Linux 5.7).
    """
    if group >= 0:
        asked = (ctypes.c_uint64 * 11)(flags | CLONE_INTO_CGROUP, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, group)
        child = int(_libc.syscall(ctypes.c_long(CLONE_3), ctypes.byref(asked), ctypes.c_long(ctypes.sizeof(asked))))
        if child >= 0:
            return child
    return int(_libc.syscall(*map(ctypes.c_long, (CLONE, flags | signal.SIGCHLD, 0, 0, 0, 0))))


def fork() -> int:
    """Fork as the C library does where no thread runs: `os.fork` then makes 450 pages the child's own, to no purpose.

    It has each logging handler, `random` and the like prepare themselves for threads that are gone, which costs as much
    as half of the fork itself. With threads it is `os.fork`: what waits for one of them must learn that it is gone.
    """
    return os.fork() if _thread._count() else int(_libc.fork())
