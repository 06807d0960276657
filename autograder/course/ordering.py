"""The lines that students may put in order (`utils/checks/order.py`), of a course whose `order` allows it.

A gap has them if its reference has 3 to 12 lines, continued lines counted as one. They are mixed with lines of known
mistakes that change one line. Nothing is compared with the reference's order, so it need not be the only right one.
"""

import contextlib
import hashlib
import io
import json
import re
import textwrap
import tokenize
from collections.abc import Iterator

from autograder import mistakes
from autograder.lesson.text import Cell, Lesson
from utils.common.errors import WorkbookError

LEAST, MOST = 3, 12
MARKER = re.compile(r"(?m)^ *### (?:BEGIN|END) SOLUTION\n?")
# The object by which a test cell asks for the student's own patient: a line that cures another one is no answer.
WHOSE = "whose"
LAYOUT = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)

Line = tuple[int, int, str]  # the part of the cell that the line is in, its indent, its text


def lines(lesson: Lesson, share: float) -> str:
    """Return the lines of a lesson's gaps as JSON; an answer from them earns at most this share of the points."""
    gaps = {}
    for name, test in lesson.tests.items():
        cell = lesson.solutions.get(name)
        frame, right = taken_apart(cell.source) if cell else ([], [])
        if cell and LEAST <= len(right) <= MOST and WHOSE not in test.hidden:
            wrong = wrong_lines(lesson, cell, right)
            worth = {"most": share * test.points, "total": test.points}
            gaps[name] = {"frame": frame, "lines": shuffled(right, wrong), "wrong": len(wrong)} | worth
    return json.dumps(gaps, ensure_ascii=False, sort_keys=True) + "\n"


def taken_apart(source: str) -> tuple[list[str], list[Line]]:
    """Return the texts around the parts of a cell that students write, and the lines of these parts."""
    pieces = MARKER.split(source)
    return pieces[::2], [(part, *line) for part, text in enumerate(pieces[1::2]) for line in statements(text)]


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the indent and the text of each logical line of a piece of code; lines of comments are left out."""
    written, first = text.split("\n"), 0
    for token in tokenize.generate_tokens(io.StringIO(textwrap.dedent(text)).readline):
        if not first and token.type not in LAYOUT:
            first = token.start[0]
        if token.type == tokenize.NEWLINE:
            statement = written[first - 1 : token.end[0]]
            yield len(statement[0]) - len(statement[0].lstrip()), textwrap.dedent("\n".join(statement))
            first = 0


def wrong_lines(lesson: Lesson, cell: Cell, right: list[Line]) -> list[Line]:
    """Return lines of known mistakes, at most one for each line of the reference, for about half of these."""
    wrong: dict[int, Line] = {}
    for mistake in mistakes.load(lesson).values():
        made: list[Line] = []
        if mistake.cell == cell.name:
            with contextlib.suppress(WorkbookError):  # it changes text on both sides of a marker
                _, made = taken_apart(mistake.apply(cell.source))
        changed = [place for place, line in enumerate(made) if line not in right]
        if len(made) == len(right) and len(changed) == 1:
            wrong.setdefault(changed[0], made[changed[0]])
    return list(wrong.values())[: len(right) // 2 + 1]


def shuffled(right: list[Line], wrong: list[Line]) -> list[Line]:
    """Return lines in an order that says nothing, the same at each build."""
    mixed = sorted([*right, *wrong], key=lambda line: hashlib.sha256(line[2].encode()).digest())
    return mixed[::-1] if [line for line in mixed if line in right] == right else mixed
