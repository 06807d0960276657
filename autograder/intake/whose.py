"""Finds the student of a notebook in a platform's archive or a folder, by the names of files and folders.

    Moodle       Ada Lovelace_123456_assignsubmission_file_/attention.ipynb, or all in one name   Ada_Lovelace_123456
    Canvas       lovelaceada_12345_678901_attention-1.ipynb, lovelaceada_LATE_12345_…             lovelaceada_12345
    Blackboard   attention_ada_attempt_2026-11-20-13-45-10_attention.ipynb                        ada, and the time
    by hand      ada_attention.ipynb, ada/attention.ipynb, ada.zip with a notebook in it          ada

The student's id keeps the platform's number, because two students may share a name. If the course's `students.csv`
knows one of the names, the id is the course's own.
"""

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import datetime

from autograder.intake.errors import Skip
from autograder.intake.roster import Roster


@dataclass(frozen=True)
class InArchive:
    """The facts in a notebook's path: the student, the time and number of the upload, the notebook's own name."""

    student: str
    name: str
    timestamp: str = ""
    upload: int = 0
    names: tuple[str, ...] = ()  # the student's names by platform or instructor, the most reliable first
    own: str = ""  # the student in the file's own name, if a folder names one as well
    doubt: str = ""  # why students.csv does not settle who this is
    late: bool = False  # marked late by the platform
    participant: str = ""  # Moodle's number of the student in this assignment
    number: str = ""  # the platform's number of the student, Moodle's or another's
    platform: str = ""  # moodle, canvas or blackboard
    place: str = ""  # the name of a folder or file in the platform's form
    by_number: bool = False  # whether `students.csv` knows the student by that number, not by a name alone

    @property
    def account(self) -> str:
        """The id made of the platform's name and number, which may be unknown to the course."""
        return student_id(self.names[0])

    def doubted(self, why: str) -> "InArchive":
        """Return the same under the platform's own id, because the student is not certain."""
        return replace(self, student=self.account, doubt=why)


@dataclass(frozen=True)
class Form:
    """How a platform names a submission. A new platform is one more line in `FORMS`.

    `pattern` has a group `student`, and any of `name` (of the notebook), `user` and `participant` (numbers of the
    student), `upload` (its number), `time`, `late`. `time` is the time's format, as `strptime` reads it. If
    `assignment_first`, the group `student` begins with the assignment's name.
    """

    platform: str
    pattern: re.Pattern[str]
    time: str = ""
    assignment_first: bool = False

    def read(self, match: re.Match[str], lesson_name: str) -> InArchive:
        """Return the facts in a name that matches this form."""
        given = dict.fromkeys(("name", "user", "participant", "upload", "time", "late"), "") | match.groupdict("")
        student = "_".join(filter(None, (given["student"], given["user"])))
        if self.assignment_first:
            student = _without(lesson_name, student) or student.partition("_")[2] or student
        return InArchive(
            student_id(student),
            given["name"],
            self._timestamp(given["time"]),
            int(given["upload"] or 0),
            names=(student, given["user"], re.sub(r"_\d+$", "", student)),
            late=bool(given["late"]),
            participant=given["participant"],
            number=given["participant"] or given["user"],
            platform=self.platform,
            place=match[0],
        )

    def _timestamp(self, text: str) -> str:
        """Return a time as nbgrader reads it, "" for none, or for one that cannot be: a 31st of February."""
        try:
            return str(datetime.strptime(text, self.time)) if text else ""
        except ValueError:
            return ""


FORMS = (
    Form("moodle", re.compile(r"(?P<student>[^_]+_(?P<participant>\d+))_assignsubmission_file(?:_(?P<name>.*))?")),
    Form(
        "blackboard",
        re.compile(r"(?P<student>.+?)_attempt_(?P<time>20\d\d(?:-\d\d){5})(?:_(?P<name>.*))?"),
        time="%Y-%m-%d-%H-%M-%S",
        assignment_first=True,
    ),
    Form("canvas", re.compile(r"(?P<student>.+?)(?P<late>_LATE)?_(?P<user>\d+)_(?P<upload>\d{5,15})_(?P<name>.+)")),
)


def recognise(parts: tuple[str, ...], lesson_name: str) -> InArchive | None:
    """Return the student of the notebook at this path, given as folders and file name; None if no name says it.

    The outermost name in a platform's form counts, and in that name the form whose student ends first, because the
    rest was named by a student.
    """
    for number, part in enumerate(parts, start=1):
        matches = [(form, match) for form in FORMS if (match := form.pattern.fullmatch(part))]
        if matches:
            form, match = min(matches, key=lambda pair: pair[1].end("student"))
            notebook = form.read(match, lesson_name)
            if number < len(parts):
                notebook = replace(notebook, name=parts[-1])
            return notebook if notebook.student else None
    folders = [part for part in reversed(parts[:-1]) if not is_called(part, lesson_name)]
    holder = next((part for part in folders if student_id(_by_hand(part, lesson_name) or part)), "")
    own = _by_hand(parts[-1].rpartition(".")[0], lesson_name)
    if not holder:
        return InArchive(student_id(own), f"{lesson_name}.ipynb", names=(own,)) if student_id(own) else None
    named = _by_hand(holder, lesson_name) or holder
    return InArchive(student_id(named), parts[-1], names=(named,), own=own)


def _by_hand(part: str, lesson_name: str) -> str:
    """Return the student in a name of the form STUDENT_LESSON, or nothing."""
    match = re.fullmatch(rf"(?P<student>.+?)_{_lesson_form(lesson_name)}", part, re.IGNORECASE)
    return match["student"] if match else ""


def whose(parts: tuple[str, ...], lesson_name: str, roster: Roster) -> InArchive | None:
    """Return the student of the notebook at this path, with the course's own id if `students.csv` knows the name.

    A name that the instructor or the platform gave counts: a folder, an archive, a prefix. Raises: Skip if the file's
    own name, which a student gave, names somebody else, and the folder may well be a student's.
    """
    notebook = recognise(parts, lesson_name)
    if notebook is None:
        return None
    known = roster.find(*notebook.names)
    if notebook.own and student_id(notebook.own) != notebook.student:
        # The file's own name counts only if the folder is nobody in the list, `attempt 1` for instance.
        others = roster.find(notebook.own)
        if not roster.rows or known or not others:
            raise Skip(
                f"its folder or archive says {notebook.student}, its own name {student_id(notebook.own)}; "
                "rename one of them" + " (or list the students in students.csv)" * (not roster.rows)
            )
        known, notebook = others, replace(notebook, student=student_id(notebook.own), name=f"{lesson_name}.ipynb")
    if len(known) == 1:
        (student,) = known
        # `names[:2]` have the platform's number. A name alone is no proof where students.csv has another number for
        # that student: platforms let people choose their names. Moodle's `participant` is not a user's number.
        by_number = bool(notebook.number and roster.find(*notebook.names[:2]))
        other = roster.rows[student].get("lms_user_id", "") if notebook.number and not notebook.participant else ""
        if other and not by_number:
            return notebook.doubted(f"is called like {student}, who has another number there, {other}")
        return replace(notebook, student=student, by_number=by_number)
    doubt = "" if not roster.rows else f"may be {' or '.join(sorted(known))}" if known else "is not in students.csv"
    return replace(notebook, doubt=doubt)


def student_id(name: str) -> str:
    """Return a name with only the characters that nbgrader's folders and database can hold: letters, digits, `-_.@`."""
    plain = re.sub(r"[^\w.@-]+", "_", unicodedata.normalize("NFKC", name))
    return plain.lstrip("-._@")[:80].rstrip("._")


def is_called(name: str, lesson_name: str) -> bool:
    """Return whether a notebook has the lesson's name, with or without the number that browsers and platforms add."""
    return re.fullmatch(rf"{_lesson_form(lesson_name)}(\.ipynb)?", name, re.IGNORECASE) is not None


def _lesson_form(lesson_name: str) -> str:
    return rf"{re.escape(lesson_name)}(?:[-_ ]?\(?\d{{1,3}}\)?)?"


def _without(lesson_name: str, text: str) -> str:
    return text[len(lesson_name) + 1 :] if text.lower().startswith(f"{lesson_name}_".lower()) else ""
