"""The project's errors: each says what was expected, what came, and what to do next, in the notebook's language."""

from typing import Any

from utils.common.messages import Message, notebook_language, translate


class WorkbookError(Exception):
    """Base of all errors that a user can mend: the text is one clear sentence, shown without a traceback.

    IPython calls an exception's `_render_traceback_` to show it; a student would have to search for the sentence below
    forty lines of library code otherwise.

    Args: text: the sentence, marked with `N_` if students may see it. values: the values of its `{names}`.
    """

    def __init__(self, text: str, **values: Any):
        super().__init__(text)
        self.values = values

    def __str__(self) -> str:
        return self.render(notebook_language())

    def render(self, language: str) -> str:
        """Return the sentence in a language; in English if the catalogue lacks it."""
        text = str(self.args[0])
        return Message(text, self.values).render(language) if self.values else translate(text, language)

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class CheckFailed(WorkbookError):
    """The answer is not right yet; the text says how many tests passed."""


class NotDone(WorkbookError):
    """A program has run a lesson to its end with questions open; the text names them."""


class NotWritten(WorkbookError, NotImplementedError):
    """A method that the student should write is missing: the method of the project's base class raises this."""


class DataError(WorkbookError):
    """A data file is missing, truncated or in an unexpected format."""


class ShapeError(WorkbookError, ValueError):
    """An array or argument has another shape than the formula needs."""


class ResultError(Exception):
    """The result of the student's code has the wrong form; `verdict.py` reads the text and explains it."""


class NothingReturned(Exception):
    """The student's code returned None where a result is needed."""
