"""The catalogue of mistakes: `source/LESSON/mistakes.toml`, each a text substitution on the reference solution.

An entry serves three purposes: it proves that the exam notices the mistake, it identifies the mistake in a student's
answer, and it holds the sentence that the student reads.

    mistakes.toml                                    id, cell, old and new text, sentence, graded cells that it loses;
                                                     classes of mistakes that look alike, with one sentence for all;
                                                     what goes wrong because of a mistake, for the frequent ones
    `load`, `classes_of`, `whys_of`                  read a lesson's catalogue
    `code_of`, `code_of_both`                        a cell's code with one or two mistakes
"""

import ast
import bisect
import difflib
import io
import itertools
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from autograder.common.course import MISTAKES
from autograder.common.toml import read_toml
from autograder.lesson.text import TEST_PREFIX, Lesson
from utils.common.errors import WorkbookError


@dataclass(frozen=True)
class Mistake:
    """A wrong solution: `replacements` in the reference cell `cell`; `loses` are the graded cells it must fail."""

    id: str
    cell: str
    replacements: tuple[tuple[str, str], ...]
    says: str
    loses: tuple[str, ...]

    def apply(self, code: str) -> str:
        """Return the cell's code with the mistake in it. Raises: WorkbookError unless each `old` occurs once."""
        for old, new in self.replacements:
            if code.count(old) != 1:
                raise WorkbookError(
                    f"The mistake {self.id} looks for {old!r} in the cell {self.cell}, where it occurs "
                    f"{code.count(old)} times instead of once; correct it in the catalogue of mistakes."
                )
            code = code.replace(old, new)
        return code


@dataclass(frozen=True)
class LookAlikes:
    """Mistakes that no test of a question tells apart: `says` is true of every one of them."""

    id: str
    of: frozenset[str]
    says: str


@cache
def load(lesson: Lesson) -> dict[str, Mistake]:
    """Return a lesson's mistakes by id, in the catalogue's order; none where it has no catalogue."""
    written = entries(lesson, "mistake")
    mistakes = {}
    for entry in written:
        if lacking := [name for name in ("id", "cell", "old", "new", "says") if name not in entry]:
            known = entry.get("id", "without an id")
            raise WorkbookError(f"The mistake {known} in {lesson.name}/mistakes.toml lacks {', '.join(lacking)}.")
        replacements = [(entry["old"], entry["new"]), *((more["old"], more["new"]) for more in entry.get("also", []))]
        mistakes[entry["id"]] = Mistake(
            entry["id"],
            entry["cell"],
            tuple(replacements),
            " ".join(entry["says"].split()),
            tuple(entry.get("loses", [TEST_PREFIX + entry["cell"]])),
        )
    if len(mistakes) != len(written):
        raise WorkbookError(f"Two mistakes in {lesson.name}/mistakes.toml have the same id.")
    return mistakes


@cache
def classes_of(lesson: Lesson) -> tuple[LookAlikes, ...]:
    """Return a lesson's classes of look-alikes. Raises: WorkbookError for a member that is not a mistake."""
    known = load(lesson)
    classes = []
    for entry in entries(lesson, "class"):
        if unknown := set(entry["of"]) - set(known) or ({entry["id"]} & set(known)):
            raise WorkbookError(
                f"The class {entry['id']} in {lesson.name}/mistakes.toml must contain known mistakes and "
                f"have its own id; correct {', '.join(sorted(unknown))}."
            )
        classes.append(LookAlikes(entry["id"], frozenset(entry["of"]), " ".join(entry["says"].split())))
    return tuple(classes)


@cache
def whys_of(lesson: Lesson) -> dict[str, str]:
    """Return what goes wrong because of a mistake, by the mistake's id or its class's, for those that have such a text.

    Raises: WorkbookError for an id that is unknown or has two texts.
    """
    known = set(load(lesson)) | {class_.id for class_ in classes_of(lesson)}
    whys: dict[str, str] = {}
    for entry in entries(lesson, "why"):
        if wrong := [id_ for id_ in entry["of"] if id_ not in known or id_ in whys]:
            raise WorkbookError(
                f"A [[why]] in {lesson.name}/mistakes.toml must be about known mistakes or classes, each "
                f"in one [[why]] only; correct {', '.join(wrong)}."
            )
        whys |= dict.fromkeys(entry["of"], " ".join(entry["says"].split()))
    return whys


def family(lesson: Lesson, mistake: str) -> frozenset[str]:
    """Return the ids that may name a mistake in a verdict: its own, and the ids of the classes that contain it."""
    return frozenset({mistake, *(class_.id for class_ in classes_of(lesson) if mistake in class_.of)})


def entries(lesson: Lesson, kind: str) -> list[dict[str, Any]]:
    """Return the entries of a kind in a lesson's catalogue, the workbook's and the course's."""
    return [entry for catalogue in _catalogues(lesson) for entry in catalogue.get(kind, [])]


@cache
def _catalogues(lesson: Lesson) -> list[dict[str, Any]]:
    return [read_toml(part.source / MISTAKES) for part in lesson.parts if part.has(MISTAKES)]


def code_of_both(lesson: Lesson, first: Mistake, second: Mistake) -> str | None:
    """Return the code of a student who makes two mistakes of one cell; None where both change the same words of it.

    Substitutions in different places are made one after the other. Those whose texts overlap are merged word by word:
    `mse_loss(…)` with `l1_loss` for `mse_loss`, and with a further argument, is `l1_loss` with this argument. A few are
    made by hand, by a `[[both]]` of the catalogue.
    """
    code = lesson.solutions[first.cell].code
    if by_hand := _by_hand(lesson).get(frozenset({first.id, second.id})):
        return by_hand.apply(code)
    try:
        both = first.apply(second.apply(code))
        if both == second.apply(first.apply(code)):
            return both
    except WorkbookError:
        pass  # the texts overlap
    alone = [mistake.apply(code) for mistake in (first, second)]
    merged = _merged(tuple(itertools.chain(*_lines(code))), *(_edits(code, other) for other in alone))
    return merged if merged not in (code, *alone) else None


@cache
def _by_hand(lesson: Lesson) -> dict[frozenset[str], Mistake]:
    """Return the pairs of the catalogue's `[[both]]`, each as one mistake whose replacements make both."""
    pairs = ((entry["of"], tuple((old, new) for old, new in entry["changes"])) for entry in entries(lesson, "both"))
    return {frozenset(of): Mistake("+".join(of), load(lesson)[of[0]].cell, changes, "", ()) for of, changes in pairs}


_Edit = tuple[int, int, tuple[str, ...]]  # the words from one index up to another become these


@cache
def _edits(code: str, other: str) -> tuple[_Edit, ...]:
    """Return the edits, in order, that turn the words of `code` into those of `other`.

    Where lines change places and nothing else, a line is inserted in one place and deleted in another: word by word, a
    change of this line would be made in the line that took its place.
    """
    old, new = _lines(code), _lines(other)
    starts = (0, *itertools.accumulate(map(len, old)))
    if sorted(old) == sorted(new):
        return tuple((starts[a], starts[b], tuple(itertools.chain(*new[c:d]))) for a, b, c, d in _changed(old, new))
    words, others = (tuple(itertools.chain(*lines)) for lines in (old, new))
    return tuple((a, b, others[c:d]) for a, b, c, d in _changed(words, others))


def _changed(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[int, int, int, int]]:
    """Return the parts that differ, in order: from where to where in either sequence."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [(a, b, c, d) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]


@cache
def _lines(code: str) -> list[tuple[str, ...]]:
    """Return the lines of Python code, each cut into its tokens and the spaces between them."""
    lines = code.splitlines(True)
    starts = [0, *itertools.accumulate(map(len, lines))]
    cuts = set(starts)
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        for row, column in (token.start, token.end):
            cuts.add(min(starts[min(row - 1, len(starts) - 1)] + column, len(code)))
    words: list[list[str]] = [[] for _ in lines]
    for start, end in itertools.pairwise(sorted(cuts)):
        words[bisect.bisect_right(starts, start) - 1].append(code[start:end])
    return [tuple(line) for line in words]


def _merged(words: Sequence[str], first: Sequence[_Edit], second: Sequence[_Edit]) -> str | None:
    """Return the code with the edits of both; None where two of them touch the same words, or the code is not Python.

    Two insertions at one place have no order of their own: the first that gives Python code is taken.
    """
    if any(_clash(one, other) for one in first for other in second):
        return None
    for edits in ((*first, *second), (*second, *first)):
        merged, at = "", 0
        for start, end, new in sorted(edits, key=lambda edit: edit[:2]):
            merged += "".join((*words[at:start], *new))
            at = end
        merged += "".join(words[at:])
        try:
            ast.parse(merged)
        except SyntaxError:
            continue
        return merged
    return None


def _clash(one: _Edit, other: _Edit) -> bool:
    """Return whether two edits make the same insertion, insert into what the other cuts, or change touching words.

    Touching words are one expression: of `-1` the sign and the number are two words.
    """
    (a, b, new), (c, d, also_new) = one, other
    if a == b == c == d:
        return new == also_new
    if a == b or c == d:
        return (c < a < d) or (a < c < b)
    return max(a, c) <= min(b, d)


def code_of(lesson: Lesson, mistake: Mistake) -> str:
    """Return the code that a student who makes this mistake would write in its cell."""
    return mistake.apply(lesson.solutions[mistake.cell].code)
