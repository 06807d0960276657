"""What the names of all files, and the tables beside an archive, tell before the first notebook is read.

Only a table that is directly in `archive/` is the platform's; a table in a folder or an archive may be a student's.
"""

import contextlib
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.common.sentences import T_
from autograder.intake import archives, worksheet
from autograder.intake.columns import PEOPLE, named
from autograder.intake.errors import Skip
from autograder.intake.forms import BLACKBOARD, InArchive
from autograder.intake.groups import Person, groups_of, students_of
from autograder.intake.names import letters
from autograder.intake.places import places_of
from autograder.intake.roster import Roster
from autograder.intake.tables import rows
from autograder.intake.whose import Hints
from autograder.intake.worksheet import Worksheet
from utils.common.messages import N_, in_context

Parts = tuple[str, ...]


@dataclass(frozen=True)
class Tables:
    """The tables beside the archives: worksheets, lines of groups' members, and by path why a table is neither."""

    sheets: list[Worksheet] = field(default_factory=list)
    members: list[Person] = field(default_factory=list)
    read: dict[Path, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Before:
    """What is known in advance; `numbers` are Moodle's, by student; `questions` are sentences for the instructor."""

    course: Course
    lesson_name: str
    roster: Roster
    hints: Hints
    tables: dict[Path, str]
    numbers: dict[str, str]
    questions: list[str]

    def for_member(self, notebook: InArchive, member: str) -> InArchive:
        """Return a group's notebook as that of one member. Raises: Skip if the member has changed the group."""
        before = self.hints.places.get(member)
        there = self.course / "submitted" / member / self.lesson_name
        if before and before.platform == notebook.platform and before.group != notebook.account and there.exists():
            raise Skip(
                "{member} handed in {how} before, and is in {group} now; to take this notebook, remove "
                "submitted/{member}/{lesson} and collect again",
                member=member,
                how=T_("with {group}", group=before.group)
                if before.group
                else T_(in_context("of a student who handed in without a group", "alone")),
                group=notebook.account,
                lesson=self.lesson_name,
            )
        number, own = self.numbers.get(member, ""), self.roster.rows.get(member, {}).get("lms_user_id", "")
        # The member's own name on the platform, by which feedback finds its way back.
        place = ""
        if notebook.platform == "moodle" and number:
            name = self.hints.people[number].get("full_name", "").replace("_", " ") or member
            place = f"{name}_{number}_assignsubmission_file_"
        elif notebook.platform == "canvas" and own:
            place = re.sub(r"_\d+(?=_\d{5,15}_)", f"_{own}", notebook.place, count=1)
        elif notebook.platform == "blackboard":
            place = re.sub(r"^.*?(?=_attempt_)", member, notebook.place)
        return replace(
            notebook, student=member, members=(), group=notebook.account, participant=number, place=place, doubt=""
        )


def tables_in(folder: Path) -> Tables:
    """Read the tables that are directly in a folder."""
    tables = Tables()
    for path in sorted(folder.glob("*")):
        if path.suffix.lower() == ".csv" and path.is_file() and not path.is_symlink():
            tables.read[path] = ""
            try:
                sheet = worksheet.read(path)
                sheet.people()
                tables.sheets.append(sheet)
            except Skip as reason:
                lines = _with_groups(path)
                tables.members.extend(lines)
                tables.read[path] = "" if lines else str(reason)
    return tables


def _with_groups(path: Path) -> list[Person]:
    """Return the lines of a platform's table that name a group, Canvas' or Blackboard's list of a group's members."""
    with contextlib.suppress(CourseError):
        return [row.fields for row in rows(path, known=partial(named, columns=PEOPLE)) if row["group"]]
    return []


def look(folder: Path, course: Course, lesson_name: str, roster: Roster) -> Before:
    """Return what the names of the files in a folder and its archives tell, and the tables beside them."""
    tables = tables_in(folder)
    people: dict[str, dict[str, str]] = {}
    for sheet in tables.sheets:
        people |= sheet.people()
    questions = []
    for number, first, second in worksheet.contradictions(tables.sheets):
        people[number]["time"] = ""
        which = N_(
            "Which worksheet counts? {first} and {second} differ on the student with Moodle's number {number}; leave "
            "one of them there, and collect again."
        )
        questions.append(T_(which, first=first, second=second, number=number))
    groups, doubtful = groups_of(roster, [*people.values(), *tables.members])
    for student, (listed, there) in sorted(doubtful.items()):
        which = N_(
            "Which group is {student} in? {listed} by students.csv, {there} by the platform's table; correct one of "
            "them, and collect again."
        )
        questions.append(T_(which, student=student, listed=listed, there=there))
    names = list(_names(folder))
    hints = Hints(_title(names, roster, groups), _inner(names), people, groups, places_of(course, lesson_name))
    numbers = {student: number for number, student in students_of(roster, people).items()}
    return Before(course, lesson_name, roster, hints, tables.read, numbers, questions)


def _names(folder: Path) -> Iterator[Parts]:
    """Yield the folders and names of all files, also of those in archives; what cannot be read is reported later."""
    for place, _, files in os.walk(folder):
        for name in files:
            path = Path(place, name)
            parts = path.relative_to(folder).parts
            yield parts
            if archives.ending(parts) in archives.ARCHIVES and stat.S_ISREG(path.lstat().st_mode):
                with contextlib.suppress(Exception), path.open("rb") as file:
                    members = archives.entries(file, archives.ByteBudget(archives.MAX_TOTAL))
                    for _, member in zip(range(archives.MAX_ENTRIES), members, strict=False):
                        with contextlib.suppress(Skip):
                            yield archives.split(member.name) if member else ()


def _title(names: list[Parts], roster: Roster, groups: Mapping[str, Set[str]]) -> str:
    """Return the assignment's name as Blackboard's names begin with it: so that most of the rests are in the list.

    Names of assignments and of users may hold the _ that is between them.
    """
    matches = (re.fullmatch(BLACKBOARD, part) for parts in names for part in parts)
    students = {match["student"] for match in matches if match}
    titles = {student[:i] for student in students for i, sign in enumerate(student) if sign == "_" and i}

    def fitting(title: str) -> tuple[int, int]:
        rests = [student[len(title) + 1 :] for student in students if student.startswith(f"{title}_")]
        known = [rest for rest in rests if rest and (roster.find(rest) or letters(rest) in groups)]
        return len(known), -len(title)

    best = max(titles, key=fitting, default="")
    return best if best and fitting(best)[0] else ""


def _inner(names: list[Parts]) -> frozenset[str]:
    """Return the names of folders that are alone within several others, `hw1` in those of two students."""
    within: dict[Parts, set[str]] = {}
    for parts in names:
        for depth in range(1, len(parts) - 1):
            within.setdefault(parts[:depth], set()).add(parts[depth])
    alone = Counter(next(iter(inner)) for inner in within.values() if len(inner) == 1)
    with_others = set[str]().union(*(inner for inner in within.values() if len(inner) > 1))
    return frozenset(name for name, number in alone.items() if number > 1 and name not in with_others)
