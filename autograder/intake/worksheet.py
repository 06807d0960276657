"""Reads when Moodle submissions were handed in, from Moodle's grading worksheet, because Moodle's archive does not say.

Moodle gives ZipStream no times (`add_file_from_stored_file` in its files/classes/local/archive_writer/zip_writer.php),
so that ZipStream writes the time of the download (ZipStream-PHP, src/File.php). The worksheet (Submissions, Download
grading worksheet; mod/assign/gradingtable.php) has for each student "Identifier", which ends in the number that the
archive's folder names hold, and "Last modified (submission)", to the minute, in the language and time zone of the
person who downloads the worksheet. Only English worksheets are read.
"""

import csv
import re
from datetime import datetime
from pathlib import Path

from autograder.intake.errors import Skip

IDENTIFIER, TIME = "Identifier", "Last modified (submission)"
AGAIN = "set your language in Moodle to English and download it again"
# Moodle's strftimedaydatetime: "Friday, 20 November 2026, 1:45 PM"; sites may set a clock of 24 hours.
WRITTEN = re.compile(r"(?:\w+, )?(\d{1,2} \w+ \d{4}), (\d{1,2}:\d\d)(?: ?([AP]M))?", re.IGNORECASE)


def submitted(path: Path) -> dict[str, str]:
    """Return by the students' numbers when they handed in, as nbgrader reads times. Raises: Skip."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise Skip(f"it cannot be read ({error})") from None
    if not rows or not {IDENTIFIER, TIME} <= set(rows[0]):
        raise Skip(f"it is no grading worksheet with columns {IDENTIFIER!r} and {TIME!r}; {AGAIN}")
    times = {}
    for row in rows:
        number, written = re.search(r"\d+$", row[IDENTIFIER] or ""), row[TIME] or ""
        if number and re.search(r"\d", written):  # "-" where nothing was handed in
            times[number[0]] = str(_time(written))
    return times


def _time(written: str) -> datetime:
    match = WRITTEN.fullmatch(written.strip())
    try:
        if match is None:
            raise ValueError
        day, hour, half = match.groups()
        return datetime.strptime(f"{day} {hour} {half or ''}".strip(), f"%d %B %Y {'%I:%M %p' if half else '%H:%M'}")
    except ValueError:
        raise Skip(f"its time {written!r} cannot be read; {AGAIN}") from None
