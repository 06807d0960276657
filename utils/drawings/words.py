"""The words in drawings, in the notebook's language."""

from collections.abc import Callable

from utils.common.messages import Message, notebook_language


def speaker(language: str | None) -> Callable[..., str]:
    """Return a function that says a marked text in `language`, in the notebook's where that is None."""
    chosen = language or notebook_language()
    return lambda text, **values: Message(text, values).render(chosen)
