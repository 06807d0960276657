"""How soon `workbook watch` answers a hand-in, what that costs, and whether kills lose anything.

    python -m benchmarks.door          the rows of door.md, one after the other, in 12 minutes on a quiet machine
    python -m benchmarks.door NAME     one of them: forty, rush, one-worker, two-workers, grade
    python -m benchmarks.door NAME --seconds 600      the same hand-ins in another time

A class of 300 hands in `attention` at random moments, as `nbgrader submit` writes folders; no two notebooks are equal,
every fourth has a mistake, some students hand in more than once, and the best attempt counts. The time runs until the
page is where `nbgrader fetch_feedback` looks. Meanwhile the watcher is killed (SIGKILL) and started again, and
`workbook grade` is typed. At the end attempts, pages and marks are compared with what was handed in.
"""

import argparse
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple

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
from autograder.site import private

LESSON = Lesson.load("attention", WORKBOOK)
STUDENTS = 300
LONGEST = 600  # seconds to wait after the last hand-in
WARM, IDLE = 3, 10  # seconds between two looks whether the workers have loaded, and in which nothing is handed in


class Row(NamedTuple):
    """What is played. The bars are for 600 s; fewer seconds are harder, and all rows together end in 12 minutes."""

    hand_ins: int
    seconds: float
    jobs: int = 2
    kills: int = 0
    grades: int = 0


ROWS = {
    "forty": Row(40, 100),
    "rush": Row(300, 180),
    "one-worker": Row(25, 110, jobs=1, kills=25),
    "two-workers": Row(25, 110, kills=25),
    "grade": Row(20, 50, grades=20),
}


@dataclass
class Door:
    """A course with an exchange, its watcher, and what was handed in: when, and where its page will be."""

    folder: Path
    jobs: int = 2
    workbook: Path = ROOT
    sent: dict[str, float] = field(default_factory=dict)
    pages: dict[str, Path] = field(default_factory=dict)
    seen: dict[str, float] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    count: dict[str, int] = field(default_factory=dict)
    cpu: float = 0.0  # of watchers that were killed
    memory: int = 0  # the most bytes of all processes (PSS), in a look each few seconds
    looked: float = 0.0

    def __post_init__(self) -> None:
        self.course, self.exchange = Course(self.folder / "term"), self.folder / "exchange" / "dl"
        self.log = self.folder / "watch.log"
        new.make(self.course.folder, "dl", "en", exchange=self.exchange.parent)
        (self.exchange / "inbound").mkdir(parents=True, exist_ok=True)
        with (self.course / "nbgrader_config.py").open("a") as file:
            file.write("\nc.ExchangeCollect.check_owner = False\n")
        (self.course / "course.toml").write_text('[attention]\nkeep = "best"\nattempts = 10\n')
        self.students = [f"s{number:03}" for number in range(STUDENTS)]
        (self.course / "students.csv").write_text("\n".join(["id", *self.students, ""]))

    def workbook_command(self, *words: str) -> "subprocess.Popen[str]":
        """Start `workbook WORDS` for this course."""
        command = [sys.executable, "-m", "autograder", *words, "--course", str(self.course)]
        with self.log.open("a") as log:
            return subprocess.Popen(command, cwd=self.workbook, stdout=log, stderr=log, text=True)

    def start(self) -> None:
        self.process = self.workbook_command("watch", LESSON.name, "--jobs", str(self.jobs))

    def wait_until_warm(self) -> None:
        """Wait until the watcher and its workers have loaded: until they take less than 0.05 CPU-s in a few seconds."""
        while "watching" not in self.log.read_text():
            time.sleep(0.2)
        time.sleep(2 * WARM)
        before = 0.0
        while (now := self.measure()) > before + 0.05:
            before = now
            time.sleep(WARM)

    def family(self) -> list[psutil.Process]:
        try:
            watcher = psutil.Process(self.process.pid)
            return [watcher, *watcher.children(recursive=True)]
        except psutil.Error:
            return []

    def measure(self) -> float:
        """Return the CPU-s of all watchers so far, with all their processes; note the most memory."""
        total, memory = self.cpu, 0
        for process in self.family():
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
                memory += process.memory_full_info().pss
        self.memory, self.looked = max(self.memory, memory), time.time()
        return total

    def kill(self) -> int:
        """Kill the watcher; return how many of its processes are left a minute later."""
        self.cpu = self.measure()
        family = self.family()[1:]
        self.process.kill()
        self.process.wait()
        return len(psutil.wait_procs(family, 60)[1])

    def hand_in(self, student: str, text: str) -> None:
        self.count[student] = number = self.count.get(student, 0) + 1
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
        self.sent[key], self.texts[key] = time.time(), text
        self.pages[key] = self.exchange / "feedback" / f"{notebook_hash(secret=secret, notebook_id=LESSON.name)}.html"

    def look(self) -> None:
        for key in self.sent.keys() - self.seen.keys():
            if self.pages[key].is_file():
                self.seen[key] = self.pages[key].stat().st_mtime
        if time.time() > self.looked + 3:
            self.measure()

    def seconds(self) -> str:
        """Return how long the pages took."""
        late = sorted(self.seen[key] - self.sent[key] for key in self.seen) or [0.0]
        median, most = late[len(late) // 2], late[int(len(late) * 0.95)]
        pages = f"{len(self.seen)} of {len(self.sent)} pages"
        return f"{pages}; median {median:.1f} s, 95 % {most:.1f}, longest {late[-1]:.1f}"


def notebooks(rng: random.Random) -> Iterator[str]:
    """Yield notebooks of which no two are equal: right ones, and each fourth with a mistake."""
    known, first, number = list(mistakes.load(LESSON).values()), next(iter(LESSON.solutions)), 0
    while True:
        number += 1
        chosen = rng.choice(known)
        cells = {chosen.cell: mistakes.code_of(LESSON, chosen)} if rng.random() < 0.25 else {}
        cells[first] = f"# {number}\nmine = {number}\n{cells.get(first, LESSON.solutions[first].code)}"
        yield write_notebook(compose(LESSON, cells))


def play(door: Door, row: Row, seed: int) -> None:
    """Play a row of `ROWS`, and print its figures."""
    rng = random.Random(seed)
    texts = notebooks(rng)
    some = door.students[: max(1, row.hand_ins * 2 // 3)]  # so that some hand in more than once
    moments = sorted((rng.uniform(0, row.seconds) for _ in range(row.hand_ins)), reverse=True)
    plan = [(moment, rng.choice(some), next(texts)) for moment in moments]
    kills = sorted((rng.uniform(0, row.seconds) for _ in range(row.kills)), reverse=True)
    grades = sorted((rng.uniform(0, row.seconds) for _ in range(row.grades)), reverse=True)
    typed: list[subprocess.Popen[str]] = []
    door.start()
    door.wait_until_warm()
    warm = door.measure()
    time.sleep(IDLE)
    before = door.measure()
    print(f"start: {warm:.1f} CPU-s; idle: {(before - warm) / IDLE:.2%} of a core", flush=True)
    begun, left = time.time(), 0
    while plan or kills or grades or (len(door.seen) < row.hand_ins and time.time() < begun + row.seconds + LONGEST):
        now = time.time() - begun
        while plan and now >= plan[-1][0]:
            door.hand_in(*plan.pop()[1:])
        if kills and now >= kills[-1]:
            kills.pop()
            left += door.kill()
            door.start()
        if grades and now >= grades[-1] and door.seen and all(one.poll() is not None for one in typed):
            grades.pop()
            typed.append(door.workbook_command("grade", LESSON.name))
        door.look()
        time.sleep(0.1)
    failed = sum(process.wait() != 0 for process in typed)
    cpu = door.measure() - before
    left += door.kill()
    print(f"{door.seconds()}; {cpu / row.hand_ins:.2f} CPU-s each; {door.memory / 1e9:.2f} GB")
    print(f"{row.kills} kills, {left} processes left; {failed} of {len(typed)} grade failed; {'; '.join(check(door))}")


def check(door: Door) -> list[str]:
    """Return what differs from what was handed in."""
    kept, marks = Attempts(door.course, LESSON.name), books.standings(door.course, LESSON.name)
    lost = sum(len(kept.of(student)) != number for student, number in door.count.items())
    twice = len(kept.rows.answered) - len(set(kept.rows.answered))
    tests = {cell.grade_id for cell in LESSON.of_role("test")}
    wrong = 0
    for student in door.count:
        best = max(kept.rows.points[one.key][1] for one in kept.of(student))
        wrong += abs(best - sum(score for name, score in marks[student].scores.items() if name in tests)) > 1e-6
    second, shown = [key for key in door.seen if not key.endswith(" 1")], 0
    for key in second:
        own = [" ".join("".join(cell["source"]).split()) for cell in json.loads(door.texts[key])["cells"]]
        page = [*private.readings(door.pages[key].read_bytes())]
        shown += any(line in text for line in private.lines() for text in page if not any(line in mine for mine in own))
    return [
        *(f"students with other attempts: {lost}", f"answered twice: {twice}", f"book not the best: {wrong}"),
        f"pages of later attempts that show a hidden line: {shown} of {len(second)}",
    ]


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """Yield a folder, and keep the results of examining in it."""
    folder = Path(tempfile.mkdtemp(prefix="door-"))
    os.environ["ATTENTION_WORKBOOK_STORE"] = str(folder / "store")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ROWS))
    parser.add_argument("--seconds", type=float, help="in which all is handed in")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for name in options.names or ROWS:
        row = ROWS[name]._replace(**{"seconds": options.seconds} if options.seconds else {})
        print(f"{name}: {row}, load {os.getloadavg()[0]:.1f}", flush=True)
        with scratch() as folder:
            play(Door(folder, row.jobs), row, options.seed)
