"""Writes a table as a text that spreadsheets open by a double click, in the language of the computer."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

# Where numbers have a decimal comma, Excel expects semicolons between fields.
COMMA = ("fr", "de", "es", "it", "pt", "nl")
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def harmless(field: str) -> str:
    """Return a field with an apostrophe before it where a spreadsheet would take it for a formula."""
    is_number = field == "-" or re.fullmatch(r"[+-]?(\d+\.?\d*(e[+-]?\d+)?|nan)", field, re.IGNORECASE)
    return f"'{field}" if field.startswith(FORMULA) and not is_number else field


def spreadsheet(table: Iterable[Sequence[str]], language: str, texts: int) -> str:
    """Return a table as CSV for a language; its first `texts` columns are texts, not numbers.

    Excel reads UTF-8 only if the text begins with a byte order mark. An English table has none, for programs.
    """
    text = io.StringIO()
    comma = language in COMMA
    writer = csv.writer(text, lineterminator="\r\n", delimiter=";" if comma else ",")
    for row in ([harmless(field) for field in line] for line in table):
        numbers = [re.sub(r"^(-?\d+)\.(\d+)$", r"\1,\2", field) if comma else field for field in row[texts:]]
        writer.writerow([*row[:texts], *numbers])
    return "\ufeff" * (language != "en") + text.getvalue()
