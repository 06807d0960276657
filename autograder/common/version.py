"""The workbook's version, and in a git clone the commit, as recorded with marks. Imports nothing heavy."""

import functools
import os
import subprocess

from autograder.common.paths import ROOT
from utils.version import __version__

# `--no-optional-locks` keeps `git describe` from writing to the index.
COMMIT = ("git", "--no-optional-locks", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*", "--abbrev=8")


@functools.cache
def workbook_version() -> str:
    """Return the version, as "0.1.0 (1a2b3c4d)", or "0.1.0 (1a2b3c4d, edited)"; without a clone or git, "0.1.0"."""
    if not (ROOT / ".git").exists():  # otherwise git would describe a clone of another project in a folder above
        return __version__
    try:
        # If a hook of git runs this process, git's variables may name another repository.
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        git = subprocess.run(COMMIT, env=environment, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return __version__
    commit = git.stdout.strip().replace("-dirty", ", edited")
    return f"{__version__} ({commit})" if git.returncode == 0 and commit else __version__
