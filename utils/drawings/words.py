"""An empty canvas, and the function that gives its texts in the notebook's language."""

from collections.abc import Callable
from typing import Any

from utils.common.messages import Message, notebook_language
from utils.drawings.canvas import Canvas

WIDTH = 746  # the width of every drawing, in CSS pixels


def blank(
    language: str | None, height: float, title: str, description: str, **values: Any
) -> tuple[Callable[..., str], Canvas]:
    """Return a function that translates a text marked with `N_`, and an empty canvas.

    language: the drawing's; None for the notebook's. values: the values in place of the description's `{names}`.
    """
    chosen = language or notebook_language()

    def say(text: str, **values: Any) -> str:
        return Message(text, values).render(chosen)

    return say, Canvas(WIDTH, height, say(title), say(description, **values))
