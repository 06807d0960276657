"""Spellings: each catalogued mistake in other code than the catalogue's, written from its sentence alone.

`spelled/LESSON/QUESTION.toml` has right answers in several styles (`[[base]]`), and in `[base.wrong]` the changes that
make each mistake in that style. `python -m benchmarks.proof spellings` says how many the check names, and lists those
that it does not. A name is true if it is the mistake's, or a class's of look-alikes that has the mistake.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from autograder import mistakes
from autograder.common.toml import read_toml
from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.proof.in_process import Counts, counted, in_words, mistakes_named, names_with, print_counts, quiet
from benchmarks.published.written import whole_cell

SPELLED = Path(__file__).with_name("spelled")
# Columns of the table: right answers, those rejected; wrong answers, those that pass, that get a true name, none but
# words or their own line, numbers alone, a false name.
COUNTED = ("right", "rejected", "wrong", "passed", "named", "words", "numbers", "false")


@dataclass(frozen=True)
class Spelling:
    """An answer to a question, with the mistake `of` in it, or a right one; style: how it is written."""

    lesson: Lesson
    question: str
    style: str
    code: str
    of: str = ""


@dataclass(frozen=True)
class Named:
    """What the check names in a spelling."""

    spelling: Spelling
    lost: bool
    names: set[str]
    words: bool

    @property
    def true(self) -> bool:
        return bool(self.names & mistakes.family(self.spelling.lesson, self.spelling.of))

    @property
    def false(self) -> set[str]:
        """The names that are not the mistake's; a right answer may get none."""
        of = self.spelling.of
        return self.names - (mistakes.family(self.spelling.lesson, of) if of else set())


def spellings(lesson: Lesson, only: str = "") -> Iterator[Spelling]:
    """Yield a lesson's spellings, the right answers among them, of the questions whose name contains `only`."""
    for path in sorted(path for path in (SPELLED / lesson.name).glob("*.toml") if only in path.stem):
        cell = lesson.solutions[path.stem].code
        for base in read_toml(path)["base"]:
            code = base["code"].strip() + "\n"
            yield Spelling(lesson, path.stem, base["name"], whole_cell(cell, code))
            for of, changes in base["wrong"].items():
                changed = code
                for old, new in changes:
                    if old not in changed:
                        raise ValueError(f"{path.name}, {base['name']}, {of}: there is no {old!r}")
                    changed = changed.replace(old, new)
                yield Spelling(lesson, path.stem, base["name"], whole_cell(cell, changed), of)


def examine(spelling: Spelling) -> Named:
    """Give a spelling to its check, in this process."""
    with quiet():
        names = names_with(spelling.lesson, spelling.code, f"{spelling.question}:{spelling.of}")
        students = reference.exam_call(spelling.lesson, spelling.question, names)
        verdicts = reference.checks_of(spelling.lesson)[spelling.question].verdicts(students)
    failed = [verdict for verdict in verdicts if not verdict.passed]
    return Named(spelling, bool(failed), mistakes_named(verdicts), in_words(failed))


def _counts(one: Named) -> tuple[int, ...]:
    if not one.spelling.of:
        return 1, one.lost, 0, 0, 0, 0, 0, bool(one.false)
    silent = one.lost and not one.names
    told = one.true, silent and one.words, silent and not one.words, bool(one.false)
    return 0, 0, 1, not one.lost, *map(int, told)


def table(found: Iterable[Named]) -> Counts:
    """Return the counts by question."""
    return counted(COUNTED, ((f"{one.spelling.lesson.name}/{one.spelling.question}", _counts(one)) for one in found))


def good(found: Iterable[Named]) -> bool:
    """Return whether no right answer is rejected, no wrong one passes, and no name is false."""
    return all(one.lost == bool(one.spelling.of) and not one.false for one in found)


def print_spellings(found: list[Named]) -> None:
    """Print the table, and each spelling that is not named truly."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    print_counts(console, COUNTED, table(found))
    for one in found:
        spelling, names = one.spelling, ", ".join(sorted(one.names))
        if one.lost != bool(spelling.of) or one.false or (spelling.of and not one.true):
            said = f"named {names}" if names else "words" if one.words else "numbers" if one.lost else "passes"
            console.print(f"{spelling.question}, {spelling.style}: {spelling.of or 'right'}: {said}")
