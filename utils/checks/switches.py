"""The switch that a lesson's explorer has for a mistake, so that a panel that names the mistake can lead there."""

import importlib
from collections.abc import Iterable

from utils.common import lessons
from utils.common.messages import N_, Message

SEE = N_("What this does to a trained network: switch on “{switch}” in this lesson's explorer, in the section Explore.")


def leading_to(lesson: str, mistakes: Iterable[str | None], language: str) -> str:
    """Return the sentence that leads from the first of these mistakes with a switch to it; "" if none has one."""
    if not lessons.file(lesson, "explorer.py").is_file():
        return ""
    words = importlib.import_module(f"utils.{lesson}.explorer").WORDS  # `mistake_<id>` for each switch
    names = [words[f"mistake_{mistake}"] for mistake in mistakes if f"mistake_{mistake}" in words]
    return Message(SEE, {"switch": Message(names[0])}).render(language) if names else ""
