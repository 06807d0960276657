"""A lesson's outline for the students' notebooks, from its text and translations; `utils.checks.outline` reads it."""

import ast
import json
import re
import symtable

from nbformat import NotebookNode

from autograder.common.course import CHECK, MORE
from autograder.common.nodes import grade_id
from autograder.lesson.release import release_notebook
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.lesson.translation import LANGUAGES, TEXT_STUB, message, translate_notebook
from utils.checks.outline import digest, made_by

HEADING = re.compile(r"^#{2,3} +(.+)$", re.MULTILINE)
# An essay's title is the first sentence that its question has in bold.
BOLD = re.compile(r"\*\*(.+?)\*\*", re.DOTALL)
LONGEST_TITLE = 70


def outline(lesson: Lesson) -> str:
    """Return the lesson's outline as JSON."""
    released = release_notebook(lesson)
    places = {language: _places(translate_notebook(released, language, lesson), lesson) for language in LANGUAGES}
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
    makes, needs = _names(lesson)
    data = {"questions": questions, "shows": shows, "empty": empty, "makes": makes, "needs": needs}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def _names(lesson: Lesson) -> tuple[list[str], dict[str, list[str]]]:
    """Return the names that the lesson's cells make, and for each show cell the questions on whose gaps it depends."""
    from_gaps: dict[str, set[str]] = {}  # a name -> the gaps on which its value depends
    needs = {}
    for cell in lesson.of_role("given", "solution", "show"):
        code = _plain(cell.code)
        used = _used(symtable.symtable(code, cell.name, "exec")) - _loop_variables(code)
        gaps = set().union(*(from_gaps.get(name, set()) for name in used))
        gaps |= {cell.name} if cell.role == "solution" else set()
        if cell.role == "show":
            needs[cell.grade_id] = [question for question in lesson.tests if question in gaps]
        for name in made_by(code).keys() - _loop_variables(code):
            from_gaps[name] = gaps
    return sorted(from_gaps), {cell: gaps for cell, gaps in needs.items() if gaps}


def _loop_variables(code: str) -> set[str]:
    """Return the variables of `for` loops: a loop sets them before it uses them."""
    loops = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.For)]
    return {node.id for loop in loops for node in ast.walk(loop.target) if isinstance(node, ast.Name)}


def _used(table: symtable.SymbolTable) -> set[str]:
    """Return the global names that code refers to, in its functions, too; local variables of functions are left out."""
    top = table.get_type() == "module"
    own = [symbol for symbol in table.get_symbols() if symbol.is_referenced() and (top or symbol.is_global())]
    return {symbol.get_name() for symbol in own}.union(*map(_used, table.get_children()))


def _plain(code: str) -> str:
    """Return a cell's code without lines that are not Python, such as `%matplotlib`."""
    return "\n".join(line for line in code.split("\n") if not line.lstrip().startswith(("%", "!")))


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
            heading = (HEADING.findall(cell.source) or [heading])[-1]
    return places


def _short(text: str) -> str:
    """Return the text's first sentence in one line, cut at a word to LONGEST_TITLE characters."""
    words = " ".join(text.split())
    first = re.split(r"(?<=[?。？])|(?<=\w\w[.:]) ", words)[0].rstrip(" .")
    return first if len(first) <= LONGEST_TITLE else first[:LONGEST_TITLE].rpartition(" ")[0] + " …"


def _arguments(code: str, question: str) -> list[str] | None:
    """Return the expressions that a test cell hands to its check, None if it does not call the check."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in (f"{CHECK}.{question}", f"{MORE}.{question}"):
            return [ast.unparse(argument) for argument in node.args]
    return None
