"""Reads the course's tables, as people and spreadsheets write them. Imports nothing heavy.

Excel's "CSV UTF-8" begins with a byte order mark; its plain "CSV" is in the code page of Windows, and has semicolons
where numbers have a decimal comma; its "Unicode text" is UTF-16 with tabs. A first line "sep=;" names the separator.
All of these are read.
"""

import codecs
import contextlib
import csv
import io
import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.common.errors import CourseError

SEPARATORS = (",", ";", "\t")
SAMPLE = 10_000  # characters by which a code page is known


@dataclass(frozen=True)
class TableRow:
    """A line of a table: its number in the file, and its fields by column, without spaces around them."""

    number: int
    fields: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """Return a field, "" for a column that the table does not have."""
        return self.fields.get(column, "")


def rows(path: Path, *columns: str, known: Callable[[list[str]], list[str]] | None = None) -> list[TableRow]:
    """Return a table's lines that are not empty; none without a file.

    Names of columns are read in small letters; `known` gives each the name that the workbook uses. Raises: CourseError
    for a file that is not a table, or lacks one of `columns`.
    """
    try:
        table = parsed(path.read_bytes())
    except FileNotFoundError:
        return []
    except (UnicodeDecodeError, csv.Error) as error:
        raise CourseError(
            "{file} cannot be read ({error}); save it as CSV in UTF-8.", file=path, error=str(error)
        ) from None
    filled = [(number, stripped) for number, fields in table if any(stripped := [field.strip() for field in fields])]
    if not filled:
        return []
    names = [name.lower() for name in filled[0][1]]
    names = known(names) if known else names
    for column in columns:
        if column not in names:
            raise CourseError(
                "{file} has no column {column!r}; its first line names the columns.", file=path, column=column
            )
        if names.count(column) > 1:
            about = {"file": path, "number": filled[0][0], "column": column}
            raise CourseError("{file}, line {number}: there are two columns {column!r}; delete one of them.", **about)
    return [TableRow(number, dict(zip(names, fields, strict=False))) for number, fields in filled[1:]]


def parsed(content: bytes) -> list[tuple[int, list[str]]]:
    """Return a table's lines, each with the number of its first line in the file.

    Raises: UnicodeDecodeError, csv.Error.
    """
    text = decoded(content)
    head = next((line for line in text.splitlines() if line.strip()), "")
    named = re.fullmatch(r"\s*\"?sep=(.)\"?\s*", head, re.IGNORECASE)
    # Else the separator is the sign that the first line has most of: names of columns contain none of the three.
    separator = named[1] if named else max(SEPARATORS, key=head.count)
    # Read from the whole text, because a quoted field may have line breaks.
    table = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    lines, before = [], 0
    for fields in table:
        lines.append((before + 1, fields))
        before = table.line_num
    return [line for line in lines if not (named and "".join(line[1]).lower().startswith("sep="))]


def decoded(content: bytes) -> str:
    """Return a table's text, in the encoding of one of the programs above. Raises: UnicodeDecodeError."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return in_code_page(content)


def in_code_page(content: bytes, errors: str = "strict") -> str:
    """Return a text in the code page of a Chinese or of a Western Windows. Raises: UnicodeDecodeError if `strict`."""
    with contextlib.suppress(UnicodeDecodeError):
        text = content.decode("gb18030")
        foreign = itertools.islice(re.finditer(r"[^\x00-\x7f]", text), SAMPLE)
        first = [sign[0].encode("gb18030")[0] for sign in foreign]
        # The common Chinese characters begin below; Western letters, read as Chinese, above.
        if 2 * sum(byte <= 0xD7 for byte in first) > len(first):
            return text
    return content.decode("cp1252", errors)
