"""The texts that a lesson's cells show: sentences that they print, and names that they give to curves and bars.

A cell's code has these texts in English, because code is the same in every language; `utils` translates them when they
are shown. They are recognised by the calls and dictionaries that contain them:

    say("…"), said("…")              a sentence, or both of a conditional expression
    print_table(…, heads=("…",))     a table's heads
    {"…": …}, table["…"] = …         the names of curves, bars and pictures, unless the dictionary holds arguments
    plots.f("…", unit="…")           titles and units, and a progress bar's text (`description="…"`)
"""

import ast
import re
from collections.abc import Iterator

from autograder.lesson.text import Lesson

# A line magic of IPython, which Python cannot parse.
MAGIC = re.compile(r"(?m)(?<=^    )%.*$")
SAYING = ("say", "said")
DRAWING = ("plots", "explorer")


def of_lesson(lesson: Lesson) -> list[str]:
    """Return the texts of a lesson's cells, each once, in their order."""
    texts: list[str] = []
    for cell in lesson.of_role("given", "show"):
        texts += _of_tree(ast.parse(MAGIC.sub("pass", cell.code)))
    return list(dict.fromkeys(text for text in texts if text))


def _of_tree(tree: ast.Module) -> Iterator[str]:
    starred = [node.value for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg is None]
    passed = {value.id for value in starred if isinstance(value, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield from _of_call(node)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield from _text(node.slice)
    yield from _names(tree, passed)


def _of_call(call: ast.Call) -> Iterator[str]:
    function = ast.unparse(call.func)
    if function in SAYING:
        for node in ast.walk(call.args[0]):
            yield from _text(node)
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    if function == "print_table":
        for head in getattr(keywords.get("heads"), "elts", ()):
            yield from _text(head)
    elif function.partition(".")[0] in DRAWING:
        for node in (*call.args, *keywords.values()):
            yield from _text(node)
    yield from _text(keywords.get("description"))


def _names(node: ast.AST, passed: set[str]) -> Iterator[str]:
    """Yield the keys of outermost dictionaries that are not `passed` as keyword arguments.

    A key with an underscore is a name in the code, and is left out.
    """
    if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id in passed for to in node.targets):
        return
    if isinstance(node, ast.Dict):
        for key in node.keys:
            yield from (text for text in _text(key) if "_" not in text)
        return
    for child in ast.iter_child_nodes(node):
        yield from _names(child, passed)


def _text(node: ast.AST | None) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
