"""Marks given by hand stay when a submission is graded again, unless the answer has changed."""

import json
from pathlib import Path
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import Grade, Gradebook, MissingEntry
from nbgrader.preprocessors import SaveAutoGrades

from autograder.common.nodes import answer_hash, grade_id
from autograder.common.paths import write_whole
from autograder.speed.gradebook import find_at_once

ANSWERS = Path(".grading", "answers")
# The key in a notebook's metadata of the questions that do not count for its student.
NOT_ASKED = "not_asked"


class KeepGraded(SaveAutoGrades):
    """nbgrader's step (0.9.6), without its rule that a person has to confirm every mark after every regrade.

    A mark on an essay stays while the essay is unchanged; a mark on a test cell, while the test gives the same points.
    A submission that cannot be graded waits for a person at its first question, because its zero points do not mean
    that it is blank.
    """

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        submission = resources["nbgrader"]
        # The path is relative, because nbgrader runs in the course's folder.
        path = ANSWERS / submission["notebook"] / f"{submission['student']}.json"
        try:
            self.before = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.before = {}
        graded = [grade_id(cell) for cell in nb.cells if cell.metadata.get("nbgrader", {}).get("grade")]
        self.graded = set(graded)
        self.waits_at = graded[0] if graded and nb.metadata.get("workbook", {}).get("refused") else ""
        result: tuple[NotebookNode, ResourcesDict] = super().preprocess(nb, resources)
        answers = {grade_id(cell): answer_hash(cell) for cell in nb.cells if _is_essay(cell)}
        # Written last: if the process is killed before, a person has to confirm the marks, and none is kept wrongly.
        write_whole(path, json.dumps(answers))
        return result

    def preprocess_cell(
        self, cell: NotebookNode, resources: ResourcesDict, cell_index: int
    ) -> tuple[NotebookNode, ResourcesDict]:
        if cell_index == 0:  # nbgrader's step has opened its gradebook by now
            names = self.notebook_id, self.assignment_id, self.student_id
            if find_at_once(self.gradebook, *names) != self.graded:
                mark_only(self.gradebook, names, self.graded)
                find_at_once(self.gradebook, *names)
        result: tuple[NotebookNode, ResourcesDict] = super().preprocess_cell(cell, resources, cell_index)
        return result

    def _add_score(self, cell: NotebookNode, resources: ResourcesDict) -> None:
        names = (grade_id(cell), self.notebook_id, self.assignment_id, self.student_id)
        try:
            old: Any = self.gradebook.find_grade(*names)
            settled = old.manual_score is not None and not old.needs_manual_grade
            score_before = old.auto_score
        except MissingEntry:
            settled, score_before = False, None
        super()._add_score(cell, resources)
        grade: Any = self.gradebook.find_grade(*names)
        if self.waits_at == grade_id(cell):
            grade.needs_manual_grade = True
            self.gradebook.db.commit()
        if not settled:
            return
        same_answer = self.before.get(grade_id(cell)) == answer_hash(cell)
        if same_answer if _is_essay(cell) else grade.auto_score == score_before:
            grade.needs_manual_grade = False
            self.gradebook.db.commit()


def mark_only(gradebook: Gradebook, names: tuple[str, str, str], asked: set[str]) -> None:
    """Give a submitted notebook marks for the questions that are asked of its student, and for no others.

    So its points and its maximum are right for everybody who reads the gradebook. The gradebook makes marks for all
    questions of a lesson, also those that count only for a part of the class.
    """
    notebook: Any = gradebook.find_submission_notebook(*names)
    there = {grade.name: grade for grade in notebook.grades}
    for name in there.keys() - asked:
        gradebook.db.delete(there[name])
    cells = [cell for cell in notebook.notebook.grade_cells if cell.name in asked - there.keys()]
    gradebook.db.add_all([Grade(cell_id=cell.id, notebook=notebook) for cell in cells])
    gradebook.db.commit()


def _is_essay(cell: NotebookNode) -> bool:
    marks = cell.metadata.get("nbgrader", {})
    return bool(marks.get("grade") and marks.get("solution"))
