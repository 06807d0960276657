"""Sentences and tables that lessons print in the notebook's language; the code is the same in all languages."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from utils.common.columns import columns
from utils.common.guesses import with_guesses
from utils.common.messages import THOUSAND, said

# A number as Python writes it with separators.
GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")


def say(text: str, **values: Any) -> None:
    """Print a sentence in the notebook's language, with `values` in place of its `{names}`."""
    print(said(text, **values))


def print_table(
    rows: Sequence[Sequence[str]], heads: Sequence[str] = (), guesses: Mapping[str, Any] | None = None
) -> None:
    """Print rows of texts below the heads, the first column aligned to the left, the others to the right.

    Texts in the catalogue are translated, so a row may have a name as it is written in the code; a number such as
    "73,728" gets the language's own thousands separator. guesses: the student's guesses by the rows' first texts, for
    the second column.
    """
    rows, heads = with_guesses(rows, heads, guesses or {})
    translated = [[_shown(text) if text else "" for text in row] for row in [heads, *rows] if row]
    widths = [max(map(columns, column)) for column in zip(*translated, strict=True)]
    for row in translated:
        first, *others = ((text, width - columns(text)) for text, width in zip(row, widths, strict=True))
        print("  ".join([first[0] + " " * first[1], *(" " * space + text for text, space in others)]).rstrip())


def _shown(text: str) -> str:
    return text.replace(",", said(THOUSAND)[1:-3]) if GROUPED.fullmatch(text) else said(text)
