"""The groups of a course, by `students.csv` and by the tables of the platform: one notebook is that of all members."""

import re
from collections.abc import Iterable, Mapping

from autograder.intake.names import letters
from autograder.intake.roster import LOGINS, Roster, with_names

Person = Mapping[str, str]


def groups_of(roster: Roster, people: Iterable[Person]) -> tuple[dict[str, set[str]], dict[str, tuple[str, str]]]:
    """Return the members by the letters of the group's name; and by student the groups of which only one can be right.

    The group "" is all who are in none: Moodle lets them hand in together. `people` are lines of the platform's tables.
    """
    members: dict[str, set[str]] = {}
    doubtful = {}
    said = {student: row.get("group", "") for student, row in roster.rows.items()}
    for person in people:
        student, there = student_of(roster, person), person.get("group", "")
        if student and said.get(student) and there and not _names(said[student]) & _names(there):
            doubtful[student] = (said[student], there)
        elif student and there:
            said[student] = there
    for student, group in said.items():
        for name in _names(group) if student not in doubtful else ():
            members.setdefault(name, set()).add(student)
    if members:
        members[""] = {student for student, group in said.items() if not group}
    return members, doubtful


def student_of(roster: Roster, person: Person) -> str:
    """Return the student of `students.csv` whom a line of a platform's table means, "" if nobody or several."""
    known = with_names(dict(person))
    name = f"{known.get('first_name', '')} {known.get('last_name', '')}"
    found = roster.find(*(person.get(column, "") for column in ("id", "lms_user_id", *LOGINS)))
    found = found or roster.find(person.get("full_name", ""), name)
    return next(iter(found)) if len(found) == 1 else ""


def _names(groups: str) -> set[str]:
    """Return the letters of a group's name; Moodle's participants may be in several, with commas between them."""
    return {letters(name) for name in (groups, *re.split(r"[,;|]", groups))} - {""}
