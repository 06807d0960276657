"""A day of a class, compressed: hand-ins by a clock, kills, an update of the workbook, marks in a platform's gradebook.

    python -m benchmarks.day [--minutes 10] [--hand-ins 120]

The roster of 300 comes from Open edX's own package (`make open-edx`), or else from the platform that the tests play.
Few hand in at night, most before midnight. The watcher is killed at random moments; at noon the workbook changes, and
the watcher must start anew. `workbook grade` and `workbook send` are typed at noon and in the evening, and the first
sender of the evening is killed. In the end each mark in the platform's gradebook is compared with the student's best
attempt.
"""

import argparse
import contextlib
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from autograder.common.course import Course
from autograder.common.paths import ROOT
from autograder.gradebook import books
from benchmarks.door import LESSON, LONGEST, STUDENTS, Door, check, notebooks, scratch
from benchmarks.proof import open_edx
from tests.helpers.learning_platform import Platform
from tests.helpers.platform_class import take_roster

CLOCK = [2, 1, 1, 1, 1, 1, 2, 3, 5, 8, 8, 8, 6, 8, 8, 8, 7, 6, 6, 8, 10, 14, 20, 30]  # how many hand in, by the hour
KILLS = 6
Book = Callable[[], tuple[int, dict[str, float]]]  # the number of columns, and student -> share of the maximum


@contextlib.contextmanager
def connected(course: Course) -> Iterator[tuple[str, Book]]:
    """Connect a course with a platform; yield the platform's name, and a function that returns its gradebook."""
    if open_edx.PYTHON.exists():
        with open_edx.served(course, STUDENTS) as edx:
            yield "Open edX's own package", lambda: numbered(edx.book())
    else:
        there = Platform(STUDENTS)
        there.connect(course.folder)
        yield "the platform of the tests", lambda: numbered((len(there.columns), there.book))
        there.close()


def numbered(book: tuple[int, dict[str, float]]) -> tuple[int, dict[str, float]]:
    """Name students by the number at the end of their name on the platform."""
    columns, shares = book
    return columns, {f"{int(name.rpartition('-')[2])}": share for name, share in shares.items()}


def play(folder: Path, minutes: float, hand_ins: int, seed: int) -> list[str]:
    """Play the day; print its figures, and return what is wrong in the end."""
    rng, workbook = random.Random(seed), folder / "workbook"
    for name in ("autograder", "utils", "source", "release", "notebooks"):
        shutil.copytree(ROOT / name, workbook / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("nbgrader_config.py", "pyproject.toml"):
        shutil.copy(ROOT / name, workbook)
    door = Door(folder, 2, workbook)
    config = door.course / "nbgrader_config.py"
    config.write_text(config.read_text().replace(repr(str(ROOT)), repr(str(workbook))))
    (door.course / "course.toml").write_text(
        f'[attention]\nkeep = "best"\nattempts = 10\nwithout = {[*LESSON.essays]}\n'
    )
    (door.course / "students.csv").unlink()
    with connected(door.course) as (platform, book):
        take_roster(door.course)
        hours = rng.choices(range(24), CLOCK, k=hand_ins)
        moments = sorted(((hour + rng.random()) * minutes * 2.5 for hour in hours), reverse=True)
        kills = sorted((rng.uniform(0, minutes * 60) for _ in range(KILLS)), reverse=True)
        texts, names, left, noon = notebooks(rng), the_class(door), 0, True
        door.start()
        door.wait_until_warm()
        begun, before = time.time(), door.measure()
        while moments or (len(door.seen) < hand_ins and time.time() < begun + minutes * 60 + LONGEST):
            now = time.time() - begun
            while moments and now >= moments[-1]:
                moments.pop()
                door.hand_in(rng.choice(names), next(texts))
            if kills and now >= kills[-1]:
                kills.pop()
                left += door.kill()
                door.start()
            if noon and now >= minutes * 30 and door.seen:
                noon = False
                exam = workbook / "source" / LESSON.name / "exam.py"
                exam.write_text(exam.read_text() + "\n# A new version.\n")
                done = [door.workbook_command(word, LESSON.name).wait() for word in ("grade", "send")]
                print(f"at noon, grade and send ended with {done}; {len(book()[1])} marks in the platform's gradebook")
            door.look()
            time.sleep(0.1)
        cpu = door.measure() - before
        print(f"{door.seconds()}; {cpu / hand_ins:.2f} CPU-s each; {door.memory / 1e9:.2f} GB; {left} processes left")
        ended = [door.workbook_command("grade", LESSON.name).wait()]
        sender, there = door.workbook_command("send", LESSON.name), len(book()[1])
        while len(book()[1]) <= there + 5 and sender.poll() is None:
            time.sleep(0.05)
        sender.kill()
        killed_at = len(book()[1])
        sender.wait()
        ended += [door.workbook_command("send", LESSON.name).wait()]
        left = door.kill()
        columns, shares = book()
        anew = door.log.read_text().count("restarting")
        print(f"{platform}: {columns} column, {len(shares)} marks; handed in: {len(door.count)} students")
        print(f"the sender was killed with {killed_at} marks there; then grade and send ended with {ended}")
        print(f"{KILLS} kills of the watcher, {anew} new start by itself")
        print("; ".join(check(door)))
        return wrong(door, columns, shares) + [f"{left} processes are left"] * bool(left)


def the_class(door: Door) -> list[str]:
    lines = (door.course / "students.csv").read_text(encoding="utf-8-sig").split("\n")
    return [line.partition(",")[0] for line in lines[1:] if line]


def wrong(door: Door, columns: int, shares: dict[str, float]) -> list[str]:
    """Return what is wrong in the platform's gradebook."""
    found = [f"{columns} columns"] if columns != 1 else []
    marks = books.standings(door.course, LESSON.name)
    for student in door.count:
        mine, share = marks[student].total / marks[student].max_score, shares.get(str(int(student[1:])))
        if share is None or abs(mine - share) > 1e-4:
            found.append(f"{student}: {share} there, {mine} here")
    return found + [f"{len(shares)} marks for {len(door.count)}"] * (len(shares) != len(door.count))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--hand-ins", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with scratch() as folder:
        complaints = play(folder, options.minutes, options.hand_ins, options.seed)
    print("\n".join(complaints) or "each mark in the platform's gradebook is the student's best attempt")
    sys.exit(bool(complaints))
