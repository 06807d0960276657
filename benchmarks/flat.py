"""Does a submission cost the same in a class of ten and in one of thousands? One class is graded, measured in slices.

    python -m benchmarks.flat [--submissions 3000] [--lesson attention]
    python -m benchmarks.flat --hostile --submissions 1000

One process examines all submissions and writes the results (`--jobs 1`). A hostile class (of `attention`) hands in
attacks in place of answers, no two of them equal. Measured after each slice: the CPU seconds of this process and its
sandboxes, from a cgroup (Linux, root), and the memory of both.
"""

import argparse
import itertools
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.common.course import WORKBOOK, Course
from autograder.common.settings import STORE_FOLDER
from autograder.gradebook.grade import grade
from autograder.lesson.text import Lesson
from autograder.sandbox.parent import shared_sandbox
from autograder.sandbox.processes import descendants, share_of_bytes
from benchmarks.grading import CGROUP, OURS, make_released, mixed
from tests.attacks import corpus

SLICES = (10, 30, 100, 300, 1000, 3000)
FLAT = CGROUP.with_name("attention-workbook-flat")
MIB = 2**20
# Attacks that run until they are stopped, because a thousand of them would take a day.
SLOW = (
    *("harm__big_list", "harm__crashing_answer", "harm__dying_bomb", "harm__endless_answer", "harm__ref_bomb"),
    *("harm__sleeping_answer", "marks__exit_in_answer", "marks__slow_dict"),
)


def seconds() -> float:
    """Return the CPU seconds of this process and its sandboxes, including processes that have ended."""
    return int((FLAT / "cpuacct.usage").read_text()) / 1e9


def memory() -> tuple[int, int]:
    """Return the MiB of this process, and of all its sandboxes' processes together."""
    parent = shared_sandbox().process
    inside = sum(map(share_of_bytes, descendants(parent.pid))) if parent else 0
    return share_of_bytes(os.getpid()) // MIB, inside // MIB


def hostile(number: int) -> dict[str, dict]:
    """Return `number` submissions, each with an attack, in turn, as the answer to every question."""
    chosen = [attack for attack in corpus.attacks() if attack.place == "answer" and attack.name not in SLOW]
    return {
        f"student{index:04d}": {"cells": corpus.answers_of(attack)}
        for index, attack in zip(range(number), itertools.cycle(chosen), strict=False)
    }


def slices(number: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last submission of each slice."""
    ends = [0, *(end for end in SLICES if end < number), number]
    yield from itertools.pairwise(ends)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--submissions", type=int, default=3000)
    options.add_argument("--lesson", default="attention")
    options.add_argument("--hostile", action="store_true")
    chosen = options.parse_args()
    ends = {end: first for first, end in slices(chosen.submissions)}
    with tempfile.TemporaryDirectory() as folder:
        os.environ[STORE_FOLDER] = str(Path(folder, "store"))
        course, lesson = Path(folder, "course"), Lesson.load(chosen.lesson, WORKBOOK)
        class_ = hostile(chosen.submissions) if chosen.hostile else mixed(lesson, chosen.submissions)
        make_released(course, lesson, class_, OURS)
        FLAT.mkdir(exist_ok=True)
        (FLAT / "cgroup.procs").write_text(str(os.getpid()))
        print("| step | submissions | CPU-s each | wall s each | grader MiB | sandbox MiB |")
        print("| --- | --- | --- | --- | --- | --- |")
        before = {kind: [seconds(), time.monotonic()] for kind in ("examined", "written")}

        def on_step(kind: str, _student: str, number: int, _total: int) -> None:
            if kind == "examined" and number == chosen.submissions:
                before["written"] = [seconds(), time.monotonic()]
            if number in ends:
                now, count = [seconds(), time.monotonic()], number - ends[number]
                cpu, wall = ((one - other) / count for one, other in zip(now, before[kind], strict=True))
                ours, inside = memory()
                row = f"| {kind} | {ends[number] + 1} to {number} | {cpu:.3f} | {wall:.2f} | {ours} | {inside} |"
                print(row, flush=True)
                before[kind] = [seconds(), time.monotonic()]

        os.chdir(course)
        grade(lesson.name, course=Course(course), on_step=on_step)


if __name__ == "__main__":
    main()
