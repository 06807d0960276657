"""The same marks from a Dask cluster: a run is a function, and any process may do it."""

import ast
import inspect
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.common.paths import ROOT
from autograder.gradebook import books, cluster, grade
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from tests.helpers.dask_cluster import WITHOUT, WORKERS, Cluster

pytestmark = pytest.mark.whole

Client = pytest.importorskip("dask.distributed", reason=WITHOUT).Client
PAGE = ROOT / "docs" / "administrator.md"
LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)


def test_a_scheduler_that_does_not_answer_is_one_sentence(tmp_path):
    hand_in(compose(ATTENTION), Course(tmp_path), "ada", LESSON)
    command = [sys.executable, "-m", "autograder", "grade", LESSON, "--course", str(tmp_path)]
    environment = os.environ | {"ATTENTION_WORKBOOK_STORE": str(tmp_path / "store")}
    command += ["--scheduler", "tcp://127.0.0.1:9"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "The Dask scheduler tcp://127.0.0.1:9 does not answer" in done.stderr
    assert "Traceback" not in done.stderr


# ---- workers that cannot, and workers that die ----------------------------------------------------------------


@pytest.fixture
def dask(tmp_path) -> Iterator[Cluster]:
    started = Cluster(tmp_path)
    yield started
    started.close()


def refused(address: str) -> str:
    with pytest.raises(GradingError) as found, cluster.connected(address, LESSON):
        pass
    return str(found.value)


@pytest.mark.filterwarnings(WORKERS)
def test_a_worker_that_cannot_examine_is_found_out_before_anything_is_asked_of_it(dask, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "FIRST_WORKER", 0.5)
    assert "has no worker after 0 s; start some" in refused(dask.address)
    monkeypatch.undo()
    first = dask.worker()
    assert "has no workbook; start it with PYTHONPATH=" in refused(dask.address)
    first.kill()
    first.wait()
    bare = tmp_path / "bin"
    bare.mkdir()
    second = dask.worker(PYTHONPATH=str(ROOT), PATH=str(bare))
    while "has no workbook" in (said := refused(dask.address)):  # until the first one is forgotten
        time.sleep(0.2)
    assert "has no bubblewrap; install it there" in said and "Nothing was graded." in said
    second.kill()
    second.wait()
    other = tmp_path / "other"
    (other / "autograder" / "examine").mkdir(parents=True)
    for package in (other / "autograder", other / "autograder" / "examine"):
        (package / "__init__.py").touch()
    (other / "autograder" / "examine" / "hashes.py").write_text("def workbook_hash(lesson): return 'an older one'")
    dask.worker(PYTHONPATH=str(other))
    while "has no bubblewrap" in (said := refused(dask.address)):
        time.sleep(0.2)
    assert "has another version of the workbook" in said


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    """A class of six, all different, so that there is work left when the first is done; the last left gaps open."""
    monkeypatch.setenv("ATTENTION_WORKBOOK_STORE", str(tmp_path / "own-store"))
    for number in range(6):
        essay = {next(iter(ATTENTION.essays)): f"Answer {number}."}
        code = {next(iter(ATTENTION.solutions)): f"# {number}\n" + next(iter(ATTENTION.solutions.values())).code}
        notebook = compose(ATTENTION, essay if number == 5 else essay | code, blank=number == 5)
        hand_in(notebook, Course(tmp_path / "class"), f"s{number}", LESSON)
    return tmp_path / "class"


def killing(*doomed: subprocess.Popen) -> tuple[Callable[[str, str, int, int], None], list[str]]:
    """A listener that kills these processes when the first notebook is examined; and whose were examined there."""
    examined: list[str] = []

    def on_step(stage: str, student: str, done: int, total: int) -> None:
        if stage == "examined":
            if not examined:
                for process in doomed:
                    process.send_signal(signal.SIGKILL)
            examined.append(student)

    return on_step, examined


@pytest.mark.filterwarnings(WORKERS)
def test_what_a_dead_worker_had_to_do_is_done_by_another(dask, course):
    workers = [dask.worker(PYTHONPATH=str(ROOT)) for _ in range(2)]
    on_step, examined = killing(workers[0])
    summary = grade.grade(LESSON, course=Course(course), scheduler=dask.address, on_step=on_step)
    assert sorted(examined) == summary.graded == [f"s{number}" for number in range(6)]
    assert not summary.failed
    most = sum(cell.points for cell in ATTENTION.of_role("test"))
    marks = {student: one.total for student, one in books.standings(Course(course), LESSON).items()}
    assert marks == {f"s{number}": most for number in range(5)} | {"s5": 0}


@pytest.mark.filterwarnings(WORKERS)
def test_a_cluster_without_workers_is_not_waited_for_for_ever(dask, course, monkeypatch):
    monkeypatch.setattr(cluster, "WITHOUT_WORKERS", 2.0)
    monkeypatch.setattr(cluster, "CHECK_EVERY", 0.5)
    on_step, examined = killing(dask.worker(PYTHONPATH=str(ROOT)))
    with pytest.raises(GradingError, match=r"lost all its workers, and \d notebooks are not examined; start workers"):
        grade.grade(LESSON, course=Course(course), scheduler=dask.address, on_step=on_step)
    assert 1 <= len(examined) < 6
    assert len(grade.grade(LESSON, course=Course(course)).graded) == 6


@pytest.mark.filterwarnings(WORKERS)
def test_a_scheduler_that_ends_meanwhile_is_one_sentence(dask):
    with Client(dask.address) as client:
        jobs = [client.submit(abs, -number) for number in range(3)]  # no worker takes them
        dask.running[0].kill()
        with pytest.raises(GradingError, match="scheduler ended, and 3 notebooks are not examined; start the cluster"):
            list(cluster.completed(client, jobs))


def test_the_commands_that_administrators_read_are_dasks_own():
    text = PAGE.read_text(encoding="utf-8")
    commands = re.findall(r"python -m dask (\w+)(.*)", text)
    assert {kind for kind, _ in commands} == {"scheduler", "worker", "ssh"}
    for kind, options in commands:
        said = subprocess.run([sys.executable, "-m", "dask", kind, "--help"], capture_output=True, text=True).stdout
        named = set(re.findall(r"--[a-z-]+", options))
        known = {form for option in re.findall(r"--[a-z-]+(?:\s*/\s*--[a-z-]+)?", said) for form in option.split(" / ")}
        assert named and named <= known, (kind, named - known)
    assert cluster.DOCUMENTED.endswith("Grading on a cluster") and "\n## Grading on a cluster\n" in text


@pytest.mark.parametrize(
    ("module", "asked", "name"),
    [
        ("dask.distributed", "SSHCluster", "SSHCluster"),
        ("dask_jobqueue.core", "SLURMCluster", "Job"),  # to which the cluster passes on what it is given
        ("dask_kubernetes.operator", "make_cluster_spec", "make_cluster_spec"),
    ],
)
def test_the_python_that_administrators_read_calls_what_is_there(module, asked, name):
    blocks = [ast.parse(block) for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)]
    calls = [node for block in blocks for node in ast.walk(block) if isinstance(node, ast.Call)]
    (call,) = [one for one in calls if isinstance(one.func, ast.Name) and one.func.id == asked]
    function = getattr(pytest.importorskip(module, reason=f"{module} is not installed"), name)
    given = {keyword.arg for keyword in call.keywords} - {"walltime"}  # Slurm's own
    assert given and given <= set(inspect.signature(function).parameters)
