"""What lessons print: sentences and tables in the notebook's language, whose code is the same in every language."""

from collections.abc import Sequence
from typing import Any

from utils.common.columns import columns
from utils.common.messages import said


def say(text: str, **values: Any) -> None:
    """Print a sentence in the notebook's language; `values` stand in its `{named}` places."""
    print(said(text, **values))


def print_table(rows: Sequence[Sequence[str]], heads: Sequence[str] = ()) -> None:
    """Print rows of texts below their heads, the first column on the left, the others on the right of their columns.

    Texts that a catalogue has are translated, so that a name may stand in a row as it stands in the code.
    """
    shown = [[said(text) if text else "" for text in row] for row in [heads, *rows] if row]
    widths = [max(map(columns, column)) for column in zip(*shown, strict=True)]
    for row in shown:
        first, *others = ((text, width - columns(text)) for text, width in zip(row, widths, strict=True))
        print("  ".join([first[0] + " " * first[1], *(" " * space + text for text, space in others)]).rstrip())
