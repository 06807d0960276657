"""Grading on a Dask cluster that loses a worker and gets a new one: marks, repeated work, throughput.

    python -m benchmarks.dask_scale [--submissions 1000] [--lesson attention]

Four workers on this computer. One is killed after a third of the class, and a new one joins after half of it. The marks
must equal those of a single process, and no submission may be examined more than twice.
"""

import argparse
import contextlib
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.common.settings import STORE_FOLDER
from autograder.gradebook import books, cluster, grade
from autograder.lesson.text import Lesson
from benchmarks.grading import OURS, make_released, mixed

WORKERS = 4


class Workers:
    """A scheduler and workers, each in its own process."""

    def __init__(self, folder: Path):
        self.folder, self.file = folder, folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        while not self.file.exists() or not self.file.read_text().strip():
            time.sleep(0.1)
        self.running = [self.join() for _ in range(WORKERS)]

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", kind, "--scheduler-file", str(self.file), *options]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        return subprocess.Popen(command, cwd=self.folder, env=environment, stderr=subprocess.DEVNULL)

    def join(self) -> subprocess.Popen[bytes]:
        return self._start("worker", "--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard")

    def close(self) -> None:
        for process in (*self.running, self.scheduler):
            process.kill()
            process.wait()


@contextlib.contextmanager
def counted(file: Path) -> Iterator[None]:
    """Make every worker record the submissions that it examines."""
    own = cluster.by_value

    def by_value(module: str, name: str) -> Callable[..., Any]:
        function, place = own(module, name), str(file)

        def call(text: str, *others: Any) -> Any:
            with open(place, "a") as notes:
                notes.write(hashlib.sha256(text.encode()).hexdigest() + "\n")
            return function(text, *others)

        return call

    cluster.by_value = by_value
    try:
        yield
    finally:
        cluster.by_value = own


def graded(course: Path, lesson: Lesson, number: int, on_step: Callable[..., None], **how: Any) -> float:
    """Grade a new class with an empty result store; return the seconds that examining took."""
    os.environ[STORE_FOLDER] = str(course / "store")
    make_released(course, lesson, mixed(lesson, number), OURS)
    examined = {}

    def note(kind: str, student: str, count: int, total: int) -> None:
        on_step(kind, count)
        examined[kind, count] = time.monotonic()

    here, started = os.getcwd(), time.monotonic()
    os.chdir(course)
    grade.grade(lesson.name, course=Course(course), on_step=note, **how)
    os.chdir(here)
    return examined["examined", number] - started


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--submissions", type=int, default=1000)
    options.add_argument("--lesson", default="attention")
    chosen = options.parse_args()
    number, lesson = chosen.submissions, Lesson.load(chosen.lesson, WORKBOOK)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone = graded(folder / "alone", lesson, number, lambda *_: None)
        print(f"one process: {number} in {alone:.0f} s, {number / alone:.2f} a second", flush=True)
        with contextlib.closing(Workers(folder)) as workers, counted(folder / "examined"):

            def trouble(kind: str, count: int) -> None:
                if kind == "examined" and count == number // 3:
                    workers.running[0].kill()
                    print(f"after {count}: one of {WORKERS} workers killed", flush=True)
                if kind == "examined" and count == number // 2:
                    workers.running.append(workers.join())
                    print(f"after {count}: another one joins", flush=True)

            address = json.loads(workers.file.read_text())["address"]
            together = graded(folder / "together", lesson, number, trouble, scheduler=address)
        print(f"Dask: {number} in {together:.0f} s, {number / together:.2f} a second", flush=True)
        times = Counter(Counter((folder / "examined").read_text().split()).values())
        print(f"examined once: {times[1]}, twice: {times[2]}, more often: {sum(times.values()) - times[1] - times[2]}")
        same = books.marks(Course(folder / "alone"), lesson.name) == books.marks(
            Course(folder / "together"), lesson.name
        )
        print(f"marks of {number} students are {'the same' if same else 'DIFFERENT'}")


if __name__ == "__main__":
    main()
