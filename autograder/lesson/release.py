"""From the instructors' notebook to the students', by nbgrader's own steps, with stubs that name the cell."""

import functools
import os
from pathlib import Path

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    IncludeHeaderFooter,
    LockCells,
    NbGraderPreprocessor,
)
from traitlets import Unicode
from traitlets.config import Config

from autograder.common.course import Course
from autograder.common.nodes import as_node, grade_id
from autograder.common.version import workbook_version
from autograder.lesson.cells import FollowCells
from autograder.lesson.setup import stamp
from autograder.lesson.text import Lesson
from autograder.lesson.translation import TEXT_STUB, staleness, translate_notebook


def course_in(config: Config) -> Course:
    """Return the course that nbgrader's converters work in."""
    return Course(Path(CourseDirectory(config=config).root))


class NamedStubs(ClearSolutions):
    """Replaces each solution by a stub whose error names the cell, and each model answer by `TEXT_STUB`."""

    text_stub = Unicode(TEXT_STUB).tag(config=True)

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        # The sentence is short, because it is the first thing that a student reads in a gap.
        error = f'raise NotImplementedError("{grade_id(cell)}: write the missing lines, then run again")'
        hint = f"Stuck? Run check.{grade_id(cell)}.hint()"
        self.code_stub = {"python": f"# Your code goes here. {hint}\n{error}"}
        return super().preprocess_cell(cell, resources, cell_index)


class Translate(NbGraderPreprocessor):
    """Puts the prose into the course's language; code cells, ids and points stay as they are."""

    language = Unicode("en", help="The language of released notebooks: en, or a folder of notebooks/.").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        nb.metadata.get("workbook", {}).pop("built", None)  # concerns the instructor's notebook alone
        language = os.environ.get("COURSE_LANGUAGE") or self.language
        if language == "en" or "workbook" not in nb.metadata:
            return nb, resources
        lesson = Lesson.load(nb.metadata["workbook"]["lesson"], course_in(self.config))
        translated = translate_notebook(nb, language, lesson)
        if stale := staleness(translated):
            self.log.warning(stale)
        return translated, resources


class Stamp(NbGraderPreprocessor):
    """Writes the modules' version and address into the first cell, and the workbook's version into the notebook."""

    address = Unicode("", help="Where students' notebooks find the modules: a wheel's URL, or name==version.").tag(
        config=True
    )

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        if "workbook" in nb.metadata:  # an assignment that is not a lesson does not use the modules
            stamp(nb, course_in(self.config).version, self.address)
            nb.metadata.workbook.version = workbook_version()
        return nb, resources


# The steps whose result depends on the course; the release that all courses share is made without them.
OF_THE_COURSE: tuple[type[NbGraderPreprocessor], ...] = (Translate, Stamp)
# nbgrader's list (0.9.6) without InstantiateTests, which needs a kernel, and with our four steps.
PREPROCESSORS: list[type[NbGraderPreprocessor]] = [
    IncludeHeaderFooter,
    LockCells,
    NamedStubs,
    ClearOutput,
    CheckCellMetadata,
    ComputeChecksums,
    FollowCells,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
    *OF_THE_COURSE,
]


@functools.cache
def _release(lesson: Lesson) -> NotebookNode:
    """Return the students' notebook, made without the steps that depend on a course, a gradebook or a setting."""
    notebook, resources = lesson.to_notebook(), ResourcesDict()
    for step in PREPROCESSORS:
        if step not in (FollowCells, IncludeHeaderFooter, CheckCellMetadata, *OF_THE_COURSE):
            notebook, resources = step().preprocess(notebook, resources)
    return notebook


def release_notebook(lesson: Lesson) -> NotebookNode:
    """Return a copy of the students' notebook in English, as `nbgrader generate_assignment` makes it."""
    return as_node(_release(lesson))


def without_cells(lesson: Lesson) -> NotebookNode:
    """Return a copy of the students' notebook without its cells."""
    return as_node({**_release(lesson), "cells": []})


def course_notebook(lesson: Lesson, config: Config) -> NotebookNode:
    """Return the students' notebook as a course with this configuration releases it."""
    notebook, resources = release_notebook(lesson), ResourcesDict()
    for step in OF_THE_COURSE:
        notebook, resources = step(config=config).preprocess(notebook, resources)
    return notebook
