"""Runs the reference solution and its mutants; exams compare answers with their results.

Only the examiner's own process imports this. The lesson's text is the single source: running its given and solution
cells in order makes the reference, and running one cell again with a mistake in it makes a mutant.
"""

import ast
import contextlib
import importlib
import linecache
import time
import warnings
import zlib
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import combinations, zip_longest
from typing import Any

import numpy as np
import torch

from autograder import mistakes
from autograder.common.keyed import keyed
from autograder.lesson.setup import SETUP_NAME
from autograder.lesson.text import Lesson
from utils.checks.check import Check
from utils.checks.engine.answer_key import sentence_of
from utils.checks.engine.failure import Failure
from utils.checks.engine.naming import Match
from utils.checks.engine.observation import Observation, Tolerance, same, shared_parts
from utils.checks.engine.pair_prints import Pair, Print, print_of
from utils.checks.engine.probe import Probe
from utils.checks.engine.question import Question, Test, observe
from utils.common.errors import WorkbookError


def run_cell(code: str, name: str, names: dict[str, Any]) -> None:
    """Run a cell's code with `names`; in tracebacks and for `inspect`, its file is `<cell name>` and a hash.

    Without the hash, the text of another lesson's cell of this name would count as this cell's.
    """
    code = code if _is_python(code) else _without_magics(code)
    filename = f"<cell {name}>{zlib.crc32(code.encode()):08x}"
    linecache.cache[filename] = (len(code), None, code.splitlines(True), filename)
    exec(compile(code, filename, "exec"), names)


def _is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return True


def _without_magics(code: str) -> str:
    from IPython.core.inputtransformer2 import TransformerManager  # imported here, because few cells have magics

    return str(TransformerManager().transform_cell(code))  # type: ignore[no-untyped-call]  # IPython's


@cache
def reference_names(lesson: Lesson) -> dict[str, Any]:
    """Return the names that a completed notebook's cells define, but for the first, which finds the modules."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in lesson.of_role("given", "solution"):
        if cell.name != SETUP_NAME:
            run_cell(cell.code, cell.name, names)
    return names


def mutant_names(lesson: Lesson, mistake: mistakes.Mistake) -> dict[str, Any]:
    """Return the reference's names after one cell was run again with a mistake in it."""
    names = dict(reference_names(lesson))
    run_cell(mistakes.code_of(lesson, mistake), f"{mistake.cell}:{mistake.id}", names)
    return names


def checks_of(lesson: Lesson) -> dict[str, Check]:
    """Return the lesson's public checks by name."""
    modules = [importlib.import_module(f"utils.{lesson.name}.{part.check}") for part in lesson.parts]
    return {check.name: check for module in modules for check in vars(module).values() if isinstance(check, Check)}


def exam_call(lesson: Lesson, question: str, names: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the objects that a question's test cell hands to its exam, looked up in `names`.

    The cell's hidden code is one call, for example `exam.multi_head_attention(MultiHeadAttention)`. It runs with
    `names` as the notebook's names, and with an `exam` that records the call. Raises: WorkbookError for any other code.
    """
    calls: list[tuple[str, tuple[Any, ...]]] = []

    class Exam:
        def __getattr__(self, name: str) -> Any:
            return lambda *students: calls.append((name, students))

    hidden = lesson.tests[question].hidden
    code = "\n".join(line for line in hidden.split("\n") if not line.startswith("from autograder.exams"))
    exec(compile(code, f"<cell test_{question}>", "exec"), {}, ChainMap({"exam": Exam()}, names))  # type: ignore[arg-type]  # it is only read
    if [name for name, _ in calls] != [question]:
        raise WorkbookError(
            f"The hidden tests of {question} in source/{lesson.name}/lesson.py must be one call, exam.{question}(...); "
            f"they are: {hidden.strip()!r}."
        )
    return calls[0][1]


@cache
def students_of(lesson: Lesson, question: str) -> tuple[Any, ...]:
    """Return the reference's objects that this question's test cell hands to the exam."""
    return exam_call(lesson, question, reference_names(lesson))


@cache
def mutant_students(lesson: Lesson, question: str, mistake: str) -> tuple[Any, ...]:
    """Return the objects that this question's test cell hands to the exam when the mistake was made."""
    return exam_call(lesson, question, mutant_names(lesson, mistakes.load(lesson)[mistake]))


def mistakes_of(lesson: Lesson, question: str) -> list[str]:
    """Return the ids of the mistakes made in this question's cell, or that lose points in this question."""
    graded = lesson.tests[question].grade_id
    return [m.id for m in mistakes.load(lesson).values() if m.cell == question or graded in m.loses]


@cache
def pairs_of(lesson: Lesson, question: str) -> dict[Pair, str]:
    """Return the code of each two mistakes of one cell that this question sees, where both can be made at once."""
    known = mistakes.load(lesson)
    both = combinations([known[mistake] for mistake in mistakes_of(lesson, question)], 2)
    codes = {(a.id, b.id): mistakes.code_of_both(lesson, a, b) for a, b in both if a.cell == b.cell}
    return {pair: code for pair, code in codes.items() if code is not None}


def pair_students(lesson: Lesson, question: str, pair: Pair) -> tuple[Any, ...]:
    """Return the objects that this question's test cell hands to the exam when both mistakes were made."""
    cell = mistakes.load(lesson)[pair[0]].cell
    names = dict(reference_names(lesson))
    run_cell(pairs_of(lesson, question)[pair], f"{cell}:{'+'.join(pair)}", names)
    return exam_call(lesson, question, names)


def test_seeds(seed: int, question: str, test: str) -> tuple[int, int]:
    """Return two seeds for one test: of its inputs, and of the weights of its modules.

    Each test has its own two, so that no input can be memorised for another test. Each is an HMAC of 128 bits under the
    key `seed`: the seed of the weights, which the sandbox is told, gives no other one away.
    """
    inputs, weights = (keyed(str(seed), kind, question, test) for kind in ("inputs", "weights"))
    return inputs, weights


def form(tree: Any, path: str = "") -> Iterator[tuple[str, tuple[int, ...] | None]]:
    """Yield the path and the shape of each leaf (None for a leaf that is not a number) without reading any value.

    Paths and shapes are those of `observation.leaves`, so that two trees of different forms are never the same.
    """
    if isinstance(tree, dict) and tree:
        for key in sorted(tree):
            yield from form(tree[key], f"{path}[{key!r}]")
    elif isinstance(tree, list | tuple) and tree:
        for index, item in enumerate(tree):
            yield from form(item, f"{path}[{index}]")
    elif isinstance(tree, torch.Tensor | np.ndarray | np.generic):
        yield path, (*tree.shape, *[2] * (isinstance(tree, torch.Tensor) and tree.is_complex()))
    else:
        yield path, () if isinstance(tree, bool | int | float) else None


def _same_form(seen: Any, shown: Any) -> bool:
    """Return whether two trees have the same form; stops at the first difference, because a hostile tree is large."""
    return all(leaf == other for leaf, other in zip_longest(form(seen), form(shown)))


_keys: dict[tuple[Lesson, str, int], "LiveKey"] = {}
# (lesson, question, mistake id, test) -> whether the mistake's result differs from run to run.
_random: dict[tuple[Lesson, str, str, str], bool] = {}
# Two random results may agree within a test's tolerance, but they are never exactly the same.
EXACTLY = Tolerance(rtol=0.0, atol=0.0)
# A mistake seldom changes what another one shows in a test that it passes itself. So two mistakes are run in such a
# test only if their question has at most so many pairs: a run takes some 5 ms.
MOST_PAIRS_RUN = 300


def key_of(lesson: Lesson, exam: Question, seed: int) -> "LiveKey":
    """Return an exam's answers at a seed; all submissions with this seed share them."""
    return _keys.setdefault((lesson, exam.name, seed), LiveKey(lesson, exam, seed))


class KeyTime:
    """Processor time of this thread in which reference and mistakes ran: it belongs to a class, not to one notebook."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.depth = 0

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        started, self.depth = time.thread_time(), self.depth + 1
        try:
            yield
        finally:
            self.depth -= 1
            if not self.depth:
                self.seconds += time.thread_time() - started


KEY_TIME = KeyTime()


@contextlib.contextmanager
def without_warnings() -> Iterator[None]:
    """Show no warnings: what Python and torch say of a catalogued mistake is for nobody to read."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class LiveKey:
    """The answers of one exam at one seed; each is computed when it is first needed."""

    def __init__(self, lesson: Lesson, question: Question, seed: int):
        self.lesson = lesson
        self.question = question
        self.seed = seed
        self._expected: dict[str, Observation] = {}
        self._shown: dict[tuple[str, str], Observation] = {}
        self._passes: dict[tuple[str, str], bool] = {}
        self._prints: dict[tuple[str | Pair, str], Print] = {}

    def probe(self, test: Test) -> Probe:
        return Probe(self.question.sizes, *test_seeds(self.seed, self.question.name, test.name))

    def _reference(self, test: Test) -> Observation:
        if test.name not in self._expected:
            with KEY_TIME.counted():
                seen = observe(test, self.probe(test), students_of(self.lesson, self.question.name))
            if seen.failure:
                raise WorkbookError(f"The reference fails in {self.question.name}.{test.name}: {seen.failure.told}.")
            self._expected[test.name] = seen
        return self._expected[test.name]

    def expected(self, test: Test) -> Any:
        return self._reference(test).value

    def mistakes(self) -> list[str]:
        return mistakes_of(self.lesson, self.question.name)

    def shown(self, mistake: str, test: Test) -> Observation:
        """Return the observation of a mistake in a test."""
        if (mistake, test.name) not in self._shown:
            self._shown[mistake, test.name] = self._run(mistake, test)
        return self._shown[mistake, test.name]

    def shows(self, mistake: str, test: Test, seen: Observation) -> Match:
        known = self.shown(mistake, test)
        if self._is_random(mistake, test):
            return Match.CHANCE
        if not (seen.failure or known.failure) and not _same_form(seen.value, known.value):
            return Match.OTHER
        return Match.SAME if same(seen, known, test.tolerance) else Match.OTHER

    def knows_form(self, test: Test, seen: Observation) -> bool:
        return any(_same_form(seen.value, self.shown(mistake, test).value) for mistake in self.mistakes())

    def passes(self, mistake: str, test: Test) -> bool:
        if (mistake, test.name) not in self._passes:
            with KEY_TIME.counted():
                alike = same(self.shown(mistake, test), self._reference(test), test.tolerance)
            self._passes[mistake, test.name] = alike
        return self._passes[mistake, test.name]

    def parts(self, mistake: str, test: Test, seen: Observation) -> frozenset[str]:
        if self.passes(mistake, test) or self._is_random(mistake, test):
            return frozenset()
        with KEY_TIME.counted():
            known, right = self.shown(mistake, test).print, self._reference(test).print
        return shared_parts(known, right, seen, test.tolerance)

    def pairs(self) -> Iterable[Pair]:
        return pairs_of(self.lesson, self.question.name)

    def both_show(self, pair: Pair, test: Test, seen: Print) -> bool | None:
        acting = [mistake for mistake in pair if not self.passes(mistake, test)]
        if any(self._is_random(mistake, test) for mistake in acting):
            return True
        if len(acting) < 2:  # then the pair most likely gives what its one failing mistake gives, or what is right
            few = len(pairs_of(self.lesson, self.question.name)) <= MOST_PAIRS_RUN
            if not few or self._print_of(acting[0] if acting else "", test).agrees(seen):
                return None
        return self._print_of(pair, test).agrees(seen)

    def _print_of(self, made: str | Pair, test: Test) -> Print:
        """Return the print of what one mistake, two, or the reference ("") gives in a test."""
        if (made, test.name) not in self._prints:
            with KEY_TIME.counted():
                if isinstance(made, tuple):
                    seen = self._run(made, test)
                else:
                    seen = self.shown(made, test) if made else self._reference(test)
                self._prints[made, test.name] = print_of(seen, test.tolerance)
        return self._prints[made, test.name]

    def sentence(self, look_alikes: frozenset[str], *, least: int = 1) -> tuple[str, str] | None:
        known, classes = mistakes.load(self.lesson), mistakes.classes_of(self.lesson)
        says = {mistake: known[mistake].says for mistake in look_alikes}
        return sentence_of(look_alikes, says, {c.id: {"of": c.of, "says": c.says} for c in classes}, least)

    def _run(self, made: str | Pair, test: Test) -> Observation:
        """Run a test on the answer of a student who has made a mistake, or two."""
        asked = self.lesson, self.question.name
        with KEY_TIME.counted(), without_warnings():
            try:
                students = mutant_students(*asked, made) if isinstance(made, str) else pair_students(*asked, made)
            except Exception as error:  # a mistake whose own cell fails has no result
                return Observation(failure=Failure(type(error).__name__, str(error)))
            seen = observe(test, self.probe(test), students)
        if seen.failure and seen.failure.kind == MemoryError.__name__:
            raise MemoryError(seen.failure.text)  # of what this process holds now, and no result to be kept
        return seen

    def _is_random(self, mistake: str, test: Test) -> bool:
        """Return whether a mistake fails a test with another result in each run."""
        known = (self.lesson, self.question.name, mistake, test.name)
        if known not in _random:
            if self.passes(mistake, test):
                return False  # most mistakes pass most tests; these need no second run
            with KEY_TIME.counted():
                _random[known] = not same(self.shown(mistake, test), self._run(mistake, test), EXACTLY)
        return _random[known]
