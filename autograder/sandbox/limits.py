"""The limits of one submission, and the messages to students whose code exceeds them."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from utils.common.messages import N_

# Writable folders that sessions would share; each session sees its own scratch folder in their place.
SHARED_FOLDERS = ("/tmp", "/dev/shm")

TOO_SLOW = N_("your code was stopped: it ran longer than the time that one step may take (an endless loop?)")
TOO_LONG = N_("your notebook was stopped: all its cells together ran too long")
TOO_LARGE = N_("your code was stopped: it used more memory than one notebook may use")
TOO_MUCH = N_("your code was stopped: it returned or printed more than one answer may hold")
DIED = N_("your code ended Python itself (exit, a crash, or too much memory)")


@dataclass(frozen=True)
class Limits:
    """The limits of one submission. A cell of an honest submission takes well under a second."""

    cell_cpu_seconds: float = 5.0
    # Wall time bounds code that sleeps. It is longer than CPU time, so that a busy machine costs nobody a mark.
    cell_wall_seconds: float = 20.0
    total_wall_seconds: float = 90.0
    memory_bytes: int = 2 * 2**30
    processes: int = 64
    scratch_bytes: int = 128 * 2**20
    scratch_files: int = 4096
    # Bytes that one session may send to the grader: outputs and values together.
    sent_bytes: int = 128 * 2**20

    def for_inside(self) -> dict[str, Any]:
        """Return the limits that the sandbox sets itself before student code runs; `watch.py` enforces the times."""
        # A shared folder that contains this Python itself cannot be covered; it becomes read-only.
        ours = [Path(folder) for folder in (sys.prefix, sys.base_prefix)]
        holds_python = {folder: any(path.is_relative_to(folder) for path in ours) for folder in SHARED_FOLDERS}
        return {
            "covered": [folder for folder, holds in holds_python.items() if not holds],
            "read_only": [folder for folder, holds in holds_python.items() if holds],
            "scratch_bytes": self.scratch_bytes,
            "scratch_files": self.scratch_files,
            "memory_bytes": self.memory_bytes,
            "rlimits": {
                "RLIMIT_NPROC": self.processes,
                "RLIMIT_NOFILE": 256,
                "RLIMIT_CORE": 0,
                "RLIMIT_FSIZE": self.scratch_bytes,
            },
        }
