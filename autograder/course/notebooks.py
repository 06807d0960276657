"""A lesson's notebooks, in every language: the instructors', and the students', which nbgrader makes from it."""

import logging
import tempfile
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from autograder.common.nodes import read_notebook
from autograder.common.paths import ROOT
from autograder.lesson.release import OF_THE_COURSE, PREPROCESSORS
from autograder.lesson.text import Lesson, write_notebook
from autograder.lesson.translation import NOTEBOOKS, TRANSLATED, catalogues, translate_notebook


def of_lesson(lesson: Lesson) -> dict[Path, bytes]:
    """Return the notebooks of a lesson of the workbook."""
    file_name = f"{lesson.name}.ipynb"
    instructors = lesson.to_instructors()
    released = generate(instructors, lesson.name)
    files = {
        instructors_path(lesson): write_notebook(instructors),
        ROOT / "release" / lesson.name / file_name: write_notebook(released),
        NOTEBOOKS / "en" / file_name: write_notebook(released),
    }
    for language in TRANSLATED:
        if catalogues(language, lesson):
            files[NOTEBOOKS / language / file_name] = write_notebook(translate_notebook(released, language, lesson))
    return {path: text.encode() for path, text in files.items()}


def instructors_path(lesson: Lesson) -> Path:
    """Return the path of the instructors' notebook in the workbook."""
    return lesson.parts[0].source / f"{lesson.name}.ipynb"


def generate(instructors: NotebookNode, lesson_name: str) -> NotebookNode:
    """Return the students' notebook, made by nbgrader's generate_assignment in a temporary course."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source", lesson_name, f"{lesson_name}.ipynb")
        source.parent.mkdir(parents=True)
        source.write_text(write_notebook(instructors), encoding="utf-8")
        config = Config()
        config.CourseDirectory.root = folder
        config.CourseDirectory.assignment_id = lesson_name
        config.GenerateAssignment.no_database = True
        config.SaveCells.enabled = False
        config.GenerateAssignment.preprocessors = [step for step in PREPROCESSORS if step not in OF_THE_COURSE]
        converter = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config)
        converter.log.setLevel(logging.ERROR)
        converter.start()
        released = read_notebook(Path(folder, "release", lesson_name, f"{lesson_name}.ipynb"))
    released.metadata["workbook"].pop("built", None)
    return released
