"""Finds the student of a notebook in a platform's archive or a folder, by the names of files and folders.

    Moodle       Ada Lovelace_123456_assignsubmission_file_/attention.ipynb, or all in one name   Ada_Lovelace_123456
    Canvas       lovelaceada_12345_678901_attention-1.ipynb, lovelaceada_LATE_12345_…             lovelaceada_12345
                 anon_aB3x9_678901_attention.ipynb                                                anon_aB3x9
    Blackboard   attention_ada_attempt_2026-11-20-13-45-10_attention.ipynb                        ada, and the time
    Brightspace  12345-67890 - Ada Lovelace - Nov 20, 2026 145 PM/attention.ipynb                 Ada_Lovelace_12345
    Sakai        Homework 1/Lovelace, Ada(ada)/Submission attachment(s)/attention.ipynb           Lovelace_Ada_ada
    ILIAS        Abgaben/Lovelace_Ada_ada_4711/20261120134510_attention.ipynb                     Lovelace_Ada_ada_4711
    by hand      ada_attention.ipynb, ada/attention.ipynb, ada.zip with a notebook in it          ada

The student's id keeps the platform's number, because two students may share a name. If the course's `students.csv`
knows one of the names, the id is the course's own. A group's notebook has the group in the place of the student.
"""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace

from autograder.common.sentences import T_
from autograder.intake.errors import Skip
from autograder.intake.forms import FORMS, MOODLE_FOLDER, TWICE, Form, InArchive, student_id
from autograder.intake.names import letters
from autograder.intake.places import Place
from autograder.intake.roster import Roster

__all__ = ["ANONYMOUS", "FORMS", "Form", "Hints", "InArchive", "is_called", "recognise", "student_id", "whose"]

ANONYMOUS = "anonymous"
# What Moodle writes in the place of the names while students are anonymous, in four languages.
PARTICIPANT = ("participant", "teilnehmerin", "参与人", "参与者")


@dataclass(frozen=True)
class Hints:
    """What is known before the notebooks are looked at, beside `students.csv`."""

    title: str = ""  # of the assignment, as Blackboard's names begin with it
    inner: Set[str] = frozenset()  # names of folders that are in the folders of several students
    people: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by Moodle's number, from its worksheet
    groups: Mapping[str, Set[str]] = field(default_factory=dict)  # the members by the letters of the group's name
    places: Mapping[str, Place] = field(default_factory=dict)  # where earlier submissions came from


NOBODY, NOTHING = Roster([]), Hints()


def recognise(
    parts: tuple[str, ...], lesson_name: str, roster: Roster = NOBODY, hints: Hints = NOTHING
) -> InArchive | None:
    """Return the student of the notebook at this path, given as folders and file name; None if no name says it.

    The outermost name in a platform's form counts, and in that name the form whose student ends first, because the
    rest was named by a student. Raises: Skip if a name has a form twice, so that it may be another student's.
    """
    for number, part in enumerate(parts, start=1):
        folder = number < len(parts)
        forms = (MOODLE_FOLDER,) if len(TWICE.findall(part)) > 1 else FORMS
        matches = [(form, match) for form in forms if (match := form.match(part, parts[number:]))]
        if forms is not FORMS and not (folder and matches):
            raise Skip("its name has a platform's form twice, so it may be another student's; rename it")
        if matches:
            form, match = min(matches, key=lambda pair: pair[1].end("student"))
            # Canvas removes its own signs from a student's name; elsewhere they may be there to deceive.
            if len(matches) > 1 and form.platform != "canvas":
                raise Skip("its name is in the forms of two platforms; rename it")
            notebook = form.read(match, lesson_name, hints.title)
            if folder:
                notebook = form.within(notebook, parts[number:])
            return notebook if notebook.student else None
    return _by_folder(parts, lesson_name, roster, hints.inner)


def _by_folder(parts: tuple[str, ...], lesson_name: str, roster: Roster, inner: Set[str]) -> InArchive | None:
    """Return the student whom a person has named a folder or a file after."""
    folders = [part for part in reversed(parts[:-1]) if not is_called(part, lesson_name)]
    names = [name for part in folders if student_id(name := _by_hand(part, lesson_name) or part)]
    known = {name: students for name in names if len(students := roster.find(name)) == 1}
    if len(found := sorted(set().union(*known.values()))) > 1:
        raise Skip("its folders say {names}; rename one of them", names=T_(" and ").join(found))
    own = _by_hand(parts[-1].rpartition(".")[0], lesson_name)
    if not names:
        return InArchive(student_id(own), f"{lesson_name}.ipynb", names=(own,)) if student_id(own) else None
    named = next(iter(known), "") or next((name for name in names if name not in inner), names[0])
    return InArchive(student_id(named), parts[-1], names=(named,), own=own)


def _by_hand(part: str, lesson_name: str) -> str:
    """Return the student in a name of the form STUDENT_LESSON, or "STUDENT - LESSON" as Google Classroom writes it."""
    match = re.fullmatch(rf"(?P<student>.+?)(?:_| - ){_lesson_form(lesson_name)}", part, re.IGNORECASE)
    return match["student"] if match else ""


def whose(parts: tuple[str, ...], lesson_name: str, roster: Roster, hints: Hints = NOTHING) -> InArchive | None:
    """Return the student of the notebook at this path, with the course's own id if `students.csv` knows the name.

    A name that the instructor or the platform gave counts: a folder, an archive, a prefix. Raises: Skip if the file's
    own name, which a student gave, names somebody else, and the folder may well be a student's.
    """
    notebook = recognise(parts, lesson_name, roster, hints)
    if notebook is None:
        return None
    # Moodle's default group, of all students without a group, has no number.
    team = notebook.platform == "moodle" and not notebook.participant and not roster.find(*notebook.names)
    members = hints.groups.get(letters(notebook.names[-1])) or (team and hints.groups.get("")) or ()
    # A student whose number is known is not a group, whatever name that student has chosen.
    number = notebook.number if not notebook.participant else ""
    person = notebook.participant in hints.people or (number and roster.find(number) - {*members})
    if members and not notebook.own and not person:
        return replace(notebook, members=tuple(sorted(members)))
    if team:
        return replace(notebook, doubt=T_("is a group, whose members are not known"), of_group=True)
    known, by_number = _known(notebook, roster, hints)
    if notebook.own and student_id(notebook.own) != notebook.student:
        # The file's own name counts only if the folder is nobody in the list, `attempt 1` for instance.
        others = roster.find(notebook.own)
        if not roster.rows or known or not others:
            names = {"student": notebook.student, "own": student_id(notebook.own)}
            if roster.rows:
                raise Skip(
                    "its folder or archive names {student}, the file itself names {own}; rename one of them", **names
                )
            raise Skip(
                "its folder or archive names {student}, the file itself names {own}; rename one of them (or list the "
                "students in students.csv)",
                **names,
            )
        known, notebook = others, replace(notebook, student=student_id(notebook.own), name=f"{lesson_name}.ipynb")
    if len(known) == 1:
        (student,) = known
        if doubt := _doubt(notebook, student, by_number, roster, hints):
            return notebook.doubted(doubt)
        return replace(notebook, student=student, by_number=by_number)
    if notebook.anonymous or letters(notebook.names[-1]) in PARTICIPANT:
        return replace(notebook, doubt=ANONYMOUS)
    if not roster.rows:
        return replace(notebook, doubt="")
    may_be = T_("may be {names}", names=T_(" or ").join(sorted(known)))
    return replace(notebook, doubt=may_be if known else T_("is not in students.csv"))


def _known(notebook: InArchive, roster: Roster, hints: Hints) -> tuple[set[str], bool]:
    """Return the students whom the names may mean, and whether a number or an address says so, not a name alone."""
    person = hints.people.get(notebook.participant, {})
    # `names[:2]` have the platform's number; the worksheet's address and number are the platform's as well.
    numbers = (*notebook.names[:2], person.get("id_number", ""), person.get("email", ""))
    if notebook.number and (known := roster.find(*numbers)):
        return known, True
    return roster.find(*notebook.names, person.get("full_name", "")), False


def _doubt(notebook: InArchive, student: str, by_number: bool, roster: Roster, hints: Hints) -> str:
    """Return why a notebook may not belong to the student whose name it has, "" without a reason.

    A name alone is not a proof, because platforms let people choose their names. Moodle's `participant` is a number of
    the assignment, Canvas' is one of the user.
    """
    # lovelaceada_1_22222_33333_x.ipynb: user 1, or the user 22222 whose name ends in _1.
    three = notebook.upload and re.match(r"\d{5,15}_", notebook.name)
    if three and (not by_number or roster.find(str(notebook.upload))):
        return T_("may be another account's, because the name has three ids")
    if by_number or not notebook.number:
        return ""
    other = roster.rows[student].get("lms_user_id", "")
    if other and not notebook.participant and notebook.number.isdigit():
        return T_("has the same name as {student}, who has another id there, {id}", student=student, id=other)
    place = hints.places.get(student)
    if place and place.platform == notebook.platform and place.number not in ("", notebook.number):
        return T_(
            "has the same name as {student}, who had another id there before, {id}", student=student, id=place.number
        )
    return ""


def is_called(name: str, lesson_name: str) -> bool:
    """Return whether a notebook has the lesson's name, with or without the number that browsers and platforms add."""
    return re.fullmatch(rf"{_lesson_form(lesson_name)}(\.ipynb)?", name, re.IGNORECASE) is not None


def _lesson_form(lesson_name: str) -> str:
    return rf"{re.escape(lesson_name)}(?:[-_ ]?\(?\d{{1,3}}\)?)?"
