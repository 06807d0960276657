"""Which lines of a package run while a test runs: in the test's process, in its threads, in the processes it starts.

A copy of this file is the `sitecustomize` of a run's processes, so that each Python that a test starts traces itself.
Only processes without this environment (those inside the sandbox) are not seen.
"""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

# Where traces are kept, and the beginning of the paths that are traced. In the folder, `test` names the present test,
# and each line of `lines` is a test, a file and a number of a line in it.
FOLDER, TRACED = "GUARDS_TRACES", "GUARDS_TRACED"


def start(folder: str, traced: str) -> None:
    """Trace this process from now on."""
    now, seen = [""], set[tuple[str, int]]()

    def enter(frame: FrameType, event: str, argument: Any) -> Callable[..., Any] | None:
        if not frame.f_code.co_filename.startswith(traced):
            return None
        with open(os.path.join(folder, "test")) as file:
            test = file.read()
        if test != now[0]:
            now[0] = test
            seen.clear()
        return follow

    def follow(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        place = frame.f_code.co_filename, frame.f_lineno
        if event == "line" and place not in seen:
            seen.add(place)
            # The file is opened for each line: several processes write, tests close descriptors, any may be killed.
            descriptor = os.open(os.path.join(folder, "lines"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(descriptor, f"{now[0]}\t{place[0]}\t{place[1]}\n".encode())
            os.close(descriptor)
        return follow

    threading.settrace(enter)
    sys.settrace(enter)


def read(folder: Path, root: str) -> dict[str, dict[str, set[int]]]:
    """Return the lines that ran, by test and by file below `root`."""
    found: dict[str, dict[str, set[int]]] = {}
    path = folder / "lines"
    for row in path.read_text(encoding="utf-8").split("\n") if path.exists() else []:
        if row.count("\t") == 2:
            test, file, line = row.split("\t")
            found.setdefault(test, {}).setdefault(file.removeprefix(root + "/"), set()).add(int(line))
    return found


if FOLDER in os.environ and __name__ == "sitecustomize":
    start(os.environ[FOLDER], os.environ[TRACED])
