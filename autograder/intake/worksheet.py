"""Moodle's grading worksheet: who has which number, when everybody handed in, and the cells for the grades.

Moodle's archive has no times, because `add_file_from_stored_file` (files/classes/local/archive_writer/zip_writer.php)
gives ZipStream none, so that it writes the time of the download. The worksheet (Submissions, Download grading
worksheet; mod/assign/gradingtable.php) has for each student "Identifier", which ends in the number that the archive's
folder names hold, and "Last modified (submission)", to the minute, in the language and time zone of the person who
downloads it. It is read in English, French, German, Chinese, Spanish and Portuguese, with any separator.
"""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from autograder.intake.columns import WORKSHEET, named
from autograder.intake.errors import Skip
from autograder.intake.names import words
from autograder.intake.tables import parsed

MONTHS = (
    "january janvier januar enero janeiro|february fevrier februar febrero fevereiro|march mars marz marzo marco|"
    "april avril abril|may mai mayo maio|june juin juni junio junho|july juillet juli julio julho|august aout agosto|"
    "september septembre septiembre setembro|october octobre oktober octubre outubro|"
    "november novembre noviembre novembro|december decembre dezember diciembre dezembro"
)
CLOCK = re.compile(r"([上下]午 ?)?(\d{1,2}) ?[:h：] ?(\d\d)(?::\d\d)?(?: ?([AP])\.?M\b\.?)?", re.IGNORECASE)


@dataclass(frozen=True)
class Worksheet:
    """A worksheet: its lines as they are, and the columns that are known by name."""

    path: Path
    table: list[list[str]]
    columns: dict[str, int]

    def field(self, line: list[str], column: str) -> str:
        """Return a line's field, "" if it or the column is not there."""
        place = self.columns.get(column, len(line))
        return line[place].strip() if place < len(line) else ""

    def number(self, line: list[str]) -> str:
        """Return Moodle's number of a line's student, "" if there is none."""
        match = re.search(r"\d+$", self.field(line, "identifier"))
        return match[0] if match else ""

    def people(self) -> dict[str, dict[str, str]]:
        """Return what is known of the students, by number; `time` as nbgrader reads times. Raises: Skip."""
        found = {}
        for line in self.table[1:]:
            if number := self.number(line):
                found[number] = {column: self.field(line, column) for column in self.columns}
                written = found[number].get("submitted", "")
                # "-" where nothing was handed in
                found[number]["time"] = str(time_of(written)) if re.search(r"\d", written) else ""
        return found


def read(path: Path) -> Worksheet:
    """Read a worksheet. Raises: Skip for another table."""
    try:
        table = [fields for _, fields in parsed(path.read_bytes())]
    except (UnicodeDecodeError, csv.Error) as error:
        raise Skip("it cannot be read ({error})", error=str(error)) from None
    while table and not any(table[0]):
        del table[0]
    names = named(table[0], WORKSHEET) if table else []
    sheet = Worksheet(path, table, {name: names.index(name) for name in names if name in WORKSHEET})
    identified = any(re.search(r"\D\d+$", sheet.field(line, "identifier")) for line in table[1:])
    if not ("submitted" in sheet.columns or ("grade" in sheet.columns and identified)) or "identifier" not in names:
        raise Skip(
            "it is not a grading worksheet with columns 'Identifier' and 'Last modified (submission)', or the same "
            "in French, German, Chinese or Spanish; set your language in Moodle to English and download it again"
        )
    return sheet


def contradictions(sheets: Iterable[Worksheet]) -> list[tuple[str, str, str]]:
    """Return the students on whom two worksheets differ: the number, and the names of both files."""
    seen: dict[str, tuple[str, dict[str, str]]] = {}
    differ = []
    for sheet in sheets:
        for line in sheet.table[1:]:
            number, person = sheet.number(line), {column: sheet.field(line, column) for column in sheet.columns}
            if not number:
                continue
            name, before = seen.setdefault(number, (sheet.path.name, person))
            if any(
                before.get(key, person[key]) != person[key]
                for key in ("submitted", "email", "full_name")
                if key in person
            ):
                differ.append((number, name, sheet.path.name))
    return differ


def time_of(written: str) -> datetime:
    """Return a time that Moodle wrote: Friday, 20 November 2026, 1:45 PM, in any order and language. Raises: Skip."""
    clock = CLOCK.search(written)
    try:
        if clock is None:
            raise ValueError
        hour, minute = int(clock[2]), int(clock[3])
        if half := (clock[1] or clock[4] or "").strip().upper():
            hour = hour % 12 + 12 * (half in ("P", "下午"))
        date = written[: clock.start()] + " " + written[clock.end() :]
        numbers = [int(number) for number in re.findall(r"\d+", date)]
        months = [i for i, names in enumerate(MONTHS.split("|"), start=1) if {*names.split()} & {*words(date)}]
        if months:
            (year,), (day,), (month,) = [n for n in numbers if n > 31], [n for n in numbers if n <= 31], months
        else:
            year, month, day = numbers  # 2026年11月20日; a date that begins with the day could have the month there
            if year < 100:
                raise ValueError
        return datetime(year, month, day, hour, minute)
    except ValueError:
        raise Skip(
            "its time {written!r} cannot be read; set your language in Moodle to English and download it again",
            written=written,
        ) from None
