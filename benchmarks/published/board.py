"""The scoreboard: which wrong answers pass, and which right ones are rejected, by our checks and by published ones.

Answers from three places, the independent ones first: those written from the texts alone (`answers/`); slips, which a
program makes (`benchmarks/proof/slips.py`); and the catalogue of mistakes with the variants of the tests. Our checks
were built with the catalogue, so that their result on it says nothing about other answers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch

from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.proof import slips, verdicts
from benchmarks.proof.in_process import exam_verdicts, names_with, quiet
from benchmarks.published.checkers import Checker, coursera, cs231n, cs336, d2l
from benchmarks.published.written import answers
from utils.checks.engine.outcome import Verdict

CHECKERS: tuple[Checker, ...] = (*cs231n.CHECKERS, *cs336.CHECKERS, *coursera.CHECKERS, *d2l.CHECKERS)
# The questions that at least one published checker sees, as the lesson and the cell: `captioning/split_heads`.
QUESTIONS = sorted({question for checker in CHECKERS for question in checker.tests})
OURS = ("our check", "our exam")
WRITTEN, SLIPS, CATALOGUE = "written from the texts", "slips", "catalogue (circular)"


@dataclass(frozen=True)
class BoardAnswer:
    """An answer to one of the questions. source: where it comes from. right: whether it should pass."""

    lesson: Lesson
    cell: str
    name: str
    code: str
    source: str
    right: bool

    @property
    def question(self) -> str:
        return f"{self.lesson.name}/{self.cell}"


@dataclass(frozen=True)
class Result:
    """Which checkers an answer passes, by the checker's name; a checker that has no test for it is absent."""

    entry: BoardAnswer
    passed: dict[str, bool]


def entries(lesson: Lesson) -> Iterator[BoardAnswer]:
    """Yield the answers to a lesson's questions, of all three places."""
    for answer in answers(lesson):
        yield BoardAnswer(lesson, answer.question, answer.name, answer.code, WRITTEN, answer.right)
    for slip in slips.slips(lesson):
        if not slips.is_harmless(slip):
            yield BoardAnswer(lesson, slip.cell, slip.what, slip.code, SLIPS, right=False)
    for case in verdicts.cases(lesson):
        yield BoardAnswer(lesson, case.cell, case.name, case.code, CATALOGUE, right=not case.mistake)


def examine(entry: BoardAnswer, seed: int = 0) -> Result:
    """Give an answer to our check, our exam and the published checks of its question, in this process."""
    lesson, cell = entry.lesson, entry.cell
    others = [checker for checker in CHECKERS if entry.question in checker.tests]
    with quiet():
        try:
            names = names_with(lesson, entry.code, f"{cell}:{entry.name}")
        except Exception:  # the student's cell stops: nobody passes it
            return Result(entry, dict.fromkeys([*OURS, *(checker.name for checker in others)], False))
        students = reference.exam_call(lesson, cell, names)
        passed = {
            OURS[0]: _all(reference.checks_of(lesson)[cell].verdicts(students)),
            OURS[1]: _all(exam_verdicts(lesson, cell, students, seed)),
        }
        right = reference.students_of(lesson, cell)[0]
        for checker in others:
            with torch.random.fork_rng(devices=[]):
                passed[checker.name] = checker.passes(entry.question, students[0], right)
    return Result(entry, passed)


def _all(found: Iterable[Verdict]) -> bool:
    return all(verdict.passed for verdict in found)


def examine_all(lessons: Iterable[Lesson]) -> list[Result]:
    """Examine all answers to the questions that a published checker sees."""
    return [examine(entry) for lesson in lessons for entry in entries(lesson) if entry.question in QUESTIONS]


Cell = tuple[int, int]  # how many, of how many


def counts(found: Iterable[Result], checker: str, source: str, right: bool, question: str = "") -> Cell:
    """Return how many answers of a source a checker judges wrongly, and how many it sees.

    right: count right answers that it rejects; otherwise wrong ones that pass. question: only answers to this one.
    """
    seen = [
        one.passed[checker]
        for one in found
        if checker in one.passed
        and (one.entry.source, one.entry.right) == (source, right)
        and question in ("", one.entry.question)
    ]
    return sum(passed != right for passed in seen), len(seen)


def print_board(found: list[Result]) -> None:
    """Print, as Markdown, what each checker judges wrongly by source, and by question in the written answers."""
    columns = [(source, right) for source in (WRITTEN, SLIPS, CATALOGUE) for right in (False, True)]
    columns.remove((SLIPS, True))
    names = [*OURS, *(checker.name for checker in CHECKERS)]
    _print_row("checker", [f"{source}: {'right, rejected' if right else 'wrong, passed'}" for source, right in columns])
    _print_row("---", ["---"] * len(columns))
    for name in names:
        _print_row(name, [_written(counts(found, name, *column)) for column in columns])
    print()
    _print_row(f"{WRITTEN}: wrong, passed", QUESTIONS)
    _print_row("---", ["---"] * len(QUESTIONS))
    for name in names:
        _print_row(name, [_written(counts(found, name, WRITTEN, False, question)) for question in QUESTIONS])
    print()
    for one in found:
        missed = [name for name in names if one.passed.get(name, one.entry.right) != one.entry.right]
        if one.entry.source == WRITTEN and missed:
            print(f"{one.entry.question}/{one.entry.name}: judged wrongly by {', '.join(missed)}")


def _print_row(head: str, cells: list[str]) -> None:
    print("|", " | ".join([head, *cells]), "|")


def _written(cell: Cell) -> str:
    return f"{cell[0]} of {cell[1]}" if cell[1] else "–"
