"""The hidden tests, and the reference solution that answers are compared with. For instructors only.

    exam.py         `Exam`: the public check's tests with fresh seeds, and more; the exams of a lesson
    discreet.py     feedback that tells no expected value
    patients.py     the exam of a sick model
    reference.py    the reference solution and its mutants, run when an exam needs their answers

The test cells of the instructors' notebooks contain `from autograder.exams import attention as exam`. That name is the
exams of `source/attention/exam.py` in the workbook, and in the course that contains the notebook.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any


def __getattr__(name: str) -> Any:
    from autograder.common.course import Course

    course = Course.around(Path.cwd())  # a kernel's current folder is its notebook's
    if name not in course.lessons:
        raise AttributeError(name)
    from autograder.exams.exam import exams_of
    from autograder.lesson.text import Lesson

    return SimpleNamespace(**exams_of(Lesson.load(name, course)))
