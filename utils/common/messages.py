"""Texts for students: English templates in the code, other languages from gettext catalogues.

A `Message` is data (a template and its values), so that a verdict can be stored once and shown in any language. The
catalogues are `utils/locale/LANGUAGE/LC_MESSAGES/messages.mo` and, with the texts of one lesson alone,
`utils/LESSON/made/LANGUAGE.mo`; the build compiles them.
"""

import contextlib
import gettext
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from utils.common import lessons, notebook
from utils.common.printable import printable

LOCALE = Path(__file__).parents[1] / "locale"
# English, and every language that has a catalogue. This is the only list of languages.
LANGUAGES = ("en", *sorted(path.parents[1].name for path in LOCALE.glob("*/LC_MESSAGES/messages.mo")))
# The languages found in notebooks so far, by session and folder.
_of_notebooks: dict[tuple[str, str], str] = {}
# This environment variable chooses the language; without it the notebook's metadata decide.
LANGUAGE_VARIABLE = "ATTENTION_WORKBOOK_LANGUAGE"
# gettext's separator between a text's context and the text.
CONTEXT_END = "\x04"


def N_(text: str) -> str:
    """Mark a text for the translators' catalogues and return it unchanged; the name is gettext's convention."""
    return text


def in_context(context: str, text: str) -> str:
    """Mark a text for the catalogues that has another meaning elsewhere; return it behind its context.

    context: tells translators which meaning it has. The form is gettext's own, `context + "\\x04" + text`; functions
    that show a text drop the context.
    """
    return f"{context}{CONTEXT_END}{text}"


# A language's name in itself: the French catalogue translates this as "français".
ITSELF = in_context("name of your own language in itself", "English")


def without_context(text: str) -> str:
    """Return a text from `in_context` or `N_` without its context, as it is shown in English."""
    return text.rpartition(CONTEXT_END)[2]


# The codes of languages that are written from right to left (Arabic, Persian, Hebrew, Pashto, Uyghur, Urdu, Yiddish).
RIGHT_TO_LEFT = {"ar", "fa", "he", "ps", "ug", "ur", "yi"}
# The separator of a list's items, and the separator of items that contain commas.
COMMA, SEMICOLON = in_context("between the items of a list", ", "), in_context("between the groups of a list", "; ")
# The end of a sentence, and what is between this sentence and the next.
FULL_STOP = in_context("between the sentences of a text", ". ")
# A language's translation of this number shows its thousands separator, between the first digit and the last three.
THOUSAND = N_("1,000")


@dataclass(frozen=True)
class Message:
    """An English template with `{names}`, and the values in their place (numbers, text, Messages)."""

    template: str
    values: Mapping[str, Any] = field(default_factory=dict)

    def render(self, language: str = "en") -> str:
        """Return the text in `language`; in English if the catalogue lacks it."""
        values = {name: _rendered(value, language) for name, value in self.values.items()}
        text = translate(self.template, language)
        return text.format(**values) if values else text

    def to_json(self) -> dict[str, Any]:
        values = {k: v.to_json() if isinstance(v, Message) else v for k, v in self.values.items()}
        return {"template": self.template, "values": values} if values else {"template": self.template}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Message":
        values = {
            name: cls.from_json(value) if isinstance(value, Mapping) else value
            for name, value in data.get("values", {}).items()
        }
        return cls(data["template"], values)


def _rendered(value: Any, language: str) -> Any:
    """Return a value in the form in which a message shows it; text may come from a student."""
    if isinstance(value, Message):
        return value.render(language)
    if isinstance(value, int) and not isinstance(value, bool):
        return _Count(value, translate(THOUSAND, language))
    return printable(value) if isinstance(value, str) else value


class _Count(int):
    """A whole number with a language's thousands separator, because a French reader takes `50,000` for fifty."""

    thousand: str

    def __new__(cls, number: int, thousand: str) -> "_Count":
        count = super().__new__(cls, number)
        count.thousand = thousand
        return count

    def __format__(self, form: str) -> str:
        return super().__format__(form).replace(",", self.thousand[1:-3])


def translations(language: str) -> Mapping[str, str]:
    """Return a language's catalogue, English text -> translation, of all lessons and of the texts that they share."""
    return _catalogue(language, tuple(lessons.folders()))


@cache
def _catalogue(language: str, _folders: tuple[Path, ...]) -> Mapping[str, str]:
    """Return the texts of all catalogues; read again once the folders of modules have changed."""
    paths = [folder / lessons.MADE / f"{language}.mo" for name in lessons.names() for folder in lessons.folders(name)]
    texts: dict[str, str] = {}
    # Later catalogues win: of lessons with the same text the first in order, and the shared catalogue over all.
    for path in (*reversed(paths), LOCALE / language / "LC_MESSAGES" / "messages.mo"):
        with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
            texts |= vars(gettext.GNUTranslations(file))["_catalog"]
    return texts


def translate(text: str, language: str) -> str:
    """Return `text` in `language`; in English without a translation."""
    return without_context(translations(language).get(text, text) if text and language != "en" else text)


def own_name(language: str) -> str:
    """Return a language's name in itself, such as "français"; its code, "fr", if the name is not translated."""
    name = translate(ITSELF, language)
    return name if language == "en" or name != without_context(ITSELF) else language


def direction(language: str) -> str:
    """Return the direction in which a language is written, as HTML's attribute `dir` names it: "ltr" or "rtl"."""
    return "rtl" if language in RIGHT_TO_LEFT else "ltr"


def said(text: str, **values: Any) -> str:
    """Return a marked text in the notebook's language; a text without translation, such as a student's, unchanged."""
    language = notebook_language()
    return Message(text, values).render(language) if values else translate(text, language)


def listed(items: Iterable[str]) -> str:
    """Join texts by a comma, or by the separator of the notebook's language."""
    return said(COMMA).join(items)


def named(name: str, value: str) -> str:
    """Write a name before its value, with the notebook's language's own colon."""
    return said(N_("{name}: {value}"), name=name, value=value)


def grouped(items: Iterable[str]) -> str:
    """Join texts that contain commas by a semicolon, or by the separator of the notebook's language."""
    return said(SEMICOLON).join(items)


def notebook_language() -> str:
    """Return the language of the notebook that runs this kernel, "en" or another of `LANGUAGES`.

    Code cells are the same in every language, so the notebook's metadata decide (`notebook.candidates`). If they do not
    name a language, or several notebooks name different languages, the folder's name decides. A language from metadata
    is remembered, because every label of a figure needs it.
    """
    chosen = os.environ.get(LANGUAGE_VARIABLE, "")
    if chosen in LANGUAGES:
        return chosen
    key = (notebook.session(), str(Path.cwd()))
    if key not in _of_notebooks:
        try:
            named = {notebook.workbook(candidate).get("language") for candidate in notebook.candidates()}
        except Exception:  # an unreadable notebook must not stop a check
            named = set()
        only = named.pop() if len(named) == 1 else ""
        if only not in LANGUAGES:  # not remembered, because the notebook may be saved, with its metadata, later
            return Path.cwd().name if Path.cwd().name in LANGUAGES else "en"
        _of_notebooks[key] = only
    return _of_notebooks[key]
