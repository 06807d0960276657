"""The tables of the mistakes that show in each case of a form (`utils/checks/catch.py`), for `made/catch.json`.

A case is refused if the reference and the right variants do not all give the same result, to a rounding. To run all
cases on all mistakes takes a minute, so a table is kept until what it depends on changes.
"""

import hashlib
import inspect
import itertools
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder import mistakes
from autograder.course.mutants import mutants_of
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.checks.catch import TABLE
from utils.checks.check import case_book
from utils.checks.engine.answer_key import in_double
from utils.checks.engine.cases import CaseBook, CaseRun, Form, Pool, differences, differs
from utils.common import lessons

ALIKE = 1e-3  # right answers differ by less


def tables(lesson: Lesson) -> str | None:
    """Return a lesson's tables as JSON; None where it has no form."""
    book = case_book(lesson.name)
    if book is None or not book.forms:
        return None
    path = lessons.made(lesson.name, TABLE)
    before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    made = {}
    for question, form in book.forms.items():
        of = _checksum(lesson, book, question, form)
        kept = before.get(question, {})
        made[question] = kept if kept.get("of") == of else table(lesson, book, question, form) | {"of": of}
    return json.dumps(made, sort_keys=True) + "\n"


def table(lesson: Lesson, book: CaseBook, question: str, form: Form, every: int = 1) -> dict[str, Any]:
    """Return the mistakes of a question, the most visible ones first, and which show in each `every`-th case.

    A case's mistakes are the bits of a hexadecimal number, "" for a refused case.
    """
    wrong = {
        mistake: students
        for mistake, students in mutants_of(lesson, question).items()
        if mistakes.load(lesson)[mistake].cell == question
    }
    pool = Pool(book, question, (), {})
    with in_double():
        right = [reference.students_of(lesson, question)]
        for path in _variants(lesson, question):
            names = dict(reference.reference_names(lesson))
            reference.run_cell(path.read_text(encoding="utf-8"), path.stem, names)
            right.append(reference.exam_call(lesson, question, names))
        cases = itertools.product(*(range(len(values)) for values in form.choices.values()))
        shown = [_shown(pool, form, tape, right, wrong) for tape in itertools.islice(cases, 0, None, every)]
    times = Counter(mistake for case in shown for mistake in case or ())
    known = sorted(times, key=lambda mistake: (-times[mistake], mistake))
    masks = ["" if case is None else f"{sum(1 << known.index(m) for m in case):x}" for case in shown]
    return {"known": known, "total": len(wrong), "shown": masks}


def _shown(
    pool: Pool, form: Form, tape: Sequence[int], right: list[tuple[Any, ...]], wrong: dict[str, tuple[Any, ...]]
) -> list[str] | None:
    """Return the mistakes that differ visibly in a case; None where right answers differ."""

    def run(students: tuple[Any, ...]) -> CaseRun:
        numbers = iter(tape)
        return pool.run_with(form.case, form.sizes, lambda high, zero: next(numbers), students)

    first, *others = map(run, right)
    results = first.small.results
    for other in others:
        if other.failure or any(part is not None for part in differences(other.small.results, results, ALIKE)):
            return None
    if first.failure or not all(bool(table.value.isfinite().all()) for table in results):
        return None
    return [m for m, students in wrong.items() if (seen := run(students)).failure or differs(seen, [results])]


def _variants(lesson: Lesson, question: str) -> list[Path]:
    return sorted(path for part in lesson.parts for path in (part.source / "variants").glob(f"{question}__*.py"))


def _checksum(lesson: Lesson, book: CaseBook, question: str, form: Form) -> str:
    """Return a checksum of a question's reference, variants and mistakes, of its case, and of this module."""
    known = [m for m in mistakes.load(lesson).values() if m.cell == question]
    parts = [path.read_text(encoding="utf-8") for path in _variants(lesson, question)]
    parts += [lesson.solutions[question].code, str([(m.id, m.replacements) for m in known]), str(form)]
    parts += [inspect.getsource(book.cases[question][form.case].function), Path(__file__).read_text(encoding="utf-8")]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
