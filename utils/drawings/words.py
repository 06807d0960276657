"""An empty canvas, and the function that gives its texts in the notebook's language."""

from collections.abc import Callable
from typing import Any

from utils.common.messages import Message, notebook_language
from utils.drawings.canvas import Canvas

WIDTH = 746  # of every drawing, in CSS pixels


def blank(
    language: str | None, height: float, title: str, description: str, **values: Any
) -> tuple[Callable[..., str], Canvas]:
    """Return a function that translates a text marked with `N_`, and an empty canvas.

    language: that of the drawing; None for the notebook's. values: those of the description's `{named}` places.
    """
    chosen = language or notebook_language()

    def say(text: str, **values: Any) -> str:
        return Message(text, values).render(chosen)

    return say, Canvas(WIDTH, height, say(title), say(description, **values))
