"""What can be taken out of a module, one thing at a time: guards, parts of conditions, keys, terms, steps.

A bug replaces a part of a module's text. Annotations, decorators, imports, f-strings, tables of translated texts and
what only type checkers read are left as they are.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

JUMPS = (ast.Continue, ast.Raise, ast.Return, ast.Break)
BOUNDARIES: dict[type[ast.cmpop], str] = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
SUMS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.BitOr: "|", ast.BitAnd: "&"}
# Methods of texts that change a text's form: the bug leaves the call out.
FORMS = ("strip", "lstrip", "rstrip", "lower", "casefold", "removesuffix", "removeprefix")
# Kind of bug, the node that is replaced (or the first and the last one), its new text.
Edit = tuple[str, ast.AST | tuple[ast.AST, ast.AST], str]


@dataclass(frozen=True)
class Bug:
    """A part of a module that is replaced; `start` and `end` count bytes, `first` and `last` lines of its statement."""

    module: str
    kind: str
    start: int
    end: int
    text: str  # what is put in place
    first: int
    last: int
    in_function: bool
    was: str  # what is replaced, on one line

    @property
    def difference(self) -> str:
        """The bug on one line; with the module, the name by which `equivalent.toml` knows the bug."""
        return f"{self.was} => {' '.join(self.text.split())}"

    def put_into(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


def bugs_of(module: str, source: str) -> list[Bug]:
    """Return the bugs of a module in the order of its text; each can be compiled."""
    finder = _Finder(module, source)
    finder.walk(ast.parse(source), None, False)
    bugs = sorted(finder.bugs, key=lambda bug: (bug.start, bug.end, bug.text))
    return [bug for bug in dict.fromkeys(bugs) if _compiles(bug.put_into(source.encode()))]


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "bug", "exec")
    except SyntaxError:
        return False
    return True


class _Finder:
    def __init__(self, module: str, source: str):
        self.module, self.source = module, source.encode()
        self.bugs: list[Bug] = []
        self.lines = [0]  # where each line begins
        for line in self.source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    def _span(self, node: ast.AST) -> tuple[int, int]:
        line, column, last, end = (
            getattr(node, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")
        )
        return self.lines[line - 1] + column, self.lines[last - 1] + end

    def walk(self, node: ast.AST, statement: ast.stmt | ast.ExceptHandler | None, in_function: bool) -> None:
        if isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom) or _for_type_checkers(node):
            return
        statement = node if isinstance(node, ast.stmt | ast.ExceptHandler) else statement
        for kind, replaced, text in self.edits(node):
            first, last = replaced if isinstance(replaced, tuple) else (replaced, replaced)
            start, end = self._span(first)[0], self._span(last)[1]
            was = self.source[start:end].decode()
            if statement is not None and text != was:
                lines = _lines(statement)
                shown = " ".join((was if len(was) < 200 else was[:200]).split())
                self.bugs.append(Bug(self.module, kind, start, end, text, *lines, in_function, shown))
        inside = in_function or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.walk(child, statement, (inside and name != "args") or in_function)

    def edits(self, node: ast.AST) -> Iterator[Edit]:
        """Yield the bugs that replace this node or its condition."""
        match node:
            case ast.If(test=test, body=body):
                kind = "guard" if isinstance(body[-1], JUMPS) else "branch"
                yield kind, test, f"({self.text(test)}) and False"
            case ast.comprehension(ifs=conditions):
                for condition in conditions:
                    yield "filter", condition, f"({self.text(condition)}) or True"
            case ast.IfExp(body=body, orelse=orelse):
                yield "choice", node, f"({self.text(body)})"
                yield "choice", node, f"({self.text(orelse)})"
            case ast.BoolOp(op=op, values=values):
                word = " and " if isinstance(op, ast.And) else " or "
                for n in range(len(values)):
                    if not any(isinstance(part, ast.NamedExpr) for part in ast.walk(values[n])):
                        left = values[:n] + values[n + 1 :]
                        yield word.strip(), node, f"({word.join(f'({self.text(one)})' for one in left)})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield "not", node, f"bool({self.text(operand)})"
            case ast.Compare(left=left, ops=operators, comparators=others):
                yield from self._boundaries(node, left, operators, others)
            case ast.Dict(keys=keys, values=values) if not _translated(values):
                for key, value in zip(keys, values, strict=True):
                    yield ("key", (key, value), "**{}") if key else ("key", value, "{}")
            case ast.BinOp(left=left, op=op, right=right) if type(op) in SUMS:
                yield "term", node, f"({self.text(left)})"
                if not isinstance(op, ast.Sub):
                    yield "term", node, f"({self.text(right)})"
            case ast.Subscript(value=value, slice=ast.Slice()):
                yield "slice", node, self.text(value)
            case ast.Call():
                yield from self._call(node)
            case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign():
                yield "step", node, "pass"
            case ast.ExceptHandler(type=ast.Tuple(elts=kinds) as several):
                for n in range(len(kinds)):
                    left = kinds[:n] + kinds[n + 1 :]
                    yield "except", several, f"({''.join(f'{self.text(one)}, ' for one in left)})"
            case ast.ExceptHandler(type=ast.expr() as kind):
                yield "except", kind, "()"

    def _boundaries(
        self, node: ast.AST, left: ast.expr, operators: list[ast.cmpop], others: list[ast.expr]
    ) -> Iterator[Edit]:
        parts = [left, *others]
        for n, operator in enumerate(operators):
            if type(operator) in BOUNDARIES:
                between = [self._between(parts[m], parts[m + 1]) for m in range(len(operators))]
                between[n] = between[n].replace(between[n].strip("() \n"), BOUNDARIES[type(operator)])
                words = [
                    self.text(parts[0]),
                    *(one for m in range(len(operators)) for one in (between[m], self.text(parts[m + 1]))),
                ]
                start, end = self._span(node)[0], self._span(parts[0])[0]
                last, close = self._span(parts[-1])[1], self._span(node)[1]
                text = self.source[start:end].decode() + "".join(words) + self.source[last:close].decode()
                yield "boundary", node, text

    def _between(self, one: ast.AST, other: ast.AST) -> str:
        return self.source[self._span(one)[1] : self._span(other)[0]].decode()

    def _call(self, call: ast.Call) -> Iterator[Edit]:
        plain = not any(isinstance(one, ast.Starred) for one in call.args)
        match call.func:
            case ast.Name(id="sorted") if plain:
                yield "order", call, f"list({self.text(call.args[0])})"
                for n in range(len(call.keywords)):
                    yield "order", call, self._without(call, n)
            case ast.Name(id="min" | "max") if plain and len(call.args) > 1:
                for n in range(len(call.args)):
                    left = call.args[:n] + call.args[n + 1 :]
                    if len(left) == 1:
                        yield "bound", call, f"({self.text(left[0])})"
            case ast.Name(id="min" | "max") if plain:
                for n in range(len(call.keywords)):
                    yield "order", call, self._without(call, n)
            case ast.Name(id="round") if plain and call.args:
                yield "round", call, f"({self.text(call.args[0])})"
            case ast.Attribute(value=value, attr="get") if len(call.args) == 2 and not _none(call.args[1]):
                yield "default", call, f"{self.text(value)}.get({self.text(call.args[0])})"
            case ast.Attribute(value=value, attr=name) if name in FORMS:
                yield "form", call, self.text(value)
            case ast.Name(id="next") if len(call.args) == 2 and plain:
                yield "default", call, f"next({self.text(call.args[0])})"

    def _without(self, call: ast.Call, dropped: int) -> str:
        """Return a call without one of its named arguments."""
        named = [one for n, one in enumerate(call.keywords) if n != dropped]
        words = [self.text(one) for one in call.args] + [f"{one.arg}={self.text(one.value)}" for one in named]
        return f"{self.text(call.func)}({', '.join(words)})"


def _lines(statement: ast.stmt | ast.ExceptHandler) -> tuple[int, int]:
    """Return the first and last line of a statement, of a compound one those of its head."""
    last = statement.end_lineno or statement.lineno
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body:
        last = max(statement.lineno, body[0].lineno - 1)
    return statement.lineno, last


def _translated(values: list[ast.expr]) -> bool:
    """Return whether a dictionary is a table of texts for translators."""
    texts = [
        one for one in values if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "N_"
    ]
    return len(texts) == len(values) > 0


def _none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
