"""Makes a class whose answers wait to be marked, without grading it: its gradebook and its graded notebooks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook

from autograder.common.course import Course
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook
from autograder.marking.question import MarkedQuestion
from autograder.speed.gradebook import ask_alembic_here
from tests.helpers.courses import configure


def write_answers(course: Path, lesson: Lesson, student: str, answers: Mapping[str, str], language: str = "en") -> Path:
    """Write a student's graded notebook."""
    path = course / "autograded" / student / lesson.name / f"{lesson.name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = compose(lesson, dict(answers), blank=True, language=language)
    path.write_text(write_notebook(notebook), encoding="utf-8")
    return path


def waiting_class(
    course: Path, lesson: Lesson, question: str, answers: Mapping[str, str], most: float | None = None
) -> MarkedQuestion:
    """Make a course; return a question of it. Each student's answer waits for a person, unless the answer is empty.

    answers: by student. most: the question's points in the gradebook; by default the lesson's.
    """
    course.mkdir(parents=True, exist_ok=True)
    configure(course)
    ask_alembic_here()
    url = f"sqlite:///{course}/gradebook.db"
    with Gradebook(url) as gradebook:
        gradebook.add_assignment(lesson.name)
        gradebook.add_notebook(lesson.name, lesson.name)
        for name, essay in lesson.essays.items():
            points = most if name == question and most is not None else essay.points
            names: dict[str, Any] = {"assignment": lesson.name, "notebook": lesson.name}
            grade_cell: dict[str, Any] = {"max_score": points, "cell_type": "markdown"}
            gradebook.add_grade_cell(name, **grade_cell, **names)
            gradebook.add_solution_cell(name, **names)
        for student, text in answers.items():
            gradebook.add_student(student)
            with gradebook.db.no_autoflush:  # keeps SQLAlchemy 2 from warning when nbgrader makes a submission
                gradebook.add_submission(lesson.name, student)
            for grade in gradebook.find_submission_notebook(lesson.name, lesson.name, student).grades:
                grade.needs_manual_grade = grade.name == question and bool(text)
                grade.auto_score = 0.0
            write_answers(course, lesson, student, {question: text})
        gradebook.db.commit()
    return MarkedQuestion(Course(course), url, lesson, question)
