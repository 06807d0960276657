"""The text of the notebook's cell that defines a function or a class, and small changes to its lines.

A change is an edit of one line: another operator, another number, two arguments exchanged, a call or an argument left
out. The line keeps the student's own spaces and names.
"""

import ast
import inspect
import io
import linecache
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import FunctionType
from typing import Any

# The exceptions that say that a cell's text cannot be had, or not be read.
UNREADABLE = (LookupError, SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError)
OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Pow: ("**", "*"),
    ast.Lt: ("<", ">="),
    ast.LtE: ("<=", ">"),
    ast.Gt: (">", "<="),
    ast.GtE: (">=", "<"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}
LARGE = 1e6  # beside such a number float32 rounds others away: an outcome would depend on the precision
MOST_LETTERS = 100_000  # of a text that is read: a syntax tree takes 300 bytes for each letter
# A loop whose end was changed might never end; the texts of exceptions change no result.
LEFT_ALONE = (ast.While, ast.Raise, ast.Assert, ast.JoinedStr)
# Methods that change a precision: without one, the outcome would depend on the precision of the inputs.
CONVERSIONS = ("double", "float", "half", "to", "type", "type_as")
DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


def source_of(thing: Any) -> str:
    """Return the text of the cell that defines a function or a class. Raises: LookupError where there is none."""
    lines = linecache.getlines(_function_of(thing).__code__.co_filename)
    if not lines:
        raise LookupError
    return "".join(lines)


def redefined(name: str, thing: Any, code: str) -> Any:
    """Return what `name` is after `code` has run with the names of the cell that defines `thing`; these stay unchanged.

    Raises: what the code raises.
    """
    names = dict(_function_of(thing).__globals__)
    exec(compile(code, "<cell changed>", "exec"), names)
    return names[name]


def _function_of(thing: Any) -> FunctionType:
    """Return a function, or the first method that a class itself defines. Raises: LookupError where there is none."""
    parts = vars(thing).values() if isinstance(thing, type) else [thing]
    for part in map(inspect.unwrap, filter(callable, parts)):
        if isinstance(part, FunctionType):
            return part
    raise LookupError


def defines(source: str, name: str) -> bool:
    """Return whether a cell's text defines the function or the class `name` at top level."""
    if name not in source or len(source) > MOST_LETTERS:
        return False
    try:
        tree = ast.parse(source)
    except UNREADABLE:
        return False
    return any(isinstance(node, DEFINITIONS) and node.name == name for node in tree.body)


def definitions(source: str, name: str) -> str:
    """Return the function or class `name` and those of its cell that it uses, each on the lines that it has there.

    All other lines are empty, because a cell may also try out what it defines, or have another gap's code. Raises:
    SyntaxError.
    """
    nodes = [node for node in ast.parse(source).body if isinstance(node, DEFINITIONS)]
    used, found = set[str](), {name}
    while found - used:
        used |= found
        parts = [part for node in nodes if node.name in used for part in ast.walk(node)]
        found = {part.id for part in parts if isinstance(part, ast.Name)} & {node.name for node in nodes}
    kept: set[int] = set()
    for node in nodes:
        if node.name in used:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            kept |= set(range(first, (node.end_lineno or first) + 1))
    return "\n".join(line if number in kept else "" for number, line in enumerate(source.split("\n"), 1))


def bare(source: str) -> str:
    """Return code without comments and spaces, so that the same code is the same text however it is laid out.

    In docstrings, tabs count as four spaces, and spaces at the ends of lines do not count.
    """
    left_out = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    texts = (token.string.expandtabs(4) for token in tokens if token.type not in left_out)
    return "".join("\n".join(map(str.rstrip, text.splitlines())) for text in texts)


@dataclass(frozen=True, order=True)
class Change:
    """An edit of one line, numbered from 1 on: `new` in place of the bytes from `start` to `end`."""

    line: int
    start: int
    end: int
    new: str

    def of(self, source: str) -> tuple[str, str, str]:
        """Return the line as it is, the line as it becomes, and the whole changed text."""
        lines = source.split("\n")
        before = lines[self.line - 1]
        kept = before.encode()
        lines[self.line - 1] = after = kept[: self.start].decode() + self.new + kept[self.end :].decode()
        return before.strip(), after.strip(), "\n".join(lines)


def changes(source: str) -> list[Change]:
    """Return the changes to the bodies of the functions in `source`, in order. Raises: SyntaxError."""
    lines = [line.encode() for line in source.split("\n")]
    found: set[Change] = set()
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            known = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)} - {"self"}
            known |= {
                node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
            numbers = (node for node in ast.walk(function) if isinstance(node, ast.Constant))
            large = {number.lineno for number in numbers if _is_large(number.value)}
            for node in _nodes(function.body):
                if node.lineno == node.end_lineno and node.lineno not in large:
                    text = _Line(lines[node.lineno - 1])
                    found |= {Change(node.lineno, *edit) for edit in text.edits(node, known) if text.is_new(*edit)}
    return sorted(found)


def _is_large(value: Any) -> bool:
    return isinstance(value, int | float) and value >= LARGE


def _nodes(body: list[ast.stmt]) -> Iterator[Any]:
    """Yield the expressions below statements, without what is left alone."""
    waiting: list[ast.AST] = [*body]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, LEFT_ALONE):
            if isinstance(node, ast.expr):
                yield node
            waiting += ast.iter_child_nodes(node)


class _Line:
    """A line of code in bytes, in which the columns of a syntax tree count."""

    def __init__(self, line: bytes):
        self.line = line

    def text(self, start: int, end: int) -> str:
        return self.line[start:end].decode()

    def is_new(self, start: int, end: int, new: str) -> bool:
        return self.text(start, end) != new

    def edits(self, node: Any, known: set[str]) -> Iterator[tuple[int, int, str]]:
        """Yield the edits that an expression allows, as (start, end, new text). `known`: a function's own variables."""
        start, end = node.col_offset, node.end_col_offset
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            yield start, end, str(not node.value)
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield start, end, str(node.value + 1)
            yield start, end, str(node.value - 1)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            yield from self._exchanged(node.left, node.right)
        elif isinstance(node, ast.BinOp):
            yield from self._operator(node.op, node.left, node.right)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from self._operator(node.ops[0], node.left, node.comparators[0])
        elif isinstance(node, ast.UnaryOp):
            if "(" not in self.text(start, node.operand.col_offset):
                yield start, node.operand.col_offset, ""
        elif isinstance(node, ast.Slice) and (node.lower is None) != (node.upper is None) and node.step is None:
            bound = self.text(start, end).strip(": ")
            yield start, end, f":{bound}" if node.upper is None else f"{bound}:"
        elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice | ast.Tuple):
            yield node.value.end_col_offset or 0, end, ""
        elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
            yield end - len(node.attr) - 1, end, ""
        elif isinstance(node, ast.Call):
            for one, other in pairwise(node.args):
                yield from self._exchanged(one, other)
            parts: list[Any] = [*node.args, *node.keywords]
            for before, keyword in pairwise(parts):
                if getattr(keyword, "arg", None) not in (None, "dtype"):
                    yield before.end_col_offset, keyword.end_col_offset, ""
            yield from self._call(node, known)

    def _operator(self, operator: ast.AST, left: Any, right: Any) -> Iterator[tuple[int, int, str]]:
        old, new = OPERATORS.get(type(operator), ("", ""))
        between = self.text(left.end_col_offset, right.col_offset)
        if old and between.count(old) == 1:
            yield left.end_col_offset, right.col_offset, between.replace(old, new)

    def _exchanged(self, one: Any, other: Any) -> Iterator[tuple[int, int, str]]:
        between = self.text(one.end_col_offset, other.col_offset)
        if not set(between) & set("()"):  # else an operand has parentheses, which are not part of its columns
            first, second = (self.text(part.col_offset, part.end_col_offset) for part in (one, other))
            yield one.col_offset, other.end_col_offset, second + between + first

    def _call(self, node: ast.Call, known: set[str]) -> Iterator[tuple[int, int, str]]:
        """Leave out a call: of a method of a value, or of a function around its first argument."""
        start, end = node.col_offset, int(node.end_col_offset or 0)
        called = node.func
        if isinstance(called, ast.Attribute) and called.attr in CONVERSIONS:
            return
        if isinstance(called, ast.Attribute) and not _is_plain(called.value, known):
            yield start, end, self.text(start, int(called.end_col_offset or 0) - len(called.attr)).rstrip(" .")
        elif node.args:
            yield start, end, self.text(node.args[0].col_offset, int(node.args[0].end_col_offset or 0))


def _is_plain(value: ast.expr, known: set[str]) -> bool:
    """Return whether a value is a module or a module's part, such as `torch`, `self` or `self.norm`."""
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, ast.Name) and value.id not in known
