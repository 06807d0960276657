"""Fills Moodle's grading worksheet with marks, for "Upload grading worksheet" of the assignment.

Moodle finds its columns by their names in the language of the person who uploads, the student by the number in
"Identifier", and skips a row whose grade has changed there since (mod/assign/feedback/offline/importgradeslib.php). It
reads commas and UTF-8 alone, so the worksheet is written in this form, whatever a spreadsheet has made of it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.sentences import T_
from autograder.gradebook.roll import Roll
from autograder.intake.before import tables_in
from autograder.intake.errors import Skip
from autograder.intake.groups import students_of
from autograder.intake.places import places_of
from autograder.intake.roster import Roster
from autograder.intake.worksheet import Worksheet, contradictions, read
from utils.common.messages import N_

Table = list[list[str]]


@dataclass(frozen=True)
class Found:
    """The worksheets of a lesson as one, and the students whose rows are in it, by the row's place in the table."""

    sheet: Worksheet
    students: dict[int, str]

    @property
    def maximum(self) -> float | None:
        """The assignment's maximum in the worksheet, None if it is not a single number."""
        texts = {self.sheet.field(line, "maximum").replace(",", ".") for line in self.sheet.table[1:]} - {""}
        return float(texts.pop()) if len(texts) == 1 and all(re.fullmatch(r"\d+(\.\d+)?", t) for t in texts) else None

    def filled(self, marks: dict[str, str]) -> Table:
        """Return the table with each student's mark as the grade; nothing else is changed."""
        table = [list(line) for line in self.sheet.table]
        for row, student in self.students.items():
            if student in marks:
                table[row][self.sheet.columns["grade"]] = marks[student]
        return table


def find(course: Course, lesson_name: str, roll: Roll) -> Found | None:
    """Return the worksheet beside a lesson's archives, None without a table.

    Raises: GradingError for a table that is not understood, so that no other table is taken for a filled worksheet.
    """
    folder = course / "downloaded" / lesson_name / "archive"
    sheets, wrong = _sheets(folder)
    if not sheets and wrong:
        name, why = next(iter(wrong.items()))
        raise GradingError(
            "Nothing was written: {name}, beside the archive, cannot be filled in; {why}. Without it there, `--to "
            "moodle` writes a table for Grades > Import.",
            name=name,
            why=why,
        )
    if not sheets:
        return None
    sheet = _one(sheets)
    places = {p.number: s for s, p in places_of(course, lesson_name).items() if p.platform == "moodle"}
    lines = {row: line for row, line in enumerate(sheet.table) if row and len(line) > sheet.columns["grade"]}
    students = {row: places[number] for row, line in lines.items() if (number := sheet.number(line)) in places}
    others = {
        row: {column: sheet.field(line, column) for column in sheet.columns}
        for row, line in lines.items()
        if row not in students and sheet.number(line)
    }
    students |= students_of(Roster.of(course), others, students.values())
    return Found(sheet, {row: student for row, student in students.items() if student in roll.members})


def _sheets(folder: Path) -> tuple[list[Worksheet], dict[str, str]]:
    """Return the worksheets in a folder, and by name why another table there is none."""
    sheets = []
    books = [path.name for path in sorted(folder.glob("*")) if path.suffix.lower() in (".xlsx", ".xls", ".ods")]
    wrong = dict.fromkeys(books, "save it as CSV")
    for path, why in tables_in(folder).read.items():
        try:
            sheet = read(path)
            if "grade" in sheet.columns:
                sheets.append(sheet)
            else:
                by_words = N_("it has no column 'Grade' (its assignment is graded by words, not by numbers)")
                wrong[path.name] = T_(by_words) if "scale" in sheet.columns else T_("it has no column 'Grade'")
        except Skip as reason:
            if why:
                wrong[path.name] = str(reason)
    return sheets, wrong


def _one(sheets: list[Worksheet]) -> Worksheet:
    """Return several worksheets as one, as Moodle gives one for each group. Raises: GradingError if they contradict."""
    first, table, seen = sheets[0], [sheets[0].table[0]], set[str]()
    with_grades = [sheet for sheet in sheets if sheet.table[0] == table[0]]
    different = next((sheet.path.name for sheet in sheets if sheet not in with_grades), "")
    if not different and (differ := contradictions(sheets)):
        _, _, different = differ[0]
    if different:
        raise GradingError(
            "Nothing was written: of the worksheets beside the archive, {first} and {second} contradict each other; "
            "leave the one that counts.",
            first=first.path.name,
            second=different,
        )
    for sheet in sheets:
        for line in sheet.table[1:]:
            if (number := sheet.number(line)) not in seen or not number:
                table.append(line)
                seen.add(number)
    return Worksheet(first.path, table, first.columns)
