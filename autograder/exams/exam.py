"""The exam of a gap: the public check's tests with other seeds, and tests that the check does not have."""

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.common.course import EXAM, Course
from autograder.common.errors import CourseError
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.checks.engine.outcome import points
from utils.checks.engine.panel import Panel, show
from utils.checks.engine.question import Question, observe
from utils.checks.engine.verdict import judge
from utils.common.errors import WorkbookError
from utils.common.messages import notebook_language

# The seed of an exam that runs in an instructor's own kernel.
OWN_SEED = 1


class Exam(Question):
    """A question that grades; its expected answers are computed when it runs (`reference.py`)."""

    @classmethod
    def of(
        cls, check: Question, *, weights: Mapping[str, float] | None = None, sizes: dict[str, int] | None = None
    ) -> "Exam":
        """Return an exam that repeats the check's tests; `weights` by test name, 1 otherwise, 0 to leave a test out.

        Raises: WorkbookError when the check has no such test.
        """
        weights = weights or {}
        if unknown := set(weights) - set(check.tests):
            raise WorkbookError(f"The check {check.name} has no test {sorted(unknown)}; it has {list(check.tests)}.")
        tests = {n: replace(t, weight=weights.get(n, 1.0)) for n, t in check.tests.items() if weights.get(n, 1.0)}
        return cls(check.name, check.title, sizes or check.sizes, tests, check.lacks)

    @property
    def lesson(self) -> str:
        """The lesson's name, also where the first test is none of the check's: `Part.module` names its module."""
        module = next(iter(self.tests.values())).function.__module__
        own = re.fullmatch(r"(?:workbook|course)_(\w+)_exam", module)
        return own[1] if own else super().lesson

    def __call__(self, *students: Any) -> float:
        """Run the exam in an instructor's own kernel, which trusts the notebook. Return the points.

        Grading does not call this: the examiner runs the tests on proxies of objects in the sandbox
        (`examine/exam_run.py`).
        """
        lesson = Lesson.load(self.lesson, Course.around(Path.cwd()))
        if self.name not in lesson.tests:
            raise WorkbookError(f"The lesson {lesson.name} has no test cell for the exam {self.name}.")
        key = reference.key_of(lesson, self, OWN_SEED)
        verdicts = judge(self, key, lambda test: observe(test, key.probe(test), students))
        show(Panel.of(self, verdicts, notebook_language()))
        return points(verdicts, lesson.tests[self.name].points)


def exams_of(lesson: Lesson) -> dict[str, Exam]:
    """Return the lesson's exams by name. Raises: CourseError for one that the workbook and the course both have."""
    exams: dict[str, Exam] = {}
    for part in lesson.parts:
        module = part.module("exam")
        new = {exam.name: exam for exam in vars(module).values() if isinstance(exam, Exam)} if module else {}
        if twice := exams.keys() & new.keys():
            raise CourseError(
                f"{part.source / EXAM} has exams with names of the workbook's exams: {', '.join(sorted(twice))}; "
                f"rename them."
            )
        exams |= new
    return exams
