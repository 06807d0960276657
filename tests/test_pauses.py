"""Nobody pays for the grader: pauses of it, and processes killed from outside, change no mark."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from autograder.examine.examiner import examine, run
from autograder.examine.work import Work
from autograder.lesson.text import Lesson
from autograder.proof.compose import compose
from autograder.sandbox.limits import TOO_SLOW, Limits, Stopped
from autograder.sandbox.parent import Sandbox
from autograder.sandbox.processes import descendants

LESSON = "attention"
# A pause of ours is longer than all that a cell may take.
SHORT = Limits(cell_wall_seconds=1.0, total_wall_seconds=6.0)


def perfect() -> dict[str, float]:
    return {cell.grade_id: cell.points for cell in Lesson.load(LESSON).of_role("test")}


def points(result) -> dict[str, float]:
    return {question.id: question.points for question in result.questions if question.kind == "auto"}


PAUSED = """
import os, signal, sys, threading, time
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox

limits = Limits(cell_wall_seconds=1.0, total_wall_seconds=3.0)
with Sandbox(limits) as sandbox, sandbox.session() as session:
    print("ready", flush=True)
    for number in range(3):
        session.run_cell(f"import time\\ntime.sleep(0.6)\\nx = {number}", "cell")
    print("done", flush=True)
"""


def test_a_paused_grader_stops_no_cell():
    grader = subprocess.Popen([sys.executable, "-c", PAUSED], stdout=subprocess.PIPE, text=True)
    assert grader.stdout.readline() == "ready\n"
    for _ in range(2):
        time.sleep(0.3)
        grader.send_signal(signal.SIGSTOP)
        time.sleep(2)  # twice what a cell may take
        grader.send_signal(signal.SIGCONT)
    assert grader.communicate(timeout=60)[0] == "done\n"
    assert grader.returncode == 0


def test_an_answer_that_lies_ready_is_read_before_a_deadline_is_held_against_it():
    with Sandbox(SHORT) as sandbox, sandbox.session() as session:
        session.watch.begin_step()
        session.channel.send({"op": "cell in place", "source": "x = 6 * 7", "name": "cell"})
        time.sleep(1.5)
        session.watch.step_left = -1.0
        reply, _ = session.channel.receive()
        assert reply["failure"] is None


def test_a_sleeper_is_stopped_all_the_same():
    with Sandbox(SHORT) as sandbox, sandbox.session() as session, pytest.raises(Stopped, match=TOO_SLOW[:20]):
        session.run_cell("import time\ntime.sleep(60)", "cell")


@pytest.mark.parametrize("after", [0.05, 0.4])
def test_a_state_killed_from_outside_costs_no_mark(after):
    """As an out-of-memory killer does: once, at some moment."""
    lesson = Lesson.load(LESSON)
    with Sandbox() as sandbox:
        examine(compose(Lesson.load(LESSON)), lesson, sandbox)  # warm: what follows takes a second

        def kill() -> None:
            time.sleep(after)
            for pid in descendants(sandbox.process.pid)[2:]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue

        killer = threading.Thread(target=kill)
        killer.start()
        result = examine(compose(Lesson.load(LESSON)), lesson, sandbox)
        killer.join()
    assert points(result) == perfect()
    assert result.flags == []


def test_a_stop_that_happens_again_is_believed():
    name = next(iter(Lesson.load(LESSON).solutions))
    work = Work(compose(Lesson.load(LESSON), {name: "import os\nos._exit(0)"}), Lesson.load(LESSON), Limits())
    with Sandbox() as sandbox:
        result = work.result(run(work, sandbox, set(work.keys)))
    assert any("ended Python itself" in flag for flag in result.flags)
