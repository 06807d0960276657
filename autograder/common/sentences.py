"""The instructor's sentences, in the course's language: what commands print, and what errors say.

A command's option `--course` sets the language of its process (`speak`); before, sentences are English. Code that makes
a sentence does not know the language.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from utils.common.messages import COMMA, LANGUAGES, Message, in_context, translate

DECIMAL_SIGN = in_context("decimal sign", ".")
_language = "en"


def speak(language: str) -> None:
    """Set the language of all sentences from now on; English if the workbook lacks the language."""
    global _language
    _language = language if language in LANGUAGES else "en"


def spoken() -> str:
    """Return the language of the sentences."""
    return _language


def T_(text: str, **values: Any) -> str:
    """Return a text in the course's language; like `N_`, the name marks a literal text for the catalogues."""
    return Message(text, in_language(values, _language)).render(_language)


def saying(language: str) -> Callable[..., str]:
    """Return the function `_` of a template: it takes a text and its values, and returns the text in a language."""
    return lambda text, **values: Message(text, values).render(language)


def said_in(script: str) -> list[str]:
    """Return the texts that a page's script shows: the literal first arguments of calls of its function `say`."""
    return re.findall(r'\bsay\(\s*"([^"\\]+)"', script)


def translated(text: str) -> str:
    """Return a text in the course's language; any text that no catalogue has, such as a file's name, unchanged."""
    return translate(text, _language)


def in_language(values: Mapping[str, Any], language: str) -> dict[str, Any]:
    """Return values whose decimal numbers are formatted as a language writes them."""
    return {name: Number(value, language) if isinstance(value, float) else value for name, value in values.items()}


def number(value: float) -> "Number":
    """Return a number that is formatted with the decimal sign of the course's language."""
    return Number(value, _language)


def joined(items: Iterable[str]) -> str:
    """Join texts by the comma of the course's language."""
    return T_(COMMA).join(items)


def with_decimals(text: str, language: str) -> str:
    """Return a text of numbers with a language's decimal sign in place of the point."""
    return text.replace(".", translate(DECIMAL_SIGN, language))


class Number(float):
    """A number that is formatted with a language's decimal sign."""

    language: str

    def __new__(cls, number: float, language: str) -> "Number":
        self = super().__new__(cls, number)
        self.language = language
        return self

    def __format__(self, form: str) -> str:
        return with_decimals(super().__format__(form), self.language)
