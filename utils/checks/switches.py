"""The switch that a lesson's explorer has for a mistake, so that a panel that names the mistake can lead there."""

import importlib
from collections.abc import Iterable

from utils.common.messages import N_, Message

# The package of each lesson with an explorer whose words have `mistake_<id>` for each switch.
EXPLORERS = {"attention": "shapes1d", "captioning": "captioning", "seq2seq": "translation", "gpt": "generation"}
SEE = N_("What this does to a trained network: switch on “{switch}” in this lesson's explorer, in the section Explore.")


def leading_to(lesson: str, mistakes: Iterable[str | None], language: str) -> str:
    """Return the sentence that leads from the first of these mistakes with a switch to it; "" if none has one."""
    if lesson not in EXPLORERS:
        return ""
    words = importlib.import_module(f"utils.{EXPLORERS[lesson]}.explorer").WORDS
    names = [words[f"mistake_{mistake}"] for mistake in mistakes if f"mistake_{mistake}" in words]
    return Message(SEE, {"switch": Message(names[0])}).render(language) if names else ""
