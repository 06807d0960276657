"""`workbook watch`: each hand-in is graded when it comes, and its feedback goes back through the exchange.

    the exchange's inbound -> attempts/ (`intake/exchange.py`) -> examined by warm workers, into the result store
        -> the attempt that counts into submitted/ (`best.py`), gradebook and feedback by nbgrader, for this student
           alone, under the course's lock -> given back; an attempt that does not count gets a page of its own

Everything that is known is in files, and each step can be repeated: a process that is killed at any moment goes on when
it is started again. An attempt is noted as answered after its page is in the exchange. Regrades, moved due dates and
late days of other lessons are left to the next `workbook grade`.
"""

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from datetime import datetime
from pathlib import Path
from typing import NoReturn

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
from autograder.gradebook.secret import course_secret
from autograder.gradebook.state import AnotherGrading, Done, only_one
from autograder.gradebook.summary import RunSummary, no_progress
from autograder.gradebook.task import Entries, Task, examine_one, start_sandbox, task_of
from autograder.intake import attempts
from autograder.intake.attempts import Attempt, Turn
from autograder.intake.exchange import UNFINISHED
from autograder.intake.folder import secret_of, strangers
from autograder.intake.notebook import take_in_submission
from autograder.lesson.text import Lesson
from autograder.speed.gradebook import one_engine
from utils.common.messages import N_, Message

WHOLE_LOOK = 30.0  # seconds between two looks although the exchange's folder has not changed
FOLLOWED = 5.0  # seconds after a change in which each second is looked at: a new folder may not be complete yet
TRIES = 3  # how often an attempt is tried that cannot be graded, until this process starts anew

Say = Callable[[str], None]


class Anew(Exception):
    """The code on which marks depend has changed: this process must not go on with what it has loaded."""


class Watcher:
    """Looks into the exchange, and does everything due, one step at a time."""

    def __init__(self, course: Course, names: list[str], jobs: int, say: Say):
        self.course, self.jobs, self.say = course, jobs, say
        self.code = code_time(course)  # before a hash of the code is kept
        config = configuration(course)
        self.language = str(config.Translate.get("language", "en"))
        self.exchange = Path(str(config.Exchange.get("root", "")), CourseDirectory(config=config).course_id)
        self.inbound = self.exchange / "inbound"
        if not self.inbound.is_dir():
            raise GradingError(
                "There is no folder {folder}; name an exchange in nbgrader_config.py, and open a lesson.",
                folder=self.inbound,
            )
        self.changed, self.looked, self.followed, self.quiet = 0, 0.0, 0.0, ""
        self.running: dict[Future[Entries], tuple[Path, Task]] = {}
        self.ready: set[Path] = set()  # attempts that the store knows, or that no worker could examine
        self.failed = Counter[Path]()  # how often an attempt could not be graded
        self.said: set[str] = set()
        self.pool: Executor | None = None
        self.lessons = [self._begun(name) for name in names]

    def _begun(self, name: str) -> Lesson:
        """Keep a lesson's attempts from now on. Of what was handed in before, the last of each student is looked at."""
        lesson = Lesson.load(name, self.course)
        bring_up_to_date(lesson)
        if not (self.course / attempts.FOLDER / name / "attempts.json").is_file():
            self._collect(name)
            with attempts.opened(self.course, name) as kept:
                last = {kept.of(student)[-1].key for student in kept.students}
                kept.rows.answered = [one.key for one in kept.rows.attempts if one.key not in last]
        return lesson

    # ---- the exchange -----------------------------------------------------------------------------------------

    def look(self) -> None:
        """Take what is new in the exchange."""
        changed, now = self.inbound.stat().st_mtime_ns, time.monotonic()
        if changed != self.changed:
            self.followed = now + FOLLOWED
        # The folder's time changes with a new hand-in, not when one becomes complete.
        elif now > self.followed and now < self.looked + WHOLE_LOOK:
            self.quiet = attempts.now().isoformat()  # nothing is new by now, so what comes next came later
            return
        folders = os.listdir(self.inbound)
        for lesson in self.lessons:
            taken = {attempt.source for attempt in attempts.read(self.course, lesson.name).rows.attempts}
            new = {name for name in folders if name.rsplit("+", 3)[1:2] == [lesson.name]} - taken
            if new and not self._collect(lesson.name):
                return  # a long grading holds the lock: look again in a second
        self.changed, self.looked = changed, now

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

    # ---- what is due ------------------------------------------------------------------------------------------

    def step(self) -> bool:
        """Do what is due; return whether anything was done. Raises: Anew."""
        self.look()
        worked = False
        for job in [job for job in self.running if job.done()]:
            self._keep(job, *self.running.pop(job))
        for lesson in self.lessons:
            due, path_of = [], attempts.read(self.course, lesson.name).path
            for turn in list(self._turns(lesson)):
                if turn.why_not is not None:
                    self._refuse(lesson, turn.attempt, turn.why_not)
                    worked = True
                else:
                    due.append(turn.attempt)
                    self._begin(lesson, path_of(turn.attempt))
            # All attempts of a student that are due are examined before one is chosen.
            busy = {attempt.student for attempt in due if path_of(attempt) not in self.ready}
            for attempt in due:
                if attempt.student not in busy:
                    self._finish(lesson, attempt)
                    worked = True
                    self.look()  # hand-ins that came meanwhile are seen now, not after all others are graded
        return worked

    def _turns(self, lesson: Lesson) -> Iterator[Turn]:
        """Yield the turns of attempts to be graded or answered now, the first seen first."""
        kept = attempts.read(self.course, lesson.name)
        answered = set(kept.rows.answered)
        waiting = [one for one in kept.rows.attempts if one.key not in answered and self.failed[kept.path(one)] < TRIES]
        unknown = strangers(self.course, {one.student for one in waiting})
        for one in sorted(waiting, key=lambda attempt: attempt.seen):
            turn = next(turn for turn in kept.turns(one.student) if turn.attempt == one)
            if one.student not in unknown and (turn.begins is None or turn.begins <= attempts.now()):
                yield turn

    def _begin(self, lesson: Lesson, path: Path) -> None:
        """Give an attempt that the store does not know to a free worker. Raises: Anew."""
        is_running = path in (other for other, _ in self.running.values())
        if path in self.ready or is_running or len(self.running) >= self.jobs:
            return
        self._refuse_old_code()
        task = task_of(lesson, path, course_secret(self.course), self.language)
        if task is None:
            self.ready.add(path)
            return
        arguments = (task.text, lesson.name, self.course.folder, task.keys, task.seed)
        self.running[self._workers().submit(examine_one, *arguments)] = path, task

    def _workers(self) -> Executor:
        """Return the worker processes; when they are new, each starts its sandbox at once."""
        if self.pool is None:
            self.pool = pool_of(self.jobs)
            for _ in range(self.jobs):
                self.pool.submit(start_sandbox, self.course.folder)
        return self.pool

    def _keep(self, job: "Future[Entries]", path: Path, task: Task) -> None:
        """Put what a worker found into the store; if it died, nbgrader's step examines the notebook in this process."""
        self.ready.add(path)
        try:
            for key, entry in task.accept(job.result()).items():
                ResultStore().put(key, entry)
        except Exception as error:
            self.say(f"{path.parent.parent.name}: {type(error).__name__}: {error}")
            if not isinstance(error, SandboxLost):
                self.close()

    def _finish(self, lesson: Lesson, attempt: Attempt) -> None:
        """Have nbgrader write the attempt that counts, and give back the page of this one. Raises: Anew."""
        self._refuse_old_code()
        student, path = attempt.student, attempts.read(self.course, lesson.name).path(attempt)
        try:
            with only_one(self.course, brief=True), one_engine():
                with attempts.opened(self.course, lesson.name) as kept:
                    best.choose(lesson, kept, [student], lambda _: None)
                    chosen = kept.chosen(student) or attempt
                total = self._book(lesson, student)
            _, failed = converters.feedback(self.course, lesson.name, students=[student])
            if failed:
                raise GradingError(failed[student])
            page = self.course / "feedback" / student / lesson.name / f"{lesson.name}.html"
            self._give(lesson, chosen, page.read_text(encoding="utf-8"))
            if chosen != attempt:
                why = attempt_page.WORSE if kept.rules.keep == BEST else attempt_page.OLDER
                about = best.result_of(lesson, path), attempt.number, chosen.number, self._spoken(lesson, attempt)
                self._give(lesson, attempt, attempt_page.page(lesson, *about, why))
        except AnotherGrading:
            return  # the attempt stays due
        except (GradingError, SandboxLost, OSError) as error:
            self.failed[path] += 1
            about_it = {"student": student, "number": attempt.number, "error": str(error)}
            self.say(T_("{student}: attempt {number}: {error}", **about_it))
        else:
            counts = T_("attempt {number} counts, {total:g} points", number=chosen.number, total=total)
            self._note(lesson, attempt, counts)

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

    def _refuse(self, lesson: Lesson, attempt: Attempt, why: Message) -> None:
        language = self._spoken(lesson, attempt)
        self._give(lesson, attempt, page_of(why.render(language), language, lesson.name))
        self._note(lesson, attempt, T_("it does not count"))

    def _give(self, lesson: Lesson, attempt: Attempt, page: str) -> None:
        """Put a page into the exchange where `nbgrader fetch_feedback` looks for that of this attempt."""
        kept = attempts.read(self.course, lesson.name)
        secret = secret_of(kept.path(attempt).parent)
        if secret and not kept.shares_secret(attempt):
            path = self.exchange / "feedback" / f"{notebook_hash(secret=secret, notebook_id=lesson.name)}.html"
            if not path.parent.is_dir():
                path.parent.mkdir()
                path.parent.chmod(0o711)  # as nbgrader has it: who knows a page's name may read it
            write_whole(path, page)
            path.chmod(0o644)

    def _spoken(self, lesson: Lesson, attempt: Attempt) -> str:
        path = attempts.read(self.course, lesson.name).path(attempt)
        return take_in_submission(path, lesson, self.language).language

    def _note(self, lesson: Lesson, attempt: Attempt, how: str) -> None:
        """Note that an attempt is answered."""
        with attempts.opened(self.course, lesson.name) as kept:
            kept.rows.answered += [attempt.key] * (attempt.key not in kept.rows.answered)
        seconds = (attempts.now() - datetime.fromisoformat(attempt.seen)).total_seconds()
        about = {"lesson": lesson.name, "student": attempt.student, "number": attempt.number}
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
