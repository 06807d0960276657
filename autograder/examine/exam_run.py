"""Running an exam: its tests run in this process, on proxies of the student's objects, which stay in the sandbox."""

import contextlib
import re
import resource
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from autograder.examine.remote import Names, RemoteProbe, misuse
from autograder.exams import reference
from autograder.exams.discreet import judge_discreetly
from autograder.exams.exam import Exam, exams_of
from autograder.lesson.text import Lesson
from autograder.sandbox.errors import RemoteError, Stopped
from autograder.sandbox.processes import own_data
from autograder.sandbox.session import Session
from utils.checks.engine.failure import CELL_FAILED, STOPPED, Failure
from utils.checks.engine.naming import TooLong
from utils.checks.engine.observation import Observation
from utils.checks.engine.outcome import RAISED, Verdict
from utils.checks.engine.question import Test, observe, of_nothing
from utils.checks.engine.verdict import beyond_simulation
from utils.common.errors import WorkbookError
from utils.common.messages import N_, Message
from utils.common.printable import printable

# After so many tests that had to be stopped, the question's other tests are not run, because each stop costs seconds.
MAX_STOPS = 2
# Bytes by which this process may grow in a question: the sizes in an exam may depend on the student's shapes.
MOST_BYTES = 2**30

# Seconds of processor time in which names are searched for one notebook's answers. A notebook in which everything is
# wrong in unknown ways takes half of it; a search that lasts longer gives no name, and changes no mark.
NAMING_SECONDS = 1.2

NOT_RUN = N_("not run, because your code had already been stopped")


# What flags say of a question.
NOT_EXAMINED = N_("could not be examined")
UNTRIED = N_("a line that could not be tried on a simulated GPU counts as right")


class Patience:
    """The time in which names are searched for the answers of one notebook, less that of the reference and mistakes."""

    def __init__(self, seconds: float = NAMING_SECONDS) -> None:
        self.left = seconds
        self.before = 0.0

    def __call__(self) -> None:
        """Raises: TooLong, when the time is used."""
        if self._now() - self.before > self.left:
            raise TooLong

    @contextlib.contextmanager
    def of_question(self) -> Iterator["Patience"]:
        """Charge the time of the block."""
        self.before = self._now()
        try:
            yield self
        finally:
            self.left -= self._now() - self.before

    def _now(self) -> float:
        return time.thread_time() - reference.KEY_TIME.seconds


@dataclass(frozen=True)
class ExamOutcome:
    """The outcome of a question's exam: a verdict for each test, and how many tests had to be stopped."""

    verdicts: list[Verdict]
    flags: list[str]
    stops: int = 0


def run_exam(
    session: Session, lesson: Lesson, question: str, seed: int, failed: Mapping[str, str], patience: Patience
) -> ExamOutcome:
    """Run one question's exam on the student's objects in `session`; `patience` is the whole notebook's.

    `failed` maps names to the exceptions that ended the cells which should have defined them. An error in the exam
    itself that only one student's values cause costs this question, not the class. Raises: WorkbookError for an exam
    that fails without a student, which its author has to mend.
    """
    exam = exams_of(lesson)[question]
    reference.students_of(lesson, question)
    try:
        with contextlib.closing(ExamRun(session, lesson, exam, seed, failed)) as run, bounded_memory(run.most_data):
            with patience.of_question():
                verdicts = judge_discreetly(exam, run.key, run.test, patience)
            return ExamOutcome(verdicts, run.flags, run.stops)
    except WorkbookError:
        raise
    except Exception as error:
        reason = Message(N_("this question could not be examined; your instructor has been told"))
        share = 1 / len(exam.tests)
        verdicts = [Verdict(name, test.ask, share, RAISED, reason) for name, test in exam.tests.items()]
        return ExamOutcome(verdicts, [f"question {question} {NOT_EXAMINED}: {describe_crash(error)}"])


class ExamRun:
    """The state in the sandbox in which a question's tests run: opened at the first test, and again after a stop."""

    def __init__(self, session: Session, lesson: Lesson, exam: Exam, seed: int, failed: Mapping[str, str]):
        self.session = session
        self.lesson = lesson
        self.exam = exam
        self.seed = seed
        self.failed = failed
        self.key = reference.key_of(lesson, exam, seed)
        self.state = contextlib.ExitStack()
        self.students: tuple[Any, ...] | None = None  # None while no state is open
        self.stops = 0
        self.flags: list[str] = []
        self.most_data = own_data() + MOST_BYTES

    def test(self, test: Test) -> Observation:
        """Run one test and return its observation."""
        if self.stops >= MAX_STOPS:
            return Observation(failure=Failure(STOPPED, NOT_RUN))
        try:
            seen = self._observe(test, self._open())
        except (Stopped, RemoteError) as error:
            self._leave()
            seen = Observation(failure=self._of_its_cell(of_nothing(error.failure)))
        if seen.failure and beyond_simulation(test, seen):
            # Flagged, because a student could raise such an error himself.
            line = printable(seen.failure.where)
            self.flags.append(f"question {self.exam.name}: {UNTRIED}: {line}")
        if seen.failure and seen.failure.kind == STOPPED:
            self._leave()
            self.stops += 1
            self.session.hurry()  # wait in full for one endless loop, but not for one in each test
        return seen

    def _observe(self, test: Test, students: tuple[Any, ...]) -> Observation:
        """Run one test in the open state. Raises: Stopped, RemoteError."""
        seeds = reference.test_seeds(self.seed, self.exam.name, test.name)
        self.session.drop_deferred()  # operations that the previous test noted but never needed
        seen = observe(test, RemoteProbe(self.exam.sizes, *seeds, self.session), students)
        if reason := misuse(seen.failure):
            raise TypeError(f"in the test {test.name}, {reason}")
        if seen.failure is None:
            self.session.run_deferred()  # an operation whose value the test never looked at may raise as well
        return seen

    def _of_its_cell(self, failure: Failure) -> Failure:
        """Replace the failure of a missing name by the exception that kept its cell from defining it, if known."""
        missing = re.match(r"name '(\w+)' is not defined", failure.text) if failure.kind == "NameError" else None
        if missing and not failure.where and missing[1] in self.failed:
            return Failure(CELL_FAILED, self.failed[missing[1]])
        return failure

    def _open(self) -> tuple[Any, ...]:
        """Return the student's objects in the question's state. Raises: Stopped, RemoteError."""
        if self.students is None:
            self.session.drop_deferred()  # operations that a stopped test noted but never needed
            students = reference.exam_call(self.lesson, self.exam.name, Names(self.session))
            self.state.enter_context(self.session.question())
            self.students = students
        return self.students

    def _leave(self) -> None:
        self.state.close()
        self.students = None

    def close(self) -> None:
        self._leave()
        self.session.hurry(False)


@contextlib.contextmanager
def bounded_memory(most: int) -> Iterator[None]:
    """Limit the data of this process to `most` bytes in all while the block runs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limits = [number for number in (most, soft, hard) if number != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(limits), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def describe_crash(error: BaseException) -> str:
    """Return one line about an error of the grader itself, for the log."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.name}, line {last.lineno})"
