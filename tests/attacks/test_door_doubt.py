"""The door of doubt: notebooks that have themselves stopped at another place in each run, to be tried without end."""

import nbformat
import pytest

from autograder.common.errors import SandboxLost
from autograder.examine import examiner
from autograder.examine.examiner import examine
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox
from benchmarks.proof.attacks import points

from .corpus import ATTENTION, honest
from .test_attacks import assert_works

LIMITS = Limits(cell_cpu_seconds=0.5, cell_wall_seconds=1.0, total_wall_seconds=8.0, memory_bytes=2**30)
# At about every third cell, which differ from run to run, the notebook does this.
AT_RANDOM = """
import os
import signal
import sys


def doubt(*_):
    if os.urandom(1)[0] < 80:
        {does}


get_ipython().events.register("pre_run_cell", doubt)
"""
DOES = {
    "dies": "os.kill(os.getpid(), signal.SIGKILL)",
    "ends": "os._exit(0)",
    "crashes": "os.abort()",
    "sleeps": "__import__('time').sleep(60)",
    "computes": "exec('while True: pass')",
    "stops itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "kills all": "os.kill(-1, signal.SIGKILL)",
    "kills the state before": "os.kill(os.getppid(), signal.SIGKILL)",
    "closes its connection": "os.closerange(3, 256)",
    "takes all memory": "bytearray(2**31).find(1)",
    "waits for a process that waits": "os.waitpid(os.fork() or signal.pause(), 0)",
    "becomes another program": "os.execv('/bin/true', ['true'])",
}
usual = Sandbox.session


@pytest.fixture(scope="module")
def limits() -> Limits:
    return LIMITS


QUICK = ("dies", "kills all")  # the others wait for a limit in each run


@pytest.mark.parametrize(
    "does", [pytest.param(does, marks=() if does in QUICK else pytest.mark.only_with_all_attacks) for does in DOES]
)
def test_a_notebook_that_makes_itself_doubtful_gains_nothing_and_ends(does, sandbox, monkeypatch):
    """Right answers: stops cost the notebook its own cells, or it has no mark; it is run a few times, and no more."""
    runs = []
    monkeypatch.setattr(Sandbox, "session", lambda self, *given: runs.append(1) or usual(self, *given))
    notebook = honest("right")
    notebook.cells.insert(0, nbformat.v4.new_code_cell(AT_RANDOM.format(does=DOES[does]), id="doubt"))
    try:
        found = points(examine(notebook, ATTENTION, sandbox))
    except SandboxLost as lost:
        assert str(lost) == examiner.UNSURE or "ended from outside" in str(lost)
    else:
        assert all(found[cell.grade_id] <= cell.points for cell in ATTENTION.of_role("test"))
    assert 1 <= len(runs) <= 2 * 3 * examiner.TRIES  # three runs, each anew where its sandbox was ended; shown apart
    assert_works(sandbox)
