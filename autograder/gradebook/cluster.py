"""Examining on a Dask cluster: workers that cannot do it are found out before anything is asked of them.

A worker needs this workbook, the same packages, and bubblewrap, see docs/administrator.md. What is asked first is sent
as text, so that a worker that lacks the workbook can answer; and what is to be done is sent by value, so that one that
joins later fails at its first notebook, with a sentence, in place of dying while it unpacks the call.
"""

import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograder.common.errors import GradingError
from autograder.common.paths import ROOT
from autograder.examine.hashes import course_hash

# Seconds: until a cluster that was asked for has its first worker (Slurm starts them when there is room; wait there
# before grading is started), and without any worker, until no other is waited for.
FIRST_WORKER, WITHOUT_WORKERS = 60.0, 60.0
# Seconds between two looks at whether there are workers still.
LOOK = 5.0
# Is the workbook there, is it this one with these packages, and where is bubblewrap; run on every worker.
ASKED = (
    "(__import__('importlib.util').util.find_spec('autograder') and "
    "__import__('autograder.examine.hashes', fromlist=['hashes']).course_hash({lesson!r}), "
    "__import__('shutil').which('bwrap'))"
)
DOCUMENTED = "see docs/administrator.md, Grading on a cluster"


@contextlib.contextmanager
def connected(scheduler: str, lesson_name: str) -> Iterator[Any]:
    """Yield a client of a cluster all of whose workers can examine. Raises: GradingError."""
    from dask.distributed import Client

    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # what it would say in a traceback, we say
    try:
        client = Client(scheduler, timeout=10)
    except (OSError, ValueError) as error:
        raise GradingError(f"The Dask scheduler {scheduler} does not answer ({error}); is it running?") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=FIRST_WORKER)
        except TimeoutError:
            raise GradingError(
                f"The Dask scheduler {scheduler} has no worker after {FIRST_WORKER:.0f} s; start some, {DOCUMENTED}, "
                "then run the same command again."
            ) from None
        _refuse_the_unfit(client, lesson_name)
        yield client


def _refuse_the_unfit(client: Any, lesson_name: str) -> None:
    """Raises: GradingError, naming a worker that cannot examine, and why."""
    wanted = course_hash(lesson_name)
    for worker, answer in client.run(eval, ASKED.format(lesson=lesson_name), on_error="return").items():
        wrong = ""
        if isinstance(answer, BaseException):
            wrong = f"cannot load the workbook ({type(answer).__name__}: {answer})"
        elif not answer[0]:
            wrong = f"has no workbook; start it with PYTHONPATH={ROOT} (the workbook's folder there)"
        elif answer[0] != wanted:
            wrong = "has another version of the workbook or of its packages; bring both to what is here"
        elif not answer[1]:
            wrong = "has no bubblewrap; install it there (sudo apt-get install bubblewrap)"
        if wrong:
            raise GradingError(f"The Dask worker {worker} {wrong}; {DOCUMENTED}. Nothing was graded.")


def by_value(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports another where it is called; Dask sends what has no place of its own by value."""

    def call(*args: Any) -> Any:
        import importlib

        return getattr(importlib.import_module(module), name)(*args)

    return call


def completed(client: Any, jobs: Iterable[Any]) -> Iterator[Any]:
    """Yield jobs as they end. Raises: GradingError when the scheduler ended, or no worker was there for a while."""
    from dask.distributed import CancelledError, wait

    pending, seen = list(jobs), time.monotonic()
    while pending:
        try:
            done, waiting = wait(pending, timeout=LOOK, return_when="FIRST_COMPLETED")
        except TimeoutError:
            done, waiting = set(), pending
        except CancelledError:  # by nobody here
            raise GradingError(
                f"The Dask scheduler ended, and {len(pending)} notebooks are not examined; start the cluster, "
                f"{DOCUMENTED}, then run the same command again: what is done is kept."
            ) from None
        yield from done
        pending = list(waiting)
        if done or client.scheduler_info(n_workers=-1)["workers"]:
            seen = time.monotonic()
        elif time.monotonic() - seen > WITHOUT_WORKERS:
            raise GradingError(
                f"The cluster has lost all its workers, and {len(pending)} notebooks are not examined; start workers, "
                f"{DOCUMENTED}, then run the same command again: what is done is kept."
            )
