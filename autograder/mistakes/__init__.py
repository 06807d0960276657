"""The catalogue of mistakes: `<lesson>.toml`, each a text substitution on the reference solution.

One entry serves three ends: it proves that the exam notices the mistake, it names the mistake to the
student who makes it, and its sentence is what the student reads.

    attention.toml, captioning.toml, seq2seq.toml    id, cell, old and new text, sentence, graded cells that it loses
    `load`, `code_of`                                read a lesson's catalogue; a cell's code with a mistake in it

Of the instructors' packages `lesson` and `common` are imported; exams and all stages above look mistakes up here.
"""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.lesson.text import TEST_PREFIX, Lesson
from utils.common.errors import WorkbookError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Mistake:
    """A wrong solution: `replacements` in the reference cell `cell`; `loses` are the graded cells it must fail."""

    id: str
    cell: str
    replacements: tuple[tuple[str, str], ...]
    says: str
    loses: tuple[str, ...]
    equivalent_to: str = ""

    def apply(self, code: str) -> str:
        """Return the cell's code with the mistake in it. Raises: WorkbookError unless each `old` occurs once."""
        for old, new in self.replacements:
            if code.count(old) != 1:
                raise WorkbookError(
                    f"The mistake {self.id} looks for {old!r} in the cell {self.cell}, where it occurs "
                    f"{code.count(old)} times instead of once; mend it in autograder/mistakes."
                )
            code = code.replace(old, new)
        return code


@cache
def load(lesson: Lesson) -> dict[str, Mistake]:
    """Return a lesson's mistakes by id, in the catalogue's order; none where it has no catalogue."""
    path = FOLDER / f"{lesson.name}.toml"
    if not path.is_file():
        return {}
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("mistake", [])
    mistakes = {}
    for entry in entries:
        replacements = [(entry["old"], entry["new"]), *((more["old"], more["new"]) for more in entry.get("also", []))]
        mistakes[entry["id"]] = Mistake(
            entry["id"],
            entry["cell"],
            tuple(replacements),
            " ".join(entry["says"].split()),
            tuple(entry.get("loses", [TEST_PREFIX + entry["cell"]])),
            entry.get("equivalent_to", ""),
        )
    if len(mistakes) != len(entries):
        raise WorkbookError(f"Two mistakes in {path.name} have the same id.")
    return mistakes


def code_of(lesson: Lesson, mistake: Mistake) -> str:
    """Return the code that a student who makes this mistake would write in its cell."""
    return mistake.apply(lesson.solutions[mistake.cell].code)
