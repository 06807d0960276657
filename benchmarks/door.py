"""How soon `workbook watch` answers a hand-in, what that costs, and whether kills lose anything.

    python -m benchmarks.door [--students 300] [--hand-ins 40] [--seconds 600] [--jobs 2] [--kills 0] [--grades 0]

A class hands in `attention` at random moments, as `nbgrader submit` writes folders; no two notebooks are
equal, every fourth has a mistake. The time runs until the page is where `nbgrader fetch_feedback` looks. Meanwhile the
watcher is killed (SIGKILL) and started again, and `workbook grade` is typed. At the end attempts, pages and marks are
compared with what was handed in. Recorded in door.md.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

import psutil
from nbgrader.utils import notebook_hash

from autograder import mistakes
from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.course import new
from autograder.gradebook import books
from autograder.intake.attempts import Attempts
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook

LESSON = Lesson.load("attention", WORKBOOK)
LONGEST = 600  # seconds to wait after the last hand-in


@dataclass
class Door:
    """A course with an exchange, its watcher, and what was handed in: when, and where its page will be."""

    folder: Path
    jobs: int
    sent: dict[str, float] = field(default_factory=dict)
    pages: dict[str, Path] = field(default_factory=dict)
    seen: dict[str, float] = field(default_factory=dict)
    cpu: float = 0.0
    memory: int = 0

    def __post_init__(self) -> None:
        self.course, self.exchange = Course(self.folder / "term"), self.folder / "exchange" / "dl"
        new.make(self.course.folder, "dl", "en", exchange=self.exchange.parent)
        (self.exchange / "inbound").mkdir(parents=True, exist_ok=True)
        with (self.course / "nbgrader_config.py").open("a") as file:
            file.write("\nc.ExchangeCollect.check_owner = False\n")
        (self.course / "course.toml").write_text('[attention]\nkeep = "best"\nattempts = 10\n')

    def start(self) -> None:
        command = [sys.executable, "-m", "autograder", "watch", LESSON.name, "--jobs", str(self.jobs)]
        command += ["--course", str(self.course)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.process.stdout.readline()
        os.set_blocking(self.process.stdout.fileno(), False)

    def measure(self) -> float:
        """Return the CPU-s of the watcher so far, with all its processes and the most memory (PSS)."""
        total, memory = 0.0, 0
        watcher = psutil.Process(self.process.pid)
        for process in (watcher, *watcher.children(recursive=True)):
            try:
                times = process.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
                memory += process.memory_full_info().pss
            except psutil.Error:
                continue
        self.memory = max(self.memory, memory)
        return total

    def kill(self, rng: random.Random) -> int:
        """Kill the watcher; return how many of its processes are there a minute later."""
        self.cpu += self.measure()
        family = psutil.Process(self.process.pid).children(recursive=True)
        self.process.kill()
        self.process.wait()
        left = len(psutil.wait_procs(family, 60)[1])
        time.sleep(rng.uniform(0, 1))
        self.start()
        return left

    def hand_in(self, student: str, number: int, text: str) -> None:
        said = f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M:%S.%f} UTC"
        folder = self.exchange / "inbound" / f"{student}+{LESSON.name}+{said}+{number}"
        folder.mkdir()
        secret = f"{student}+{number}".encode().hex().zfill(128)
        for name, content in (
            (f"{LESSON.name}.ipynb", text),
            ("timestamp.txt", said),
            ("submission_secret.txt", secret),
        ):
            (folder / name).write_text(content)
        key = f"{student} {number}"
        self.sent[key] = time.time()
        self.pages[key] = self.exchange / "feedback" / f"{notebook_hash(secret=secret, notebook_id=LESSON.name)}.html"

    def look(self) -> None:
        for key in self.sent.keys() - self.seen.keys():
            if self.pages[key].is_file():
                self.seen[key] = self.pages[key].stat().st_mtime


def notebook_of(student: str, number: int, wrong: bool) -> str:
    """Return a notebook that no other student has: a right one, or one with a mistake."""
    known = list(mistakes.load(LESSON).values())
    chosen = known[hash((student, number)) % len(known)]
    cells = {chosen.cell: mistakes.code_of(LESSON, chosen)} if wrong else {}
    first = next(iter(LESSON.solutions))
    cells[first] = f"# {student} {number}\nmine = {number}\n{cells.get(first, LESSON.solutions[first].code)}"
    return write_notebook(compose(LESSON, cells))


def play(door: Door, told: argparse.Namespace) -> None:
    rng = random.Random(told.seed)
    students = [f"s{number:03}" for number in range(told.students)]
    (door.course / "students.csv").write_text("\n".join(["id", *students, ""]))
    count: dict[str, int] = {}
    plan = []
    for moment in sorted(rng.uniform(0, told.seconds) for _ in range(told.hand_ins)):
        student = rng.choice(students[: max(1, told.hand_ins * 2 // 3)])  # some hand in more than once
        count[student] = count.get(student, 0) + 1
        plan.append((moment, student, count[student], notebook_of(student, count[student], rng.random() < 0.25)))
    kills = sorted((rng.uniform(0, told.seconds) for _ in range(told.kills)), reverse=True)
    grades = sorted((rng.uniform(0, told.seconds) for _ in range(told.grades)), reverse=True)
    typed: list[subprocess.Popen[bytes]] = []
    door.start()
    idle = door.measure()
    time.sleep(told.idle)
    print(f"idle: {(door.measure() - idle) / max(told.idle, 1):.2%} of a core; start: {idle:.1f} CPU-s", flush=True)
    begun, left, before = time.time(), 0, door.measure()
    while plan or (len(door.seen) < told.hand_ins and time.time() < begun + told.seconds + LONGEST):
        now = time.time() - begun
        while plan and now >= plan[0][0]:
            door.hand_in(*plan.pop(0)[1:])
        if kills and now >= kills[-1]:
            kills.pop()
            left += door.kill(rng)
        if grades and now >= grades[-1]:
            grades.pop()
            command = [sys.executable, "-m", "autograder", "grade", LESSON.name, "--course", str(door.course)]
            typed.append(subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL))
        door.look()
        time.sleep(0.1)
    failed = sum(process.wait() != 0 for process in typed)
    cpu = door.cpu + door.measure() - before
    door.process.terminate()
    door.process.wait()
    late = sorted(door.seen[key] - door.sent[key] for key in door.seen)
    print(
        f"{len(late)} of {told.hand_ins} pages; seconds: median {late[len(late) // 2]:.1f}, 95 % "
        f"{late[int(len(late) * 0.95)]:.1f}, longest {late[-1]:.1f}; {cpu / told.hand_ins:.2f} CPU-s each; "
        f"{door.memory / 1e9:.2f} GB; {told.kills} kills, {left} processes left; {failed} of {len(typed)} grade failed"
    )
    check(door.course, count)


def check(course: Course, count: dict[str, int]) -> None:
    """Print how many attempts and marks differ from what was handed in."""
    kept, marks = Attempts(course, LESSON.name), books.standings(course, LESSON.name)
    lost = sum(len(kept.of(student)) != number for student, number in count.items())
    twice = len(kept.rows.answered) - len(set(kept.rows.answered))
    tests = {cell.grade_id for cell in LESSON.of_role("test")}
    wrong = 0
    for student in count:
        best = max(kept.rows.points[one.key][1] for one in kept.of(student))
        wrong += abs(best - sum(score for name, score in marks[student].scores.items() if name in tests)) > 1e-6
    print(f"students with other attempts: {lost}; answered twice: {twice}; book not the best: {wrong}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (
        ("students", 300),
        ("hand-ins", 40),
        ("seconds", 600),
        ("jobs", 2),
        ("kills", 0),
        ("grades", 0),
        ("idle", 20),
        ("seed", 0),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    folder = Path(tempfile.mkdtemp(prefix="door-"))
    os.environ["ATTENTION_WORKBOOK_STORE"] = str(folder / "store")
    try:
        options = parser.parse_args()
        play(Door(folder, options.jobs), options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
