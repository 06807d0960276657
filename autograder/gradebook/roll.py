"""The class of a lesson: the students of `students.csv`, each with extension, submission and marks.

All marks, means, files and pages for a class are made from its roll. Students who handed in and are not in the list are
strangers: their names are reported, their marks are not counted. If the list is empty, all who handed in are members.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.gradebook.books import StudentMarks, standings
from autograder.gradebook.log import Log, read_log
from autograder.intake.folder import strangers, submissions
from autograder.intake.notebook import UNREADABLE, WRONG_LESSON
from autograder.intake.roster import Roster, excused, not_asked
from autograder.lesson.text import Cell, Lesson
from utils.common.messages import N_

GRADED, WAITS, TO_GRADE = N_("graded"), "waits", N_("to grade")
MISSING, EXCUSED = N_("not handed in"), N_("excused")


@dataclass(frozen=True)
class Member:
    """A student of the class; `marks` is None for a student who is excused or missing, or cannot be graded."""

    student: str
    state: str
    marks: StudentMarks | None = None
    reason: str = ""  # why the submission cannot be graded
    row: dict[str, str] = field(default_factory=dict)  # the student's line of students.csv
    not_asked: frozenset[str] = frozenset()  # questions that count only for other tracks

    @property
    def name(self) -> str:
        """The first and the last name, as far as they are known."""
        return f"{self.row.get('first_name', '')} {self.row.get('last_name', '')}".strip()

    def most(self, questions: Iterable[Cell]) -> float:
        """Return the most points that the student can earn with these questions."""
        return sum(cell.points for cell in questions if cell.name not in self.not_asked)


@dataclass(frozen=True)
class Roll:
    """A lesson's class by student, and the strangers, who handed in and are not in the list."""

    members: dict[str, Member]
    strangers: list[str]

    def marks(self, *states: str) -> dict[str, StudentMarks]:
        """Return the marks of the students in these states, in all by default."""
        members = self.of_state(*states) if states else self.members
        return {student: member.marks for student, member in members.items() if member.marks is not None}

    def most(self, lesson: Lesson) -> float:
        """Return the most points that anybody of the class can earn: the scale of marks that are compared."""
        questions = lesson.of_role("test", "essay")
        return max((member.most(questions) for member in self.members.values()), default=0.0)

    def of_state(self, *states: str) -> dict[str, Member]:
        return {student: member for student, member in self.members.items() if member.state in states}


def roll_of(course: Course, lesson_name: str) -> Roll:
    """Return a lesson's class. Raises: GradingError, CourseError for lists that cannot be read."""
    rows, books = Roster.of(course).rows, standings(course, lesson_name)
    paths, refused = submissions(course, lesson_name)
    excused_students = excused(course, lesson_name)
    # Students in `books` alone have a mark that stays, although their submission was removed after it was graded.
    names = sorted(rows) if rows else sorted({*books, *paths, *refused, *excused_students})
    handed_in = {*paths, *refused}
    members = {}
    for student in names:
        # An excused student has no mark, even if something was handed in and graded.
        if student in excused_students:
            state, marks, reason = EXCUSED, None, ""
        elif student in refused:
            state, marks, reason = UNREADABLE, None, refused[student]
        elif student in books:
            log = read_log(course, lesson_name, student)
            state, reason = state_of(books[student], log)
            marks = None if state in (UNREADABLE, WRONG_LESSON) else books[student]
        else:
            state, marks, reason = TO_GRADE if student in handed_in else MISSING, None, ""
        members[student] = Member(
            student, state, marks, reason, rows.get(student, {}), not_asked(course, lesson_name, student)
        )
    return Roll(members, strangers(course, handed_in))


def state_of(marks: StudentMarks, log: Log) -> tuple[str, str]:
    """Return the state of a graded submission, and why it could not be graded.

    A submission that cannot be graded waits until a person has settled its mark, see `keep.KeepGraded`.
    """
    refused = log.get("state", "")
    if refused and marks.waiting:
        return refused, log.get("refused", "")
    return (WAITS if marks.waiting else GRADED), ""


def graded_roll(course: Course, lesson_name: str) -> Roll:
    """Return a lesson's class. Raises: GradingError if none of its members is graded yet."""
    roll = roll_of(course, lesson_name)
    if all(member.state in (TO_GRADE, MISSING, EXCUSED) for member in roll.members.values()):
        raise GradingError("Nothing is graded yet; run: {command}", command=f"workbook grade {lesson_name}")
    return roll
