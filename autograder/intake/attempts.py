"""Attempts: each hand-in of a student is copied, numbered and kept, and the best or the last of them counts.

    attempts/LESSON/STUDENT/NNN/     the files of an attempt, as they were handed in
    attempts/LESSON/attempts.json    a row for each attempt; a copy without a row does not count
    submitted/STUDENT/LESSON/        a copy of the attempt that counts, which nbgrader grades

A lesson has attempts if `course.toml` has rules for them (`keep`, `attempts`, `pause`), or `workbook watch` has run.
Folders and times in the exchange are the student's own, so attempts are counted from these copies, and a time is
believed as far as the last look into the exchange agrees: a folder that was not there by then was handed in later.
"""

import contextlib
import fcntl
import hashlib
import json
import math
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from pathlib import Path
from typing import Any

from autograder.common.course import Course
from autograder.common.course_file import BEST, AttemptRules
from autograder.common.errors import CourseError
from autograder.common.paths import MAX_BYTES, open_regular, write_whole
from autograder.common.sentences import T_
from autograder.intake.copying import copy_files
from autograder.intake.folder import secret_of, strangers, submissions, submitted_at
from utils.common.messages import N_, Message

FOLDER = "attempts"
# The ways in. What an instructor puts into submitted/ by hand counts beside all rules.
EXCHANGE, ARCHIVE, HAND = "exchange", "archive", "by hand"
# A time stamp may be so much earlier than the look that did not find its folder: clocks differ, large files take time.
CLOCKS = timedelta(minutes=2)
MOST_BYTES = 4 * MAX_BYTES  # of a folder in submitted/
MOST_AN_HOUR = 30  # copies of one student's folders, because more would fill the disk
TOO_MANY = N_("This attempt was not graded: the number of attempts that count, {most}, was reached before it.")
REPLACED = N_("This attempt was not graded, because a newer one came before it was its turn; it does not count.")


@dataclass(frozen=True)
class Attempt:
    """One hand-in. Times are UTC: `said` by its time stamp, `seen` by us, `at` which is believed."""

    student: str
    number: int
    way: str
    source: str  # the folder's name in the exchange
    said: str
    seen: str
    at: str
    not_there: str  # a look after `said` that did not find the folder, "" if there was none
    secret: str  # a hash of the secret that `nbgrader submit` put beside the notebook, "" for none

    @property
    def key(self) -> str:
        return f"{self.student} {self.number}"

    @property
    def flag(self) -> str:
        """What needs a person's look, "" if nothing does."""
        said, not_there = (time[:16].replace("T", " ") for time in (self.said, self.not_there))
        if not self.not_there:
            return ""
        backdated = N_(
            "attempt {number} has the time {said}, but was not in the exchange at {looked} (UTC): it was backdated, or "
            "completed later"
        )
        return T_(backdated, number=self.number, said=said, looked=not_there)

    @property
    def time(self) -> datetime:
        return datetime.fromisoformat(self.at)

    @property
    def order(self) -> tuple[str, int]:
        return self.at, self.number


@dataclass(frozen=True)
class Turn:
    """When it is an attempt's turn to be graded, or why that never comes."""

    attempt: Attempt
    begins: datetime | None
    why_not: Message | None = None


@dataclass
class Rows:
    """What `attempts.json` holds; `left`: names of folders that the last look saw and did not take."""

    attempts: list[Attempt] = field(default_factory=list)
    looked: str = ""  # when the exchange was looked into last
    left: list[str] = field(default_factory=list)
    placed: dict[str, list[Any]] = field(default_factory=dict)  # student -> number in submitted/, the files' marks
    points: dict[str, list[Any]] = field(default_factory=dict)  # key -> what the points depend on, points, value
    full: dict[str, list[str]] = field(default_factory=dict)  # key -> questions with full points, where it was examined
    answered: list[str] = field(default_factory=list)  # keys of attempts whose page `workbook watch` has given back


def kept(course: Course, lesson_name: str) -> bool:
    """Return whether a lesson's attempts are kept."""
    return course.settings.attempt_rules(lesson_name) is not None or (course / FOLDER / lesson_name).is_dir()


def flags(course: Course, lesson_name: str, student: str) -> list[str]:
    """Return what needs a person's look in the attempt of a student that is in submitted/."""
    held = read(course, lesson_name)
    return [one.flag for one in held.of(student) if one.flag and held.is_placed(one)]


def read(course: Course, lesson_name: str) -> "Attempts":
    """Return a lesson's attempts, read anew if their file has changed. Nobody changes them; for that, see `opened`."""
    file = course / FOLDER / lesson_name / "attempts.json"
    status = file.stat() if file.is_file() else None
    return _read(course, lesson_name, status and (status.st_mtime_ns, status.st_ino))


@lru_cache(maxsize=8)
def _read(course: Course, lesson_name: str, changed: tuple[int, int] | None) -> "Attempts":
    return Attempts(course, lesson_name)


def now() -> datetime:
    """Return the time, UTC, without a zone, as nbgrader keeps times."""
    return datetime.now(timezone.utc).replace(tzinfo=None)


@contextlib.contextmanager
def opened(course: Course, lesson_name: str) -> Iterator["Attempts"]:
    """Yield a lesson's attempts, which no other process changes meanwhile; write them afterwards. Raises: OSError."""
    folder = course / FOLDER / lesson_name
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        attempts = Attempts(course, lesson_name)
        before = attempts.file.read_text(encoding="utf-8") if attempts.file.is_file() else ""
        try:
            yield attempts
        finally:
            if (after := attempts.to_json()) != before:
                write_whole(attempts.file, after)


class Attempts:
    """The attempts of a lesson, read from the course's folder; `opened` writes changes back."""

    def __init__(self, course: Course, lesson_name: str):
        self.course, self.lesson_name = course, lesson_name
        self.folder = course / FOLDER / lesson_name
        self.file = self.folder / "attempts.json"
        rows = json.loads(self.file.read_bytes()) if self.file.is_file() else {}
        self.rows = Rows(**rows | {"attempts": [Attempt(**row) for row in rows.get("attempts", ())]})
        self._of: dict[str, list[Attempt]] = {}
        for attempt in self.rows.attempts:
            self._of.setdefault(attempt.student, []).append(attempt)

    def to_json(self) -> str:
        return json.dumps(vars(self.rows) | {"attempts": list(map(vars, self.rows.attempts))}, ensure_ascii=False)

    @property
    def rules(self) -> AttemptRules:
        return self.course.settings.attempt_rules(self.lesson_name) or AttemptRules()

    @property
    def students(self) -> list[str]:
        return sorted(self._of)

    def of(self, student: str) -> list[Attempt]:
        """Return a student's attempts, in the order of their times."""
        return sorted(self._of.get(student, ()), key=lambda attempt: attempt.order)

    def first_full(self, question: str, students: Iterable[str]) -> dict[int, int]:
        """Return, by the number of an attempt, how many students had a question's full points there for the first time.

        The number 0 comes last: students who have full points at no attempt yet. Students of whom no attempt has been
        examined are left out.
        """
        counts = Counter[int]()
        for student in students:
            examined = [self.rows.full.get(one.key) for one in self.of(student)]
            full = [question in (names or ()) for names in examined]
            if any(names is not None for names in examined):
                counts[full.index(True) + 1 if any(full) else 0] += 1
        return {number: counts[number] for number in sorted(counts, key=lambda number: number or math.inf)}

    def path(self, attempt: Attempt) -> Path:
        """Return the path of an attempt's notebook."""
        return self.folder / attempt.student / f"{attempt.number:03}" / f"{self.lesson_name}.ipynb"

    # ---- taken ------------------------------------------------------------------------------------------------

    def room(self, student: str) -> int:
        """Return how many more folders of a student may be copied in this hour."""
        since = (now() - timedelta(hours=1)).isoformat()
        return MOST_AN_HOUR - sum(attempt.seen > since for attempt in self.of(student))

    def take(
        self, folder: Path, student: str, way: str, skip: Callable[[str, list[str]], list[str]], most: int
    ) -> tuple[Attempt, list[str]]:
        """Copy a folder as a student's next attempt; return that, and the names of links, which are left out.

        `skip` and `most` as in `copy_files`. Nothing that the student does in the exchange afterwards changes an
        attempt. Raises: OSError, ValueError.
        """
        number = len(self.of(student)) + 1
        place = self.folder / student / f"{number:03}"
        shutil.rmtree(place, ignore_errors=True)  # of a process that was killed before it wrote the row
        try:
            odd = copy_files(folder, place, skip, most)
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise
        seen, (said, _) = now(), submitted_at(place)
        looked = None  # the last look that did not find this folder
        if way == EXCHANGE and self.rows.looked and folder.name not in self.rows.left:
            looked = datetime.fromisoformat(self.rows.looked)
        at = seen if said is None else min(max(said, looked or said), seen)
        if way == HAND:  # a corrected time is the student's, and says nothing on when the instructor wrote it
            at = min(_written(folder / f"{self.lesson_name}.ipynb"), seen)
        secret = secret_of(place)
        attempt = Attempt(
            *(student, number, way, folder.name if way == EXCHANGE else ""),
            *("" if said is None else said.isoformat(), seen.isoformat(), at.isoformat()),
            not_there=looked.isoformat() if said and looked and said < looked - CLOCKS else "",
            secret=hashlib.sha256(secret.encode()).hexdigest() if secret else "",
        )
        self.rows.attempts.append(attempt)
        self._of.setdefault(student, []).append(attempt)
        return attempt, odd

    def take_up(self, way: str) -> None:
        """Make attempts of the notebooks in submitted/ that are not yet attempts. Raises: CourseError, OSError."""
        for student, path in submissions(self.course, self.lesson_name)[0].items():
            placed = self.rows.placed.get(student)
            if placed and placed[1] == _marks(path):
                continue
            content = _content(path)
            if content and content not in (_content(self.path(attempt)) for attempt in self.of(student)):
                try:
                    self.take(path.parent, student, way, lambda _place, _names: [], MOST_BYTES)
                except ValueError as error:
                    raise CourseError(
                        f"{path.parent}: {error}; remove everything that is not part of the notebook."
                    ) from None

    def shares_secret(self, attempt: Attempt) -> bool:
        """Return whether another student's attempt has the same secret: then one page would replace the other.

        A copied folder that does not count, or of a student who is not in the list, costs its owner no page.
        """
        same = [one for one in self.rows.attempts if one.secret == attempt.secret and one.student != attempt.student]
        unknown = strangers(self.course, {one.student for one in same})
        counts = self.is_placed(attempt)
        return any(self.is_placed(one) or not counts for one in same if one.student not in unknown)

    # ---- counted ----------------------------------------------------------------------------------------------

    def turns(self, student: str) -> list[Turn]:
        """Return, for each of a student's attempts, when it is its turn to be graded.

        During the pause after an attempt that counts, a newer one replaces one that waits.
        """
        turns, counted, free, ordered, rules = list[Turn](), 0, datetime.min, self.of(student), self.rules
        for attempt, newer in zip(ordered, [*ordered[1:], None], strict=True):
            begins = max(attempt.time, free)
            if attempt.way == HAND:
                turns.append(Turn(attempt, attempt.time))
            elif rules.most is not None and counted >= rules.most:
                turns.append(Turn(attempt, None, Message(TOO_MANY, {"most": rules.most})))
            elif newer and newer.way != HAND and newer.time < begins:
                turns.append(Turn(attempt, None, Message(REPLACED)))
            else:
                counted, free = counted + 1, begins + timedelta(seconds=rules.pause)
                turns.append(Turn(attempt, begins))
        return turns

    def due(self, student: str) -> list[Attempt]:
        """Return a student's attempts that count by now, in their order."""
        return [turn.attempt for turn in self.turns(student) if turn.begins and turn.begins <= now()]

    def chosen(self, student: str) -> Attempt | None:
        """Return the attempt that counts: the last one, or the best one as soon as all have been graded."""
        due = self.due(student)
        if due and self.rules.keep == BEST and all(attempt.key in self.rows.points for attempt in due):
            return max(due, key=lambda attempt: (self.rows.points[attempt.key][2], attempt.order))
        return due[-1] if due else None

    # ---- placed -----------------------------------------------------------------------------------------------

    def is_placed(self, attempt: Attempt) -> bool:
        """Return whether the student's submission in submitted/ is this attempt."""
        return bool(self.rows.placed.get(attempt.student, [0])[0] == attempt.number)

    def place(self, student: str) -> None:
        """Put the attempt that counts into submitted/, if another one or none is there. Raises: OSError."""
        attempt, path = self.chosen(student), self.course / "submitted" / student / self.lesson_name
        if attempt is None:
            return
        notebook = path / f"{self.lesson_name}.ipynb"
        if self.rows.placed.get(student) == [attempt.number, _marks(notebook)]:
            return
        if _content(notebook) != _content(self.path(attempt)):
            part = path.with_name(f".{self.lesson_name}.part")
            shutil.rmtree(part, ignore_errors=True)
            shutil.copytree(self.path(attempt).parent, part)
            shutil.rmtree(path, ignore_errors=True)
            part.rename(path)
        self.rows.placed[student] = [attempt.number, _marks(notebook)]


def _marks(notebook: Path) -> list[list[int]]:
    """Return what tells, without reading, whether a notebook or its time have been changed since."""
    marks = []
    for path in (notebook, notebook.with_name("timestamp.txt")):
        with contextlib.suppress(OSError):
            status = path.stat(follow_symlinks=False)
            marks.append([status.st_mtime_ns, status.st_size, status.st_ino])
    return marks


def _written(notebook: Path) -> datetime:
    """Return when a notebook or its time was written last, UTC."""
    seconds = max(mark[0] for mark in _marks(notebook)) / 1e9
    return datetime.fromtimestamp(seconds, timezone.utc).replace(tzinfo=None)


def _content(notebook: Path) -> bytes:
    """Return a notebook and its time, b"" if there is none that can be read."""
    parts = []
    for path in (notebook, notebook.with_name("timestamp.txt")):
        try:
            with open_regular(path) as file:
                parts.append(file.read(MAX_BYTES))
        except OSError:
            parts.append(b"")
    return b"\0".join(parts) if parts[0] else b""
