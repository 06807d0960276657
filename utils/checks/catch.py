"""Catch the mistakes: how many known mistakes show in a small case that a student chooses, before the code is written.

For each case of a form the lesson's table says which mistakes show in it. The table holds no code, and none is run. A
case in which right answers differ is refused: there a right answer would count as a mistake.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from utils.checks.engine.answer_key import StoredKey
from utils.checks.engine.cases import Form
from utils.common import lessons
from utils.common.errors import WorkbookError
from utils.common.messages import N_, Message

TABLE = "catch.json"  # in the lesson's folder
CHOOSE = N_("Choose one value for each name. {choices}.")
REFUSED = N_("In this case right answers differ, or there is no result: choose another one.")
COUNTED = N_("Known mistakes: {total}. One case of this form can show {most} of them; yours shows {shown}.")
NOT_YET = N_("Not yet, for example: “{says}” What must be different in the case for this to show?")
BEST = N_("No case of this form shows more.")


def caught(lesson: str, question: str, form: Form, chosen: Mapping[str, Any]) -> Iterator[Message]:
    """Yield what a student's case shows. Raises: WorkbookError for values that the form does not have."""
    try:
        if chosen.keys() != form.choices.keys():
            raise KeyError
        number = 0
        for name, values in form.choices.items():
            number = number * len(values) + list(map(_typed, values)).index(_typed(chosen[name]))
    except (KeyError, ValueError):
        listed = "; ".join(f"{name}: {', '.join(map(str, values))}" for name, values in form.choices.items())
        raise WorkbookError(CHOOSE, choices=listed) from None
    table = json.loads(lessons.made(lesson, TABLE).read_text(encoding="utf-8"))[question]
    masks = [int(mask or "0", 16) for mask in table["shown"]]
    if not table["shown"][number]:
        yield Message(REFUSED)
        return
    shown, most = masks[number].bit_count(), max(mask.bit_count() for mask in masks)
    yield Message(COUNTED, {"total": table["total"], "most": most, "shown": shown})
    missed = [mistake for bit, mistake in enumerate(table["known"]) if not masks[number] >> bit & 1]
    sentence = StoredKey.of(lesson, question).sentence(frozenset(missed[:1]))
    yield Message(BEST) if shown == most or sentence is None else Message(NOT_YET, {"says": Message(sentence[1])})


def _typed(value: Any) -> str:
    """Return a value as text, in which `2*x` and `2·x`, 1 and 1.0 are the same."""
    text = str(float(value)) if isinstance(value, int | float) else str(value)
    return text.replace("*", "·").replace("-", "−").replace(" ", "")
