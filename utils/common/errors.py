"""The project's errors: each says what was expected, what came, and what to do next, in the notebook's language."""

from typing import Any

from utils.common.messages import Message, notebook_language, translate


class WorkbookError(Exception):
    """Base of all errors that are a user's to mend: its text is one clear sentence, shown alone.

    IPython asks an exception for `_render_traceback_`; answering with the sentence alone keeps a
    student from having to find it under forty lines of library code.

    Args: text: the sentence, marked with `N_` where students may meet it. values: what stands in its places.
    """

    def __init__(self, text: str, **values: Any):
        super().__init__(text)
        self.values = values

    def __str__(self) -> str:
        return self.render(notebook_language())

    def render(self, language: str) -> str:
        """Return the sentence in a language; one that is in no catalogue as it is."""
        text = str(self.args[0])
        return Message(text, self.values).render(language) if self.values else translate(text, language)

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class CheckFailed(WorkbookError):
    """The answer is not right yet; the text says how many tests passed."""


class NotDone(WorkbookError):
    """A lesson was run by a program to its end, and questions are open; the text names them."""


class DataError(WorkbookError):
    """A data file is missing, truncated or of another form than expected."""


class ShapeError(WorkbookError, ValueError):
    """An array or argument has another shape than the formula needs."""


class ResultError(Exception):
    """What the student's code returned is not of the form that was asked for; `verdict.py` reads and tells the text."""


class NothingReturned(Exception):
    """The student's code returned None where a result was asked for."""
