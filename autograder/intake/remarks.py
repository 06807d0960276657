"""What collecting archives says at its end: whose notebooks are not certain, and when students handed in."""

from collections.abc import Mapping
from pathlib import Path

from autograder.intake.folder import submitted_at
from autograder.intake.forms import InArchive
from autograder.intake.whose import ANONYMOUS


def on_doubts(found: Mapping[str, InArchive]) -> list[str]:
    """Return a sentence for each student who is not certain; one for all whose names the platform hides."""
    doubtful = {student: notebook.doubt for student, notebook in found.items() if notebook.doubt}
    said = []
    if hidden := [student for student, doubt in doubtful.items() if doubt == ANONYMOUS]:
        said.append(
            f"Anonymous submissions ({len(hidden)}): {', '.join(hidden)}. Let the platform show the names, download "
            "the archive (for Moodle the grading worksheet, too) and collect again; or write each into `names` of "
            "students.csv."
        )
    for student, doubt in doubtful.items():
        if doubt != ANONYMOUS:
            where = "the column `group`" if "group" in doubt else "`names`"
            said.append(f"Whose is it? {student!r} {doubt}; write it into {where} there, collect again.")
    return said


def on_times(
    found: Mapping[str, InArchive], people: Mapping[str, Mapping[str, str]], course: Path, lesson_name: str
) -> list[str]:
    """Return what platforms do not say about times; times that the instructor has written by hand are known."""
    file, said = f"submitted/STUDENT/{lesson_name}/timestamp.txt", []
    still_open = {s: one for s, one in found.items() if not submitted_at(course / "submitted" / s / lesson_name)[0]}
    if late := ", ".join(repr(student) for student, notebook in still_open.items() if notebook.late):
        said.append(f"The platform says late, but not when: {late}; write the time into {file}.")
    moodle = [notebook for notebook in found.values() if notebook.platform == "moodle"]
    if lacking := len([one for one in moodle if not people.get(one.participant, {}).get("time")]):
        said.append(
            f"Moodle's archive does not say when {_students(lacking)} handed in; put its grading worksheet beside the "
            f"archive, and type `workbook collect {lesson_name}`."
        )
    canvas = [one for one in still_open.values() if one.platform == "canvas" and not one.timestamp and not one.late]
    if canvas:
        said.append(
            f"Canvas' archive does not say when anybody handed in: {_students(len(canvas))} will not count as late; "
            f"if that is wrong, write the time into {file}."
        )
    return said


def _students(number: int) -> str:
    return "one student" if number == 1 else f"{number} students"
