"""A lesson's final marks, and the journal of those that were sent: `.lti/sent/LESSON.jsonl`, lines before and after.

The platform's gradebook says which marks arrived. The journal says which numbers there are ours: another number was
given by a teacher on the platform. A mark that waits for a person is not final, and an excused student has no mark.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.gradebook.roll import GRADED, Roll
from autograder.lti.settings import FOLDER, folder_of, places_of
from utils.common.messages import N_

NUMBER = "lti_user_id"  # in students.csv; not `lms_user_id`, because Canvas has another number in exports and archives
Row = dict[str, str]  # of students.csv
SAME = 0.001  # of the maximum: platforms round marks


@dataclass(frozen=True)
class Mark:
    """A student's mark, by the platform's number of the student."""

    number: str
    given: float
    most: float
    comment: str = ""

    def is_worth(self, share: float | None) -> bool:
        """Return whether the platform shows this mark."""
        return share is not None and abs(share - self.given / self.most) <= SAME


@dataclass
class Entry:
    """What was sent of a student: the last mark, its time there, and all marks that the platform may have from us."""

    mark: Mark
    time: float
    taken: bool  # whether the platform has answered that it has the mark
    ours: list[Mark] = field(default_factory=list)


class Outbox:
    """A lesson's journal."""

    def __init__(self, course: Course, lesson: str):
        self.course, self.entries = course, dict[str, Entry]()
        self.path = course / FOLDER / "sent" / f"{lesson}.jsonl"
        for line in self.path.read_bytes().splitlines() if self.path.exists() else ():
            with suppress(ValueError):  # a kill may leave half a line
                row = json.loads(line)
                self._take(Mark(**row["mark"]), row["time"], row["taken"])

    def _take(self, mark: Mark, time: float, taken: bool) -> None:
        before = self.entries.get(mark.number)
        ours = before.ours if before and not taken else []
        self.entries[mark.number] = Entry(mark, time, taken, [*ours, mark])

    def note(self, mark: Mark, time: float, *, taken: bool) -> None:
        """Add a line, after an empty one, because a kill may have left half a line. Raises: OSError."""
        (folder_of(self.course) / "sent").mkdir(mode=0o700, exist_ok=True)
        line = json.dumps({"mark": asdict(mark), "time": time, "taken": taken})
        with open(self.path, "a", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(f"\n{line}\n")
        self._take(mark, time, taken)


def numbered(rows: Iterable[Row]) -> dict[str, Row]:
    """Return the lines that have a number of the platform, by the number. Raises: PlatformError for one in two."""
    by_number: dict[str, Row] = {}
    for row in rows:
        if (number := row.get(NUMBER, "")) and by_number.setdefault(number, row) is not row:
            same = N_("students.csv: {first} and {second} have the same {column}, {number}; delete it in one line.")
            raise PlatformError(same, first=by_number[number]["id"], second=row["id"], column=NUMBER, number=number)
    return by_number


def final_marks(course: Course, lesson_name: str, roll: Roll) -> dict[str, Mark]:
    """Return the final marks, without comments, by the id of students whose number on the platform is known.

    Raises: PlatformError.
    """
    out_of, found, final = course.settings.of_lesson(lesson_name).out_of, {}, roll.marks(GRADED)
    for number, row in numbered(member.row for member in roll.members.values()).items():
        if (marks := final.get(row["id"])) and marks.max_score:
            most = out_of or marks.max_score
            found[row["id"]] = Mark(number, round(marks.total * most / marks.max_score, 4), most)
    return found


def unsent(course: Course, lesson_name: str, roll: Roll) -> int | None:
    """Return how many final marks the platform has not taken; None without a platform."""
    if not places_of(course):
        return None
    entries = Outbox(course, lesson_name).entries
    taken = {(one.mark.number, one.mark.given, one.mark.most) for one in entries.values() if one.taken}
    final = final_marks(course, lesson_name, roll).values()
    return sum((mark.number, mark.given, mark.most) not in taken for mark in final)
