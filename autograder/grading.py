"""`python -m autograder grade`: a class' submissions, examined in parallel, then written by nbgrader.

First the result store is filled, by worker processes here or on a Dask cluster; a worker's job is a
pure function from a notebook to results, so it does not matter where it runs. Then nbgrader's own
autograde writes gradebook and `autograded/` from the store, one student after the other, as the one
writer of the database. Killed at any moment, the same command goes on where it was.
"""

import contextlib
import fcntl
import json
import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from autograder.lesson import ROOT, Lesson
from autograder.store import Store, course_hash
from utils.errors import WorkbookError

CONFIG = ROOT / "nbgrader_config.py"


class GradingError(WorkbookError):
    """Grading cannot go on; the sentence says what to do. What was graded stays graded."""


@dataclass
class Report:
    """What a run did: students graded, left as they were, and those whose grading failed, with the reason."""

    graded: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


def submissions(course: Path, lesson: str) -> dict[str, Path]:
    """Return the submitted notebooks by student, in order of names."""
    found = {}
    for folder in sorted((course / "submitted").glob("*")):
        path = folder / lesson / f"{lesson}.ipynb"
        if path.is_symlink() or path.exists():
            found[folder.name] = path
    return found


def grade(
    lesson: str,
    *,
    course: Path = ROOT,
    jobs: int = 1,
    scheduler: str = "",
    force: bool = False,
    on_step: Callable[[str, str, int, int], None] = lambda stage, student, done, total: None,
) -> Report:
    """Grade all submissions of a lesson that are new or changed; `on_step` hears of the progress.

    Raises: GradingError, one sentence, when nothing can be graded at all.
    """
    Lesson.load(lesson)
    found = submissions(course, lesson)
    if not found:
        raise GradingError(
            f"There are no submissions of {lesson} in {course / 'submitted'}; nbgrader keeps them as "
            f"submitted/STUDENT/{lesson}/{lesson}.ipynb (see `nbgrader collect` and `nbgrader zip_collect`)."
        )
    with _only_one(course):
        done = Done(course, lesson)
        report = Report()
        wanted = {}
        for student, path in found.items():
            if not force and done.is_unchanged(student, path):
                report.unchanged.append(student)
            else:
                wanted[student] = path
        if wanted:
            _fill(lesson, wanted, jobs, scheduler, on_step)
            _write(course, lesson, wanted, done, report, on_step)
    return report


# ---- filling the store ----------------------------------------------------------------------------------


def _fill(lesson: str, wanted: dict[str, Path], jobs: int, scheduler: str, on_step: Callable) -> None:
    """Examine what the store lacks."""
    from autograder import unsafe
    from autograder.examiner import Work
    from autograder.intake import take_in

    store = Store()
    missing: dict[str, tuple[Any, set[str]]] = {}
    for student, path in wanted.items():
        notebook = take_in(path, lesson).notebook
        work = Work(notebook, lesson, sandboxed=not os.environ.get(unsafe.VARIABLE))
        keys = {key for key in work.keys if store.get(key) is None}
        if keys:
            missing[student] = (json.dumps(notebook), keys)
    with _workers(min(jobs, len(missing)), scheduler) as submit:
        running = {submit(examine_one, text, lesson, keys): student for student, (text, keys) in missing.items()}
        for number, job in enumerate(_completed(running, scheduler), start=1):
            try:
                entries = job.result()
            except WorkbookError:
                raise
            except Exception as error:  # a worker that died, say; nbgrader's step examines this one again
                logging.getLogger(__name__).warning("%s was not examined at first: %s", running[job], error)
                entries = {}
            for key, entry in entries.items():
                store.put(key, entry)
            on_step("examined", running[job], number, len(missing))


_sandbox: list[Any] = []


def examine_one(text: str, lesson: str, keys: set[str]) -> dict[str, Any]:
    """Run one notebook and return the store's entries; the same in any process, on any machine."""
    import atexit

    import nbformat

    from autograder import unsafe
    from autograder.examiner import Work
    from autograder.sandbox.host import Sandbox

    notebook = nbformat.from_dict(json.loads(text))
    if os.environ.get(unsafe.VARIABLE):
        return Work(notebook, lesson, sandboxed=False).run(None, keys)
    if not _sandbox:
        _one_thread()
        _sandbox.append(Sandbox())
        atexit.register(_sandbox[0].close)
    return Work(notebook, lesson).run(_sandbox[0], keys)


def _one_thread() -> None:
    """Keep torch to one thread: workers share the cores, and two threads each would slow all of them."""
    import torch

    torch.set_num_threads(1)


@contextlib.contextmanager
def _workers(jobs: int, scheduler: str) -> Iterator[Callable[..., Future]]:
    """Yield a `submit` that runs a function in this process, in worker processes, or on a Dask cluster."""
    if scheduler:
        from dask.distributed import Client

        try:
            client = Client(scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise GradingError(f"The Dask scheduler {scheduler} does not answer ({error}); is it running?") from None
        with client:
            yield lambda *task: client.submit(*task, pure=False)
    elif jobs > 1:
        for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
            os.environ[name] = "1"
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            yield pool.submit
    else:
        yield _run_here


def _run_here(function: Callable, *args: Any) -> Future:
    job: Future = Future()
    job.set_result(function(*args))
    return job


def _completed(jobs: dict, scheduler: str) -> Iterator:
    if scheduler:
        from dask.distributed import as_completed as dask_completed

        return dask_completed(list(jobs))
    return as_completed(jobs)


# ---- nbgrader's part --------------------------------------------------------------------------------------


def configuration(course: Path) -> Any:
    """Return nbgrader's configuration of this course: the one that its own commands load, and our steps in any case."""
    from traitlets.config import PyFileConfigLoader

    from autograder.nbgrader_steps import configure

    # nbgrader starts `alembic` by name to make a gradebook; it lies beside this Python.
    beside = str(Path(sys.executable).parent)
    if beside not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([beside, os.environ.get("PATH", "")])
    local = course / "nbgrader_config.py"
    config = PyFileConfigLoader(str(local if local.is_file() else CONFIG)).load_config()
    config.CourseDirectory.root = str(course)
    configure(config)
    return config


def converter(kind: type, course: Path, lesson: str, student: str = "*", **options: Any) -> Any:
    """Return one of nbgrader's converters, quiet, for one student."""
    from nbgrader.coursedir import CourseDirectory

    config = configuration(course)
    config.CourseDirectory.assignment_id = lesson
    config.CourseDirectory.student_id = student
    log = logging.getLogger("autograder.nbgrader")
    log.propagate = False
    log.setLevel(logging.CRITICAL)
    made = kind(coursedir=CourseDirectory(config=config), config=config, **options)
    made.log = log
    return made


def prepare(course: Path, lesson: str) -> None:
    """Make sure that the gradebook knows the lesson as the sources have it, by `generate_assignment`.

    Raises: GradingError when graded cells were added or removed though submissions exist.
    """
    from nbgrader.api import Gradebook, MissingEntry
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory

    from autograder.lesson import write_notebook

    source = course / "source" / lesson / f"{lesson}.ipynb"
    if not source.is_file():
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(write_notebook(Lesson.load(lesson).to_notebook()), encoding="utf-8")
    url = CourseDirectory(config=configuration(course)).db_url
    wanted = {c.grade_id: c.source for c in Lesson.load(lesson).of_role("solution", "test", "essay", "given", "show")}
    with Gradebook(url) as gradebook:
        try:
            known = {cell.name: cell.source for cell in gradebook.find_notebook(lesson, lesson).source_cells}
        except MissingEntry:
            known = {}
        tests = {c.grade_id: c.hidden for c in Lesson.load(lesson).of_role("test")}
        if set(known) == set(wanted) and all(hidden in known[name] for name, hidden in tests.items()):
            return
    try:
        converter(GenerateAssignment, course, lesson, ".", force=True).start()
    except Exception as error:
        raise GradingError(
            f"The gradebook holds another release of {lesson} ({error}); put source/{lesson}.py back to the text that "
            "was released, or grade in a course folder of its own (--course)."
        ) from None


def _write(course: Path, lesson: str, wanted: dict[str, Path], done: "Done", report: Report, on_step: Callable) -> None:
    """Let nbgrader write gradebook and `autograded/`, student by student."""
    from nbgrader.converters import Autograde
    from sqlalchemy.exc import OperationalError, SAWarning

    warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")  # nbgrader's own, of no consequence
    try:
        prepare(course, lesson)
        for number, (student, path) in enumerate(wanted.items(), start=1):
            try:
                converter(Autograde, course, lesson, student, force=True).start()
            except OperationalError:
                raise
            except Exception as error:
                report.failed[student] = " ".join(str(error).split())[:300] or type(error).__name__
            else:
                report.graded.append(student)
                done.note(student, path)
            on_step("written", student, number, len(wanted))
    except OperationalError as error:
        reason = str(getattr(error, "orig", error))
        raise GradingError(
            f"The gradebook cannot be written ({reason}); close other programs that use it (formgrader, another "
            "grading), check that its folder is writable, then run the same command again: nothing is lost."
        ) from None


@contextlib.contextmanager
def _only_one(course: Path) -> Iterator[None]:
    """Hold the course's lock: SQLite bears one writer. Raises: GradingError when another grading runs."""
    path = course / ".grading" / "lock"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = path.open("w")
    except OSError as error:
        raise GradingError(
            f"The folder {path.parent} cannot be written ({error.strerror}); nothing was changed."
        ) from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise GradingError("Another grading of this course is running; wait for it, then run this again.") from None
        yield


class Done:
    """What has been graded, so that an unchanged submission costs nothing: one small file per student."""

    def __init__(self, course: Path, lesson: str):
        self.course = course
        self.lesson = lesson
        self.folder = course / ".grading" / "done" / lesson
        self.mode = os.environ.get("AUTOGRADER_UNSAFE", "")

    def _fingerprint(self, path: Path) -> str:
        try:
            gradebook = os.stat(self.course / "gradebook.db").st_ino
        except OSError:
            gradebook = 0
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        return sha256(f"{course_hash(self.lesson)} {gradebook} {self.mode} ".encode() + content).hexdigest()

    def is_unchanged(self, student: str, path: Path) -> bool:
        graded = self.course / "autograded" / student / self.lesson / f"{self.lesson}.ipynb"
        try:
            noted = (self.folder / student).read_text(encoding="utf-8")
        except OSError:
            return False
        return graded.is_file() and noted == self._fingerprint(path)

    def note(self, student: str, path: Path) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self.folder / f".{student}.{os.getpid()}"
        part.write_text(self._fingerprint(path), encoding="utf-8")
        part.replace(self.folder / student)


def feedback(course: Path, lesson: str) -> None:
    """Write every graded student's feedback, by `nbgrader generate_feedback`."""
    from nbgrader.converters import GenerateFeedback

    converter(GenerateFeedback, course, lesson, force=True).start()


def marks(course: Path, lesson: str) -> dict[str, dict[str, float | None]]:
    """Return each student's score by graded cell from the gradebook; None where a person has yet to grade."""
    from nbgrader.api import Gradebook
    from nbgrader.coursedir import CourseDirectory

    url = CourseDirectory(config=configuration(course)).db_url
    with Gradebook(url) as gradebook:
        found = {}
        for submission in gradebook.assignment_submissions(lesson):
            grades = submission.notebooks[0].grades if submission.notebooks else []
            found[submission.student.id] = {g.name: None if g.needs_manual_grade else g.score for g in grades}
        return found
