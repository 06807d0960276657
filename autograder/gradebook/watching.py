"""`workbook watch`: each hand-in is graded when it comes, and its feedback goes back through the exchange.

    the exchange's inbound -> attempts/ (`intake/exchange.py`) -> examined by warm workers, into the result store
        -> the attempt that counts into submitted/ (`best.py`), gradebook and feedback by nbgrader, for this student
           alone, under the course's lock -> released; an attempt that does not count gets a page of its own

Everything that is known is in files, and each step can be repeated: a process that is killed at any moment goes on when
it is started again. An attempt is noted as answered after its page is in the exchange. Regrades, moved due dates and
late days of other lessons are left to the next `workbook grade`.
"""

import fcntl
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import notebook_hash

from autograder.common.course import Course
from autograder.common.course_file import BEST
from autograder.common.errors import GradingError, SandboxLost
from autograder.common.paths import ROOT, write_whole
from autograder.course.own import bring_up_to_date
from autograder.examine.store import ResultStore
from autograder.gradebook import attempt_page, best, books, collecting, converters, ledger
from autograder.gradebook.configuration import configuration, gradebook_url
from autograder.gradebook.grade import pool_of
from autograder.gradebook.no_page import page_of
from autograder.gradebook.release_feedback import ReleaseFeedback
from autograder.gradebook.secret import course_secret
from autograder.gradebook.state import Done, only_one
from autograder.gradebook.summary import RunSummary, no_progress
from autograder.gradebook.task import Entries, Task, examine_one, task_of
from autograder.intake import attempts
from autograder.intake.attempts import Attempt, Attempts
from autograder.intake.exchange import UNFINISHED
from autograder.intake.folder import secret_of, strangers
from autograder.intake.notebook import take_in_submission
from autograder.lesson.text import Lesson

WHOLE_LOOK = 30.0  # seconds between two looks although the exchange's folder has not changed
OPEN = 300.0  # seconds in which a folder that cannot be taken yet is looked at each second
TRIES = 3  # how often an attempt is tried that cannot be graded, until this process starts anew

Say = Callable[[str], None]


class Anew(Exception):
    """The code on which marks depend has changed: this process must not go on with what it has loaded."""


def the_only_one(course: Course) -> TextIO:
    """Return a locked file, so that one process watches a course. Raises: GradingError if another one does."""
    lock = (course / ".grading" / "watch").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise GradingError("This course is watched already; end that `workbook watch` first.") from None
    return lock


@dataclass
class Watched:
    """A watched lesson: its attempts as they were read last, when names that were left were first seen."""

    lesson: Lesson
    kept: Attempts
    changed: int = 0
    left: dict[str, float] = field(default_factory=dict)


@dataclass
class Running:
    """An attempt that a worker examines."""

    watched: Watched
    attempt: Attempt
    task: Task


class Watcher:
    """Looks into the exchange, and does what is due, one step at a time."""

    def __init__(self, course: Course, names: list[str], jobs: int, say: Say):
        self.course, self.jobs, self.say = course, jobs, say
        self.code = code_time(course)  # before a hash of the code is kept
        self.config = configuration(course)
        self.exchange = Path(str(self.config.Exchange.get("root", "")), CourseDirectory(config=self.config).course_id)
        if not (self.exchange / "inbound").is_dir():
            raise GradingError(
                f"There is no exchange at {self.exchange}; name one in nbgrader_config.py, open a lesson."
            )
        self.seen, self.looked, self.checked = 0, 0.0, time.monotonic()
        self.running: dict[Future[Entries], Running] = {}
        self.ready: set[str] = set()  # attempts that the store knows, or that no worker could examine
        self.failed: dict[str, int] = {}
        self.said: set[str] = set()
        self.pool: ProcessPoolExecutor | None = None
        self.lessons = {name: self._begun(name) for name in names}

    def _begun(self, name: str) -> Watched:
        """Keep a lesson's attempts from now on. Of what was handed in before, the last of each student is looked at."""
        lesson = Lesson.load(name, self.course)
        bring_up_to_date(lesson)
        if not (self.course / attempts.FOLDER / name / "attempts.json").is_file():
            with attempts.opened(self.course, name):
                pass
            self._collect(name)
            with attempts.opened(self.course, name) as kept:
                last = {kept.of(student)[-1].key for student in kept.students}
                kept.rows.answered = [one.key for one in kept.rows.attempts if one.key not in last]
        return Watched(lesson, Attempts(self.course, name))

    # ---- the exchange -----------------------------------------------------------------------------------------

    def look(self) -> None:
        """Take what is new in the exchange."""
        changed, now = (self.exchange / "inbound").stat().st_mtime_ns, time.monotonic()
        # The folder's time changes with a new hand-in, not when one becomes complete.
        is_open = any(now - since < OPEN for watched in self.lessons.values() for since in watched.left.values())
        if changed == self.seen and not is_open and now - self.looked < WHOLE_LOOK:
            return
        names: dict[str, set[str]] = {}
        for name in os.listdir(self.exchange / "inbound"):
            if len(parts := name.rsplit("+", 3)) > 2:
                names.setdefault(parts[1], set()).add(name)
        for name, watched in self.lessons.items():
            there = names.get(name, set()) - {attempt.source for attempt in self._kept(watched).rows.attempts}
            watched.left = {folder: watched.left.get(folder, now) for folder in there}
            is_due = any(now - since < OPEN for since in watched.left.values()) or now - self.looked > WHOLE_LOOK
            if is_due and not self._collect(name):
                return  # a long grading holds the lock: look again in a second
        self.seen, self.looked = changed, now

    def _collect(self, name: str) -> bool:
        """Take a lesson's new folders as attempts; return whether that was possible now."""
        try:
            with only_one(self.course, brief=True):
                for remark in collecting.from_exchange(self.course, name):
                    if remark not in self.said and UNFINISHED not in remark:
                        self.said.add(remark)
                        self.say(remark)
        except GradingError:
            return False
        return True

    def _kept(self, watched: Watched) -> Attempts:
        """Return a lesson's attempts, read anew if their file has changed."""
        changed = watched.kept.file.stat().st_mtime_ns if watched.kept.file.is_file() else 0
        if changed != watched.changed:
            watched.kept, watched.changed = Attempts(self.course, watched.lesson.name), changed
        return watched.kept

    # ---- what is due ------------------------------------------------------------------------------------------

    def step(self) -> bool:
        """Do what is due; return whether anything was done. Raises: Anew."""
        self.look()
        worked = False
        for job in [job for job in self.running if job.done()]:
            self._keep(job, self.running.pop(job))
        for watched in self.lessons.values():
            pending = list(self._pending(watched))
            for attempt in pending:
                worked |= self._begin(watched, attempt)
            # All attempts of a student that are due are examined before one is chosen.
            busy = {attempt.student for attempt in pending if self._name(watched, attempt) not in self.ready}
            for attempt in pending:
                if attempt.student not in busy:
                    self._finish(watched, attempt)
                    worked = True
                    self.look()  # hand-ins that came meanwhile are seen now, not after all others are graded
        return worked

    def _name(self, watched: Watched, attempt: Attempt) -> str:
        return f"{watched.lesson.name} {attempt.key}"

    def _pending(self, watched: Watched) -> Iterator[Attempt]:
        """Yield the attempts to be graded or answered now, the first seen first."""
        kept = self._kept(watched)
        answered = set(kept.rows.answered)
        open_ones = [one for one in kept.rows.attempts if one.key not in answered]
        unknown = strangers(self.course, {one.student for one in open_ones})
        for one in sorted(open_ones, key=lambda attempt: attempt.seen):
            if one.student not in unknown and self.failed.get(self._name(watched, one), 0) < TRIES:
                turn = next(turn for turn in kept.turns(one.student) if turn.attempt == one)
                if turn.begins is None or turn.begins <= attempts.now():
                    yield one

    def _begin(self, watched: Watched, attempt: Attempt) -> bool:
        """Answer an attempt that does not count; give one that the store does not know to a free worker."""
        name = self._name(watched, attempt)
        turn = next(turn for turn in watched.kept.turns(attempt.student) if turn.attempt == attempt)
        if turn.why_not is not None:
            language = self._language(watched, attempt)
            self._give(watched, attempt, page_of(turn.why_not.render(language), language, watched.lesson.name))
            self._answered(watched, attempt, "does not count")
            return True
        running = [self._name(one.watched, one.attempt) for one in self.running.values()]
        if name in self.ready or name in running or len(running) >= self.jobs:
            return False
        language = self.config.Translate.get("language", "en")
        task = task_of(watched.lesson, watched.kept.path(attempt), course_secret(self.course), language)
        if task is None:
            self.ready.add(name)
            return True
        arguments = (task.text, watched.lesson.name, self.course.folder, task.keys, task.seed)
        self.pool = self.pool or pool_of(self.jobs)
        self.running[self.pool.submit(examine_one, *arguments)] = Running(watched, attempt, task)
        return True

    def _keep(self, job: "Future[Entries]", one: Running) -> None:
        """Put what a worker found into the store; if it died, nbgrader's step examines the notebook in this process."""
        self.ready.add(self._name(one.watched, one.attempt))
        try:
            for key, entry in one.task.accept(job.result()).items():
                ResultStore().put(key, entry)
        except Exception as error:
            self.say(f"{one.attempt.student}: {type(error).__name__}: {error}")
            if not isinstance(error, SandboxLost):
                self.close()

    def _finish(self, watched: Watched, attempt: Attempt) -> None:
        """Have nbgrader write the attempt that counts, and give back the page of this one. Raises: Anew."""
        if code_time(self.course) != self.code:
            raise Anew
        lesson, student = watched.lesson, attempt.student
        try:
            with only_one(self.course, brief=True):
                with attempts.opened(self.course, lesson.name) as kept:
                    best.choose(lesson, kept, [student], lambda _: None)
                    chosen = kept.chosen(student) or attempt
                total = self._book(lesson, student)
            _, failed = converters.feedback(self.course, lesson.name, students=[student])
            if failed:
                raise GradingError(failed[student])
            self._release(lesson.name, student)
            if chosen != attempt:
                language = self._language(watched, attempt)
                result = best.result_of(lesson, watched.kept.path(attempt))
                why = attempt_page.WORSE if kept.rules.keep == BEST else attempt_page.OLDER
                self._give(
                    watched, attempt, attempt_page.page(lesson, result, attempt.number, chosen.number, language, why)
                )
        except (GradingError, SandboxLost, OSError) as error:
            key = self._name(watched, attempt)
            self.failed[key] = self.failed.get(key, 0) + 1
            self.say(f"{student}: attempt {attempt.number}: {error}")
        else:
            self._answered(watched, attempt, f"attempt {chosen.number} counts, {total:g} points")

    def _book(self, lesson: Lesson, student: str) -> float:
        """Have nbgrader write a student's submission, unless it is written; return the points. Raises: GradingError."""
        done, path = Done(self.course, lesson.name), self.course / "submitted" / student / lesson.name
        path, url = path / f"{lesson.name}.ipynb", gradebook_url(self.course)
        if student not in books.standings(self.course, lesson.name, [student]) or not done.is_unchanged(student, path):
            summary = RunSummary()
            ledger.witness(self.course, url, lesson=lesson.name, student=student)
            converters.write(self.course, lesson, {student: path}, done, summary, no_progress)
            ledger.witness(self.course, url, ledger.WATCH, lesson=lesson.name, student=student)
            if student in summary.failed:
                raise GradingError(summary.failed[student])
        return books.standings(self.course, lesson.name, [student])[student].total

    # ---- back -------------------------------------------------------------------------------------------------

    def _release(self, name: str, student: str) -> None:
        config = configuration(self.course)
        config.CourseDirectory.assignment_id, config.CourseDirectory.student_id = name, student
        parts = {"coursedir": CourseDirectory(config=config), "authenticator": Authenticator(config=config)}
        step = ReleaseFeedback(config=config, **parts)  # type: ignore[no-untyped-call]  # nbgrader's
        step.log.setLevel("ERROR")
        step.start()  # type: ignore[no-untyped-call]  # nbgrader's

    def _give(self, watched: Watched, attempt: Attempt, page: str) -> None:
        """Put a page into the exchange where `nbgrader fetch_feedback` looks for that of this attempt."""
        secret = secret_of(watched.kept.path(attempt).parent)
        if secret and not watched.kept.shares_secret(attempt):
            folder = self.exchange / "feedback"
            if not folder.is_dir():
                folder.mkdir()
                folder.chmod(0o711)  # as nbgrader has it: who knows a page's name may read it
            path = folder / f"{notebook_hash(secret=secret, notebook_id=watched.lesson.name)}.html"
            write_whole(path, page)
            path.chmod(0o644)

    def _language(self, watched: Watched, attempt: Attempt) -> str:
        language = self.config.Translate.get("language", "en")
        return take_in_submission(watched.kept.path(attempt), watched.lesson, language).language

    def _answered(self, watched: Watched, attempt: Attempt, how: str) -> None:
        with attempts.opened(self.course, watched.lesson.name) as kept:
            kept.rows.answered.append(attempt.key)
        seconds = (attempts.now() - attempts.time_of(attempt.seen)).total_seconds()
        self.say(f"{watched.lesson.name}, {attempt.student}: attempt {attempt.number} answered, {how}; {seconds:.1f} s")

    # ---- this process -----------------------------------------------------------------------------------------

    def close(self) -> None:
        """End the workers; what they examined is due again."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool, self.running = None, {}

    def run(self, stopped: Callable[[], bool], every: float = 1.0) -> None:
        """Watch until `stopped`. Raises: Anew, when the code has changed, and nothing is under way."""
        while not stopped():
            if not self.running and time.monotonic() - self.checked > WHOLE_LOOK:
                self.checked = time.monotonic()
                if code_time(self.course) != self.code:
                    raise Anew
            if not self.step():
                time.sleep(0.05 if self.running else every)


def code_time(course: Course) -> int:
    """Return the newest time among the files on which marks depend: hashes of them are kept while a process runs."""
    folders = [ROOT / name for name in ("autograder", "utils", "source")]
    folders += [] if course.is_workbook else [course / "source", course / "utils"]
    files = (path for folder in folders for kind in ("*.py", "*.toml") for path in folder.rglob(kind))
    return max((path.stat().st_mtime_ns for path in files), default=0)


def start_anew() -> None:
    """Replace this process by the same command: modules and hashes are loaded again."""
    sys.stdout.flush()
    os.execv(sys.executable, sys.orig_argv)
