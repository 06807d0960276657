"""What a cell's code does, read from its syntax tree: the names it uses, calls and assigns, and its texts.

Names are those of the modules they come from, whatever the cell calls them: after `import torch.nn as n`, `n.Linear` is
`torch.nn.Linear`. Texts are put together as far as that needs no run: `"f_" + "back"` is `f_back`, and a text that
names an attribute (`getattr(x, "f_back")`) counts as the attribute.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

# A longer cell is not read: a syntax tree takes 300 bytes of memory for each letter.
MOST_LETTERS = 200_000
# The longest text that is put together, and how deep its parts are nested at most.
MOST_TEXT, MOST_DEPTH = 10_000, 20
MAGIC = re.compile(r"^(\s*)([%!].*)$", re.MULTILINE)
# What a notebook may have called these without an import that we see.
USUAL = {"np": "numpy", "F": "torch.nn.functional", "nn": "torch.nn", "plt": "matplotlib.pyplot"}


@dataclass
class Reading:
    """Nodes of a cell with what they do; `line` gives a node's line of the source."""

    source: str
    uses: list[tuple[str, ast.AST]] = field(default_factory=list)  # dotted names that are imported, read or called
    calls: list[tuple[str, ast.Call]] = field(default_factory=list)
    sets: list[tuple[str, ast.AST]] = field(default_factory=list)  # dotted names that are assigned or deleted
    texts: list[tuple[str, ast.AST]] = field(default_factory=list)
    classes: list[ast.ClassDef] = field(default_factory=list)
    large: list[ast.AST] = field(default_factory=list)  # where a large number says how much there is of something
    names: dict[str, str] = field(default_factory=lambda: dict(USUAL))  # a name of the cell -> what it stands for
    variables: set[str] = field(default_factory=set)  # names that the cell assigns, and that are no module's
    above: dict[int, ast.AST] = field(default_factory=dict)  # id of a node -> the node around it

    def named(self, node: ast.AST) -> str:
        """Return a name with its attributes, `?` in place of what is no name: `?.f_back` for `frames()[0].f_back`."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        first = "?"
        if isinstance(node, ast.Name):
            first = self.names.get(node.id, "?" if node.id in self.variables else node.id)
        return ".".join([first, *reversed(attributes)])

    def parents(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nearest nodes around a node."""
        for _ in range(3):
            if id(node) in self.above:
                yield (node := self.above[id(node)])

    def line(self, node: ast.AST) -> str:
        lines = self.source.split("\n")
        number = getattr(node, "lineno", 1)
        return lines[number - 1].strip() if number <= len(lines) else ""


def read(source: str) -> Reading | None:
    """Return what a cell does; None for a cell that Python cannot read, which does nothing."""
    source = source.replace("\r\n", "\n").replace("\r", "\n")  # as Python counts lines
    magics: list[tuple[str, ast.AST]] = [
        (match[2], ast.Pass(lineno=source.count("\n", 0, match.start(2)) + 1)) for match in MAGIC.finditer(source)
    ]
    try:
        tree = ast.parse(MAGIC.sub(r"\1pass", source))
    except SyntaxError:
        return None
    reading = Reading(source, texts=magics)
    _Reader(tree, reading).read()
    return reading


class _Reader:
    """Fills a `Reading`."""

    def __init__(self, tree: ast.Module, reading: Reading):
        self.tree, self.reading = tree, reading

    def read(self) -> None:
        nodes, reading = list(ast.walk(self.tree)), self.reading  # not recursive: a tree may be deep
        reading.above = {id(child): node for node in nodes for child in ast.iter_child_nodes(node)}
        for node in nodes:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._import(node)
        stored = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
        reading.variables = {*stored, *(node.arg for node in nodes if isinstance(node, ast.arg))} - reading.names.keys()
        modules = {name.partition(".")[0] for name in reading.names.values()}
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = reading.named(node.value)
                if value.partition(".")[0] in modules:
                    reading.names.setdefault(node.targets[0].id, value)
        parts: set[int] = set()  # of texts that are put together
        for node in nodes:
            if id(node) not in parts and (text := folded(node)) and not isinstance(reading.above[id(node)], ast.Expr):
                reading.texts.append((text, node))
                parts.update(id(part) for part in ast.walk(node))
        for node in nodes:
            self._note(node)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) and node.module else ""
        for alias in node.names:
            self.reading.uses.append((module + alias.name, node))
            known = module + alias.name if alias.asname or module else alias.name.partition(".")[0]
            self.reading.names[alias.asname or alias.name.partition(".")[0]] = known

    def _note(self, node: ast.AST) -> None:
        reading = self.reading
        above = reading.above.get(id(node))
        if isinstance(node, ast.Attribute | ast.Name) and not isinstance(above, ast.Attribute):
            where = reading.uses if isinstance(node.ctx, ast.Load) else reading.sets
            where.append((reading.named(node), node))
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            reading.sets.append((reading.named(node.value) + "[]", node))
        elif isinstance(node, ast.Call):
            reading.calls.append((reading.named(node.func), node))
        elif isinstance(node, ast.ClassDef):
            reading.classes.append(node)
        elif isinstance(node, ast.BinOp) and _is_large(node):
            reading.large.append(node)


def _is_large(node: ast.BinOp) -> bool:
    """Return whether something is repeated 10^8 times and more, or a whole number has thousands of digits."""
    if isinstance(node.op, ast.Pow):
        return number(node) == float("inf")
    repeated = any(_is_sequence(side) and (number(other) or 0) >= 10**8 for side, other in _both(node))
    return isinstance(node.op, ast.Mult) and repeated


def _both(node: ast.BinOp) -> Iterator[tuple[ast.expr, ast.expr]]:
    yield node.left, node.right
    yield node.right, node.left


def _is_sequence(node: ast.AST) -> bool:
    text = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    return text or isinstance(node, ast.List | ast.Tuple)


def folded(node: ast.AST, depth: int = 0) -> str:
    """Return the text that a node gives, as far as that can be known without a run; "" for anything else."""
    if depth > MOST_DEPTH:
        return ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = folded(node.left, depth + 1), folded(node.right, depth + 1)
        text = left + right if left and right else ""
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and (left := folded(node.left, depth + 1)):
        items = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
        text = left
        for item in items:
            text = text.replace("%s", folded(item, depth + 1) or "\0", 1)
    elif isinstance(node, ast.JoinedStr):
        values = [value.value if isinstance(value, ast.FormattedValue) else value for value in node.values]
        text = "".join(folded(value, depth + 1) or "\0" for value in values)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args:
        items = node.args[0].elts if isinstance(node.args[0], ast.List | ast.Tuple) else []
        glue = node.func.value.value if isinstance(node.func.value, ast.Constant) else None
        text = glue.join(folded(item, depth + 1) for item in items) if isinstance(glue, str) else ""
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and ast.unparse(node.slice) == "::-1":
        text = folded(node.value, depth + 1)[::-1]
    else:
        return ""
    return text if len(text) <= MOST_TEXT else ""


def number(node: ast.AST, depth: int = 0) -> float | None:
    """Return the number that a node gives, without a run; None for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if not isinstance(node, ast.BinOp) or depth > MOST_DEPTH:
        return None
    left, right = number(node.left, depth + 1), number(node.right, depth + 1)
    if left is None or right is None:
        return None
    try:
        if isinstance(node.op, ast.Pow):
            return float(abs(float(left)) ** float(right))
        return float(left) * float(right) if isinstance(node.op, ast.Mult) else None
    except (OverflowError, ZeroDivisionError):
        return float("inf")
