"""Examining on a Dask cluster: each worker is checked before it gets work.

Dask is in the extra `cluster`, and imported only here. A worker needs this workbook, the same packages, and bubblewrap,
see docs/administrator.md. The check is sent as text, so that a worker without the workbook can answer it. Jobs are sent
by value, so that an unfit worker that joins later raises an error with a sentence at its first notebook, instead of
dying while it unpickles the call. A worker has no files of a course, so a course's own lessons are examined here.
"""

import contextlib
import logging
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from autograder.common.errors import GradingError
from autograder.common.paths import ROOT
from autograder.examine.hashes import workbook_hash

# Seconds to wait for a cluster's first worker (Slurm may start workers later: grade after that), and for another worker
# when all are lost.
FIRST_WORKER, WITHOUT_WORKERS = 60.0, 60.0
# Seconds between two checks that there are workers.
CHECK_EVERY = 5.0
# Evaluated on each worker: the hash of its workbook and packages (None without workbook), and the path of bubblewrap.
WORKER_FACTS = (
    "(__import__('importlib.util').util.find_spec('autograder') and "
    "__import__('autograder.examine.hashes', fromlist=['hashes']).workbook_hash({lesson!r}), "
    "__import__('shutil').which('bwrap'))"
)
DOCUMENTED = "see docs/administrator.md, Grading on a cluster"


@contextlib.contextmanager
def connected(scheduler: str, lesson_name: str) -> Iterator[Any]:
    """Yield a client of a cluster, after a check that all its workers can examine. Raises: GradingError."""
    try:
        from dask.distributed import Client
    except ImportError:
        raise GradingError(
            "Grading on a cluster needs Dask, which is not installed here; in the workbook's folder, type: "
            'python -m pip install --editable ".[cluster]"'
        ) from None
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)  # its tracebacks; the errors below say the same
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
        _refuse_unfit_workers(client, lesson_name)
        yield client


def _refuse_unfit_workers(client: Any, lesson_name: str) -> None:
    """Raises: GradingError, with the address of a worker that cannot examine, and the reason."""
    our_hash = workbook_hash(lesson_name)
    for worker, answer in client.run(eval, WORKER_FACTS.format(lesson=lesson_name), on_error="return").items():
        reason = ""
        if isinstance(answer, BaseException):
            reason = f"cannot load the workbook ({type(answer).__name__}: {answer})"
        elif not answer[0]:
            reason = f"has no workbook; start it with PYTHONPATH={ROOT} (the workbook's folder there)"
        elif answer[0] != our_hash:
            reason = "has another version of the workbook or of its packages; make both the same as here"
        elif not answer[1]:
            reason = "has no bubblewrap; install it there (sudo apt-get install bubblewrap)"
        if reason:
            raise GradingError(f"The Dask worker {worker} {reason}; {DOCUMENTED}. Nothing was graded.")


def by_value(module: str, name: str) -> Callable[..., Any]:
    """Return a function that imports `module` on the worker and calls `name`. Dask sends local functions by value."""

    def call(*args: Any) -> Any:
        import importlib

        return getattr(importlib.import_module(module), name)(*args)

    return call


def completed(client: Any, jobs: Iterable[Any]) -> Iterator[Any]:
    """Yield jobs as they end. Raises: GradingError if the scheduler ends, or all workers are lost for too long."""
    from dask.distributed import CancelledError, wait

    pending, workers_seen = list(jobs), time.monotonic()
    while pending:
        try:
            done, waiting = wait(pending, timeout=CHECK_EVERY, return_when="FIRST_COMPLETED")
        except TimeoutError:
            done, waiting = set(), pending
        except CancelledError:  # the scheduler has ended: nothing here cancels jobs
            raise GradingError(
                f"The Dask scheduler ended, and {len(pending)} notebooks are not examined; start the cluster, "
                f"{DOCUMENTED}, then run the same command again: finished work is kept."
            ) from None
        yield from done
        pending = list(waiting)
        # Workers that examine a long notebook finish nothing for minutes; only their absence is a reason to give up.
        if done or client.scheduler_info(n_workers=-1)["workers"]:
            workers_seen = time.monotonic()
        elif time.monotonic() - workers_seen > WITHOUT_WORKERS:
            raise GradingError(
                f"The cluster has lost all its workers, and {len(pending)} notebooks are not examined; start workers, "
                f"{DOCUMENTED}, then run the same command again: finished work is kept."
            )
