"""What collecting archives says at its end: whose notebooks are not certain, and when students handed in."""

from collections.abc import Mapping
from pathlib import Path

from autograder.common.sentences import T_, joined
from autograder.intake.folder import submitted_at
from autograder.intake.forms import InArchive
from autograder.intake.whose import ANONYMOUS
from utils.common.messages import N_


def on_doubts(found: Mapping[str, InArchive]) -> list[str]:
    """Return a sentence for each student who is not certain; one for all whose names the platform hides."""
    doubtful = {student: notebook.doubt for student, notebook in found.items() if notebook.doubt}
    said = []
    if hidden := [student for student, doubt in doubtful.items() if doubt == ANONYMOUS]:
        anonymous = N_(
            "Anonymous submissions ({number}): {names}. Let the platform show the names, download the archive (for "
            "Moodle the grading worksheet, too) and collect again; or write each into `names` of students.csv."
        )
        said.append(T_(anonymous, number=len(hidden), names=joined(hidden)))
    for student, doubt in doubtful.items():
        if doubt != ANONYMOUS:
            where = T_("the column `group`") if found[student].of_group else "`names`"
            whose = N_("Whose is it? {student!r} {doubt}; write it into {where} there, and collect again.")
            said.append(T_(whose, student=student, doubt=doubt, where=where))
    return said


def on_times(
    found: Mapping[str, InArchive], people: Mapping[str, Mapping[str, str]], course: Path, lesson_name: str
) -> list[str]:
    """Return what platforms do not say about times; times that the instructor has written by hand are known."""
    file, said = f"submitted/STUDENT/{lesson_name}/timestamp.txt", []
    still_open = {s: one for s, one in found.items() if not submitted_at(course / "submitted" / s / lesson_name)[0]}
    if late := ", ".join(repr(student) for student, notebook in still_open.items() if notebook.late):
        said.append(
            T_("The platform says late, but not when: {names}; write the time into {file}.", names=late, file=file)
        )
    moodle = [notebook for notebook in found.values() if notebook.platform == "moodle"]
    if lacking := len([one for one in moodle if not people.get(one.participant, {}).get("time")]):
        worksheet = N_(
            "Moodle's archive does not say when {students} handed in; put its grading worksheet beside the archive, "
            "and type `workbook collect {lesson}`."
        )
        said.append(T_(worksheet, students=_students(lacking), lesson=lesson_name))
    canvas = [one for one in still_open.values() if one.platform == "canvas" and not one.timestamp and not one.late]
    if canvas:
        no_times = N_(
            "Canvas' archive does not say when anybody handed in: {students} will not count as late; if that is "
            "wrong, write the time into {file}."
        )
        said.append(T_(no_times, students=_students(len(canvas)), file=file))
    return said


def _students(number: int) -> str:
    return T_("one student") if number == 1 else T_("{number} students", number=number)
