"""`workbook restore`: a lost gradebook is put back, and what it lacks of marks by hand is booked again.

The gradebook comes from its last good copy, or is new if there is none; submissions that it lacks are graded from
the result store. Due dates, marks by hand and comments, which only the gradebook had, come from the ledger.
"""

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from nbgrader.api import Gradebook

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import gradebook_file, is_missing
from autograder.common.sentences import T_, number
from autograder.essays.store import EssayStore
from autograder.gradebook import books, converters, copies, grade
from autograder.gradebook.configuration import gradebook_url
from autograder.gradebook.keep import ANSWERS
from autograder.gradebook.ledger import DUE, LATE_RULE, Cell, Mark, lines, witness
from autograder.gradebook.state import only_one
from autograder.gradebook.trouble import one_sentence
from autograder.intake.folder import submissions
from utils.common.messages import N_


def restore(course: Course) -> Iterator[str]:
    """Put a lost gradebook back, and grade what it lacks; yield a sentence for each step. Raises: GradingError."""
    path = gradebook_file(gradebook_url(course))
    if path is not None:
        with only_one(course):
            yield from _put_back(course, path)
    for name in sorted({line["lesson"] for line in lines(course)} & course.lessons.keys()):
        paths, _ = submissions(course, name)
        if graded := grade.grade(name, course=course).graded if paths else []:
            yield T_("{lesson}: submissions graded from the result store: {number}.", lesson=name, number=len(graded))


def _put_back(course: Course, path: Path) -> Iterator[str]:
    if not is_missing(path):
        if _is_whole(path):
            return
        aside = path.with_name(f"{path.name}.damaged")
        path.replace(aside)
        yield T_("The gradebook is damaged; it is now {file}.", file=aside)
    # The notes say which marks were graded after the copy was made; without them, all submissions are graded again.
    shutil.rmtree(course / ".grading" / "done", ignore_errors=True)
    path.unlink(missing_ok=True)
    if copy := next(filter(_is_whole, copies.copies(course)), None):
        shutil.copy(copy, path)
        yield T_("The gradebook is restored from {file}.", file=copy)
    elif not lines(course):
        folder = copies.folder_of(course)
        raise GradingError("There is neither a copy of the gradebook in {folder} nor a ledger.", folder=folder)
    else:
        converters.create(path)
        yield T_("There is no copy of the gradebook; a new one is made.")


def _is_whole(path: Path) -> bool:
    """Return whether SQLite can read every page of a gradebook."""
    with contextlib.suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
        return bool(database.execute("pragma quick_check").fetchone() == ("ok",))
    return False


def lacking(course: Course) -> dict[Cell, Mark]:
    """Return what the gradebook has lost of the ledger's due dates, marks by hand, comments, and marks taken back."""
    return witness(course, gradebook_url(course))


def book(course: Course, lost: Mapping[Cell, Mark]) -> None:
    """Write lost marks, comments and due dates into the gradebook again."""
    url = gradebook_url(course)
    with only_one(course), one_sentence():
        with Gradebook(url) as gradebook:
            for cell, mark in lost.items():
                _book(course, gradebook, cell, mark)
            gradebook.db.commit()
        for lesson in sorted({cell.lesson for cell in lost}):
            books.renew_penalties(course, lesson)
        witness(course, url, LATE_RULE)  # what was booked again is the ledger's last line already


def drop(course: Course, lost: Mapping[Cell, Mark]) -> None:
    """Let the ledger follow the gradebook: whatever the gradebook has lost was taken back on purpose."""
    witness(course, gradebook_url(course), given=lost.keys(), why=N_("not entered again"))


def _book(course: Course, gradebook: Gradebook, cell: Cell, mark: Mark) -> None:
    names = (cell.lesson, cell.lesson, cell.student)
    if cell.cell == DUE:
        due = cast(Any, datetime.fromisoformat(mark.comment))  # declared as a dict
        gradebook.update_or_create_assignment(cell.lesson, duedate=due)
        return
    if mark.score is not None:
        grade_: Any = gradebook.find_grade(cell.cell, *names)
        grade_.manual_score, grade_.extra_credit = mark.hand, mark.extra
        grade_.needs_manual_grade = mark.waits or _has_changed(course, cell)
    comment: Any = next((c for c in gradebook.find_submission_notebook(*names).comments if c.name == cell.cell), None)
    if comment is not None:
        comment.manual_comment = mark.comment or None


def _has_changed(course: Course, cell: Cell) -> bool:
    """Return whether an essay was handed in again after it was marked: a person has to confirm its mark."""
    marked = EssayStore(course, cell.lesson, cell.cell).record(cell.student).mark
    try:
        answers = json.loads((course / ANSWERS / cell.lesson / f"{cell.student}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return marked is not None and answers.get(cell.cell) not in (None, marked.answer)


def said(cell: Cell, mark: Mark) -> str:
    """Return a lost mark in one line."""
    if cell.cell == DUE:
        return T_("{lesson}, due {date} UTC", lesson=cell.lesson, date=mark.comment)
    points = [] if mark.hand is None else [f"{number(mark.hand):g}"]
    remark = [T_("“{comment}”", comment=mark.comment)] if mark.comment else []
    name = ", ".join((cell.student, cell.lesson, cell.cell))
    return T_("{name}: {value}", name=name, value=" ".join(points + remark) or T_("taken back"))
