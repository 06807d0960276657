"""The gradebook's list of a lesson's questions, brought up to date even when students have already handed in.

nbgrader (0.9.6) refuses to add or remove cells once there are submissions. Here a new question gets an empty mark in
every submission, which is filled when the submission is graded again. A question that the lesson no longer has is
deleted with its marks, after the gradebook has been copied.
"""

import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Comment, Grade, MissingEntry
from nbgrader.preprocessors import SaveCells

from autograder.common.paths import gradebook_file


class FollowCells(SaveCells):
    """nbgrader's step `SaveCells`, which accepts added and removed cells although there are submissions."""

    def _create_notebook(self, nb: NotebookNode) -> None:
        try:
            notebook: Any = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        except MissingEntry:
            super()._create_notebook(nb)
            return
        if notebook.submissions:
            self._drop(notebook)
            self._add(notebook)
        super()._create_notebook(nb)
        for grade in [grade for submission in notebook.submissions for grade in submission.grades]:
            # The lesson now gives fewer points for this question than a person gave.
            if grade.manual_score is not None and grade.manual_score > grade.cell.max_score:
                grade.needs_manual_grade = True
        self.gradebook.db.commit()

    def _drop(self, notebook: Any) -> None:
        """Remove the cells that the lesson no longer has, with their marks and comments."""
        old_and_new = (
            (notebook.grade_cells, self.new_grade_cells),
            (notebook.solution_cells, self.new_solution_cells),
            (notebook.task_cells, self.new_task_cells),
            (notebook.source_cells, self.new_source_cells),
        )
        dropped = [cell for cells, new in old_and_new for cell in cells if cell.name not in new]
        if not dropped:
            return
        copy = copy_gradebook(str(self.db_url))
        for cell in dropped:
            for row in [*getattr(cell, "grades", ()), *getattr(cell, "comments", ())]:
                self.gradebook.db.delete(row)
            self.gradebook.db.delete(cell)
        self.gradebook.db.commit()
        self.gradebook.db.expire_all()
        names = ", ".join(sorted({cell.name for cell in dropped}))
        where = f"; the gradebook as it was: {copy}" if copy else ""
        self.log.warning("No longer in %s, and taken out of the gradebook: %s%s", self.notebook_id, names, where)

    def _add(self, notebook: Any) -> None:
        """Add the cells that are new in the lesson, with an empty mark or comment in every submission."""
        for new, make in (
            (self.new_grade_cells, self.gradebook.update_or_create_grade_cell),
            (self.new_solution_cells, self.gradebook.update_or_create_solution_cell),
            (self.new_task_cells, self.gradebook.update_or_create_task_cell),
            (self.new_source_cells, self.gradebook.update_or_create_source_cell),
        ):
            for name, values in new.items():
                make(name, self.notebook_id, self.assignment_id, **values)
        self.gradebook.db.expire_all()
        for submission in notebook.submissions:
            graded = {grade.cell_id for grade in submission.grades}
            commented = {comment.cell_id for comment in submission.comments}
            grades = [cell for cell in [*notebook.grade_cells, *notebook.task_cells] if cell.id not in graded]
            comments = [cell for cell in [*notebook.solution_cells, *notebook.task_cells] if cell.id not in commented]
            self.gradebook.db.add_all([Grade(cell_id=cell.id, notebook=submission) for cell in grades])
            self.gradebook.db.add_all([Comment(cell_id=cell.id, notebook=submission) for cell in comments])
        self.gradebook.db.commit()


def copy_gradebook(url: str) -> Path | None:
    """Copy a gradebook's file into the folder `.grading` beside it; return the copy, None for a database server."""
    path = gradebook_file(url)
    if path is None:
        return None
    copy = path.parent / ".grading" / f"{path.stem}-{datetime.now():%Y%m%d-%H%M%S}{path.suffix}"
    copy.parent.mkdir(exist_ok=True)
    shutil.copy2(path, copy)
    return copy
