"""A lesson's final marks, and the journal of those that were sent: `.lti/sent/LESSON.jsonl`, lines before and after.

The platform's gradebook says which marks arrived. The journal says which numbers there are ours: another number was
given by a teacher on the platform. A mark that waits for a person is not final, and an excused student has no mark.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.gradebook.roll import GRADED, Roll
from autograder.lti.settings import FOLDER, places_of

NUMBER = "lti_user_id"  # in students.csv; not `lms_user_id`, because Canvas has another number in exports and archives
Row = dict[str, str]  # of students.csv
SAME = 0.001  # of the maximum: platforms round marks


@dataclass(frozen=True)
class Mark:
    """A student's mark, by the platform's number of the student; in the journal, also when and how it was sent."""

    number: str
    given: float
    most: float
    comment: str = ""
    time: float = field(default=0.0, compare=False)  # that the mark has on the platform
    taken: bool = field(default=False, compare=False)  # whether the platform has answered that it has the mark

    def is_worth(self, share: float | None) -> bool:
        """Return whether the platform shows this mark."""
        return share is not None and abs(share - self.given / self.most) <= SAME


class Outbox:
    """A lesson's journal. `ours` has, by the platform's number, the last mark that was taken and those sent since."""

    def __init__(self, course: Course, lesson: str):
        self.path, self.ours = course / FOLDER / "sent" / f"{lesson}.jsonl", dict[str, list[Mark]]()
        for line in self.path.read_bytes().splitlines() if self.path.exists() else ():
            with suppress(ValueError):  # a kill may leave half a line
                self._keep(Mark(**json.loads(line)))

    def _keep(self, mark: Mark) -> None:
        before = [] if mark.taken else self.ours.get(mark.number, [])
        self.ours[mark.number] = [*before, mark]

    def note(self, mark: Mark) -> None:
        """Add a line, after an empty one, because a kill may have left half a line. Raises: OSError."""
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        with open(self.path, "a", encoding="utf-8", opener=partial(os.open, mode=0o600)) as file:
            file.write(f"\n{json.dumps(asdict(mark))}\n")
        self._keep(mark)


def numbered(rows: Iterable[Row]) -> dict[str, Row]:
    """Return the lines that have a number of the platform, by the number. Raises: PlatformError for one in two."""
    by_number: dict[str, Row] = {}
    for row in rows:
        if (number := row.get(NUMBER, "")) and by_number.setdefault(number, row) is not row:
            two = {"first": by_number[number]["id"], "second": row["id"]}
            raise PlatformError("students.csv: {first} and {second} have the same lti_user_id; delete one.", **two)
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
    last = (marks[-1] for marks in Outbox(course, lesson_name).ours.values())
    taken = {replace(mark, comment="") for mark in last if mark.taken}
    return len({*final_marks(course, lesson_name, roll).values()} - taken)
