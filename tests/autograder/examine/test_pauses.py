"""Nobody pays for the grader: pauses of it, and processes killed from outside, change no mark."""

import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import SandboxError, SandboxLost
from autograder.common.paths import ROOT
from autograder.examine import examiner
from autograder.examine.examiner import Attempt, examine, run
from autograder.examine.store import ResultStore
from autograder.examine.work import Work
from autograder.gradebook import books, grade
from autograder.gradebook.secret import course_secret
from autograder.gradebook.task import examine_one
from autograder.intake.notebook import take_in_submission
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from autograder.sandbox import processes
from autograder.sandbox.errors import Stopped
from autograder.sandbox.limits import TOO_SLOW, Limits
from autograder.sandbox.parent import Sandbox
from autograder.sandbox.processes import alive, descendants
from autograder.sandbox.session import Session
from tests.helpers.courses import configure
from tests.helpers.sessions import limited

LESSON = "attention"
# A pause of ours is longer than all that a cell may take.
SHORT = Limits(cell_wall_seconds=1.0, total_wall_seconds=6.0)
# An entry of a question: the verdict of its one test.
VERDICT = {"name": "x", "ask": "x", "outcome": "passed", "share": 1.0, "reason": None, "mistake": None, "also": None}
PASSED = [VERDICT]


usual = Sandbox.session


def perfect() -> dict[str, float]:
    return {cell.grade_id: cell.points for cell in Lesson.load(LESSON, WORKBOOK).of_role("test")}


def points(result) -> dict[str, float]:
    return {question.id: question.points for question in result.questions if question.kind == "auto"}


PAUSED = """
import os, signal, sys, threading, time
from autograder.common.course import WORKBOOK
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox

limits = Limits(cell_wall_seconds=1.0, total_wall_seconds=3.0)
with Sandbox(WORKBOOK, limits) as sandbox, sandbox.session() as session:
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


def test_an_answer_that_lies_ready_is_read_before_a_deadline_is_held_against_it(warm):
    with limited(warm, SHORT), warm.session() as session:
        session.watch.begin_step()
        session.channel.send({"op": "cell in place", "source": "x = 6 * 7", "name": "cell"})
        time.sleep(1.5)
        session.watch.step_left = -1.0
        session.watch.wait(session.channel.socket)
        reply, _ = session.channel.receive()
        assert reply["failure"] is None


def test_a_sleeper_is_stopped_all_the_same(warm):
    with limited(warm, SHORT), warm.session() as session, pytest.raises(Stopped, match=TOO_SLOW[:20]):
        session.run_cell("import time\ntime.sleep(60)", "cell")


@pytest.mark.parametrize("cells", [2, 12])
def test_a_state_killed_from_outside_costs_no_mark(cells, warm, monkeypatch):
    """As an out-of-memory killer does: once, after some cells."""
    note, done = examiner.NotebookRun._note_losses, []

    def noted(run: examiner.NotebookRun, place: str) -> None:
        done.append(place)
        if len(done) == cells:
            os.kill(run.session.states.current.pid, signal.SIGKILL)
        note(run, place)

    monkeypatch.setattr(examiner.NotebookRun, "_note_losses", noted)
    lesson = Lesson.load(LESSON, WORKBOOK)
    result = examine(compose(lesson), lesson, warm)
    assert len(done) > cells and points(result) == perfect()
    assert result.flags == []


def test_work_that_is_lost_with_a_killed_state_is_a_stop(monkeypatch, warm):
    """A cell that must be stopped, so that the doubt is old; then somebody kills the state that holds an answer."""
    lesson = Lesson.load(LESSON, WORKBOOK)
    notebook = compose(lesson)
    notebook.cells.insert(0, nbformat.v4.new_code_cell("import os\nos._exit(0)", id="exits"))
    work = Work(notebook, lesson, Limits())
    kills, tries = [], []
    run_cell, one_try = Session.run_cell, examiner._run_once

    def killing(session: Session, source: str, name: str):
        if name in lesson.tests and not kills:
            kills.append(name)
            os.kill(session.states.current.pid, signal.SIGKILL)
        return run_cell(session, source, name)

    monkeypatch.setattr(Session, "run_cell", killing)

    def counting(work, sandbox, wanted, **how):
        attempt = one_try(work, sandbox, wanted, **how)
        if wanted:  # the others show what cells print where no question is examined
            tries.append(attempt)
        return attempt

    monkeypatch.setattr(examiner, "_run_once", counting)
    result = work.result(run(work, warm, set(work.keys)).entries)
    assert points(result) == perfect()
    assert [sorted(one.stopped_at) for one in tries] == [["exits"], ["exits", f"lost at {kills[0]}"], ["exits"]]


@pytest.mark.parametrize("whom", ["first process", "warm parent"])
def test_a_sandbox_that_others_end_tells_nothing_though_it_is_at_the_same_place_twice(monkeypatch, whom):
    lesson = Lesson.load(LESSON, WORKBOOK)
    notebook = compose(lesson)
    notebook.cells.insert(0, nbformat.v4.new_code_cell("import os\nos._exit(0)", id="exits"))
    work = Work(notebook, lesson, Limits())
    tries = []
    run_cell, one_try = Session.run_cell, examiner._run_once

    def killing(session: Session, source: str, name: str):
        if name == "exits" and len(tries) in (1, 2):
            os.kill(session.states.init.pid if whom == "first process" else descendants(sandbox.process.pid)[1], 9)
        return run_cell(session, source, name)

    monkeypatch.setattr(Session, "run_cell", killing)

    def counting(work, sandbox, wanted, **how):
        attempt = one_try(work, sandbox, wanted, **how)
        if wanted:  # the others show what cells print where no question is examined
            tries.append(attempt)
        return attempt

    monkeypatch.setattr(examiner, "_run_once", counting)
    with Sandbox(WORKBOOK) as sandbox:
        result = work.result(run(work, sandbox, set(work.keys)).entries)
    assert points(result) == perfect()
    assert [one and set(one.stopped_at) for one in tries] == [{"exits"}, None, None, {"exits"}]


def test_code_that_ends_all_its_own_processes_is_not_taken_for_somebody_else(warm):
    with warm.session() as session:
        with pytest.raises(Stopped):
            session.run_cell("import os\nos.kill(-1, 9)\nos._exit(0)", "cell")
        assert session.ended and not session.ended_from_outside


def test_sandboxes_that_are_always_ended_are_no_mark(monkeypatch):
    work = tried(monkeypatch)
    monkeypatch.setattr(examiner, "_run_once", lambda *given, **how: None)
    with pytest.raises(SandboxLost, match="outside ended 3 sandboxes in a row"):
        run(work, Sandbox(WORKBOOK), set(work.keys))


def test_a_sandbox_that_is_killed_while_it_starts_is_started_again(monkeypatch):
    start, tries = Sandbox.start, []

    def killed_once(sandbox: Sandbox) -> None:
        tries.append(1)
        if len(tries) == 1:
            raise SandboxError("no answer")
        start(sandbox)

    monkeypatch.setattr(Sandbox, "start", killed_once)
    sandbox = Sandbox(WORKBOOK)
    with contextlib.closing(sandbox), sandbox.session() as session:
        assert session.run_cell("x = 1", "cell")["failure"] is None


def test_a_stop_that_happens_again_is_believed(warm):
    name = next(iter(Lesson.load(LESSON, WORKBOOK).solutions))
    work = Work(
        compose(Lesson.load(LESSON, WORKBOOK), {name: "import os\nos._exit(0)"}),
        Lesson.load(LESSON, WORKBOOK),
        Limits(),
    )
    result = work.result(run(work, warm, set(work.keys)).entries)
    assert any("ended Python itself" in flag for flag in result.flags)


def test_one_process_examines_the_next_when_the_first_ones_result_has_been_taken(monkeypatch):
    examined = []
    monkeypatch.setattr(grade, "examine_one", lambda text, *_: examined.append(text) or {"key": PASSED})
    tasks = {
        student: grade.Task(text, {"key"}, {"key"}, 0) for student, text in {"ada": "1", "bob": "2", "eve": "3"}.items()
    }
    results = grade._examined(Lesson.load(LESSON, WORKBOOK), tasks, 1, "")
    assert next(results) == ("ada", {"key": PASSED})
    assert examined == ["1"]
    assert [student for student, _ in results] == ["bob", "eve"]


WORKERS = """
import multiprocessing, os, subprocess, sys, time
from autograder.gradebook import grade

def busy():
    child = subprocess.Popen(["sleep", "600"], preexec_fn=lambda: __import__("ctypes").CDLL(None).prctl(1, 9))
    print(os.getpid(), child.pid, flush=True)
    time.sleep(600)

if __name__ == "__main__":
    with grade._workers("attention", 2, "") as (submit, _):
        for job in [submit(busy), submit(busy)]:
            job.result()
"""


def test_a_killed_graders_workers_and_their_sandboxes_end(tmp_path):
    (tmp_path / "started.py").write_text(WORKERS)
    command, environment = [sys.executable, tmp_path / "started.py"], os.environ | {"PYTHONPATH": str(ROOT)}
    grader = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    ours = [int(pid) for _ in range(2) for pid in grader.stdout.readline().split()]
    assert len(ours) == 4
    ours += descendants(grader.pid)
    grader.kill()
    grader.wait()
    for _ in range(100):
        if not any(map(alive, ours)):
            break
        time.sleep(0.1)
    grader.stdout.close()
    assert not any(map(alive, ours))


# ---- what is stored of a stop -----------------------------------------------------------------------------------


def tried(monkeypatch, *tries: tuple[str, bool]) -> Work:
    """Have the tries of a run stop at these places (letters), each with whether it was surely the code's own doing."""
    work = Work(compose(Lesson.load(LESSON, WORKBOOK)), Lesson.load(LESSON, WORKBOOK), Limits())
    left = iter(tries)

    def one_try(work: Work, _sandbox: Sandbox, _wanted: set[str], *, checkpoints: bool) -> Attempt:
        places, sure = next(left)
        ran = {"outputs": {}, "stopped": list(places), "seconds": 0.0, "cpu_seconds": 0.0}
        return Attempt({work.cells_key: ran}, frozenset(places), complete=checkpoints or not places, sure=sure)

    monkeypatch.setattr(examiner, "_run_once", one_try)
    return work


@pytest.mark.parametrize(
    ("tries", "stops", "sure"),
    [
        ([("", True)], "", True),
        ([("a", False), ("a", False)], "a", True),  # again in another sandbox
        ([("a", False), ("", True)], "", True),
        ([("a", False), ("ab", True)], "ab", True),  # endless loops: processor seconds leave no doubt
        ([("a", False), ("ab", False), ("abc", False)], "ab", True),
        ([("a", False), ("b", False), ("", True)], "", True),
        ([("a", False), ("bc", False), ("c", False)], "c", True),
        ([("a", False), ("b", False), ("c", False)], "c", False),
        ([("a", False), ("b", False), ("cd", False)], "b", False),
    ],
)
def test_a_stop_is_sure_when_it_happened_twice_or_was_the_codes_own_doing(monkeypatch, tries, stops, sure):
    work = tried(monkeypatch, *tries)
    found = run(work, Sandbox(WORKBOOK), set(work.keys))
    assert (found.stopped_at, found.sure) == (frozenset(stops), sure)


@pytest.mark.parametrize(
    ("tries", "stops", "sure"),
    [
        ([("", True)], "", True),
        ([("a", False), ("a", False), ("a", False)], "a", False),
        ([("a", False), ("ab", True)], "ab", True),
        ([("a", False), ("ab", False), ("", True)], "", True),
    ],
)
def test_a_stop_while_the_computer_runs_out_of_memory_is_never_believed_for_being_twice(
    monkeypatch, tries, stops, sure
):
    kills = itertools.count()
    monkeypatch.setattr(examiner, "out_of_memory_kills", lambda: next(kills))
    work = tried(monkeypatch, *tries)
    found = run(work, Sandbox(WORKBOOK), set(work.keys))
    assert (found.stopped_at, found.sure) == (frozenset(stops), sure)


def test_the_kernel_tells_how_many_processes_it_killed_for_want_of_memory(monkeypatch):
    assert processes.out_of_memory_kills() == int(re.search(r"oom_kill (\d+)", Path("/proc/vmstat").read_text())[1])
    monkeypatch.setattr(processes, "_read", lambda path: "oom_kill_other 3\noom_kill 7\n")
    assert processes.out_of_memory_kills() == 7
    monkeypatch.setattr(processes, "_read", lambda path: "")  # a kernel that does not tell
    assert processes.out_of_memory_kills() == 0


@pytest.mark.parametrize("places", ["aaa", "abc"])
def test_only_sure_stops_are_stored_and_become_marks(monkeypatch, tmp_path, places):
    lesson, store = Lesson.load(LESSON, WORKBOOK), ResultStore(tmp_path)
    work = tried(monkeypatch, *((place, False) for place in places))
    for key in work.questions.values():
        store.put(key, PASSED)
    sure = len(set(places)) == 1
    with contextlib.nullcontext() if sure else pytest.raises(SandboxLost, match="Run the same command again"):
        examine(compose(lesson), lesson, Sandbox(WORKBOOK), store)
    assert (store.get(work.cells_key) is not None) is sure
    tried(monkeypatch, *((place, False) for place in places))  # once more, as one of a class
    monkeypatch.setattr("autograder.sandbox.parent.shared_sandbox", Sandbox)
    entries = examine_one(json.dumps(compose(lesson)), LESSON, WORKBOOK.folder, set(work.questions.values()), 0)
    assert bool(entries) is sure


def test_who_was_set_aside_is_written_last_so_that_nobody_waits(tmp_path, monkeypatch):
    wanted = {student: tmp_path / student for student in ("ada", "bob", "eve")}
    results = {"ada": {}, "bob": {"key": 1}, "eve": {"key": 2}}  # no entries: ada's run was not sure
    written = []
    monkeypatch.setattr(grade, "_listed_submissions", lambda course, lesson: (wanted, {}, []))
    monkeypatch.setattr(grade, "_totals", lambda course, lesson: {})
    monkeypatch.setattr("autograder.intake.notebook.take_in_submission", lambda *_: SimpleNamespace(notebook={}))
    monkeypatch.setattr(
        "autograder.examine.work.Work",
        lambda *_: SimpleNamespace(
            cells=[], keys=["key"], seed=0, was_stopped=bool, stored=lambda get: {"key": get("key")}
        ),
    )
    monkeypatch.setattr(grade, "_examined", lambda *_: results.items())
    monkeypatch.setattr(
        "autograder.gradebook.converters.write", lambda course, lesson, ordered, *_: written.extend(ordered)
    )
    monkeypatch.setattr("autograder.gradebook.regrades.apply_requests", lambda *_: [])
    monkeypatch.setattr("autograder.gradebook.books.renew_penalties", lambda *_: None)
    monkeypatch.setenv("ATTENTION_WORKBOOK_STORE", str(tmp_path / "store"))
    grade.grade(LESSON, course=Course(tmp_path))
    assert written == ["bob", "eve", "ada"]


def test_force_examines_again_who_was_stopped_and_nobody_else(monkeypatch, tmp_path):
    lesson, store = Lesson.load(LESSON, WORKBOOK), ResultStore(tmp_path / "store")
    configure(tmp_path)
    monkeypatch.setenv("ATTENTION_WORKBOOK_STORE", str(tmp_path / "store"))
    name, cell = next(iter(lesson.solutions.items()))
    paths = {
        student: hand_in(compose(lesson, {name: f"{cell.code}\n# {student}"}), Course(tmp_path), student, LESSON)
        for student in ("calm", "stopped")
    }
    examined = []
    examine_one = grade.examine_one
    monkeypatch.setattr(grade, "examine_one", lambda *given: examined.append(given[0]) or examine_one(*given))
    cleaned = []
    monkeypatch.setattr(ResultStore, "clean", lambda store: cleaned.append(store))
    grade.grade(LESSON, course=Course(tmp_path))
    assert len(examined) == 2 and len(cleaned) == 1  # the store stays bounded without a command

    work = Work(
        take_in_submission(paths["stopped"], lesson).notebook, lesson, Limits(), course_secret(Course(tmp_path))
    )
    key = list(work.questions.values())[-1]
    store.put(key, [one | {"outcome": "stopped", "reason": None} for one in store.get(key)])
    grade.grade(LESSON, course=Course(tmp_path), force=True)
    assert len(examined) == 3 and "# stopped" in examined[-1]
    assert books.marks(Course(tmp_path), LESSON)["stopped"] == books.marks(Course(tmp_path), LESSON)["calm"]
    assert {verdict["outcome"] for verdict in store.get(key)} == {"passed"}

    store.put(work.cells_key, store.get(work.cells_key) | {"stopped": ["cell x: stopped"]})
    grade.grade(LESSON, course=Course(tmp_path))
    assert len(examined) == 3
    grade.grade(LESSON, course=Course(tmp_path), force=True)
    assert len(examined) == 4


def test_who_lasts_too_long_is_set_aside_and_believed_when_tried_alone(monkeypatch, warm):
    """In a class after one run, so that nobody waits for it; alone it is run again, and the stop counts."""
    monkeypatch.setattr("autograder.sandbox.watch.waited_seconds", lambda pid: time.monotonic())
    runs = []
    monkeypatch.setattr(Sandbox, "session", lambda self, language: runs.append(1) or usual(self, language))
    lesson = Lesson.load(LESSON, WORKBOOK)
    notebook = compose(lesson)
    notebook.cells.insert(0, nbformat.v4.new_code_cell("import time\ntime.sleep(60)", id="sleeper"))
    with limited(warm, Limits(cell_wall_seconds=1.0, total_wall_seconds=60.0)):
        work = Work(notebook, lesson, warm.limits)
        attempt = run(work, warm, set(work.keys))
        assert attempt.set_aside and not attempt.sure and len(runs) == 1
        attempt = run(work, warm, set(work.keys), alone=True)
        assert attempt.sure and attempt.stopped_at == {"sleeper"} and len(runs) == 3
    assert points(work.result(attempt.entries)) == perfect()
