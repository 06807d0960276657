"""Brings the students in nbgrader's gradebook up to date with `students.csv`; formgrader shows their names."""

from typing import Any

from nbgrader.api import Gradebook, Student

from autograder.common.course import Course
from autograder.intake.roster import Roster

FIELDS = ("first_name", "last_name", "email", "lms_user_id")


def enrol(course: Course, gradebook: Gradebook) -> list[str]:
    """Add students and correct their names; remove students who are not in the list and have no submission (any more).

    Returns: sentences on who was removed. With an empty list nothing is done.
    """
    listed = Roster.of(course).rows
    if not listed:
        return []
    known: dict[str, Any] = {str(student.id): student for student in gradebook.students}
    for name, row in listed.items():
        values = {field: row.get(field) or None for field in FIELDS}
        student = known.get(name)
        if student is None:
            gradebook.db.add(Student(id=name, **values))
        elif values != {field: getattr(student, field) for field in FIELDS}:
            for field, value in values.items():
                setattr(student, field, value)
    gradebook.db.commit()
    gone = [name for name in known if name not in listed and not (course / "submitted" / name).exists()]
    for name in gone:
        gradebook.remove_student(name)
    return [f"No longer in the gradebook, because not in students.csv: {', '.join(sorted(gone))}."] if gone else []
