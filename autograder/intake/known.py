"""The cells of a lesson's release, and the parts of code to compare: its lines, except empty ones, and its names."""

import ast
import functools
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from nbformat import NotebookNode

from autograder.common.nodes import grade_id
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson

# Letters of a cell that is parsed or compared with questions: a lesson's longest cell has 2,000.
MAX_COMPARED = 20_000
FENCE = re.compile(r"\s*(`{3,9}|~{3,9})[^\n]*\n(.*?)\n?\1\s*", re.DOTALL)


@dataclass(frozen=True, eq=False)
class Known:
    """A lesson's release, to be compared with a submission."""

    managed: dict[str, NotebookNode]  # the cells that nbgrader knows, by grade id
    prose_ids: set[str]  # the ids of all other cells of the release
    code: dict[str, str]  # the normal form of each cell of code that is the workbook's own, by grade id
    gaps: dict[str, frozenset[str]]  # the names that each gap defines
    essays: tuple[str, ...]
    scratch: frozenset[str]  # how the cells for a student's own trials begin
    unfilled: frozenset[str]  # the normal forms of those among them that assign a value, as they are released
    lines: frozenset[str]  # the release's lines of code, without their indentation

    @classmethod
    @functools.cache
    def of(cls, lesson: Lesson) -> "Known":
        cells = release_notebook(lesson).cells
        managed = {grade_id(cell): cell for cell in cells if grade_id(cell)}
        given = {name: cell for name, cell in managed.items() if not cell.metadata.nbgrader.solution}
        scratch = [cell.source for cell in cells if cell.cell_type == "code" and not grade_id(cell)]
        return cls(
            managed,
            {cell.id for cell in cells if not grade_id(cell)},
            {name: lines_of(cell.source) for name, cell in given.items() if cell.cell_type == "code"},
            {name: defined(managed[name].source) for name in managed if name in lesson.solutions},
            tuple(name for name in managed if name in lesson.essays),
            frozenset(map(head_of, scratch)),
            frozenset(lines_of(source) for source in scratch if not source.startswith("#")),
            frozenset(line.strip() for cell in cells if cell.cell_type == "code" for line in cell.source.split("\n")),
        )

    def is_stub(self, gap: str, source: str) -> bool:
        """Return whether an answer lacks what students are to write: a definition, or code in place of the error."""
        stub = unwritten(self.managed[gap].source)
        return not self.gaps[gap] & assigned(source) or (bool(stub) and stub <= unwritten(source))


def lines_of(source: str) -> str:
    """Return the normal form of code, which begins and ends with a line break so that whole lines can be searched."""
    return "\n" + "".join(f"{line.rstrip()}\n" for line in source.split("\n") if line.strip())


def head_of(source: str) -> str:
    """Return the first line of a cell, of an assignment what is before the sign of equality."""
    return source.lstrip().partition("\n")[0].partition(" = ")[0]


def defined(source: str) -> frozenset[str]:
    """Return the functions and classes that a cell defines at its top level."""
    return frozenset(re.findall(r"^(?:async +)?(?:def|class)\s+(\w+)", source, re.MULTILINE))


def assigned(source: str) -> frozenset[str]:
    """Return the names that a cell defines outside of functions and classes, also by assignment, import or in an if."""
    tree = parsed(source)
    found, nodes = set(defined(source)), list[ast.AST]([tree] if tree else [])
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name)
        else:
            nodes += ast.iter_child_nodes(node)
    return frozenset(found)


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree of a cell without its magics, None for what Python cannot read."""
    if len(source) > MAX_COMPARED:
        return None
    plain = re.sub(r"^(\s*)[%!].*", r"\1pass", source, flags=re.MULTILINE)
    try:
        return ast.parse(plain)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@functools.lru_cache(maxsize=1024)
def unwritten(source: str) -> frozenset[str]:
    """Return the functions and methods of a cell whose last statement is the stub's `raise NotImplementedError`.

    A method has its class's name in front, because gaps that an editor merged may have methods of one name.
    """
    tree = parsed(source)
    return frozenset(_unwritten(tree) if tree else ())


def _unwritten(node: ast.AST, owner: str = "") -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and _raises_not_implemented(child.body[-1]):
            yield f"{owner}{child.name}"
        yield from _unwritten(child, f"{child.name}." if isinstance(child, ast.ClassDef) else owner)


def _raises_not_implemented(node: ast.stmt) -> bool:
    return isinstance(node, ast.Raise) and node.exc is not None and "NotImplementedError" in ast.dump(node.exc)


def says_only(source: str) -> bool:
    """Return whether a cell of code is text: it has no statement but strings, or Python cannot read it.

    Code that begins indented is a part of a function.
    """
    if len(source) > MAX_COMPARED:
        return False
    tree = parsed(textwrap.dedent(source))
    return tree is None or all(
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in tree.body
    )


def printed(source: str) -> str:
    """Return the text of a cell of code that does nothing but print texts; "" for other code."""
    tree = parsed(source) if "print" in source else None
    calls = [getattr(node, "value", None) for node in tree.body] if tree else []
    prints = [call for call in calls if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "print"]
    texts = [[getattr(arg, "value", None) for arg in call.args] for call in prints]
    only = len(texts) == len(calls) and all(isinstance(text, str) for line in texts for text in line)
    return "\n".join(" ".join(map(str, line)) for line in texts) if only else ""


def code_in(kind: str, source: str) -> str:
    """Return the code of a cell: its text, or for a cell of text the code that fills it, fenced or not; "" for none."""
    if kind == "code":
        return source
    if fenced := FENCE.fullmatch(source):
        source = fenced[2]
    source = textwrap.dedent(source)
    return source if defined(source) and parsed(source) else ""
