"""The first screen of a student's feedback: each question's title, its points, and why some were lost."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nbformat import NotebookNode

from autograder.common.nodes import grade_id
from autograder.essays.feedback import ShownItem
from autograder.lesson.release import release_notebook
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.lesson.translation import translate_notebook
from utils.checks.engine.outcome import Verdict
from utils.checks.engine.panel import rows, untouched
from utils.checks.outline import outlines
from utils.common.messages import translate

# The call of a check in a test cell: `check.update(update, …)`, or `more.…` for a question that a course adds.
CHECK = re.compile(r"^((?:check|more)\.\w+)\(", re.MULTILINE)
# Keys in the metadata of cells: why tests lost points, and the answer; the first and the last cell of a folded text.
REASON, LIMIT, FOLD_BEGINS, FOLD_ENDS = "reason", "limit", "fold_begins", "fold_ends"
# Ids of cells that intake puts at the top. The page shows them unfolded, like the student's answers.
FROM_INTAKE = ("refused", "mended")


@dataclass(frozen=True)
class QuestionLine:
    """A question on the first screen; `score` is None while a person has yet to grade the answer.

    items: the rubric's items that cost points. command: the command that shows a small case of a check that failed.
    """

    id: str
    title: str
    score: float | None
    points: float
    reason: str
    comment: str
    items: tuple[ShownItem, ...] = ()
    command: str = ""


def questions(notebook: NotebookNode, lesson: Lesson, language: str) -> list[QuestionLine]:
    """Return the questions of a graded notebook, in its order; the marks are in nbgrader's metadata."""
    titles, lines = titles_of(lesson, language), []
    comments = {grade_id(cell): cell.metadata.get("nbgrader", {}).get("comment") for cell in notebook.cells}
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade"):
            name = grade_id(cell)
            score = None if marks.get("waits") else float(marks.get("score") or 0.0)
            notes = cell.metadata.get("workbook", {})
            reason = str(notes.get(REASON, ""))
            # A grader comments on code at the student's cell, not at the test cell, which has the points.
            comment = str(comments[name] or comments.get(name.removeprefix(TEST_PREFIX)) or "")
            most, given = float(marks.get("points", 0)), marks.get("rubric", [])
            cost = tuple(item for item in given if item.got == (item.points < 0))
            call = CHECK.search(cell.source) if reason and score is not None and score < most else None
            command, shown = f"{call[1]}.show()" if call else "", reason or str(notes.get(LIMIT, ""))
            lines.append(QuestionLine(name, titles.get(name, name), score, most, shown, comment, cost, command))
    return lines


def titles_of(lesson: Lesson, language: str) -> dict[str, str]:
    """Return the title of each question, by its grade id: its check's title, or an essay's first sentence."""
    from autograder.exams.reference import checks_of  # here, because it loads torch

    titles = {f"{TEST_PREFIX}{name}": translate(check.title, language) for name, check in checks_of(lesson).items()}
    return titles | essay_titles(lesson, language)


def essay_titles(lesson: Lesson, language: str) -> dict[str, str]:
    """Return the title of each essay, its first sentence."""
    outline = outlines().get(lesson.name)
    essays = [entry for entry in outline.questions if entry.is_essay] if outline else []
    return {entry.name: entry.titles.get(language, entry.name) for entry in essays}


def title_of(lesson: Lesson, language: str) -> str:
    """Return the lesson's title, the first heading of its text; its name if the text has none."""
    translated = translate_notebook(release_notebook(lesson), language, lesson)
    lines = (line for cell in translated.cells if cell.cell_type == "markdown" for line in cell.source.split("\n"))
    return next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), lesson.name)


def first_reason(verdicts: Sequence[Verdict], language: str) -> str:
    """Return why a question lost points, in one sentence; "" if it lost none."""
    if nothing := untouched(verdicts):
        return nothing.render(language)
    failed = (row for row in rows(verdicts, language) if row.outcome != "passed")
    return next((row.reason or row.ask for row in failed), "")


def fold_lesson(notebook: NotebookNode) -> None:
    """Mark the first and the last cell of each part of the lesson's text, so that the page can fold these parts."""
    groups: list[list[NotebookNode]] = [[]]
    for cell in notebook.cells:
        marks = cell.metadata.get("nbgrader", {})
        if marks.get("grade") or marks.get("solution") or cell.get("id") in FROM_INTAKE:
            groups.append([])
        else:
            groups[-1].append(cell)
    for group in filter(None, groups):
        for key, cell in ((FOLD_BEGINS, group[0]), (FOLD_ENDS, group[-1])):
            cell.metadata["workbook"] = dict(cell.metadata.get("workbook", {})) | {key: True}
