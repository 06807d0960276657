"""Reads the course's tables, as people and spreadsheets write them. Imports nothing heavy.

Excel's "CSV UTF-8" begins with a byte order mark; its plain "CSV" is in the code page of Windows, and has semicolons
where numbers have a decimal comma; its "Unicode text" is UTF-16 with tabs. All of these are read.
"""

import codecs
import csv
from dataclasses import dataclass
from pathlib import Path

from autograder.common.errors import CourseError

SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True)
class TableRow:
    """A line of a table: its number in the file, and its fields by column, without spaces around them."""

    number: int
    fields: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """Return a field, "" for a column that the table does not have."""
        return self.fields.get(column, "")


def rows(path: Path, *columns: str) -> list[TableRow]:
    """Return a table's lines that are not empty; none if there is no file.

    Names of columns are read in small letters. Raises: CourseError for a file that is not a table, or lacks one of
    `columns`.
    """
    try:
        text = decoded(path.read_bytes())
    except FileNotFoundError:
        return []
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} cannot be read ({error}); save it as CSV in UTF-8.") from None
    lines = text.splitlines()
    head = next((line for line in lines if line.strip()), "")
    # The separator is the sign that the first line has most of: names of columns contain none of the three.
    table = csv.reader(lines, delimiter=max(SEPARATORS, key=head.count))
    try:
        numbered = [(table.line_num, [field.strip() for field in fields]) for fields in table]
    except csv.Error as error:
        raise CourseError(f"{path} cannot be read ({error}); save it as CSV in UTF-8.") from None
    filled = [(number, fields) for number, fields in numbered if any(fields)]
    if not filled:
        return []
    names = [name.lower() for name in filled[0][1]]
    for column in columns:
        if column not in names:
            raise CourseError(f"{path} has no column {column!r}; its first line names the columns.")
    return [TableRow(number, dict(zip(names, fields, strict=False))) for number, fields in filled[1:]]


def decoded(content: bytes) -> str:
    """Return a table's text, in the encoding of one of the programs above. Raises: UnicodeDecodeError."""
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252")
