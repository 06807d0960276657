"""The sandbox's promises, one by one: what is undone, what is ended, what is out of sight."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.common.toml import read_toml
from autograder.sandbox import launch, watch
from autograder.sandbox.errors import RemoteError, Stopped
from autograder.sandbox.inside import packages
from autograder.sandbox.inside.operations import Step
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox
from autograder.sandbox.processes import alive, proportional_bytes, socket_bytes
from autograder.sandbox.session import failure_from
from tests.helpers.sessions import LIMITS, limited, printed, value


@pytest.mark.parametrize(
    "source", ["import os\nos._exit(0)", "import os\nos.abort()", "while True:\n    pass", "import os\nos.kill(0, 9)"]
)
def test_a_lost_cell_leaves_the_state_before_it(session, source):
    session.run_cell("x = 1", "first")
    with pytest.raises(Stopped):
        session.run_cell(f"x = 2\n{source}", "second")
    assert value(session, "x") == 1
    session.run_cell("x += 10", "third")
    assert value(session, "x") == 11


PICTURE = """
import torch
from utils.captioning.layers import check_even
from utils.common.errors import ShapeError
from utils.attention import plots
plots.plot_encoding(torch.eye(3))
check_even(7)
"""


def test_what_a_session_shows_is_in_the_students_language_and_what_it_reports_is_not(sandbox):
    # the usual limits: matplotlib, which the first figure loads, takes a second of processor time
    with limited(sandbox, Limits()), sandbox.session("fr") as session:
        reply = session.run_cell(PICTURE, "cell")
    picture, error = reply["outputs"]
    assert picture["data"]["image/png"] and picture["data"]["text/plain"].startswith("L'encodage positionnel")
    assert "doit être pair" in error["evalue"]
    assert "must be even" in failure_from(reply["failure"]).text  # by which a mistake is known again


DRAWN = """
import sys
import textwrap
print("matplotlib.pyplot" in sys.modules)
import matplotlib.pyplot as plt
plt.plot([1, 2])
plt.title("two")
"""


def test_what_draws_figures_is_loaded_when_somebody_draws_and_found_there_by_the_next():
    with Sandbox(WORKBOOK) as sandbox:
        for found in (False, True):
            with sandbox.session() as session:
                reply = session.run_cell(DRAWN, "cell")
            printed, *_, picture = reply["outputs"]
            assert printed["text"] == f"{found}\n" and picture["data"]["image/png"]
            sandbox.need(reply["loaded"])


def test_whoever_draws_first_does_not_wait_for_the_systems_fonts(session):
    cell = "from matplotlib import font_manager\nprint(font_manager.findSystemFonts())"
    assert printed(session, cell) == "[]\n"


def test_a_session_has_the_parent_load_nothing_but_what_is_known_to_come_late():
    sandbox = Sandbox(WORKBOOK)
    for said in (None, "h5py", {"h5py": 1}, [["h5py"], "os", 7, "h5py "], [{}]):
        sandbox.need(said)
    assert sandbox.needs == []
    for _ in range(2):
        sandbox.need(["os", "h5py"])
    assert sandbox.needs == ["h5py"]


def test_an_exception_keeps_what_the_cell_had_done(session):
    reply = session.run_cell("x = 1\nraise ValueError('no')", "first")
    assert failure_from(reply["failure"]).kind == "ValueError"
    assert value(session, "x") == 1


# Of what our extras ask for: what a student's computer or Colab has as well, so that an answer may use it.
SHARED = {"babel", "click", "dask", "einops", "lxml", "markdown-it-py", "mdit-py-plugins", "psutil", "pytest", "rich"}
SHARED |= {"scikit-learn", "setuptools", "tomli", "docutils", "fonttools", "ipython", "jupyter-core", "jupyter-server"}
SHARED |= {"nbclient", "nbconvert", "nbformat", "pygments", "snowballstemmer", "sqlalchemy", "tornado", "traitlets"}
SHARED |= {"cryptography", "requests"}


def test_a_students_python_lacks_our_tools(session):
    cell = "try:\n    import {}\nexcept ModuleNotFoundError as error:\n    print(error.name, error)"
    for name in ("nbgrader", "sacrebleu", "hypothesis"):
        assert printed(session, cell.format(name)) == f"{name} No module named '{name}'\n"
    found = "from importlib.util import find_spec\nprint(find_spec('sklearn').name, find_spec('hypothesis'))"
    assert printed(session, found) == "sklearn None\n"
    extras = read_toml(ROOT / "pyproject.toml")["project"]["optional-dependencies"]
    del extras["lab"]
    names = {re.match(r"[\w-]+", one)[0] for asked in extras.values() for one in asked}
    modules = {"import-linter": "importlinter", "PyJWT": "jwt", "myst-parser": "myst_parser", "pytest-xdist": "xdist"}
    assert {modules.get(name, name) for name in names - SHARED} <= packages.TOOLS


def test_the_parent_loads_what_a_session_needs_and_keeps_it(sandbox, monkeypatch):
    tell = "import sys\nprint('sched' in sys.modules)"  # a small module of Python's that nothing here has use for
    with sandbox.session() as session:
        assert printed(session, tell) == "False\n"
    monkeypatch.setattr(sandbox, "needs", ["sched"])
    for needs in (["no_such_module", "sched"], []):
        sandbox.needs = needs
        with sandbox.session() as session:
            assert printed(session, tell) == "True\n"


def test_students_have_their_garbage_looked_for_as_usual(sandbox):
    usual = subprocess.run(
        [sys.executable, "-c", "import gc\nprint(gc.get_threshold())"], capture_output=True, text=True
    )
    with sandbox.session() as session:
        assert (
            printed(session, "import gc\nprint(gc.get_threshold(), gc.isenabled())") == f"{usual.stdout.strip()} True\n"
        )


def test_a_parent_that_was_launched_early_is_the_first_that_is_used(monkeypatch):
    launches = iter([("one", None), ("two", None)])
    monkeypatch.setattr(launch, "_launch", lambda course: next(launches))
    launch.begin(WORKBOOK)
    assert [launch.launched(WORKBOOK)[0] for _ in range(2)] == ["one", "two"]


def test_cells_run_in_place_until_one_must_be_stopped(sandbox):
    with sandbox.session() as session:
        session.run_in_place("x = 1", "first")
        assert session.run_in_place("x += 1\nprint(x)", "second")["outputs"][0]["text"] == "2\n"
        assert value(session, "x") == 2
        with pytest.raises(Stopped):
            session.run_in_place("while True:\n    pass", "third")
        assert session.cpu_seconds < LIMITS.cell_cpu_seconds
    for source in ("import os\nos._exit(0)", "import subprocess\np = subprocess.Popen(['sleep', '999'])"):
        with sandbox.session() as session, pytest.raises(Stopped):
            session.run_in_place(source, "cell")


@pytest.mark.parametrize("checkpoints", [True, False])
def test_a_sandbox_killed_between_two_requests_is_a_stop_and_no_crash(sandbox, checkpoints):
    """As an out-of-memory killer does: the next request finds that no state is left, and the attempt is repeated."""
    with sandbox.session() as session:
        os.kill(session.states.init.pid, signal.SIGKILL)
        while alive(session.states.current.pid):  # the kernel kills the rest of the namespace a moment later
            time.sleep(0.01)
        run = session.run_cell if checkpoints else session.run_in_place
        for name in ("first", "second"):
            with pytest.raises(Stopped):
                run("x = 1", name)
            session.states.back_to(0)
        assert session.ended and session.ended_from_outside


def test_what_a_question_does_is_undone(session):
    session.run_cell("seen = []\ndef f():\n    seen.append(1)\n    return len(seen)", "first")
    for _ in range(2):
        with session.question():
            f = session.request(Step.GET, name="f")
            assert session.request(Step.CALL, ref=f.number, args={"args": [], "kwargs": {}}) == 1


def test_operations_wait_for_the_next_request_or_until_they_are_many(session):
    session.run_cell("seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)", "first")
    with session.question():
        f = session.request(Step.GET, name="f").number
        for number in range(250):
            last = session.defer(Step.CALL, ref=f, args={"args": [number], "kwargs": {}})
        assert session.request(Step.VALUE, args=last) == 250
        session.defer(Step.CALL, ref=f, args={"args": [0, 1], "kwargs": {}})  # one argument too many
        with pytest.raises(RemoteError, match="positional"):
            session.request(Step.VALUE, args=last)
        assert session.request(Step.VALUE, args=last) == 250
        assert session.run_deferred() is None


def test_a_crash_in_a_question_is_undone(session):
    session.run_cell("import os\nx = 5\ndef f():\n    os._exit(0)", "first")
    with session.question():
        f = session.request(Step.GET, name="f")
        with pytest.raises(Stopped):
            session.request(Step.CALL, ref=f.number, args={"args": [], "kwargs": {}})
    assert value(session, "x") == 5


def test_a_state_that_has_killed_the_one_before_it_at_once_is_still_the_next(session, monkeypatch):
    session.run_cell("x = 1", "cell")
    announced = session.channel.announced

    def after_it_ran(what):
        sender = announced(what)
        while alive(session.states.current.pid):  # the child kills it before we look whose child it is
            time.sleep(0.001)
        return sender

    monkeypatch.setattr(session.channel, "announced", after_it_ran)
    session.run_cell("import os\nos.kill(os.getppid(), 9)\nx = 'kept'", "killer")
    monkeypatch.setattr(session.channel, "announced", announced)
    assert value(session, "x") == "kept"


def test_killed_ancestors_cost_cells_and_no_more(session):
    for number in range(4):
        session.run_cell(f"x = {number}", "cell")
    session.run_cell("import os\nos.kill(-1, 9)\nx = 'kept'", "killer")
    assert value(session, "x") == "kept"
    with pytest.raises(Stopped):
        session.run_cell("os._exit(0)", "last")
    assert value(session, "x") == "kept"


def test_processes_left_running_are_ended(session):
    session.run_cell("import subprocess\np = [subprocess.Popen(['sleep', '999']) for _ in range(3)]", "cell")
    assert session.states.orphans_ended == 3
    assert session.watch.orphans() == []


def test_a_process_in_a_session_of_its_own_is_found(session):
    source = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(999)
    os._exit(0)
os.wait()
"""
    session.run_cell(source, "cell")
    assert session.states.orphans_ended == 1
    assert session.watch.orphans() == []


def test_nothing_of_a_session_outlives_it(sandbox):
    session = sandbox.session()
    session.run_cell("x = 1", "cell")
    pids = [session.states.init.pid, *(state.pid for state in session.states.chain)]
    session.close()
    end = time.monotonic() + 5
    while any(os.path.exists(f"/proc/{pid}") for pid in pids) and time.monotonic() < end:
        time.sleep(0.01)
    assert not any(os.path.exists(f"/proc/{pid}") for pid in pids)


def test_what_waits_in_sockets_counts_as_the_submissions_memory(session):
    source = """
import socket
held = socket.socketpair()
sent_along = socket.socketpair()
socket.send_fds(held[0], [b"x"], [end.fileno() for end in sent_along])
del sent_along
for end in held:
    end.setblocking(False)
sent = 0
try:
    while True:
        sent += held[1].send(bytes(2**16))
except BlockingIOError:
    print(sent)
"""
    init = session.states.init.pid
    before = socket_bytes(init)
    sent = int(printed(session, source))
    each = (socket_bytes(init) - before) / 4  # two of them are on their way in another one
    assert before == 0  # ours was made outside
    assert sent <= each <= 2 * sent
    states = sum(proportional_bytes(state.pid) for state in session.states.chain)
    assert session.watch.bytes_of_all() - states >= socket_bytes(init)


FORGED = """
import gc, os
from autograder_sandbox import wire
state = next(thing for thing in gc.get_objects() if type(thing).__name__ == "State")
"""
BY_A_CHILD = """
if os.fork() == 0:
    wire.send(state.session, {"started": True})
    os._exit(0)
os.wait()
"""
BEFOREHAND = """
wire.send(state.session, {"printed": "a reply"})
wire.send(state.session, {"started": True})
"""


@pytest.mark.parametrize("forge", [BY_A_CHILD, BEFOREHAND], ids=["by a child", "beforehand"])
def test_a_forged_announcement_signals_nobody(session, forge):
    """The kernel says who sent it, and only a child of the current state counts."""
    session.run_cell("x = 1", "first")
    with pytest.raises(Stopped):  # its announcement is read as the cell's reply, or as the next fork
        session.run_cell(FORGED + forge, "forger")
        session.run_cell("x = 2", "next")
    assert value(session, "x") == 1


def test_a_trickle_does_not_put_off_the_end(sandbox):
    source = """
import gc, struct, time
channel = next(thing for thing in gc.get_objects() if type(thing).__name__ == "State").session
channel.sendall(struct.pack("<II", 8 * 2**20, 0))
while True:
    channel.sendall(b" ")
    time.sleep(0.005)
"""
    limits = Limits(cell_cpu_seconds=30.0, cell_wall_seconds=1.5, total_wall_seconds=60.0)
    with limited(sandbox, limits), sandbox.session() as session:
        with pytest.raises(Stopped):
            session.run_cell(source, "cell")
        assert printed(session, "print(1)") == "1\n"


def test_the_whole_notebook_has_a_limit(sandbox):
    with limited(sandbox, Limits(total_wall_seconds=1.0)), sandbox.session() as session:
        with pytest.raises(Stopped, match="all its cells together"):
            session.run_cell("import time\ntime.sleep(5)", "cell")  # less than a cell may take
        with pytest.raises(Stopped, match="all its cells together"):
            session.run_cell("x = 1", "next")


def test_a_crowd_of_its_own_takes_its_own_time(sandbox):
    """The cell is always ready and has hardly a processor, because the submission's other processes have it."""
    limits = Limits(cell_cpu_seconds=60.0, cell_wall_seconds=1.5, total_wall_seconds=60.0)
    with limited(sandbox, limits), sandbox.session() as session:
        started = time.monotonic()
        with pytest.raises(Stopped, match="endless loop"):
            session.run_cell((ROOT / "tests/attacks/harm__wait_behind_children.py").read_text(), "cell")
        assert not session.watch.set_aside  # it was stopped by its limit, and long before the last one
        assert time.monotonic() - started < 25
        assert printed(session, "print(1)") == "1\n"


@pytest.mark.parametrize("reaped_by", ["the cell", "the first process"])
def test_what_dead_processes_used_counts(reaped_by, sandbox):
    """Each of its children, or of theirs, takes less than a step may; the cell itself takes nothing."""
    source = f"""
import os, time
for _ in range(12):
    ended, open_while_it_runs = os.pipe()
    child = os.fork()
    if not child:
        if {reaped_by == "the first process"} and os.fork():
            os._exit(0)  # its child is now the first process's
        end = time.process_time() + 0.3
        while time.process_time() < end:
            pass
        os._exit(0)
    os.close(open_while_it_runs)
    os.waitpid(child, 0)
    os.read(ended, 1)
time.sleep(30)
"""
    with limited(sandbox, Limits(cell_cpu_seconds=1.0, cell_wall_seconds=60.0)), sandbox.session() as session:
        with pytest.raises(Stopped, match="endless loop"):
            session.run_cell(source, "cell")
        assert session.watch.doubts == 0  # that was certainly its own doing
        assert printed(session, "print(1)") == "1\n"


def test_what_processes_of_earlier_cells_used_is_not_charged_again(sandbox):
    burn = "end = time.process_time() + {}\nwhile time.process_time() < end:\n    pass\n"
    child = f"import os, time\nif not os.fork():\n{textwrap.indent(burn.format(0.6), '    ')}    os._exit(0)\n"
    with limited(sandbox, Limits(cell_cpu_seconds=1.0, cell_wall_seconds=60.0)), sandbox.session() as session:
        session.run_cell(child + "time.sleep(1.5)", "its child is dead, and nobody has waited for it")
        session.run_cell(child + "os.wait()", "its child is waited for")
        for _ in range(2):
            assert printed(session, burn.format(0.6) + "print(1)") == "1\n"


def test_nothing_lasts_longer_than_six_times_its_limit(monkeypatch, sandbox):
    """Even for what seems never to have had a processor, whoever made it seem so."""
    monkeypatch.setattr(watch, "waited_seconds", lambda pid: time.monotonic())
    limits = Limits(cell_wall_seconds=0.3, total_wall_seconds=0.5)
    sleep = "import time\ntime.sleep(60)"
    with limited(sandbox, limits), sandbox.session() as session:
        started = time.monotonic()
        with pytest.raises(Stopped, match="endless loop"):
            session.run_cell(sleep, "cell")
        assert session.watch.set_aside
        with pytest.raises(Stopped, match="all its cells together"):
            session.run_cell(sleep, "cell")
        assert session.watch.over and time.monotonic() - started < 30


def test_shared_memory_counts(sandbox):
    """Also what a cell gives back before it ends."""
    filled = "import mmap, time\nm = mmap.mmap(-1, 2**30)\nfor i in range(0, 2**30, 4096): m[i] = 1"
    with limited(sandbox, Limits(memory_bytes=2**29)), sandbox.session() as session:
        with pytest.raises(Stopped, match="memory"):
            session.run_cell(f"{filled}\ntime.sleep(2)\nm.close()", "cell")
        assert printed(session, "print(1)") == "1\n"


def test_what_a_cell_leaves_in_memory_must_leave_room(sandbox):
    with limited(sandbox, Limits(memory_bytes=2**30, cell_cpu_seconds=30, cell_wall_seconds=60)):
        with sandbox.session() as session:
            session.run_cell("x = 1", "first")
            with pytest.raises(Stopped, match="memory"):
                session.run_cell("x = b'1' * (6 * 10**8)", "second")
            assert value(session, "x") == 1
        with sandbox.session() as session, pytest.raises(Stopped, match="memory"):
            session.run_in_place("x = b'1' * (6 * 10**8)", "cell")


def test_large_arrays_that_are_taken_anew_and_freed_are_no_reason_to_stop(sandbox):
    """Six times a third of the memory, while each cell's state keeps what the one before it had."""
    large = "import torch\nbig = torch.ones(80 * 2**20)\nprint(len(big))"
    with limited(sandbox, Limits(memory_bytes=2**30)):
        with sandbox.session() as session:
            told = [printed(session, large) for _ in range(6)]
        with sandbox.session() as session:
            told += [session.run_in_place(large, "cell")["outputs"][0]["text"] for _ in range(6)]
        assert told == [f"{80 * 2**20}\n"] * 12


def test_the_memory_of_all_states_counts(sandbox):
    with limited(sandbox, Limits(memory_bytes=2**30)), sandbox.session() as session:
        for _ in range(2):  # the state before the second cell keeps what the cell drops
            session.run_cell("x = None\nx = b'1' * (100 * 2**20)", "cell")
        assert session.watch.bytes_of_all() > 190 * 2**20


def test_addresses_without_memory_are_limited(session):
    """A mapping that is never touched has no memory, but the kernel keeps tables for it."""
    source = "import mmap\ntry:\n    mmap.mmap(-1, 2**33)\n    print('mapped')\nexcept OSError:\n    print('refused')"
    assert printed(session, source) == "refused\n"


def test_a_submission_has_at_most_64_processes(session):
    source = """
import os, time
born = 0
try:
    while born < 100:
        if os.fork() == 0:
            time.sleep(60)
        born += 1
except OSError:
    pass
print(born)
"""
    assert 50 < int(printed(session, source)) < 64


def test_a_submission_has_at_most_4096_files(session):
    source = """
made = 0
try:
    while made < 5000:
        open(str(made), "w").close()
        made += 1
except OSError:
    pass
print(made)
"""
    assert 4000 < int(printed(session, source)) < 4096


def test_all_that_a_session_sends_is_bounded(sandbox):
    too_much = pytest.raises(Stopped, match="more than one answer may hold")
    with limited(sandbox, Limits(sent_bytes=2**14)), sandbox.session() as session, too_much:
        for _ in range(100):
            session.run_in_place("print('x' * 1000)", "cell")


def test_what_was_loaded_before_takes_no_memory_of_the_submissions(sandbox):
    with limited(sandbox, Limits(memory_bytes=2**28)), sandbox.session() as session:
        assert printed(session, "x = b'1' * (100 * 2**20)\nprint(len(x))") == f"{100 * 2**20}\n"


def test_a_parent_that_died_is_started_again():
    with Sandbox(WORKBOOK, LIMITS) as sandbox:
        sandbox.process.send_signal(signal.SIGKILL)
        sandbox.process.wait()
        with sandbox.session() as session:
            assert printed(session, "print(1)") == "1\n"


def test_the_parent_dies_with_the_grader():
    code = """
import time
from autograder.common.course import WORKBOOK
from autograder.sandbox.parent import Sandbox
from autograder.sandbox.processes import alive, proportional_bytes, socket_bytes
sandbox = Sandbox(WORKBOOK)
sandbox.start()
print(sandbox.process.pid, flush=True)
time.sleep(99)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as grader:
        parent = int(grader.stdout.readline())
        grader.kill()
    end = time.monotonic() + 10
    while os.path.exists(f"/proc/{parent}") and time.monotonic() < end:
        time.sleep(0.05)
    assert not os.path.exists(f"/proc/{parent}")


def test_reported_failures_are_bounded_and_printable():
    failure = failure_from(["K" * 999, "\x1b[2J" + "t" * 999, "w\n" * 999])
    assert (len(failure.kind), len(failure.text), len(failure.where)) == (100, 300, 120)
    assert failure.text.isprintable() and failure.where.isprintable()
    assert failure_from({"a": 1}).kind == failure_from(["a", 1, None]).kind == "Error"
