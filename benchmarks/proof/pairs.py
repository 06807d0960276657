"""Two mistakes at once: many wrong answers have two mistakes, and a name must still be true.

`python -m benchmarks.proof pairs` puts each two catalogued mistakes of a cell into one answer, if their substitutions
do not change the same words. Every pair must lose points, and exam and check may name no mistake but these two, nor
both where their sentences exclude each other.
"""

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from rich.console import Console

from autograder import mistakes
from autograder.exams import reference
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.mistakes import Mistake
from benchmarks.proof.in_process import counted, exam_verdicts, mistakes_named, names_with, print_counts, quiet

# At most so many pairs of a cell are tried, drawn with this seed; in all lessons together more than 2,000.
MOST_OF_A_CELL = 250
SEED = 7
# The largest share of pairs for which a third mistake may be named.
MOST_FALSE = 0.01


@dataclass(frozen=True)
class MistakePair:
    """Two mistakes of one cell, and the code of a student who makes both."""

    lesson: Lesson
    one: Mistake
    other: Mistake
    code: str

    @property
    def gap(self) -> str:
        return f"{self.lesson.name}/{self.one.cell}"


@dataclass
class PairVerdict:
    """The result of a pair: whether it lost points, and the mistakes that exam and check name."""

    pair: MistakePair
    lost: bool = False
    exam: set[str] = field(default_factory=set)
    check: set[str] = field(default_factory=set)

    def false(self, named: set[str]) -> set[str]:
        """Return the names that are true of neither mistake."""
        lesson, both = self.pair.lesson, {self.pair.one.id, self.pair.other.id}
        third = add_up(lesson).get(frozenset(both))
        true = both | ({third} if third else set())
        false = named - frozenset().union(*(mistakes.family(lesson, mistake) for mistake in true))
        # Two sentences that exclude each other are false together, although each is true of one mistake alone.
        return false | (both if frozenset(both) in exclusive(lesson) and both <= named else set())

    def true(self, named: set[str]) -> int:
        """Return of how many of the two mistakes a name is true; that of a third which both add up to is of both."""
        lesson, both = self.pair.lesson, (self.pair.one.id, self.pair.other.id)
        third = add_up(lesson).get(frozenset(both))
        if third and named & mistakes.family(lesson, third):
            return 2
        return sum(bool(named & mistakes.family(lesson, mistake)) for mistake in both)


def pairs(lesson: Lesson, most: int = MOST_OF_A_CELL, only: str = "") -> Iterator[MistakePair]:
    """Yield pairs of a lesson's mistakes that can be combined, at most `most` of each cell whose name has `only`."""
    for cell in (name for name in lesson.solutions if only in name):
        both = list(itertools.combinations([m for m in mistakes.load(lesson).values() if m.cell == cell], 2))
        random.Random(f"{SEED}/{lesson.name}/{cell}").shuffle(both)
        found = ((one, other, mistakes.code_of_both(lesson, one, other)) for one, other in both)
        combined = (MistakePair(lesson, one, other, code) for one, other, code in found if code is not None)
        yield from itertools.islice(combined, most)


def examine_pair(pair: MistakePair, seed: int = 0) -> PairVerdict:
    """Examine a pair in this process, by the exam and by the public check of its cell."""
    found, lesson = PairVerdict(pair), pair.lesson
    questions = {pair.one.cell, *(g.removeprefix(TEST_PREFIX) for m in (pair.one, pair.other) for g in m.loses)}
    with quiet():
        try:
            names = names_with(lesson, pair.code, f"{pair.one.cell}:{pair.one.id}+{pair.other.id}")
        except Exception:
            found.lost = True
            return found
        for question in questions & set(lesson.tests):
            students = reference.exam_call(lesson, question, names)
            verdicts = exam_verdicts(lesson, question, students, seed)
            found.lost |= not all(verdict.passed for verdict in verdicts)
            found.exam |= mistakes_named(verdicts)
            found.check |= mistakes_named(reference.checks_of(lesson)[question].verdicts(students))
    return found


# Columns of the table: pairs of a cell, and how many lost no points, got a true name, two, a false one.
COUNTED = ("pairs", "lost nothing", "true", "both", "false", "true by check", "both by check", "false by check")


def _counts(one: PairVerdict) -> tuple[int, ...]:
    told = [(one.true(named), bool(one.false(named))) for named in (one.exam, one.check)]
    return 1, not one.lost, *(number for true, false in told for number in (true > 0, true == 2, false))


def good(found: list[PairVerdict]) -> bool:
    """Return whether every pair lost points or cancels out, and at most `MOST_FALSE` of all were named falsely."""
    wrong = sum(bool(one.false(one.exam) or one.false(one.check)) for one in found)
    return wrong <= MOST_FALSE * len(found) and all(one.lost or _cancels(one.pair) for one in found)


def _cancels(pair: MistakePair) -> bool:
    return frozenset({pair.one.id, pair.other.id}) in cancel_out(pair.lesson)


@cache
def cancel_out(lesson: Lesson) -> frozenset[frozenset[str]]:
    """Return the pairs of a lesson's mistakes that cancel out, so that the combined answer is correct."""
    return frozenset(frozenset(entry["of"]) for entry in mistakes.entries(lesson, "cancel_out"))


@cache
def add_up(lesson: Lesson) -> dict[frozenset[str], str]:
    """Return the pairs that together are a third mistake, in all tests or in some, where that name is then true."""
    return {frozenset(entry["of"]): entry["to"] for entry in mistakes.entries(lesson, "add_up")}


@cache
def exclusive(lesson: Lesson) -> frozenset[frozenset[str]]:
    """Return the pairs of a lesson's mistakes whose sentences exclude each other; both at once have their own."""
    return frozenset(frozenset(entry["of"]) for entry in mistakes.entries(lesson, "exclude"))


def print_pairs(found: list[PairVerdict]) -> None:
    """Print the table, and each pair that was named falsely or lost nothing."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    print_counts(console, COUNTED, counted(COUNTED, ((one.pair.gap, _counts(one)) for one in found)))
    for one in found:
        both = f"{one.pair.gap}: {one.pair.one.id} + {one.pair.other.id}"
        if false := sorted(one.false(one.exam) | one.false(one.check)):
            console.print(f"{both}: named {', '.join(false)}")
        if not one.lost:
            reason = "cancel out" if _cancels(one.pair) else "lost nothing"
            console.print(f"{both}: {reason}")
