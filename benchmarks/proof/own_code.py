"""Questions on a student's own code: whether their keys are right, and how far a guess gets.

`python -m benchmarks.proof own-code` draws questions on the reference and on every correct variant. A key is wrong if
the other precision gives another one, if the reference gives other rows for the same number, or if the whole cell with
the changed line, run anew, does not give the outcome.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from time import process_time
from typing import Any

from rich.console import Console

from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.proof.in_process import names_with, quiet
from benchmarks.proof.verdicts import cases
from utils.checks.engine.answer_key import CHECK_SEED, in_double
from utils.checks.engine.own_code import Asked, Gap
from utils.checks.engine.probe import Probe
from utils.checks.engine.source import defines, source_of
from utils.checks.own_code import OwnCode

MOST_GUESSED = 0.3  # the share of questions that the best single guess may answer


@dataclass
class Keys:
    """The keys of one lesson: which are wrong, how often each answer is right, the seconds that drawing took."""

    wrong: list[str] = field(default_factory=list)
    number: int = 0
    rows: Counter[Any] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    @property
    def guessed(self) -> float:
        """Return the share of the questions that the best single guess answers."""
        return max(max(counts.values()) / counts.total() for counts in (self.rows, self.outcomes))


def answers(lesson: Lesson, gap: Gap) -> Iterator[tuple[str, str]]:
    """Yield the name and the code of the reference, and of every correct variant, of the cell that is asked about."""
    (cell,) = [name for name, solution in lesson.solutions.items() if defines(solution.code, gap.name)]
    yield "reference", lesson.solutions[cell].code
    yield from ((case.name, case.code) for case in cases(lesson, kinds=("variants",)) if case.cell == cell)


def examine_keys(lesson: Lesson, salts: int, every: int = 1) -> Keys:
    """Return the keys of all questions on every answer, or on each `every`-th, with each of so many salts."""
    check = reference.checks_of(lesson)["own_code"]
    assert isinstance(check, OwnCode)
    keys, right = Keys(), reference.reference_names(lesson)[check.gap.name]
    for name, code in list(answers(lesson, check.gap))[::every]:
        with quiet():
            thing = names_with(lesson, code, "own code")[check.gap.name]
            for salt in map(str, range(salts)):
                _examine(lesson, check, thing, right, salt, keys, f"{lesson.name}/{name}/{salt}")
    return keys


def _examine(lesson: Lesson, check: OwnCode, thing: Any, right: Any, salt: str, keys: Keys, label: str) -> None:
    started = process_time()
    asked = check.gap.asked(Probe(check.sizes, CHECK_SEED), thing, salt)
    number, line = asked.number, asked.line
    keys.seconds.append(process_time() - started)
    keys.rows[tuple(sorted(number[-1]))] += 1
    keys.outcomes[line[-1]] += 1
    keys.number += 4
    with in_double():
        again = check.gap.asked(Probe(check.sizes, CHECK_SEED), thing, salt)
        keys.wrong += [f"{label}: a number"] * (again.number != number) + [f"{label}: a line"] * (again.line != line)
    if Asked(check.gap, asked.probe, right, "", asked.draw).number != number:
        keys.wrong.append(f"{label}: the reference's rows")
    changed = line[0].of(source_of(thing))[-1]
    if _outcome(lesson, asked, changed) != line[-1]:
        keys.wrong.append(f"{label}: a line of the whole cell")


def _outcome(lesson: Lesson, asked: Asked, code: str) -> str:
    """Return what a whole changed cell gives, run below the reference's cells."""
    asked.probe.redefined = lambda name, *_: names_with(lesson, code, "own code changed")[name]  # type: ignore[method-assign]
    return asked.outcome(asked.line[0])


def print_keys(lessons: Iterable[Lesson], salts: int) -> bool:
    """Print a line for each lesson; return whether no key is wrong and no guess is too good."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    all_ = []
    for lesson in lessons:
        if "own_code" in lesson.tests:
            all_.append(keys := examine_keys(lesson, salts))
            times = sorted(keys.seconds)
            console.print(
                f"{lesson.name}: keys {keys.number}, wrong {len(keys.wrong)}, best guess {keys.guessed:.0%}, "
                f"CPU seconds {sum(times) / len(times):.2f}, nine of ten below {times[len(times) * 9 // 10]:.2f}; "
                f"{dict(keys.outcomes)}; different rows {len(keys.rows)}"
            )
            for one in keys.wrong:
                console.print(one)
    return all(not keys.wrong and keys.guessed <= MOST_GUESSED for keys in all_)
