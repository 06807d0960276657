"""The warm parent, inside bubblewrap: loads everything once, then forks a sandbox for each submission.

The parent is trusted and never runs student code. A forked session encloses itself (`enclosure.py`) and becomes a state
(`state.py`). For each question a state forks: the child is examined, and the state stays as it was, so that anything
done to the child can be undone. Cells run in the state itself; if one has to be stopped, the notebook is run again with
a fork for each cell. Only the host decides all this, see `operations.py`.
"""

import gc
import importlib
import json
import os
import pkgutil
import signal
import socket
import sys
import traceback

import torch

import utils
from utils.common.messages import LANGUAGE_VARIABLE

from . import enclosure, light_torch, look, packages, warm, wire
from .compat import use_huge_pages
from .shell import Shell, make_shell

# Bytes of the host's largest message about a session: its limits, and names of modules.
MOST_BYTES = 2**16


def main() -> None:
    """Load everything, say so, then fork a sandbox for each session that the host sends."""
    control = socket.socket(fileno=int(sys.argv[1]))
    enclosure.leave_groups()
    shell = warm_up()
    packages.hide_tools()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel reaps sessions that end
    wire.send(control, {"ready": True, "seen": look.found(**json.loads(sys.argv[2]))})
    while True:
        try:
            message, descriptors, _, _ = socket.recv_fds(control, MOST_BYTES, 1)
        except OSError:
            return
        if not message:
            return
        wanted = json.loads(message)
        if light_torch.load(wanted["needs"]):
            gc.freeze()
        (end,) = descriptors
        child = enclosure.fork_apart()
        if child == 0:
            control.close()
            os.environ[LANGUAGE_VARIABLE] = wanted["language"]
            os.environ["MPLCONFIGDIR"] = (
                enclosure.SCRATCH
            )  # if matplotlib cannot write there, it warns in a cell's output
            try:
                enclosure.enter(socket.socket(fileno=end), shell, wanted["limits"])
            except BaseException:
                traceback.print_exc()
            os._exit(1)
        os.close(end)


def warm_up() -> Shell:
    """Import what lessons import, run some of torch's operations once, and return IPython's shell."""
    torch.set_num_threads(1)
    light_torch.leave_compiler_unloaded()
    shell = make_shell()
    for module in pkgutil.walk_packages(utils.__path__, "utils."):
        if not module.name.endswith(("__main__", "download")):
            importlib.import_module(module.name)
    # IPython builds half of itself at its first cell, which each session would have to repeat.
    streams = sys.stdout, sys.stderr
    shell.run("pass", "warm")
    warm.exercise()
    sys.stdout, sys.stderr = streams
    gc.freeze()  # forks share what is loaded by now: their garbage collectors leave it alone
    gc.enable()
    use_huge_pages()
    return shell
