"""Finds pairs of submissions whose code agrees beyond the given code and what the task forces: a hint, not a proof.

Code is read as tokens, without comments, layout and the student's choice of names; runs of `RUN` tokens are compared
(the k-grams of Schleimer, Wilkerson, Aiken, "Winnowing", 2003). A run does not count if it is in the release or in the
reference, or if several others wrote it as well.
"""

import io
import keyword
import tokenize
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

RUN = 10  # tokens: about a line and a half
LEAST = 15  # runs in common; fewer may agree by chance
SHARE = 0.5  # in common, of the runs of the submission that has fewer
# The task forces runs that more than FEW submissions and more than a tenth of the class have.
FEW = 3
MAX_CODE = 20_000  # characters of a cell that are compared

Runs = frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class SimilarPair:
    """Two students; the share and number of runs in common, and the cells that have them, the most first.

    `share` is of the runs of the student who has fewer.
    """

    first: str
    second: str
    share: float
    common: int
    cells: tuple[str, ...]


def tokens(code: str) -> list[str]:
    """Return a cell's tokens up to the first that cannot be read: every name as "n", the others unchanged."""
    kept = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code[:MAX_CODE]).readline):
            if token.type == tokenize.NAME:
                kept.append(token.string if keyword.iskeyword(token.string) else "n")
            elif token.type in (tokenize.OP, tokenize.NUMBER, tokenize.STRING):
                kept.append(token.string)
    except (tokenize.TokenError, SyntaxError):
        pass
    return kept


def runs(code: str) -> Runs:
    """Return the runs of tokens that a cell holds."""
    sequence = tokens(code)
    return frozenset(tuple(sequence[i : i + RUN]) for i in range(len(sequence) - RUN + 1))


def similar(answers: dict[str, dict[str, str]], given: Iterable[str]) -> list[SimilarPair]:
    """Return the similar pairs, the most similar first.

    `answers` is the code by student and cell, `given` the code of the release and of the reference.
    """
    forced = frozenset[tuple[str, ...]]().union(*map(runs, given))
    own = {student: {name: runs(code) - forced for name, code in cells.items()} for student, cells in answers.items()}
    # `writers` counts students, so a run that one student wrote in several cells counts once.
    writers = Counter(run for cells in own.values() for run in frozenset[tuple[str, ...]]().union(*cells.values()))
    many = max(FEW, len(answers) // 10)
    rare = {
        student: {name: {run for run in cell_runs if writers[run] <= many} for name, cell_runs in cells.items()}
        for student, cells in own.items()
    }
    whole = {student: set[tuple[str, ...]]().union(*cells.values()) for student, cells in rare.items()}
    pairs = []
    for first, second in combinations(sorted(whole), 2):
        common = len(whole[first] & whole[second])
        # Of the shorter one's runs, so that copied code is noticed even among much other code.
        shorter = min(len(whole[first]), len(whole[second]))
        if common >= LEAST and common >= SHARE * shorter:
            agree = {name: len(rare[first][name] & rare[second].get(name, set())) for name in rare[first]}
            cells = tuple(sorted((name for name in agree if agree[name]), key=lambda name: -agree[name]))
            pairs.append(SimilarPair(first, second, common / shorter, common, cells))
    return sorted(pairs, key=lambda pair: (-pair.share, -pair.common))
