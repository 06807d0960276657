"""`workbook history STUDENT [LESSON]`: the ledger of a student's marks, told in sentences."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.sentences import T_, joined, number, translated
from autograder.common.times import said
from autograder.gradebook.configuration import gradebook_url
from autograder.gradebook.ledger import DUE, EVERYBODY, NOTHING, PENALTY, Mark, lines, witness
from autograder.lesson.text import TEST_PREFIX
from utils.common.messages import SEMICOLON


def history(course: Course, student: str, lesson: str = "") -> list[str]:
    """Return a sentence for each change of a student's marks, the oldest first. Raises: GradingError if none is known.

    Changes that other programs made since the last command are noted first.
    """
    witness(course, gradebook_url(course))
    wanted = [line for line in lines(course) if line["student"] in (student, EVERYBODY)]
    if not any(line["student"] == student for line in wanted):
        raise GradingError("The ledger has no mark of a student {student!r}.", student=student)
    return list(_told(wanted, course.settings.timezone, lesson))


def _told(wanted: list[dict[str, Any]], zone: str, lesson: str) -> Iterator[str]:
    scores: dict[str, dict[str, float]] = {}
    for line in wanted:
        if lesson not in ("", line["lesson"]):
            continue
        name, of_lesson = line["lesson"], scores.setdefault(line["lesson"], {})
        before, first = sum(of_lesson.values()), not of_lesson
        cells = {cell: tuple(Mark(**mark or {}) for mark in pair) for cell, pair in line["cells"].items()}
        of_lesson |= {cell: now.score or 0.0 for cell, (_, now) in cells.items() if cell != DUE}
        after = sum(of_lesson.values())
        moved = f"{number(after):.5g}" if first else _moved(before, after)
        of_all = line["student"] == EVERYBODY
        # The first grading changes every cell, so its line tells the lesson's mark alone; a list would repeat it.
        changes = [change for cell, pair in cells.items() if (of_all or not first) and (change := _change(cell, *pair))]
        what = name if of_all else f"{name} {moved}".strip()
        when = said(datetime.fromisoformat(line["at"]).replace(tzinfo=None), zone)
        values = {"when": when, "by": line["by"], "how": translated(line["what"]), "what": what}
        values["changes"] = f" ({T_(SEMICOLON).join(changes)})" if changes else ""
        why = translated(line.get("why", ""))
        yield f"{T_('{when}, {by}, {how}: {what}{changes}.', **values)} {why}".rstrip()


def _change(cell: str, before: Mark, now: Mark) -> str:
    """Return how one cell's mark changed, "" for a change that the total says."""
    name = T_("late") if cell == PENALTY else cell.removeprefix(TEST_PREFIX)
    if cell == DUE:
        return T_("due {date}", date=now.comment) if now.comment else T_("without a due date")
    moved = _moved(before.score or 0.0, now.score or 0.0)
    parts = [moved] if moved else []
    parts += [T_("by hand")] if (now.hand, now.extra) != (before.hand, before.extra) and now.hand is not None else []
    parts += [T_("no longer by hand")] if before.hand is not None and now.hand is None else []
    parts += [T_("waits for a person")] if now.waits and not before.waits else []
    parts += [T_("“{comment}”", comment=now.comment)] if now.comment != before.comment and now.comment else []
    parts += [T_("gone")] if now == NOTHING and before != NOTHING else []
    return f"{name} {joined(parts)}" if parts else ""


def _moved(before: float, after: float) -> str:
    """Return how points moved, "" if they did not."""
    return f"{number(before):.5g} → {number(after):.5g}" if before != after else ""
