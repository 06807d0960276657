"""Spellings: known mistakes in other code than the catalogue's, written from their sentences alone.

`spelled/LESSON/QUESTION.toml` has right answers in several styles (`[[base]]`), and in `[base.wrong]` the changes that
make each mistake in that style. `python -m benchmarks.proof spellings` says how many the check names, and lists those
that it does not; with `--two`, two mistakes of one style in one answer. A name is true if its sentence is a mistake's:
its own, that of a class of look-alikes that has the mistake, or of a third mistake that two add up to.
"""

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from autograder import mistakes
from autograder.common.toml import read_toml
from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.proof.in_process import Counts, counted, in_words, mistakes_named, names_with, print_counts, quiet
from benchmarks.proof.pairs import add_up, exclusive
from benchmarks.published.written import whole_cell

SPELLED = Path(__file__).with_name("spelled")
# Columns of the table: right answers, those rejected; wrong answers, those that pass, that get a true name, or two, or
# none but words or their own line, or numbers alone; those that get a false name.
COUNTED = ("right", "rejected", "wrong", "passed", "named", "both", "words", "numbers", "false")
# At most so many answers with two mistakes are made in each style, drawn with this seed.
MOST_TWO = 12
SEED = 5


@dataclass(frozen=True)
class Spelling:
    """An answer to a question with the mistakes `of` in it, none in a right one; style: how it is written."""

    lesson: Lesson
    question: str
    style: str
    code: str
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Named:
    """What the check names in a spelling."""

    spelling: Spelling
    lost: bool
    names: set[str]
    words: bool

    @property
    def true(self) -> int:
        """Of how many of the mistakes a name is true."""
        lesson, of = self.spelling.lesson, self.spelling.of
        if self.names & _ids(lesson, add_up(lesson).get(frozenset(of))):
            return len(of)
        return sum(bool(self.names & _ids(lesson, mistake)) for mistake in of)

    @property
    def false(self) -> set[str]:
        """The names that are not true, and two whose sentences exclude each other."""
        lesson, of = self.spelling.lesson, self.spelling.of
        third = add_up(lesson).get(frozenset(of))
        excluded = frozenset(of) in exclusive(lesson) and set(of) <= self.names
        return set(of) if excluded else self.names - set().union(*(_ids(lesson, one) for one in (*of, third)))


def _ids(lesson: Lesson, mistake: str | None) -> set[str]:
    """Return the mistakes whose sentences are true of an answer with this mistake.

    They are the mistakes of its family, and those of the families of all mistakes with the same sentence.
    """
    if mistake is None:
        return set()
    known = mistakes.load(lesson)
    alike = {other for other in known if known[other].says == known[mistake].says}
    return set().union(*(mistakes.family(lesson, other) for other in alike))


def spellings(lesson: Lesson, only: str = "", *, two: bool = False) -> Iterator[Spelling]:
    """Yield a lesson's spellings, the right answers among them, of the questions whose name contains `only`.

    two: instead of them, answers with two mistakes of one style.
    """
    for path in sorted(path for path in (SPELLED / lesson.name).glob("*.toml") if only in path.stem):
        cell = lesson.solutions[path.stem].code
        for base in read_toml(path)["base"]:
            code, wrong = base["code"].strip() + "\n", base["wrong"]
            answers = _two(code, wrong, f"{path.stem}/{base['name']}") if two else _one(code, wrong)
            for of, answer in answers:
                yield Spelling(lesson, path.stem, base["name"], whole_cell(cell, answer), of)


def _one(code: str, wrong: dict[str, list[list[str]]]) -> Iterator[tuple[tuple[str, ...], str]]:
    yield (), code
    yield from (((of,), _changed(code, changes)) for of, changes in wrong.items())


def _two(code: str, wrong: dict[str, list[list[str]]], seed: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield answers with two mistakes whose changes do not touch each other, in either order the same."""
    pairs = list(itertools.combinations(wrong, 2))
    random.Random(f"{SEED}/{seed}").shuffle(pairs)
    yield from itertools.islice(filter(None, (_both(code, wrong, pair) for pair in pairs)), MOST_TWO)


def _both(code: str, wrong: dict[str, list[list[str]]], pair: tuple[str, ...]) -> tuple[tuple[str, ...], str] | None:
    first, second = (wrong[of] for of in pair)
    if any(one in other or other in one for one, _ in first for other, _ in second):
        return None
    try:
        answer, again = _changed(code, [*first, *second]), _changed(code, [*second, *first])
    except ValueError:  # one cuts what the other changes
        return None
    return (pair, answer) if answer == again else None


def _changed(code: str, changes: Sequence[Sequence[str]]) -> str:
    """Return code with some changes. Raises: ValueError where a text to change does not occur once."""
    for old, new in changes:
        if code.count(old) != 1:
            raise ValueError(f"{old!r} occurs {code.count(old)} times")
        code = code.replace(old, new)
    return code


def examine(spelling: Spelling) -> Named:
    """Give a spelling to its check, in this process."""
    with quiet():
        names = names_with(spelling.lesson, spelling.code, f"{spelling.question}:{'+'.join(spelling.of)}")
        students = reference.exam_call(spelling.lesson, spelling.question, names)
        verdicts = reference.checks_of(spelling.lesson)[spelling.question].verdicts(students)
    failed = [verdict for verdict in verdicts if not verdict.passed]
    return Named(spelling, bool(failed), mistakes_named(verdicts), in_words(failed))


def _counts(one: Named) -> tuple[int, ...]:
    if not one.spelling.of:
        return 1, one.lost, 0, 0, 0, 0, 0, 0, bool(one.false)
    silent = one.lost and not one.names
    told = one.true > 0, one.true > 1, silent and one.words, silent and not one.words, bool(one.false)
    return 0, 0, 1, not one.lost, *map(int, told)


def table(found: Iterable[Named]) -> Counts:
    """Return the counts by question."""
    return counted(COUNTED, ((f"{one.spelling.lesson.name}/{one.spelling.question}", _counts(one)) for one in found))


def good(found: Iterable[Named]) -> bool:
    """Return whether no right answer is rejected, no wrong one passes, and no name is false."""
    return all(one.lost == bool(one.spelling.of) and not one.false for one in found)


def print_spellings(found: list[Named]) -> None:
    """Print the table, and each spelling whose mistakes get no name, or a false one."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    print_counts(console, COUNTED, table(found))
    for one in found:
        spelling, names = one.spelling, ", ".join(sorted(one.names))
        if one.lost != bool(spelling.of) or one.false or (spelling.of and not one.true):
            said = f"named {names}" if names else "words" if one.words else "numbers" if one.lost else "passes"
            console.print(f"{spelling.question}, {spelling.style}: {' + '.join(spelling.of) or 'right'}: {said}")
