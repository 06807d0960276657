"""Whose a notebook is that lies in a platform's archive or in a folder: read from names, the course's own ids first.

    Moodle       Ada Lovelace_123456_assignsubmission_file_/attention.ipynb, or all in one name   Ada_Lovelace_123456
    Canvas       lovelaceada_12345_678901_attention-1.ipynb, lovelaceada_LATE_12345_…             lovelaceada_12345
    Blackboard   attention_ada_attempt_2026-11-20-13-45-10_attention.ipynb                        ada, and the time
    by hand      ada_attention.ipynb, ada/attention.ipynb, ada.zip with a notebook in it          ada

The platforms' numbers stay in the student's id, because two students may share a name; where the course's
`students.csv` knows one of the names, the id is the course's own.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime

from autograder.intake.errors import Skip
from autograder.intake.roster import Roster


@dataclass(frozen=True)
class InArchive:
    """What a notebook's place tells: the student, the time and number of the upload, the notebook's own name."""

    student: str
    name: str
    timestamp: str = ""
    upload: int = 0
    names: tuple[str, ...] = ()  # what the platform or the instructor calls the student, the surest first
    own: str = ""  # whom the file's own name says, where a folder says it, too
    doubt: str = ""  # why students.csv does not settle who this is
    late: bool = False  # by the platform's own mark
    participant: str = ""  # Moodle's number of the student in this assignment


FORMS = (
    re.compile(r"(?P<student>[^_]+_(?P<participant>\d+))_assignsubmission_file(?:_(?P<name>.*))?"),
    re.compile(r"(?P<student>.+?)_attempt_(?P<time>20\d\d(?:-\d\d){5})(?:_(?P<name>.*))?"),
    re.compile(r"(?P<student>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<upload>\d{5,15})_(?P<name>.+)"),
)


def recognise(parts: tuple[str, ...], lesson_name: str) -> InArchive | None:
    """Return whose the notebook at this place is, given as folders and name.

    The outermost platform's name counts, and in it the first mark: what follows was named by a student.
    """
    for number, part in enumerate(parts):
        matches = [match for form in FORMS if (match := form.fullmatch(part))]
        if matches:
            match = min(matches, key=lambda m: m.end("student"))
            given = match.groupdict()
            student = "_".join(filter(None, (given["student"], given.get("user"))))
            if given.get("time"):  # the column's name stands before the student's
                student = _without(lesson_name, student) or student.partition("_")[2] or student
            name = given["name"] if number == len(parts) - 1 else parts[-1]
            names = (student, given.get("user") or "", re.sub(r"_\d+$", "", student))
            student, upload = student_id(student), int(given.get("upload") or 0)
            late, participant = bool(given.get("late")), given.get("participant") or ""
            found = InArchive(student, name or "", _time(given.get("time")), upload, names)
            found = replace(found, late=late, participant=participant)
            return found if student else None
    folders = [part for part in reversed(parts[:-1]) if not is_called(part, lesson_name)]
    holder = next((part for part in folders if student_id(_by_hand(part, lesson_name) or part)), "")
    own = _by_hand(parts[-1].rpartition(".")[0], lesson_name)
    if not holder:
        return InArchive(student_id(own), f"{lesson_name}.ipynb", names=(own,)) if student_id(own) else None
    named = _by_hand(holder, lesson_name) or holder
    return InArchive(student_id(named), parts[-1], names=(named,), own=own)


def _by_hand(part: str, lesson_name: str) -> str:
    """Return the student in a name of the form STUDENT_LESSON, or nothing."""
    found = re.fullmatch(rf"(?P<student>.+?)_{_lesson_form(lesson_name)}", part, re.IGNORECASE)
    return found["student"] if found else ""


def whose(parts: tuple[str, ...], lesson_name: str, roster: Roster) -> InArchive | None:
    """Return whose the notebook at this place is, by the course's own ids where `students.csv` knows the name.

    The name that the instructor or the platform gave counts: a folder, an archive, a prefix. Raises: Skip where a
    file's own name, which a student gave, says otherwise, and it is not clear that the folder is no student's.
    """
    found = recognise(parts, lesson_name)
    if found is None:
        return None
    known = roster.find(*found.names)
    if found.own and student_id(found.own) != found.student:
        others = roster.find(found.own)
        if not roster.rows or known or not others:
            raise Skip(
                f"its folder or archive says {found.student}, its own name {student_id(found.own)}; rename one of them"
                + " (or list the students in students.csv)" * (not roster.rows)
            )
        known, found = others, replace(found, student=student_id(found.own), name=f"{lesson_name}.ipynb")
    if len(known) == 1:
        return replace(found, student=next(iter(known)), doubt="")
    doubt = "" if not roster.rows else f"may be {' or '.join(sorted(known))}" if known else "is not in students.csv"
    return replace(found, doubt=doubt)


def student_id(name: str) -> str:
    """Return a name as nbgrader's folders and database can bear it: letters, digits and `-_.@`, or nothing."""
    plain = re.sub(r"[^\w.@-]+", "_", unicodedata.normalize("NFKC", name))
    return plain.lstrip("-._@")[:80].rstrip("._")


def is_called(name: str, lesson_name: str) -> bool:
    """Whether a notebook has the lesson's name, also with the number that browsers and platforms add."""
    return re.fullmatch(rf"{_lesson_form(lesson_name)}(\.ipynb)?", name, re.IGNORECASE) is not None


def _lesson_form(lesson_name: str) -> str:
    return rf"{re.escape(lesson_name)}(?:[-_ ]?\(?\d{{1,3}}\)?)?"


def _without(lesson_name: str, text: str) -> str:
    return text[len(lesson_name) + 1 :] if text.lower().startswith(f"{lesson_name}_".lower()) else ""


def _time(text: str | None) -> str:
    """Return Blackboard's time as nbgrader reads it; nothing for a 31st of February."""
    try:
        return str(datetime.strptime(text or "", "%Y-%m-%d-%H-%M-%S"))
    except ValueError:
        return ""
