"""nbgrader's gradebook (0.9.6) for marking a question: few queries, and a new database session for each use.

Formgrader has one session for the whole Jupyter server: after a single write that met a locked database, this session
fails until the server is started again.
"""

import contextlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, cast

from nbgrader.api import BaseCell, Comment, Grade, GradeCell, Student
from sqlalchemy.orm import Session

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import gradebook_file, is_missing
from autograder.essays.marks import Booked
from autograder.gradebook.copies import refuse_to_replace
from autograder.gradebook.ledger import cells_of, engine_of
from autograder.gradebook.trouble import one_sentence
from autograder.intake.roster import excused
from autograder.lesson.text import Lesson

# The table with the points of graded cells; their names are in the table of all cells.
GRADE_CELL = cast(Any, GradeCell).__table__


@dataclass(frozen=True)
class AnswerRow:
    """A student's answer in the gradebook, with the question's points (`most`) and the student's name."""

    booked: Booked
    most: float
    name: str

    @property
    def asked(self) -> bool:
        """Whether a person has to mark or has marked the answer; False for an answer that was left empty."""
        return self.booked.open or self.booked.score is not None


class Book:
    """The gradebook's marks on the questions of one lesson."""

    def __init__(self, session: Session, lesson_name: str):
        self.db: Any = session
        self.lesson_name = lesson_name

    def rows(self, question: str, student: str | None = None) -> dict[str, AnswerRow]:
        """Return the class's marks on a question, or one student's, by student."""
        comments = dict(self._of(Comment, question, student, Comment.manual_comment))
        names = (Student.first_name, Student.last_name)
        columns = (Grade.manual_score, Grade.needs_manual_grade, GRADE_CELL.c.max_score, *names)
        return {
            id_: AnswerRow(Booked(score, bool(waits), comments.get(id_) or ""), most, " ".join(filter(None, name)))
            for id_, score, waits, most, *name in self._of(Grade, question, student, *columns)
        }

    def counts(self, without: Collection[str] = ()) -> dict[str, tuple[int, int]]:
        """Return how many answers wait for a person and how many a person has marked, by graded cell.

        without: students who are left out.
        """
        by_cell: dict[str, tuple[int, int]] = {}
        columns = (Grade.needs_manual_grade, Grade.manual_score)
        for _lesson, student, name, waits, score in cells_of(self.db, Grade, self.lesson_name, "", *columns):
            if student in without:
                continue
            waiting, marked = by_cell.get(name, (0, 0))
            by_cell[name] = (waiting + bool(waits), marked + (not waits and score is not None))
        return by_cell

    def write(self, question: str, states: dict[str, Booked]) -> None:
        """Write the marks and comments of students, all of them or none."""
        only = next(iter(states)) if len(states) == 1 else None
        grades = dict(self._of(Grade, question, only, Grade))
        comments = dict(self._of(Comment, question, only, Comment))
        for student, booked in states.items():
            grades[student].manual_score, grades[student].needs_manual_grade = booked.score, booked.open
            if student in comments:
                comments[student].manual_comment = booked.comment or None
        self.db.commit()

    def _of(self, kind: Any, question: str, student: str | None, *columns: Any) -> list[Any]:
        """Return rows (student, *columns) of a question's grades or comments (`kind`), of one student if named."""
        query = cells_of(self.db, kind, self.lesson_name, student or "", *columns)
        query = query.outerjoin(GRADE_CELL, GRADE_CELL.c.id == BaseCell.id)
        rows = query.filter(BaseCell.name == question)
        return [(id_, *values) for _lesson, id_, _cell, *values in rows]


@contextlib.contextmanager
def opened(url: str, lesson_name: str) -> Iterator[Book]:
    """Yield a lesson's marks in the gradebook at an address. Raises: GradingError, also for a locked database."""
    path = gradebook_file(url)
    if path is not None and is_missing(path):
        refuse_to_replace(Course(path.parent), path)
        raise GradingError(f"There is no gradebook yet; type: workbook grade {lesson_name}")
    with one_sentence(), Session(engine_of(url)) as session:
        yield Book(session, lesson_name)


# By question of a lesson: how many answers wait for a person, and how many are marked.
Counts = dict[str, tuple[int, int]]


def counts(url: str, lesson: Lesson) -> Counts:
    """Return how many answers wait and how many are marked. Raises: GradingError."""
    with opened(url, lesson.name) as book:
        by_question = book.counts(excused(lesson.course, lesson.name))
    return {name: by_question.get(name, (0, 0)) for name in lesson.essays}


def first_waiting(by_question: Counts) -> str:
    """Return the question shown first: the first with answers to mark, else the lesson's first; "" if there is none."""
    return next((name for name, (waiting, _) in by_question.items() if waiting), next(iter(by_question), ""))
