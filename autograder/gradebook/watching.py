"""`workbook watch`: each hand-in is graded when it comes, and its feedback goes back through the exchange.

    the exchange's inbound -> attempts/ (`intake/exchange.py`) -> examined by warm workers, into the result store
        -> the attempt that counts into submitted/ (`best.py`), gradebook and feedback by nbgrader, for this student
           alone, under the course's lock -> released; an attempt that does not count gets a page of its own

Everything that is known is in files, and each step can be repeated: a process that is killed at any moment goes on when
it is started again. An attempt is noted as answered after its page is in the exchange. Regrades, moved due dates and
late days of other lessons are left to the next `workbook grade`.
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import notebook_hash

from autograder.common.course import Course
from autograder.common.course_file import BEST
from autograder.common.errors import GradingError, SandboxLost
from autograder.common.paths import ROOT, write_whole
from autograder.common.sentences import T_
from autograder.course.own import bring_up_to_date
from autograder.examine.store import ResultStore
from autograder.gradebook import attempt_page, best, books, collecting, converters, ledger
from autograder.gradebook.configuration import configuration, gradebook_url
from autograder.gradebook.grade import pool_of
from autograder.gradebook.no_page import page_of
from autograder.gradebook.release_feedback import ReleaseFeedback
from autograder.gradebook.secret import course_secret
from autograder.gradebook.state import AnotherGrading, Done, only_one
from autograder.gradebook.summary import RunSummary, no_progress
from autograder.gradebook.task import Entries, Task, examine_one, start_sandbox, task_of
from autograder.intake import attempts
from autograder.intake.attempts import Attempt, Attempts, Turn
from autograder.intake.exchange import UNFINISHED
from autograder.intake.folder import secret_of, strangers
from autograder.intake.notebook import take_in_submission
from autograder.lesson.text import Lesson
from autograder.speed.gradebook import one_engine
from utils.common.messages import N_, Message

WHOLE_LOOK = 30.0  # seconds between two looks although the exchange's folder has not changed
OPEN = 300.0  # seconds in which a folder that cannot be taken yet is looked at each second
TRIES = 3  # how often an attempt is tried that cannot be graded, until this process starts anew

Say = Callable[[str], None]


class Anew(Exception):
    """The code on which marks depend has changed: this process must not go on with what it has loaded."""


@dataclass
class Watched:
    """A watched lesson."""

    lesson: Lesson
    kept: Attempts  # as it was read last
    changed: int = 0  # the time of its file by then
    left: dict[str, float] = field(default_factory=dict)  # folders that could not be taken -> when they were first seen
    ready: set[str] = field(default_factory=set)  # attempts that the store knows, or that no worker could examine
    failed: Counter[str] = field(default_factory=Counter)  # how often an attempt could not be graded

    def is_open(self, now: float) -> bool:
        """Return whether some folders may be complete in a moment."""
        return any(now - since < OPEN for since in self.left.values())


class Watcher:
    """Looks into the exchange, and does everything due, one step at a time."""

    def __init__(self, course: Course, names: list[str], jobs: int, say: Say):
        self.course, self.jobs, self.say = course, jobs, say
        self.code = code_time(course)  # before a hash of the code is kept
        self.config = configuration(course)
        self.language = str(self.config.Translate.get("language", "en"))
        self.exchange = Path(str(self.config.Exchange.get("root", "")), CourseDirectory(config=self.config).course_id)
        self.inbound = self.exchange / "inbound"
        if not self.inbound.is_dir():
            raise GradingError(
                "There is no folder {folder}; name an exchange in nbgrader_config.py, and open a lesson.",
                folder=self.inbound,
            )
        self.seen, self.looked, self.quiet = 0, 0.0, ""
        self.running: dict[Future[Entries], tuple[Watched, Attempt, Task]] = {}
        self.said: set[str] = set()
        self.pool: Executor | None = None
        self.lessons = {name: self._begun(name) for name in names}

    def _begun(self, name: str) -> Watched:
        """Keep a lesson's attempts from now on. Of what was handed in before, the last of each student is looked at."""
        lesson = Lesson.load(name, self.course)
        bring_up_to_date(lesson)
        if not (self.course / attempts.FOLDER / name / "attempts.json").is_file():
            self._collect(name)
            with attempts.opened(self.course, name) as kept:
                last = {kept.of(student)[-1].key for student in kept.students}
                kept.rows.answered = [one.key for one in kept.rows.attempts if one.key not in last]
        return Watched(lesson, Attempts(self.course, name))

    # ---- the exchange -----------------------------------------------------------------------------------------

    def look(self) -> None:
        """Take what is new in the exchange."""
        changed, now = self.inbound.stat().st_mtime_ns, time.monotonic()
        is_whole = now - self.looked > WHOLE_LOOK
        # The folder's time changes with a new hand-in, not when one becomes complete.
        if changed == self.seen and not is_whole and not any(one.is_open(now) for one in self.lessons.values()):
            self.quiet = attempts.now().isoformat()  # nothing is new by now, so what comes next came later
            return
        names = [(name, *name.rsplit("+", 3)[1:2]) for name in os.listdir(self.inbound)]
        for lesson_name, watched in self.lessons.items():
            taken = {attempt.source for attempt in self._kept(watched).rows.attempts}
            there = {folder for folder, *parts in names if parts == [lesson_name]} - taken
            watched.left = {folder: watched.left.get(folder, now) for folder in there}
            if there and (is_whole or watched.is_open(now)) and not self._collect(lesson_name):
                return  # a long grading holds the lock: look again in a second
        self.seen, self.looked = changed, now

    def _collect(self, name: str) -> bool:
        """Take a lesson's new folders as attempts; return whether that was possible now."""
        try:
            with only_one(self.course, brief=True):
                with attempts.opened(self.course, name) as kept:
                    kept.rows.looked = max(kept.rows.looked, self.quiet)
                remarks = collecting.from_exchange(self.course, name)
        except GradingError:
            return False
        for remark in remarks:
            if remark not in self.said and T_(UNFINISHED) not in remark:
                self.said.add(remark)
                self.say(remark)
        return True

    def _kept(self, watched: Watched) -> Attempts:
        """Return a lesson's attempts, read anew if their file has changed."""
        changed = watched.kept.file.stat().st_mtime_ns
        if changed != watched.changed:
            watched.kept, watched.changed = Attempts(self.course, watched.lesson.name), changed
        return watched.kept

    # ---- what is due ------------------------------------------------------------------------------------------

    def step(self) -> bool:
        """Do what is due; return whether anything was done. Raises: Anew."""
        self.look()
        worked = False
        for job in [job for job in self.running if job.done()]:
            self._keep(job, *self.running.pop(job))
        for watched in self.lessons.values():
            due = []
            for turn in list(self._turns(watched)):
                if turn.why_not is not None:
                    self._refuse(watched, turn.attempt, turn.why_not)
                    worked = True
                else:
                    due.append(turn.attempt)
                    self._begin(watched, turn.attempt)
            # All attempts of a student that are due are examined before one is chosen.
            busy = {attempt.student for attempt in due if attempt.key not in watched.ready}
            for attempt in due:
                if attempt.student not in busy:
                    self._finish(watched, attempt)
                    worked = True
                    self.look()  # hand-ins that came meanwhile are seen now, not after all others are graded
        return worked

    def _turns(self, watched: Watched) -> Iterator[Turn]:
        """Yield the turns of attempts to be graded or answered now, the first seen first."""
        kept = self._kept(watched)
        answered = set(kept.rows.answered)
        waiting = [one for one in kept.rows.attempts if one.key not in answered and watched.failed[one.key] < TRIES]
        unknown = strangers(self.course, {one.student for one in waiting})
        for one in sorted(waiting, key=lambda attempt: attempt.seen):
            turn = next(turn for turn in kept.turns(one.student) if turn.attempt == one)
            if one.student not in unknown and (turn.begins is None or turn.begins <= attempts.now()):
                yield turn

    def _begin(self, watched: Watched, attempt: Attempt) -> None:
        """Give an attempt that the store does not know to a free worker. Raises: Anew."""
        is_running = any(one == attempt for _, one, _ in self.running.values())
        if attempt.key in watched.ready or is_running or len(self.running) >= self.jobs:
            return
        self._refuse_old_code()
        task = task_of(watched.lesson, watched.kept.path(attempt), course_secret(self.course), self.language)
        if task is None:
            watched.ready.add(attempt.key)
            return
        arguments = (task.text, watched.lesson.name, self.course.folder, task.keys, task.seed)
        self.running[self._workers().submit(examine_one, *arguments)] = watched, attempt, task

    def _workers(self) -> Executor:
        """Return the worker processes; when they are new, each starts its sandbox at once."""
        if self.pool is None:
            self.pool = pool_of(self.jobs)
            for _ in range(self.jobs):
                self.pool.submit(start_sandbox, self.course.folder)
        return self.pool

    def _keep(self, job: "Future[Entries]", watched: Watched, attempt: Attempt, task: Task) -> None:
        """Put what a worker found into the store; if it died, nbgrader's step examines the notebook in this process."""
        watched.ready.add(attempt.key)
        try:
            for key, entry in task.accept(job.result()).items():
                ResultStore().put(key, entry)
        except Exception as error:
            self.say(f"{attempt.student}: {type(error).__name__}: {error}")
            if not isinstance(error, SandboxLost):
                self.close()

    def _finish(self, watched: Watched, attempt: Attempt) -> None:
        """Have nbgrader write the attempt that counts, and give back the page of this one. Raises: Anew."""
        self._refuse_old_code()
        lesson, student = watched.lesson, attempt.student
        try:
            with only_one(self.course, brief=True), one_engine():
                with attempts.opened(self.course, lesson.name) as kept:
                    best.choose(lesson, kept, [student], lambda _: None)
                    chosen = kept.chosen(student) or attempt
                total = self._book(lesson, student)
            _, failed = converters.feedback(self.course, lesson.name, students=[student])
            if failed:
                raise GradingError(failed[student])
            self._release(lesson.name, student)
            if chosen != attempt:
                result = best.result_of(lesson, kept.path(attempt))
                why = attempt_page.WORSE if kept.rules.keep == BEST else attempt_page.OLDER
                numbers = attempt.number, chosen.number
                self._give(
                    watched, attempt, attempt_page.page(lesson, result, *numbers, self._spoken(watched, attempt), why)
                )
        except AnotherGrading:
            return  # the attempt stays due
        except (GradingError, SandboxLost, OSError) as error:
            watched.failed[attempt.key] += 1
            self.say(
                T_("{student}: attempt {number}: {error}", student=student, number=attempt.number, error=str(error))
            )
        else:
            counts = T_("attempt {number} counts, {total:g} points", number=chosen.number, total=total)
            self._note(watched, attempt, counts)

    def _book(self, lesson: Lesson, student: str) -> float:
        """Have nbgrader write a student's submission, unless it is written; return the points. Raises: GradingError."""
        done, path = Done(self.course, lesson.name), self.course / "submitted" / student / lesson.name
        path, url = path / f"{lesson.name}.ipynb", gradebook_url(self.course)
        there = books.standings(self.course, lesson.name, [student])
        if student in there and done.is_unchanged(student, path):
            return there[student].total
        summary = RunSummary()
        ledger.witness(self.course, url, lesson=lesson.name, student=student)
        converters.write(self.course, lesson, {student: path}, done, summary, no_progress)
        ledger.witness(self.course, url, ledger.WATCH, lesson=lesson.name, student=student)
        if student in summary.failed:
            raise GradingError(summary.failed[student])
        return books.standings(self.course, lesson.name, [student])[student].total

    # ---- back -------------------------------------------------------------------------------------------------

    def _refuse(self, watched: Watched, attempt: Attempt, why: Message) -> None:
        language = self._spoken(watched, attempt)
        self._give(watched, attempt, page_of(why.render(language), language, watched.lesson.name))
        self._note(watched, attempt, T_("it does not count"))

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
            path = self.exchange / "feedback" / f"{notebook_hash(secret=secret, notebook_id=watched.lesson.name)}.html"
            if not path.parent.is_dir():
                path.parent.mkdir()
                path.parent.chmod(0o711)  # as nbgrader has it: who knows a page's name may read it
            write_whole(path, page)
            path.chmod(0o644)

    def _spoken(self, watched: Watched, attempt: Attempt) -> str:
        return take_in_submission(watched.kept.path(attempt), watched.lesson, self.language).language

    def _note(self, watched: Watched, attempt: Attempt, how: str) -> None:
        """Note that an attempt is answered."""
        with attempts.opened(self.course, watched.lesson.name) as kept:
            kept.rows.answered += [attempt.key] * (attempt.key not in kept.rows.answered)
        seconds = (attempts.now() - attempts.time_of(attempt.seen)).total_seconds()
        about = {"lesson": watched.lesson.name, "student": attempt.student, "number": attempt.number}
        answered = N_("{lesson}, {student}: feedback on attempt {number} returned, {how}; {seconds:.1f} s")
        self.say(T_(answered, **about, how=how, seconds=seconds))

    # ---- this process -----------------------------------------------------------------------------------------

    def _refuse_old_code(self) -> None:
        if code_time(self.course) != self.code:
            raise Anew

    def close(self) -> None:
        """End the workers; what they examined is due again."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)
        self.pool, self.running = None, {}

    def run(self) -> NoReturn:
        """Watch. Raises: Anew, and KeyboardInterrupt, at any moment."""
        self._workers()
        with one_engine():  # which keeps the compiled queries from one student to the next
            while True:
                if not self.step():
                    time.sleep(0.05 if self.running else 1.0)


def code_time(course: Course) -> int:
    """Return the newest time among the files on which marks depend: hashes of them are kept while a process runs."""
    tops = [place / name for place in {ROOT, course.folder} for name in ("autograder", "utils", "source")]
    files = (os.path.join(folder, name) for top in tops for folder, _, names in os.walk(top) for name in names)
    return max(os.stat(path).st_mtime_ns for path in files if path.endswith((".py", ".toml")))
