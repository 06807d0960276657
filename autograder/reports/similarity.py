"""Finds pairs of submissions that have much code in common which nobody else has: a hint, not a proof.

Code is read as tokens, without comments, layout and the student's choice of names; runs of `RUN` tokens are compared
(the k-grams of Schleimer, Wilkerson, Aiken, "Winnowing", 2003). A run does not count if it is in the release or in the
reference, or if many other students wrote it as well.
"""

import io
import keyword
import tokenize
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

RUN = 10  # tokens: about a line and a half
# A similar pair has at least so many runs in common, because fewer may agree by chance, and at least this share of the
# runs of the submission that has fewer.
LEAST, SHARE = 15, 0.5
# A run that more than FEW students and more than a tenth of the class wrote does not count: the task suggests it.
FEW = 3
MAX_CODE = 20_000  # the characters of a cell that are compared

Runs = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class SimilarPair:
    """Two students with similar code."""

    first: str
    second: str
    share: float  # of the runs of the student who has fewer, how many the other has as well
    common: int  # the number of runs in common
    cells: tuple[str, ...]  # the cells with runs in common, the cell with the most first


def tokens(code: str) -> list[str]:
    """Return a cell's tokens up to the first that cannot be read: every name as "n", the others unchanged."""
    sequence = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code[:MAX_CODE]).readline):
            if token.type == tokenize.NAME:
                sequence.append(token.string if keyword.iskeyword(token.string) else "n")
            elif token.type in (tokenize.OP, tokenize.NUMBER, tokenize.STRING):
                sequence.append(token.string)
    except (tokenize.TokenError, SyntaxError):
        pass
    return sequence


def runs(code: str) -> Runs:
    """Return a cell's runs of `RUN` successive tokens."""
    sequence = tokens(code)
    return frozenset(tuple(sequence[i : i + RUN]) for i in range(len(sequence) - RUN + 1))


def similar(answers: dict[str, dict[str, str]], given: Iterable[str]) -> list[SimilarPair]:
    """Return the similar pairs, the most similar first.

    `answers` is the code by student and cell, `given` the code of the release and of the reference.
    """
    known = frozenset[tuple[str, ...]]().union(*map(runs, given))
    own = {student: {name: runs(code) - known for name, code in cells.items()} for student, cells in answers.items()}
    # `writers` counts students, so a run that one student wrote in several cells counts once.
    writers = Counter(run for cells in own.values() for run in frozenset[tuple[str, ...]]().union(*cells.values()))
    most_writers = max(FEW, len(answers) // 10)
    rare = {
        student: {name: {run for run in cell_runs if writers[run] <= most_writers} for name, cell_runs in cells.items()}
        for student, cells in own.items()
    }
    all_rare = {student: set[tuple[str, ...]]().union(*cells.values()) for student, cells in rare.items()}
    pairs = []
    for first, second in combinations(sorted(all_rare), 2):
        common = len(all_rare[first] & all_rare[second])
        # A share of the shorter submission, so that copied code is noticed even among much other code.
        shorter = min(len(all_rare[first]), len(all_rare[second]))
        if common >= LEAST and common >= SHARE * shorter:
            by_cell = {name: len(rare[first][name] & rare[second].get(name, set())) for name in rare[first]}
            cells = tuple(sorted((name for name in by_cell if by_cell[name]), key=lambda name: -by_cell[name]))
            pairs.append(SimilarPair(first, second, common / shorter, common, cells))
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.common))
