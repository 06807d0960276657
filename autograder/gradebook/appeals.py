"""Appeals: a student asks about a mark, by the form or the line at the end of the feedback page; no server is needed.

    APPEAL attention e003 loss: The formula is right.      a line, in a mail or in the platform's reply
    appeal=attention … student=… question=… reason=…       the mail that the form makes

Mails and texts are put into the course's folder `appeals/`. `collect` takes them up as rows of `regrades.csv` without
points; `grade` counts them, and the marking page shows them beside the answer. The sender may write any student's name:
an appeal only asks, and a person decides.
"""

import codecs
import csv
import email
import email.policy
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from autograder.common.course import Course
from autograder.common.paths import open_regular, write_whole
from autograder.common.sentences import T_
from autograder.gradebook.regrades import REGRADES
from autograder.intake.folder import submissions
from autograder.intake.roster import not_asked
from autograder.intake.tables import SEPARATORS, decoded, parsed, rows
from autograder.lesson.text import TEST_PREFIX, Lesson
from utils.common.messages import N_

FOLDER, TAKEN = "appeals", ".taken"
HEAD = ["id", "lesson", "question", "points", "reason", "reply"]
LINE = re.compile(r"^APPEAL[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\w+)[ \t]*:[ \t]*(.+)$", re.MULTILINE)
FORM = re.compile(r"appeal=(\S+)\s+student=(.+?)\s+question=(\w+)\s+reason=(.+?)\s*(?:appeal=|\Z)", re.DOTALL)
# The most bytes that are read of a file, and the most letters of a reason.
MOST_BYTES, MOST_LETTERS = 2**20, 1000


class Appeal(NamedTuple):
    """A student's question about a mark."""

    lesson: str
    student: str
    question: str
    reason: str


def appeals_in(content: bytes) -> Iterator[Appeal]:
    """Yield the appeals in a mail, or in a text."""
    message = email.message_from_bytes(content, policy=email.policy.default)
    body = message.get_body(("plain",)) if message.keys() else None
    text = str(body.get_content()) if body is not None else decoded(content)
    for match in (*LINE.finditer(text), *FORM.finditer(text)):
        lesson, student, question, reason = match.groups()
        # A spreadsheet would compute a text that begins with one of these signs.
        plain = " ".join(reason.split()).lstrip("=+-@ ")[:MOST_LETTERS]
        yield Appeal(lesson, student.strip(), question.removeprefix(TEST_PREFIX), plain)


def take_up(course: Course, lesson: Lesson) -> list[str]:
    """Take new appeals of a lesson into `regrades.csv`; return a sentence for each file or appeal that is refused."""
    questions = {cell.name for cell in lesson.of_role("test", "essay")}
    handed_in, refused = submissions(course, lesson.name)[0], list[str]()
    for path in sorted((course / FOLDER).glob("*")):
        if path.suffix == TAKEN:
            continue
        with open_regular(path) as file:
            found = list(appeals_in(file.read(MOST_BYTES)))
        if not found:
            no_appeal = N_("{file}: it contains no appeal; write a line APPEAL LESSON STUDENT QUESTION: reason.")
            refused.append(T_(no_appeal, file=path.name))
        mine = [appeal for appeal in found if appeal.lesson == lesson.name]
        good = [
            appeal
            for appeal in mine
            if appeal.student in handed_in
            and appeal.question in questions - not_asked(course, lesson.name, appeal.student)
        ]
        unknown = N_("{file}: {student} has handed in no {lesson} with a question {question}.")
        about = {"file": path.name, "lesson": lesson.name}
        refused += [
            T_(unknown, **about, student=appeal.student, question=appeal.question)
            for appeal in mine
            if appeal not in good
        ]
        _change(course, lambda table, good=good: _append(table, good))  # type: ignore[misc]
        if found and mine == found:  # a file may have appeals of several lessons
            path.rename(path.with_name(path.name + TAKEN))
    return refused


def open_appeals(course: Course, lesson_name: str) -> dict[tuple[str, str], str]:
    """Return the reasons of appeals that nobody has decided yet, by student and question. Raises: CourseError."""
    return {
        (row["id"], row["question"].removeprefix(TEST_PREFIX)): row["reason"]
        for row in rows(course / REGRADES, "id", "lesson", "question", "points")
        if row["lesson"] == lesson_name and not row["points"]
    }


def settle(course: Course, asked: tuple[str, str, str], points: float) -> None:
    """Write a decision into the row of an open appeal, if there is one; `asked`: lesson, student, question."""

    def decide(table: list[list[str]]) -> bool:
        names = [name.strip().lower() for name in table[0]]
        columns = [names.index(name) for name in ("lesson", "id", "question", "points")]
        waiting = [
            row for row in table[1:] if len(row) > max(columns) and tuple(row[n] for n in columns) == (*asked, "")
        ]
        for row in waiting:
            row[columns[-1]] = f"{points:g}"
        return bool(waiting)

    if (asked[1], asked[2]) in open_appeals(course, asked[0]):
        _change(course, decide)


def _append(table: list[list[str]], appeals: list[Appeal]) -> bool:
    names, before = [name.strip().lower() for name in table[0]], len(table)
    known = [dict(zip(names, row, strict=False)) for row in table]
    for appeal in appeals:
        values = {"id": appeal.student, "points": "", "reply": ""} | appeal._asdict()
        same = ("id", "lesson", "question", "reason")
        if not any(all(row.get(name) == values[name] for name in same) for row in known):
            table.append([values.get(name, "") for name in names])
    return len(table) > before


def _table(path: Path) -> list[list[str]]:
    lines = [fields for _, fields in parsed(path.read_bytes())] if path.is_file() else []
    return [line for line in lines if any(line)] or [list(HEAD)]


def _change(course: Course, change: Callable[[list[list[str]]], bool]) -> None:
    """Change the lines of `regrades.csv`, and write the file if `change` returns True."""
    path = course / REGRADES
    table = _table(path)
    if not change(table):
        return
    before = path.read_bytes() if path.is_file() else b""
    # The file keeps its separator and its mark for Excel; a new one has commas.
    head = before.partition(b"\n")[0].decode("latin-1") or ","
    text = io.StringIO()
    csv.writer(text, delimiter=max(SEPARATORS, key=head.count), lineterminator="\n").writerows(table)
    write_whole(path, text.getvalue().encode("utf-8-sig" if before.startswith(codecs.BOM_UTF8) else "utf-8"))
