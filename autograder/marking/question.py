"""One question of a class, as graders mark it: reading, saving, undoing, changing the rubric.

A save writes the answer's record first and the gradebook second, an undo the gradebook first: if the process is killed
in between, the gradebook has the former mark, and `marks.reconciled` takes the record back to that mark. A rubric is
changed in three writes: the rubric with its former items, all marks in one transaction, the rubric without its former
items; `_finish_change` completes a change that was interrupted.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timezone
from functools import partial
from hashlib import sha256
from typing import Any

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import write_whole
from autograder.essays.marks import SAME, AnswerRecord, Booked, Mark, SecondMark, reconciled
from autograder.essays.rubric import Rubric, checked_items, copy_for_course
from autograder.essays.store import EssayStore
from autograder.gradebook.appeals import settle
from autograder.gradebook.ledger import MARKING, RUBRIC, Cell, take_up
from autograder.gradebook.state import Done
from autograder.lesson.text import Lesson
from autograder.marking.answers import MAX_SHOWN, Answer, answers_in
from autograder.marking.book import AnswerRow, Book, opened
from utils.common.messages import N_

MAX_COMMENT = 10_000
# Letters of a window's id: a UUID has 36.
MAX_WINDOW = 64
# Not translated, because the page sends no request that gets this answer.
NO_ANSWER = "this class has no answer by a student with this name"


class Stale(GradingError):
    """The answer or rubric that the grader saw has changed meanwhile; nothing was saved."""


@dataclass(frozen=True)
class Card:
    """One student's answer, with its mark in the gradebook (`row`) and by items (`record`)."""

    row: AnswerRow
    record: AnswerRecord
    answer: Answer
    own: bool  # whether the gradebook's points are those of the mark's items

    @property
    def version(self) -> str:
        """A text that changes whenever answer, mark or gradebook change: a save names the version that was shown."""
        booked, answer = self.row.booked, self.answer.hash[:16]
        comment = sha256(booked.comment.encode()).hexdigest()[:16]
        return f"{self.record.revision} {booked.score} {booked.open} {answer} {comment}"

    @property
    def changed(self) -> bool:
        """Whether the student handed in another answer after this one was marked."""
        return self.record.mark is not None and self.record.mark.answer != self.answer.hash


class MarkedQuestion:
    """An essay question of a course's lesson, to be marked; `url` is the gradebook's address."""

    def __init__(self, course: Course, url: str, lesson: Lesson, name: str):
        self.course, self.url, self.lesson = course, url, lesson
        self.essay = lesson.essays[name]
        self.store = EssayStore(course, lesson.name, name)

    # ---- reading ----

    def cards(self) -> tuple[Rubric, dict[str, Card]]:
        """Return the rubric, and the class's answers by student. Raises: GradingError."""
        with self.store.locked(), opened(self.url, self.lesson.name) as book:
            return self._cards(book, None)

    def _cards(self, book: Book, student: str | None) -> tuple[Rubric, dict[str, Card]]:
        """Return the rubric and the answers, one student's or all; complete an interrupted change of the rubric."""
        rows = book.rows(self.essay.name, student)
        rubric = self.store.rubric()
        if rubric is None:
            # The points of the gradebook, because the lesson's may have changed since the notebook was generated.
            most = next((row.most for row in rows.values()), self.essay.points)
            rubric = copy_for_course(self.lesson, self.essay, most)
        if rubric.former is not None:
            rubric = self._finish_change(book, rubric)
            rows = book.rows(self.essay.name, student)
        return rubric, {id_: card for id_, row in rows.items() if (card := self._card(id_, row, rubric))}

    def _card(self, student: str, row: AnswerRow, rubric: Rubric) -> Card | None:
        """Return a student's answer, None without a graded notebook that has one."""
        path = self.course / "autograded" / student / self.lesson.name / f"{self.lesson.name}.ipynb"
        answer = answers_in(path).get(self.essay.name)
        if answer is None:
            return None
        written = self.store.record(student)
        record = reconciled(written, row.booked, rubric, row.most)
        if record is not written:
            self.store.write_record(student, record)
        return Card(row, record, answer, record.matches_gradebook(row.booked, rubric, row.most))

    # ---- one answer ----

    def save(
        self, student: str, version: str, items: list[str], adjustment: float, comment: str, by: str
    ) -> tuple[Rubric, Card]:
        """Write a mark. Raises: Stale, GradingError; then nothing was saved."""
        with self.store.locked(), opened(self.url, self.lesson.name) as book:
            rubric, card = self._current(book, student, version)
            known = [item.id for item in rubric.items if item.id in items]  # in the rubric's order, and no others
            answer = card.answer
            mark = Mark(known, adjustment, rubric.revision, answer.hash, answer.text[:MAX_SHOWN], by, _now())
            booked = Booked(mark.points(rubric, card.row.most), False, comment[:MAX_COMMENT])
            # After a kill, `reconciled` relies on the order of these writes, see the module's text.
            self._keep_rubric(rubric)
            self.store.write_record(student, card.record.marked(mark, card.row.booked, card.own))
            try:
                self._write(book, {student: booked}, MARKING, by)
            except BaseException:
                self.store.write_record(student, card.record)
                raise
            settle(self.course, (self.lesson.name, student, self.essay.name), booked.score or 0.0)
            return rubric, self._after(book, student)

    def undo(self, student: str, version: str, by: str = "") -> tuple[Rubric, Card]:
        """Take an answer's last mark back. Raises: Stale, GradingError; then nothing was changed."""
        with self.store.locked(), opened(self.url, self.lesson.name) as book:
            rubric, card = self._current(book, student, version)
            if not card.record.history:
                raise Stale("This answer has no former state.")
            before = card.record.history[-1]
            # The items' points may have changed since, so a mark by items is recomputed.
            score = before.mark.points(rubric, card.row.most) if before.own and before.mark else before.booked.score
            self._write(book, {student: replace(before.booked, score=score)}, MARKING, by, N_("taken back"))
            self.store.write_record(student, card.record.undone())
            return rubric, self._after(book, student)

    def mark_again(self, student: str, items: list[str], by: str) -> None:
        """Keep a second grader's items; the gradebook stays as it is.

        Raises: GradingError; ValueError for a student without an answer: such an id could be the path of another file.
        """
        with self.store.locked(), opened(self.url, self.lesson.name) as book:
            rubric, cards = self._cards(book, student)
            if student not in cards:
                raise ValueError(NO_ANSWER)
            known = [item.id for item in rubric.items if item.id in items]
            second = SecondMark(known, by, _now())
            self.store.write_record(student, replace(cards[student].record, second=second))

    def hand_on(self, student: str, to: str, note: str, by: str) -> dict[str, Any]:
        """Hand an answer on to a marker of the course, "" for back to its share, with a note, which may be empty.

        Raises: GradingError; ValueError for a student without an answer, or a stranger.
        """
        if to and to not in self.course.settings.markers:
            raise ValueError(f"the course has no marker {to!r}")
        with self.store.locked(), opened(self.url, self.lesson.name) as book:
            if student not in book.rows(self.essay.name, student):
                raise ValueError(NO_ANSWER)
            return self.store.write_note(student, to, f"{note[:MAX_COMMENT]} ({by})" if note else "")

    def claim(self, student: str, window: str) -> bool:
        """Claim a student's answer for a window, see `EssayStore.claim`; return False if another window has the answer.

        Raises: GradingError; ValueError for a student without an answer, and for a window's id of a wrong length.
        """
        if not 0 < len(window) <= MAX_WINDOW:
            raise ValueError(f"a window's id has 1 to {MAX_WINDOW} letters")
        if student:
            with opened(self.url, self.lesson.name) as book:
                if student not in book.rows(self.essay.name, student):
                    raise ValueError(NO_ANSWER)
        return self.store.claim(student, window)

    def _current(self, book: Book, student: str, version: str) -> tuple[Rubric, Card]:
        """Return the rubric and an answer. Raises: Stale if the answer is not the version that the grader saw."""
        rubric, cards = self._cards(book, student)
        if student not in cards or cards[student].version != version:
            raise Stale("This answer or its mark has changed meanwhile; nothing was saved.")
        return rubric, cards[student]

    def _write(self, book: Book, states: dict[str, Booked], what: str, by: str = "", why: str = "") -> None:
        """Write marks into the gradebook, and note them in the ledger. Raises: GradingError, OSError."""
        only = next(iter(states)) if len(states) == 1 else ""
        note = partial(take_up, self.course, book.db, lesson=self.lesson.name, student=only)
        note()  # what formgrader has changed before
        book.write(self.essay.name, states)
        note(what, given=[Cell(self.lesson.name, student, self.essay.name) for student in states], by=by, why=why)

    def _after(self, book: Book, student: str) -> Card:
        """Return an answer as it is now, and note that feedback is older than marks."""
        write_whole(Done(self.course, self.lesson.name).owed, "", lasting=False)
        return self._cards(book, student)[1][student]

    # ---- the rubric ----

    def change_rubric(self, items: Any, revision: int, *, sure: bool) -> dict[str, Any]:
        """Return how many marks a change of the rubric moves, and how many answers have each item; change it if `sure`.

        Raises: Stale, GradingError, ValueError for items that cannot be used; then nothing was changed.
        """
        with self.store.locked(), opened(self.url, self.lesson.name) as book:
            rubric, cards = self._cards(book, None)
            if revision != rubric.revision:
                raise Stale("The rubric has changed meanwhile; nothing was saved.")
            new = Rubric(checked_items(items, revision + 1), revision + 1, rubric.items)
            effect = {"moves": len(self._moved(cards, rubric, new)), "uses": _uses(cards, rubric)}
            if sure:
                self.store.write_rubric(new)
                try:
                    self._finish_change(book, new)
                except BaseException:
                    self.store.write_rubric(rubric)  # the marks are unchanged, so the rubric has to be as well
                    raise
            return effect

    def _finish_change(self, book: Book, rubric: Rubric) -> Rubric:
        """Write the points of all marks by a changed rubric into the gradebook; return the rubric, settled."""
        former = rubric.before_change()
        if former is not None:
            rows, records = book.rows(self.essay.name), self.store.records()
            moved = {}
            for student in rows.keys() & records.keys():
                row, mark = rows[student], records[student].mark
                if mark is None or not row.booked.agrees_with(mark.points(former, row.most)):
                    continue  # not marked, or marked elsewhere
                if abs((points := mark.points(rubric, row.most)) - mark.points(former, row.most)) > SAME:
                    moved[student] = replace(row.booked, score=points)
            if moved:
                self._write(book, moved, RUBRIC)
                write_whole(Done(self.course, self.lesson.name).owed, "", lasting=False)
        self.store.write_rubric(rubric.settled())
        return rubric.settled()

    def _moved(self, cards: dict[str, Card], before: Rubric, after: Rubric) -> list[str]:
        """Return the students whose points change with the rubric."""
        marks = {student: (card.record.mark, card.row.most) for student, card in cards.items() if card.own}
        return [
            student
            for student, (mark, most) in marks.items()
            if mark is not None and abs(mark.points(before, most) - mark.points(after, most)) > SAME
        ]

    def _keep_rubric(self, rubric: Rubric) -> None:
        """Write the lesson's rubric into the course before the first mark, because the lesson may change afterwards."""
        if self.store.rubric() is None:
            self.store.write_rubric(rubric)


def _uses(cards: dict[str, Card], rubric: Rubric) -> dict[str, int]:
    """Return how many marks have each item."""
    given = [
        rubric.given(card.record.mark.items, card.record.mark.rubric) for card in cards.values() if card.record.mark
    ]
    return {item.id: sum(item.id in ids for ids in given) for item in rubric.items}


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
