"""Searches the small cases that checks show: for each known mistake the case that tells it best.

Candidates are all case functions, with all their sizes, on some tapes of small numbers. All mistakes are run on each.
The cost of a case for a mistake (`_cost`) prefers few numbers, results that no other mistake gives, and plain results
before exceptions. The search takes a minute, so its result is kept until what it depends on changes.
"""

import contextlib
import hashlib
import inspect
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from autograder import mistakes
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.checks.check import case_book
from utils.checks.engine import cases as engine
from utils.checks.engine import small as small_module
from utils.checks.engine.answer_key import in_double
from utils.checks.engine.cases import CaseBook, CaseRun, Pool, StoredCase, differences, differing_cells, differs
from utils.checks.engine.on_the_way import tables
from utils.common import lessons

# More numbers than this are not worked out by hand.
MOST_IN = 20
# Tapes tried for each case function and each of its sizes.
TRIES = 12


def stored_cases(lesson: Lesson) -> str | None:
    """Return a lesson's stored cases as JSON; None where it has no case functions."""
    book = case_book(lesson.name)
    if book is None:
        return None
    path = lessons.made(lesson.name, engine.CASES)
    before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    by_question = {}
    for question in book.cases:
        checksum = _checksum(lesson, book, question)
        kept = before.get(question, {})
        if kept.get("checksum") != checksum or not _still_right(lesson, book, question, kept):
            kept = search(lesson, book, question) | {"checksum": checksum}
        by_question[question] = kept
    lines = [f"{json.dumps(name)}: {json.dumps(by_question[name], sort_keys=True)}" for name in sorted(by_question)]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _checksum(lesson: Lesson, book: CaseBook, question: str) -> str:
    """Return a checksum of a question's reference, mistakes and case functions, and of the code of the search."""
    known = mistakes.load(lesson)
    parts = [lesson.solutions[question].code]
    parts += [str((m, known[m].replacements)) for m in reference.mistakes_of(lesson, question)]
    parts += [inspect.getsource(case.function) + str(case.sizes) for case in book.cases[question].values()]
    parts += [inspect.getsource(module) for module in (small_module, inspect.getmodule(search)) if module]
    parts += [str(book.words), str(book.ways.get(question)), str(list(_also_right(lesson, question)))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _still_right(lesson: Lesson, book: CaseBook, question: str, kept: Mapping[str, Any]) -> bool:
    """Return whether the reference still gives the stored results: cells before the question's may have changed."""
    with in_double():
        pool = Pool(book, question, [StoredCase.from_json(case) for case in kept["cases"]], kept["of"])
        runs = [(pool.run(stored, reference.students_of(lesson, question)), stored) for stored in pool.cases]
    return all(
        not run.failure
        and all(difference is None for difference in differences(run.small.results, stored.right[0], 1e-3))
        for run, stored in runs
    )


@dataclass(frozen=True)
class _Candidate:
    """A case with the results of all right answers, and how a mistake's results look, where they differ visibly."""

    stored: StoredCase
    right: tuple[CaseRun, ...]
    results: Mapping[str, "_Result"]


@dataclass(frozen=True)
class _Result:
    """A mistake's results as they would be drawn: to two digits."""

    drawn: str
    raised: bool
    finite: bool


def search(lesson: Lesson, book: CaseBook, question: str) -> dict[str, Any]:
    """Return a question's stored cases, the cheapest first, and the number of each mistake's case."""
    with in_double():
        answers = list(_right_answers(lesson, question))
        students = dict(_mutants(lesson, question))
        pool = Pool(book, question, (), {})
        candidates = list(_candidates(pool, answers, students))
        best: dict[str, tuple[float, int]] = {}
        for number, candidate in enumerate(candidates):
            for mistake in candidate.results:
                cost = _cost(pool, candidate, mistake)
                best[mistake] = min(best.get(mistake, (cost, number)), (cost, number))
        chosen = sorted(
            {number: cost for cost, number in sorted(best.values(), reverse=True)}.items(), key=lambda c: c[1]
        )
        order = [number for number, _ in chosen]
        whole = [_with_steps(pool, candidates[number]) for number in order]
    named = [{*candidates[number].results} for number in order]
    for class_ in mistakes.classes_of(lesson):
        for shown in named:
            shown |= {class_.id} if class_.of & shown else set()
    known = sorted(set().union(*named))
    return {
        "cases": [stored.to_json() for stored in whole],
        "known": " ".join(known),
        "shown": [f"{sum(1 << bit for bit, mistake in enumerate(known) if mistake in shown):x}" for shown in named],
        "of": {mistake: order.index(number) for mistake, (_, number) in sorted(best.items())}
        | {class_: order.index(number) for class_, (_, number) in _classes(lesson, best)},
    }


def _classes(lesson: Lesson, best: Mapping[str, tuple[float, int]]) -> Iterator[tuple[str, tuple[float, int]]]:
    """Yield the classes of look-alikes with the cheapest case of their mistakes."""
    for class_ in mistakes.classes_of(lesson):
        if members := class_.of & best.keys():
            yield class_.id, min(best[mistake] for mistake in members)


def _right_answers(lesson: Lesson, question: str) -> Iterator[tuple[Any, ...]]:
    yield reference.students_of(lesson, question)
    for old, new in _also_right(lesson, question):
        names = dict(reference.reference_names(lesson))
        reference.run_cell(lesson.solutions[question].code.replace(old, new), f"{question}:also", names)
        yield reference.exam_call(lesson, question, names)


def _also_right(lesson: Lesson, question: str) -> Iterator[tuple[str, str]]:
    """Yield other right answers: text substitutions in the reference's cell. No small case may call them wrong."""
    entries = (entry for entry in mistakes.entries(lesson, "right") if entry["question"] == question)
    yield from ((entry["old"], entry["new"]) for entry in entries)


def _mutants(lesson: Lesson, question: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for mistake in reference.mistakes_of(lesson, question):
        with contextlib.suppress(Exception):  # the cell itself raises: the student sees it there
            yield mistake, reference.mutant_students(lesson, question, mistake)


def _candidates(
    pool: Pool, answers: list[tuple[Any, ...]], students: Mapping[str, tuple[Any, ...]]
) -> Iterator[_Candidate]:
    for case in pool.book.cases[pool.question].values():
        for sizes in case.sizes:
            for tape in _tapes(pool, case.name, sizes, answers[0]):
                stored = StoredCase(case.name, sizes, tape, ())
                right = tuple(pool.run(stored, answer) for answer in answers)
                if any(run.failure or not _finite(run) for run in right) or _numbers_in(right[0]) > MOST_IN:
                    continue
                stored = replace(stored, right=tuple(tuple(run.small.results) for run in right))
                yield _Candidate(stored, right, dict(_results(pool, stored, students)))


def _tapes(pool: Pool, case: str, sizes: Mapping[str, int], answer: tuple[Any, ...]) -> list[tuple[int, ...]]:
    """Return different tapes, the smallest numbers first."""
    tapes: dict[tuple[int, ...], None] = {}
    for seed in range(TRIES):
        tape: list[int] = []
        rng = np.random.RandomState(seed)

        def take(high: int, zero: float, tape: list[int] = tape, rng: np.random.RandomState = rng) -> int:
            tape.append(0 if rng.rand() < zero else int(rng.randint(high)))
            return tape[-1]

        pool.run_with(case, sizes, take, answer)
        tapes[tuple(tape)] = None
        if not tape:
            break
    return sorted(tapes, key=sum)


def _results(pool: Pool, stored: StoredCase, students: Mapping[str, tuple[Any, ...]]) -> Iterator[tuple[str, _Result]]:
    for mistake, objects in students.items():
        run = pool.run(stored, objects)
        if run.failure and run.failure.where:
            yield mistake, _Result(f"{run.failure.kind}: {run.failure.text}", True, True)
        elif not run.failure and differs(run, stored.right):
            yield mistake, _Result(_drawn(run), False, _finite(run))


def _drawn(run: CaseRun) -> str:
    """Return the results to two digits, as text."""
    values = [table.value for table in run.small.results]
    return str(
        [
            (list(v.shape), [round(float(x), 2) + 0.0 for x in v.reshape(-1)]) if isinstance(v, torch.Tensor) else v
            for v in values
        ]
    )


def _finite(run: CaseRun) -> bool:
    values = [table.value for table in run.small.results]
    return all(bool(value.isfinite().all()) for value in values if isinstance(value, torch.Tensor))


def _numbers_in(run: CaseRun) -> int:
    return sum(table.value.numel() for table in run.small.given)


def _cost(pool: Pool, candidate: _Candidate, mistake: str) -> float:
    """Return how little a case tells of a mistake."""
    result = candidate.results[mistake]
    alike = sum(other.drawn == result.drawn for other in candidate.results.values()) - 1
    case = pool.book.cases[pool.question][candidate.stored.case]
    place = list(pool.book.cases[pool.question]).index(case.name)
    return (
        _numbers_in(candidate.right[0])
        + 3 * alike
        + 10 * result.raised
        + 6 * (not result.finite)
        + 2 * _repeated_numbers(candidate.right[0])
        + 3 * _all_or_nothing(candidate.right[0])
        + 0.4 * sum(candidate.stored.tape)
        + 2 * _same_cells(candidate, mistake)
        + (32 if case.fallback else min(place, 2))
    )


def _same_cells(candidate: _Candidate, mistake: str) -> int:
    """Return how many numbers of the first result are the same as another of it: it is unclear which is which."""
    first = candidate.right[0].small.results[0].value
    if not isinstance(first, torch.Tensor) or first.dtype == torch.bool:
        return 0
    return min(2, first.numel() - len(set(first.double().round(decimals=2).reshape(-1).tolist())))


def _repeated_numbers(run: CaseRun) -> int:
    """Return how many numbers repeat in an input: such a number does not say where it came from."""
    total = 0
    for table in run.small.given:
        if table.value.is_floating_point() and table.value.numel() > 1:
            distinct = len(set(table.value.reshape(-1).tolist()))
            total += (table.value.numel() - distinct) + 3 * (distinct == 1)
    return total


def _all_or_nothing(run: CaseRun) -> int:
    """Return how many shares are nearly 0 or 1: they look like whole numbers, and small differences vanish."""
    shares = [table.value for table in run.small.results if table.sums and isinstance(table.value, torch.Tensor)]
    return sum(bool((((v > 1e-6) & (v < 0.04)) | ((v > 0.96) & (v < 1 - 1e-6))).any()) for v in shares)


def _with_steps(pool: Pool, candidate: _Candidate) -> StoredCase:
    """Return the case with the reference's values on the way, without those that its results show anyway."""
    right = candidate.right[0]
    steps = tables(pool.book.ways.get(pool.question, ()), right.calls, pool.book.words)
    shown = [table.value for table in right.small.results]
    new = [step for step in steps if all(differing_cells(step.value, value, 1e-3) is not None for value in shown)]
    return replace(candidate.stored, steps=tuple(new))
