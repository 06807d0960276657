"""The groups of a course, by `students.csv` and by the tables of the platform: one notebook counts for all members."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeVar

from autograder.intake.names import letters
from autograder.intake.roster import LOGINS, Roster, with_names

Person = Mapping[str, str]
Key = TypeVar("Key")


def groups_of(roster: Roster, people: Iterable[Person]) -> tuple[dict[str, set[str]], dict[str, tuple[str, str]]]:
    """Return the members by the letters of the group's name; and by student the groups of which only one can be right.

    The group "" is all students without a group: Moodle lets them hand in together. `people` are lines of the
    platform's tables.
    """
    members: dict[str, set[str]] = {}
    doubtful = {}
    said = {student: row.get("group", "") for student, row in roster.rows.items()}
    lines = dict(enumerate(people))
    for place, student in students_of(roster, lines).items():
        there = lines[place].get("group", "")
        if said.get(student) and there and not _names(said[student]) & _names(there):
            doubtful[student] = (said[student], there)
        elif there:
            said[student] = there
    for student, group in said.items():
        for name in _names(group) if student not in doubtful else ():
            members.setdefault(name, set()).add(student)
    if members:
        members[""] = {student for student, group in said.items() if not group}
    return members, doubtful


def students_of(roster: Roster, people: Mapping[Key, Person], taken: Iterable[str] = ()) -> dict[Key, str]:
    """Return the students of `students.csv` whom lines of a platform's table mean.

    A number, a login or an address is certain. A name, which people choose, counts only where nobody else of the table,
    nor of those `taken`, is that student.
    """
    certain, named = {}, {}
    for key, person in people.items():
        known = with_names(dict(person))
        name = f"{known.get('first_name', '')} {known.get('last_name', '')}"
        if len(found := roster.find(*(person.get(column, "") for column in ("id", "lms_user_id", *LOGINS)))) == 1:
            certain[key] = next(iter(found))
        elif len(found := found or roster.find(person.get("full_name", ""), name)) == 1:
            named[key] = next(iter(found))
    counts = Counter([*named.values(), *{*certain.values(), *taken}])
    return certain | {key: student for key, student in named.items() if counts[student] == 1}


def _names(groups: str) -> set[str]:
    """Return the letters of a group's name; Moodle's participants may be in several, with commas between them."""
    return {letters(name) for name in (groups, *re.split(r"[,;|]", groups))} - {""}
