"""The answers in `answers/` and `fresh/`: reads them, and makes of each the cell that a student would hand in.

Those in `fresh/` were written later, from the lessons' texts alone. A file has the answers to one question, each below
a line `# %% NAME [KIND] NOTE`. KIND is `right`, `one` (a single mistake) or `two` (two mistakes at once), by the
lesson's text. An answer is the whole cell; to a question about a class it is the methods alone, which take the place of
the class's own.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.lesson.text import Lesson

FOLDERS = {name: Path(__file__).with_name(name) for name in ("answers", "fresh")}
HEAD = re.compile(r"^# %% (?P<name>\w+) \[(?P<kind>right|one|two)\] ?(?P<note>.*)\n", re.MULTILINE)


@dataclass(frozen=True)
class Answer:
    """One answer to a question. kind: `right`, `one` or `two`. note: its mistakes in words. code: the whole cell."""

    folder: Path
    lesson: Lesson
    question: str
    name: str
    kind: str
    note: str
    code: str

    @property
    def gap(self) -> str:
        return f"{self.lesson.name}/{self.question}"

    @property
    def right(self) -> bool:
        return self.kind == "right"


def answers(lesson: Lesson, folder: Path = FOLDERS["answers"]) -> Iterator[Answer]:
    """Yield the answers to a lesson's questions, question by question in the order of the files' names."""
    for path in sorted((folder / lesson.name).glob("*.py")):
        cell = lesson.solutions[path.stem].code
        text = path.read_text(encoding="utf-8")
        heads = list(HEAD.finditer(text))
        ends = [head.start() for head in heads[1:]] + [len(text)]
        for head, end in zip(heads, ends, strict=True):
            code = text[head.end() : end].strip() + "\n"
            yield Answer(folder, lesson, path.stem, head["name"], head["kind"], head["note"], whole_cell(cell, code))


def whole_cell(cell: str, answer: str) -> str:
    """Return the cell with the answer in it: the answer itself, or the cell's class with the answer's methods."""
    methods = {part.name: ast.get_source_segment(answer, part) for part in _methods(answer)}
    if not methods:
        return answer
    lines = cell.split("\n")
    (written,) = (part for part in ast.parse(cell).body if isinstance(part, ast.ClassDef))
    for method in reversed(written.body):
        if isinstance(method, ast.FunctionDef) and (code := methods.get(method.name)):
            lines[method.lineno - 1 : method.end_lineno] = [f"    {line}".rstrip() for line in code.split("\n")]
    return "\n".join(lines)


def _methods(answer: str) -> list[ast.FunctionDef]:
    functions = [part for part in ast.parse(answer).body if isinstance(part, ast.FunctionDef)]
    return [part for part in functions if part.args.args and part.args.args[0].arg == "self"]
