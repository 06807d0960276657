"""A lesson's outline for the students' notebooks, from its text and translations; `utils.checks.outline` reads it."""

import ast
import json
import re

from nbformat import NotebookNode

from autograder.common.nodes import grade_id
from autograder.lesson.release import release_notebook
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.lesson.translation import LANGUAGES, TEXT_STUB, message, translate_notebook
from utils.checks.outline import digest

HEADING = re.compile(r"^#{2,3} +(.+)$", re.MULTILINE)
# An essay's title is the first sentence that its question has in bold.
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
LONGEST_TITLE = 70


def outline(lesson: Lesson) -> str:
    """Return the lesson's outline as JSON."""
    released = release_notebook(lesson)
    places = {language: _places(translate_notebook(released, language), lesson) for language in LANGUAGES}
    questions = [
        {
            "name": cell.name,
            "points": cell.points,
            "call": [] if cell.role == "essay" else _arguments(cell.code, cell.name),
            "headings": {language: places[language][cell.name][0] for language in LANGUAGES},
            "titles": {language: places[language][cell.name][1] for language in LANGUAGES if cell.role == "essay"},
        }
        for cell in lesson.of_role("test", "essay")
    ]
    shows = {cell.grade_id: digest(cell.source) for cell in lesson.of_role("show")}
    empty = sorted({message(TEXT_STUB, language) for language in LANGUAGES})
    data = {"questions": questions, "shows": shows, "empty": empty}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _places(notebook: NotebookNode, lesson: Lesson) -> dict[str, tuple[str, str]]:
    """Return for each question the heading above it, and an essay's title, from the bold text of its prose."""
    places: dict[str, tuple[str, str]] = {}
    heading = before = ""
    for cell in notebook.cells:
        name = grade_id(cell).removeprefix(TEST_PREFIX)
        if name in lesson.tests or name in lesson.essays:
            bold = BOLD.search(before)
            places.setdefault(name, (heading, _short(bold[1]) if bold else name))
            if grade_id(cell) != name:
                places[name] = (heading, "")
        if cell.cell_type == "markdown" and name not in lesson.essays:
            before = cell.source
            for found in HEADING.findall(cell.source):
                heading = found
    return places


def _short(text: str) -> str:
    """Return the text's first sentence in one line, cut at a word to LONGEST_TITLE characters."""
    words = " ".join(text.split())
    first = re.split(r"(?<=[?。？])|(?<=\w\w[.:]) ", words)[0].rstrip(" .")
    return first if len(first) <= LONGEST_TITLE else first[:LONGEST_TITLE].rpartition(" ")[0] + " …"


def _arguments(code: str, question: str) -> list[str] | None:
    """Return the expressions that a test cell hands to its check, None if it does not call the check."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == f"check.{question}":
            return [ast.unparse(argument) for argument in node.args]
    return None
