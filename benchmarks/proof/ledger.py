"""Random operations on a gradebook: after each, no mark may differ from the ledger's last line, and none may be lost.

Operations: grading writes other points; a person marks, takes back, marks again in formgrader; the rubric changes; a
second grader marks; a regrade request is decided, or read again; an update of the workbook gives a question other
points; a course changes the due date; a command is killed between its writes; the gradebook is lost, emptied, damaged
or put back from an older copy, and restored. The proof keeps its own account of what persons gave.
"""

import json
import random
import shutil
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from autograder.common.course import WORKBOOK
from autograder.essays.marks import Booked
from autograder.gradebook import copies, ledger, opening, regrades, restore
from autograder.gradebook.copies import LEDGER
from autograder.gradebook.ledger import Cell
from autograder.lesson.text import Lesson
from autograder.marking import book as books
from autograder.marking.question import MarkedQuestion


class Killed(Exception):
    """Stands for a kill of the process."""


@dataclass
class Play:
    """A class in which random operations are done: `given` is what persons gave, by the proof's own account."""

    question: MarkedQuestion
    random: random.Random
    given: dict[str, tuple[float | None, str]] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)
    read: bytes = b""  # the ledger at the last look, and what its lines say
    known: ledger.Known = field(default_factory=ledger.Known)

    @property
    def name(self) -> str:
        return self.question.essay.name

    def run(self, number: int) -> "Play":
        """Do so many operations, and look at the ledger after each."""
        operations = [self.grade, self.mark, self.mark, self.mark, self.undo, self.formgrader, self.rubric]
        operations += [self.second, self.regrade, self.regrade_again, self.update, self.due]
        operations += [self.killed, self.copy, self.lose]
        self.witness()
        for _ in range(number):
            operation = self.random.choice(operations)
            operation()
            self.done[operation.__name__] += 1
            self.look(operation.__name__)
        return self

    # ---- what is promised ----

    def witness(self) -> dict[Cell, ledger.Mark]:
        return ledger.witness(self.question.course, self.question.url)

    def look(self, after: str) -> None:
        """Compare the gradebook, the ledger as its file has it, and the proof's own account; the file may only grow."""
        if lost := self.witness():
            self.complaints.append(f"{after}: still lost: {sorted(lost)}")
        content = (self.question.course / LEDGER).read_bytes()
        if not content.startswith(self.read):
            self.complaints.append(f"{after}: a line of the ledger has changed")
        for line in content[len(self.read) :].splitlines():
            self.known.add(json.loads(line))
        self.read, known = content, self.known
        with books.opened(self.question.url, "attention") as book:
            now = ledger.marks_in(book.db)
            rows = book.rows(self.name)
        if now != known.marks:
            self.complaints.append(f"{after}: {now.items() ^ known.marks.items()}")
        for student, (score, comment) in self.given.items():
            if not rows[student].booked.agrees_with(score) or rows[student].booked.comment != comment:
                self.complaints.append(f"{after}: {student} was given {score}, and has {rows[student].booked}")

    # ---- operations ----

    def anybody(self) -> str:
        return self.random.choice(sorted(self.question.cards()[1]))

    def edit(self, change: Any) -> None:
        with Gradebook(self.question.url) as gradebook:
            change(gradebook)
            gradebook.db.commit()

    def grade(self) -> None:
        """nbgrader writes other points of a question that needs no person."""
        student, points = self.anybody(), self.random.choice([0.0, 0.5, 1.0])

        def write(gradebook: Any) -> None:
            grades = gradebook.find_submission_notebook("attention", "attention", student).grades
            next(grade for grade in grades if grade.name != self.name).auto_score = points

        self.edit(write)
        ledger.witness(self.question.course, self.question.url, ledger.GRADE)

    def mark(self) -> None:
        rubric, cards = self.question.cards()
        student = self.random.choice(sorted(cards))
        items = [item.id for item in rubric.items if self.random.random() < 0.5]
        comment = self.random.choice(["", "Well seen.", "Why?"])
        _, card = self.question.save(student, cards[student].version, items, 0.0, comment, "anna")
        self.given[student] = (card.row.booked.score, comment)

    def undo(self) -> None:
        cards = self.question.cards()[1]
        if able := [student for student, card in cards.items() if card.record.history]:
            student = self.random.choice(sorted(able))
            _, card = self.question.undo(student, cards[student].version, "anna")
            self.given[student] = (card.row.booked.score, card.row.booked.comment)

    def formgrader(self) -> None:
        """A person gives points that nobody gave before, in formgrader."""
        student, score = self.anybody(), round(3 * self.random.random(), 6)

        def write(gradebook: Any) -> None:
            grade = gradebook.find_grade(self.name, "attention", "attention", student)
            grade.manual_score, grade.needs_manual_grade = score, False
            comment = gradebook.find_comment(self.name, "attention", "attention", student)
            self.given[student] = (score, comment.manual_comment or "")

        self.edit(write)

    def rubric(self) -> None:
        rubric, before = self.question.cards()
        items = [
            replace(item, points=self.random.choice([0.5, 1.0, 1.5])).__dict__ | {"split_from": ""}
            for item in rubric.items
        ]
        self.question.change_rubric(items, rubric.revision, sure=True)
        after = self.question.cards()[1]
        for student in self.given:
            if before[student].own:
                self.given[student] = (after[student].row.booked.score, self.given[student][1])

    def second(self) -> None:
        self.question.mark_again(self.anybody(), [], "ben")

    def regrade(self) -> None:
        """A request about the question is decided; the file keeps all that came before."""
        student, points = self.anybody(), self.random.randrange(4) / 2
        with books.opened(self.question.url, "attention") as book:
            before = book.rows(self.name)[student].booked
        path = self.question.course / regrades.REGRADES
        rows = path.read_text() if path.exists() else "id,lesson,question,points,reason\n"
        path.write_text(f"{rows}{student},attention,{self.name},{points},asked\n")
        if regrades.apply_requests(self.question.course, self.question.lesson):
            self.given[student] = (points, f"{before.score or 0:g} → {points:g}: asked")

    def regrade_again(self) -> None:
        """`grade` reads the same requests again: whoever gave a mark after a request has decided."""
        if said := regrades.apply_requests(self.question.course, self.question.lesson):
            self.complaints.append(f"taken up twice: {said}")

    def update(self) -> None:
        """In a new version of the workbook the question that needs no person has other points; it is graded again."""
        most = self.random.choice([1.0, 2.0, 4.0])

        def write(gradebook: Any) -> None:
            name = next(
                cell.name
                for cell in gradebook.find_notebook("attention", "attention").grade_cells
                if cell.name != self.name
            )
            gradebook.update_or_create_grade_cell(name, "attention", "attention", max_score=most, cell_type="markdown")
            for submission in gradebook.assignment_submissions("attention"):
                gradebook.find_grade(name, "attention", "attention", submission.student.id).auto_score = most / 2

        self.edit(write)
        ledger.witness(self.question.course, self.question.url, ledger.GRADE)

    def due(self) -> None:
        date = datetime(2026, 11, 20) + timedelta(minutes=self.random.randrange(10**6))
        opening.set_due(self.question.url, "attention", date)
        given = [Cell("attention", ledger.EVERYBODY, ledger.DUE)]
        ledger.witness(self.question.course, self.question.url, ledger.OPEN, given=given)

    def killed(self) -> None:
        """A save of the marking page is killed before or after it has written the gradebook."""
        cards = self.question.cards()[1]
        student, late = self.random.choice(sorted(cards)), self.random.random() < 0.5
        write = books.Book.write

        def stopped(book: Any, question: str, states: dict[str, Booked]) -> None:
            if late:
                write(book, question, states)
                self.given[student] = (states[student].score, states[student].comment)
            raise Killed

        books.Book.write = stopped  # type: ignore
        store = type(self.question.store)
        put, puts = store.write_record, list[int]()
        # The save takes its record back when the gradebook cannot be written; a killed process takes nothing back.
        store.write_record = lambda *record: puts.append(1) if puts else (puts.append(1), put(*record))  # type: ignore
        try:
            self.question.save(student, cards[student].version, [], 0.0, f"killed {self.random.random()}", "anna")
        except Killed:
            pass
        finally:
            books.Book.write, store.write_record = write, put  # type: ignore
        self.question.cards()

    def copy(self) -> None:
        copies.keep_copy(self.question.course)

    def lose(self) -> None:
        """The gradebook is lost, emptied, damaged, or an older copy takes its place; then it is restored."""
        self.witness()  # what another program did last is seen by some command before the loss
        path, kept = self.question.course / "gradebook.db", copies.copies(self.question.course)
        harm = self.random.choice(["gone", "empty", "damaged", "older"])
        if not kept:
            return
        if harm == "older":
            shutil.copy(self.random.choice(kept), path)
        else:
            path.unlink()
        if harm in ("empty", "damaged"):
            path.write_bytes(b"" if harm == "empty" else b"SQLite format 3\0" + b"x" * 5000)
        list(restore.restore(self.question.course))
        if lost := restore.lacking(self.question.course):
            restore.book(self.question.course, lost)
        self.done[harm] += 1


def made_class(folder: Path, number: int = 6) -> MarkedQuestion:
    """Make a class whose answers to one question wait to be marked."""
    from tests.helpers.marked_class import waiting_class

    answers = {f"s{n}": f"The answer of student {n}." for n in range(number)}
    return waiting_class(folder, Lesson.load("attention", WORKBOOK), "why_convolutions_fail", answers)


def play(question: MarkedQuestion, number: int, seed: int = 0) -> Play:
    """Do random operations on a question's class."""
    return Play(question, random.Random(seed)).run(number)
