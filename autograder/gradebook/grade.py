"""`python -m autograder grade`: a class's submissions are examined in parallel, then written by nbgrader.

First the result store is filled, by worker processes here or on a Dask cluster; a worker's job is a pure function from
a notebook to results, so it can run anywhere. Then nbgrader's own autograde writes the gradebook and `autograded/` from
the store, one student after the other, because the database has one writer. If the run is killed at any moment, the
same command continues it.
"""

import contextlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol, cast

from autograder.common.course import Course
from autograder.common.errors import GradingError, SandboxLost
from autograder.examine.store import ResultStore
from autograder.gradebook.log import changes, read_log
from autograder.gradebook.secret import course_secret
from autograder.gradebook.state import Done, only_one
from autograder.gradebook.summary import OnStep, RunSummary, no_progress
from autograder.gradebook.task import Entries, Task, examine_one, task_of
from autograder.intake import attempts
from autograder.intake.folder import strangers, submissions
from autograder.intake.roster import excused
from utils.common.errors import WorkbookError

if TYPE_CHECKING:  # imported inside functions, so that a run with nothing to do loads no heavy module
    from autograder.lesson.text import Lesson

# How many pools of workers a notebook may be given to: a killed worker breaks its pool and all jobs in it.
TRIES = 3


class Job(Protocol):
    """A call that a worker was given: a future of Python's executors or of Dask, or an `InProcessJob`."""

    def result(self) -> Entries:
        """Return the worker's result, or raise the worker's exception."""


# A function that gives a function and its arguments to a worker.
Submit = Callable[..., Job]
# A function that yields jobs as they end.
Completed = Callable[[Iterable[Job]], Iterable[Job]]


def grade(
    lesson_name: str,
    *,
    course: Course,
    jobs: int = 1,
    scheduler: str = "",
    force: bool = False,
    on_step: OnStep = no_progress,
) -> RunSummary:
    """Grade all submissions of a lesson that are new or changed.

    `jobs` is the number of worker processes, `scheduler` the address of a Dask cluster to be used instead. `force`
    grades unchanged submissions, too. `on_step` is called after each step. Raises: GradingError, one sentence, if
    nothing can be graded at all.
    """
    course.parts_of(lesson_name)
    paths, refused, unknown = _listed_submissions(course, lesson_name)
    if not paths and not refused and not unknown:
        raise GradingError(
            "There are no submissions of {lesson} in {folder}; nbgrader keeps them as "
            "submitted/STUDENT/{lesson}/{lesson}.ipynb (see `workbook collect`).",
            lesson=lesson_name,
            folder=course / "submitted",
        )
    with only_one(course):
        done = Done(course, lesson_name)
        before = _totals(course, lesson_name) if paths else {}
        note = partial(_note, course, lesson_name)
        note()  # what other programs have changed since the last command
        _check_tables(course, lesson_name, {*paths, *before})
        if attempts.kept(course, lesson_name):
            from autograder.gradebook import best

            best.choose_all(course, lesson_name, partial(_fill, jobs=jobs, scheduler=scheduler, on_step=on_step))
            paths, refused, unknown = _listed_submissions(course, lesson_name)
        # A student who is not in the gradebook is graded again, because the gradebook may have been lost.
        unchanged = {s for s, path in paths.items() if not force and s in before and done.is_unchanged(s, path)}
        changed = {student: path for student, path in paths.items() if student not in unchanged}
        logs = {student: read_log(course, lesson_name, student) for student in before.keys() & changed.keys()}
        summary = RunSummary(unchanged=[s for s in paths if s in unchanged], failed=refused, strangers=unknown)
        if changed:
            from autograder.course.own import bring_up_to_date
            from autograder.gradebook import configuration, converters
            from autograder.lesson.text import Lesson

            lesson = Lesson.load(lesson_name, course)
            bring_up_to_date(lesson)
            language = configuration.configuration(course).Translate.get("language", "en")
            secret = course_secret(course)
            doubtful = _fill(lesson, changed, secret, jobs, scheduler, on_step, force=force, language=language)
            # Doubtful notebooks go last: nbgrader's step examines them again, when no other job takes CPU time.
            ordered = {student: changed[student] for student in sorted(changed, key=doubtful.__contains__)}
            try:
                converters.write(course, lesson, ordered, done, summary, on_step)
            finally:
                summary.moved_by = {s: changes(log, read_log(course, lesson_name, s)) for s, log in logs.items()}
                note("GRADE", why=summary.moved_by)
            ResultStore().clean()
        if paths:
            from autograder.gradebook import books, regrades
            from autograder.lesson.text import Lesson

            summary.news += regrades.apply_requests(course, Lesson.load(lesson_name, course))
            books.renew_penalties(course, lesson_name)
            summary.lost = len(note("LATE_RULE"))
            after = _totals(course, lesson_name)
            summary.moved = {s: (mark, after[s]) for s, mark in before.items() if s in after and after[s] != mark}
    return summary


def _note(course: Course, lesson_name: str, what: str = "ELSEWHERE", **about: Any) -> dict[Any, Any]:
    """Bring the ledger up to date with the gradebook; return the marks by hand that the gradebook has lost."""
    from autograder.gradebook import configuration, ledger

    url = configuration.gradebook_url(course)
    return ledger.witness(course, url, getattr(ledger, what), lesson=lesson_name, **about)


def _check_tables(course: Course, lesson_name: str, students: set[str]) -> None:
    """Read all settings of the course before anything is examined or written. Raises: CourseError.

    `students`: those who have a mark of the lesson, or will have one after this run.
    """
    excused(course, lesson_name)
    if (course / "regrades.csv").is_file():  # else the modules that grading needs are not loaded yet
        from autograder.gradebook import regrades
        from autograder.lesson.text import Lesson

        regrades.requests(course, Lesson.load(lesson_name, course), students)


def _listed_submissions(course: Course, lesson_name: str) -> tuple[dict[str, Path], dict[str, str], list[str]]:
    """Return the submissions and the refused folders of listed students, and the students who are not in the list."""
    paths, refused = submissions(course, lesson_name)
    unknown = strangers(course, [*paths, *refused])
    listed = {student: path for student, path in paths.items() if student not in unknown}
    return listed, {student: why for student, why in refused.items() if student not in unknown}, unknown


def _totals(course: Course, lesson_name: str) -> dict[str, float]:
    from autograder.gradebook import books

    return {student: standing.total for student, standing in books.standings(course, lesson_name).items()}


def all_unchanged(course: Course, lesson_name: str) -> int:
    """Return the number of submissions if none is new or changed since it was graded, else 0."""
    course.parts_of(lesson_name)
    if attempts.kept(course, lesson_name):  # it may be the turn of one by now
        return 0
    done = Done(course, lesson_name)
    paths, refused, _ = _listed_submissions(course, lesson_name)
    if refused or not done.is_settled() or not all(done.is_unchanged(*submission) for submission in paths.items()):
        return 0
    return len(paths)


# ---- filling the store ----------------------------------------------------------------------------------


def _fill(
    lesson: "Lesson",
    paths: dict[str, Path],
    secret: str,
    jobs: int,
    scheduler: str,
    on_step: OnStep,
    *,
    force: bool,
    language: str = "en",
) -> set[str]:
    """Examine the questions that the store lacks; return the students whose notebooks have to be examined once more.

    With `force`, notebooks that were stopped are examined again, whole, because the stop may have made later cells
    fail. Old entries stay in the store until the new ones replace them. `language`: the course's.
    """
    store = ResultStore()
    missing: dict[str, Task] = {}
    for student, path in paths.items():
        if task := task_of(lesson, path, secret, language, force=force):
            missing[student] = task
    done = 0
    waiting, doubtful = missing, set()
    for _ in range(TRIES):
        failed: dict[str, Task] = {}
        for student, entries in _examined(lesson, waiting, jobs, scheduler) if waiting else ():
            if entries is None:
                failed[student] = waiting[student]
                continue
            if not entries:  # the run was doubtful, see `task.examine_one`
                doubtful.add(student)
            for key, entry in entries.items():
                store.put(key, entry)
            done += 1
            on_step("examined", student, done, len(missing))
        waiting = failed
    return doubtful | set(waiting)


def _examined(
    lesson: "Lesson", tasks: dict[str, Task], jobs: int, scheduler: str
) -> Iterator[tuple[str, Entries | None]]:
    """Examine notebooks; yield each student with the entries, or with None if the worker or its sandbox died.

    If a worker dies, all jobs of its pool that are not done fail. nbgrader's step examines a notebook that failed at
    the last try, in this process. Raises: WorkbookError for a lesson that cannot be examined.
    """
    with _workers(lesson, min(jobs, len(tasks)), scheduler) as (submit, completed):
        running = {}
        for student, task in tasks.items():
            arguments = (task.text, lesson.name, lesson.course.folder, task.keys, task.seed)
            try:
                running[submit(examine_one, *arguments)] = student
            except BrokenProcessPool:
                yield student, None
        for job in completed(running):
            student = running.pop(job)  # drops the job's result, because those of a large class take gigabytes
            try:
                entries = tasks[student].accept(job.result())
            except SandboxLost:
                yield student, None
            except WorkbookError:
                raise
            except Exception as error:
                logging.getLogger(__name__).info("%s was not examined: %s", student, error)
                yield student, None
            else:
                yield student, entries


@contextlib.contextmanager
def _workers(lesson: "Lesson", jobs: int, scheduler: str) -> Iterator[tuple[Submit, Completed]]:
    """Yield the functions `submit` and `completed` of this process, of worker processes, or of a Dask cluster.

    Raises: GradingError for a cluster that cannot examine.
    """
    if scheduler:
        from autograder.gradebook import cluster

        def submit(function: Callable[..., Entries], *args: Any) -> Job:
            job: Job = client.submit(cluster.by_value(function.__module__, function.__name__), *args, pure=False)
            return job

        with cluster.connected(scheduler, lesson.name) as client:
            yield submit, partial(cluster.completed, client)
    elif jobs > 1:
        with pool_of(jobs) as pool:
            yield pool.submit, cast(Completed, as_completed)
    else:
        yield InProcessJob, list


def pool_of(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of worker processes that can examine."""
    from autograder.sandbox.bubblewrap import ONE_THREAD

    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    context = get_context("forkserver")  # loads torch once instead of once for each worker
    context.set_forkserver_preload(["autograder.gradebook.forked"])
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=end_with_grader)


def end_with_grader() -> None:
    """Make this worker process, and its sandbox, end when the grader ends; a thread waits for that."""

    def wait() -> None:
        if (grader := parent_process()) is not None:
            grader.join()
            os._exit(1)

    Thread(target=wait, daemon=True).start()


class InProcessJob:
    """A job that this process does when `result` is called, so that earlier results are in the store by then."""

    def __init__(self, function: Callable[..., Entries], *args: Any):
        self.function = function
        self.args = args

    def result(self) -> Entries:
        return self.function(*self.args)
