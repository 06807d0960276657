"""The confusion table: what the exams make of every catalogued mistake and every correct variant.

`python -m autograder verdicts LESSON` shows it. `--quick` examines in this process instead of the
sandbox: the same questions, seeds and answers, for authors who want to know in seconds.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from autograder import mistakes, reference
from autograder.lesson import ROOT, TEST_PREFIX, Lesson
from utils.checks.core import CHECK_SEED, StoredKey, Verdict, judge, observe
from utils.checks.probe import Probe

VARIANTS = ROOT / "tests" / "variants"


@dataclass(frozen=True)
class Case:
    """One answer to one cell and what must become of it; `mistake` is empty for a correct variant."""

    lesson: str
    cell: str
    name: str
    code: str
    mistake: str = ""
    loses: tuple[str, ...] = ()


@dataclass
class Row:
    """What became of a case: the graded cells that lost points, the mistake named, what is wrong with that."""

    case: Case
    lost: dict[str, float] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    named_by_check: set[str] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)


def cases(lesson: str, *, kinds: Iterable[str] = ("mistakes", "variants")) -> Iterator[Case]:
    """Yield every mistake and every correct variant of a lesson."""
    source = Lesson.load(lesson)
    if "mistakes" in kinds:
        for mistake in mistakes.load(lesson).values():
            code = mistakes.code_of(source, mistake)
            yield Case(lesson, mistake.cell, mistake.id, code, mistake.id, mistake.loses)
    if "variants" in kinds:
        for path in sorted((VARIANTS / lesson).glob("*.py")):
            cell, _, name = path.stem.partition("__")
            yield Case(lesson, cell, name, path.read_text(encoding="utf-8"))


def examine_quickly(case: Case, seed: int) -> Row:
    """Examine a case in this process: the cell's own question, and those that the case says it must fail."""
    names = dict(reference.namespace(case.lesson))
    row = Row(case)
    try:
        reference.run_cell(case.code, f"{case.cell}:{case.name}", names)
    except Exception as error:
        row.complaints.append(f"its cell raises {type(error).__name__}: {error}")
        return row
    lesson = Lesson.load(case.lesson)
    for question in lesson.tests:
        exam_name, students = reference.sat(lesson.tests[question].hidden, names, case.lesson)
        exam = reference.exams(case.lesson)[exam_name]
        key = reference.LiveKey(exam, seed)
        verdicts = judge(exam, key, lambda test, k=key, s=students: observe(test, k.probe(test), s))
        _note(row, TEST_PREFIX + question, verdicts, row.named)
        check = reference.checks(case.lesson).get(question)
        if check is not None and (TEST_PREFIX + question in case.loses or question == case.cell):
            stored = StoredKey(case.lesson, question)
            seen = judge(check, stored, lambda test, c=check, s=students: observe(test, Probe(c.sizes, CHECK_SEED), s))
            row.named_by_check |= {verdict.mistake for verdict in seen if verdict.mistake}
            if not case.mistake and not all(verdict.passed for verdict in seen):
                row.complaints.append(f"the check rejects it: {_reasons(seen)}")
    return conclude(row)


def _note(row: Row, graded: str, verdicts: list[Verdict], named: set[str]) -> None:
    lost = sum(verdict.share for verdict in verdicts if not verdict.passed)
    if lost:
        row.lost[graded] = lost
        named |= {verdict.mistake for verdict in verdicts if verdict.mistake}
        if not row.case.mistake:
            row.complaints.append(f"{graded}: {_reasons(verdicts)}")


def _reasons(verdicts: list[Verdict]) -> str:
    return "; ".join(f"{v.name}: {v.reason.render()}" for v in verdicts if v.reason)


def conclude(row: Row) -> Row:
    """Add what is wrong: points not lost, lost elsewhere, a mistake not named or named wrongly."""
    case = row.case
    if not case.mistake:
        return row
    if missed := [graded for graded in case.loses if graded not in row.lost]:
        row.complaints.append(f"not noticed by {', '.join(missed)}")
    if elsewhere := [graded for graded in row.lost if graded not in case.loses]:
        row.complaints.append(f"points lost elsewhere: {', '.join(elsewhere)}")
    if row.lost and not is_named(case, row.named):
        row.complaints.append(f"named {', '.join(sorted(row.named)) or 'nothing'} instead")
    return row


def is_named(case: Case, named: set[str]) -> bool:
    """True when the mistake, or one declared equivalent to it, is among those named."""
    known = mistakes.load(case.lesson)
    family = {known[case.mistake].equivalent_to or case.mistake}
    return bool(family & {known[name].equivalent_to or name for name in named if name in known})
