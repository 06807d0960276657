"""Lines to put in order: a way out for students who are stuck, where a course allows it (`order` in `course.toml`).

The students' modules then hold the reference's lines of each gap, shuffled among wrong ones (`made/lines.json`, from
`autograder/course/ordering.py`). An order is run and never compared, so each order with right results passes. Indents
are not the student's task: a line keeps the reference's indent as far as the lines above it allow.
"""

import json
import linecache
import sys
import textwrap
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from utils.checks.engine.panel import WIDTH
from utils.checks.outline import outlines
from utils.common import lessons
from utils.common.columns import wrap
from utils.common.errors import WorkbookError
from utils.common.messages import N_, said
from utils.common.notebook import running_shell

LINES = "lines.json"  # in the lesson's folder
NONE = N_("There are no lines to put in order for this question.")
LATER = N_(
    "You get the lines after the second hint and the third failed try. Hints so far: {hints}; failed tries: {tries}."
)
SHOWN = N_('Put lines in order, without indents: `check.{name}.order("…")` runs them by letters. Wrong lines: {wrong}.')
WORTH = N_("Points for an answer from these lines: at most {most} of {total}.")
UNKNOWN = N_("Write the lines' letters, from a to {last}.")
NOT_RUN = N_("In this order, the lines do not run: {error}")
COPY = N_("Copy this into the gap. Leave the first line there: it says that you put lines in order.")
OFFERED = N_("The lines, to be put in order: check.{name}.order()")


@dataclass(frozen=True)
class Shuffle:
    """The lines of a gap, each with the number of its part, its indent and its text.

    frame: the cell's text around its parts. wrong: how many lines belong in no order. most: the points that an answer
    from these lines earns at most, of `total`.
    """

    frame: list[str]
    lines: list[tuple[int, int, str]]
    wrong: int
    most: float
    total: float

    @classmethod
    def of(cls, lesson: str, question: str) -> "Shuffle | None":
        """Return a question's lines; None where the course, or the question, has no lines."""
        path = lessons.made(lesson, LINES)
        gaps = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return cls(**gaps[question]) if question in gaps else None

    def shown(self, question: str) -> str:
        """Return the lines with their letters, below what to do with them."""
        worth = said(WORTH, most=f"{self.most:g}", total=f"{self.total:g}") if self.most < self.total else ""
        heading = wrap(f"{said(SHOWN, name=question, wrong=self.wrong)} {worth}", WIDTH)
        texts = (text.replace("\n", "\n   ") for _, _, text in self.lines)
        listed = (f"{letter}) {text}" for letter, text in zip(ascii_lowercase, texts, strict=False))
        return "\n".join([*heading, *listed])

    def code(self, question: str, letters: str) -> str:
        """Return the cell with these lines, below a comment that names them. Raises: WorkbookError."""
        known = ascii_lowercase[: len(self.lines)]
        chosen = [letter for letter in letters.lower() if letter.isalnum()]
        if not set(chosen) <= set(known):
            raise WorkbookError(UNKNOWN, last=known[-1])
        lines = [self.lines[known.index(letter)] for letter in chosen]
        written = [f'# check.{question}.order("{" ".join(chosen)}")\n', self.frame[0]]
        for part, after in enumerate(self.frame[1:]):
            level, opens = min(indent for of, indent, _ in self.lines if of == part), False
            for indent, text in [line[1:] for line in lines if line[0] == part]:
                level = level + 4 if opens else min(indent, level)
                written.append(textwrap.indent(text, " " * level) + "\n")
                opens = text.partition("#")[0].rstrip().endswith(":")
            written.append(after)
        return "".join(written)


def students_of(lesson: str, question: str, code: str) -> tuple[Any, ...]:
    """Run a cell with a copy of the notebook's names; return the objects that the question's check is called with.

    Raises: WorkbookError where the code does not run.
    """
    shell, file = running_shell(), f"<cell {question}>"
    names = dict(shell.user_ns if shell else vars(sys.modules["__main__"]))
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    try:
        exec(compile(code, file, "exec"), names)
    except Exception as error:
        raise WorkbookError(NOT_RUN, error=f"{type(error).__name__}: {error}") from None
    [call] = [entry.call for entry in outlines()[lesson].questions if entry.name == question]
    return tuple(eval(expression, names) for expression in call or ())  # from our outline, not from a student
