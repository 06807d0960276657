"""What check and exam name in the written answers, and whether it is true.

A name is the id of a mistake, or of a class of look-alikes. Whether it is true of an answer was judged by reading both,
and is kept in the folder's `truths.toml`. A name that nobody has judged counts as false, and is printed to be read.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from rich.console import Console

from autograder.common.toml import read_toml
from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.proof.in_process import (
    Counts,
    counted,
    exam_verdicts,
    in_words,
    mistakes_named,
    names_with,
    print_counts,
    quiet,
)
from benchmarks.published.written import Answer, answers
from utils.checks.engine.outcome import Verdict

# Columns of the table: wrong answers, those that pass; those with a true name from the check, with two, with one by the
# exam; those with a false name; those with a name, a kind of difference, or the student's own line.
COUNTED = ("wrong", "passed", "check", "both", "exam", "false", "words")


@dataclass
class Told:
    """What check and exam said of an answer. lost: it failed a test. words: a failed test is described in words."""

    answer: Answer
    lost: bool = False
    check: set[str] = field(default_factory=set)
    exam: set[str] = field(default_factory=set)
    words: bool = False

    @property
    def true(self) -> set[str]:
        """The names that are true of the answer."""
        return set(_truths(self.answer.folder).get(self.answer.gap, {}).get(self.answer.name, []))

    @property
    def false(self) -> set[str]:
        return (self.check | self.exam) - self.true


@cache
def _truths(folder: Path) -> dict[str, dict[str, list[str]]]:
    return read_toml(folder / "truths.toml")


def tell(answer: Answer, seed: int = 0) -> Told:
    """Give an answer to its check and its exam, in this process."""
    found, lesson = Told(answer), answer.lesson
    with quiet():
        try:
            names = names_with(lesson, answer.code, f"{answer.question}:{answer.name}")
        except Exception:  # the student's cell stops
            return Told(answer, lost=True)
        students = reference.exam_call(lesson, answer.question, names)
        by_exam = exam_verdicts(lesson, answer.question, students, seed)
        by_check = reference.checks_of(lesson)[answer.question].verdicts(students)
    found.lost = not all(verdict.passed for verdict in [*by_exam, *by_check])
    found.check, found.exam = mistakes_named(by_check), mistakes_named(by_exam)
    found.words = in_words(_failed(by_check))
    return found


def _failed(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return [verdict for verdict in verdicts if not verdict.passed]


def tell_all(lessons: Iterable[Lesson], folder: Path) -> list[Told]:
    """Give all answers of a folder to some lessons' questions to their checks and exams."""
    return [tell(answer) for lesson in lessons for answer in answers(lesson, folder)]


def table(found: Iterable[Told], kind: str) -> Counts:
    """Return the counts by lesson of the wrong answers of a kind, `one` or `two`."""
    wrong = [one for one in found if one.answer.kind == kind]
    return counted(COUNTED, ((one.answer.lesson.name, _counts(one)) for one in wrong))


def _counts(one: Told) -> tuple[int, ...]:
    check, exam = len(one.check & one.true), len(one.exam & one.true)
    return 1, not one.lost, check > 0, check > 1, exam > 0, bool(one.false), one.words


def good(found: Iterable[Told]) -> bool:
    """Return whether all right answers pass, no wrong one does, and no name is false."""
    return all(one.lost != one.answer.right and not one.false for one in found)


def print_told(found: list[Told]) -> None:
    """Print a table for single mistakes and one for doubles, and each answer that was not understood."""
    console = Console(soft_wrap=True, markup=False, highlight=False)
    for kind, title in (("one", "One mistake"), ("two", "Two mistakes at once")):
        console.print(title)
        print_counts(console, COUNTED, table(found, kind))
    right = [one for one in found if one.answer.right]
    console.print(f"Right answers: {len(right)}, of which {sum(one.lost for one in right)} are rejected")
    for one in found:
        answer = f"{one.answer.gap}/{one.answer.name}"
        if one.false:
            console.print(f"{answer}: named {', '.join(sorted(one.false))}, which is false, or not in truths.toml")
        if one.lost == one.answer.right:
            console.print(f"{answer}: {'right, and rejected' if one.lost else 'wrong, and passes'}")
        if not one.answer.right and not one.check & one.true:
            console.print(f"{answer}: no name{', but words' if one.words else ''} ({one.answer.note})")
