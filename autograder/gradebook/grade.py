"""`python -m autograder grade`: a class' submissions, examined in parallel, then written by nbgrader.

First the result store is filled, by worker processes here or on a Dask cluster; a worker's job is a
pure function from a notebook to results, so it does not matter where it runs. Then nbgrader's own
autograde writes gradebook and `autograded/` from the store, one student after the other, as the one
writer of the database. Killed at any moment, the same command goes on where it was.
"""

import contextlib
import json
import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from autograder.common.paths import ROOT, require_lesson
from autograder.examine.store import Store
from autograder.gradebook.state import UNSAFE, Done, GradingError, only_one
from autograder.intake.folder import submissions
from utils.common.errors import WorkbookError


@dataclass
class Report:
    """What a run did: students graded, left as they were, and those whose grading failed, with the reason."""

    graded: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)


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
    require_lesson(lesson)
    found, refused = submissions(course, lesson)
    if not found and not refused:
        raise GradingError(
            f"There are no submissions of {lesson} in {course / 'submitted'}; nbgrader keeps them as "
            f"submitted/STUDENT/{lesson}/{lesson}.ipynb (see `nbgrader collect` and `nbgrader zip_collect`)."
        )
    with only_one(course):
        done = Done(course, lesson)
        report = Report(failed=refused)
        wanted = {}
        for student, path in found.items():
            if not force and done.is_unchanged(student, path):
                report.unchanged.append(student)
            else:
                wanted[student] = path
        if wanted:
            _fill(lesson, wanted, jobs, scheduler, on_step)
            from autograder.gradebook import converters

            converters.write(course, lesson, wanted, done, report, on_step)
    return report


def all_unchanged(course: Path, lesson: str) -> int:
    """Return how many submissions there are when none is new or changed since it was graded, else 0."""
    require_lesson(lesson)
    done = Done(course, lesson)
    found, refused = submissions(course, lesson)
    return len(found) if not refused and all(done.is_unchanged(student, path) for student, path in found.items()) else 0


# ---- filling the store ----------------------------------------------------------------------------------


def _fill(lesson: str, wanted: dict[str, Path], jobs: int, scheduler: str, on_step: Callable) -> None:
    """Examine what the store lacks."""
    from autograder.examine.examiner import Work
    from autograder.intake.notebook import take_in_submission
    from autograder.lesson.text import Lesson
    from autograder.sandbox.limits import Limits

    store = Store()
    missing: dict[str, tuple[Any, set[str]]] = {}
    for student, path in wanted.items():
        notebook = take_in_submission(path, lesson).notebook
        work = Work(notebook, Lesson.load(lesson), None if os.environ.get(UNSAFE) else Limits())
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


def examine_one(text: str, lesson: str, keys: set[str]) -> dict[str, Any]:
    """Run one notebook and return the store's entries; the same in any process, on any machine."""
    import nbformat
    import torch

    from autograder.examine.examiner import Work
    from autograder.lesson.text import Lesson
    from autograder.sandbox.parent import shared_sandbox

    notebook = nbformat.from_dict(json.loads(text))
    if os.environ.get(UNSAFE):
        return Work(notebook, Lesson.load(lesson), None).run(None, keys)
    torch.set_num_threads(1)  # workers share the cores, and two threads each would slow all of them
    sandbox = shared_sandbox()
    return Work(notebook, Lesson.load(lesson), sandbox.limits).run(sandbox, keys)


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
        from autograder.sandbox.bubblewrap import ONE_THREAD

        os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
        context = get_context("forkserver")  # which loads torch once, not once a worker
        context.set_forkserver_preload(["autograder.examine.examiner"])
        with ProcessPoolExecutor(jobs, mp_context=context) as pool:
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
