"""How alike answers are: near-copies, and an order in which neighbours read alike.

Words are compared, without case and accents. In Chinese, which is written without spaces, each character and each pair
of neighbouring characters is a word. An answer is the vector of its words' weights (1 + log count, times the word's
rarity), of length 1; the likeness of two answers is the cosine of their vectors. In a trial, disguised copies had 0.84
and more, other pairs up to 0.65.

Likeness says who may have copied; no mark is derived from it.
"""

import itertools
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

# Above this cosine two answers are near-copies.
COPIED = 0.7
# Answers with fewer words agree by chance: "17", "I don't know".
LEAST_WORDS = 8
MAX_LETTERS = 20_000
# The cosines of all pairs of N texts (N, N).
Cosines: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float64]]"
HAN = "\u3400-\u9fff"
WORD = re.compile(rf"[{HAN}]+|[^\W_{HAN}]+")


def words(text: str) -> list[str]:
    """Return the words of a text without case and accents; a run of Chinese becomes its characters and pairs."""
    plain = unicodedata.normalize("NFKD", text[:MAX_LETTERS])
    folded = "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()
    parts: list[str] = []
    for run in WORD.findall(folded):
        if re.match(rf"[{HAN}]", run):
            parts += [*run, *map("".join, itertools.pairwise(run))]
        else:
            parts.append(run)
    return parts


def likenesses(texts: Sequence[str]) -> Cosines:
    """Return the cosines of all pairs of texts (N, N); a text without words has 0 with every other."""
    counts = [Counter(words(text)) for text in texts]
    columns = {word: column for column, word in enumerate(dict.fromkeys(itertools.chain.from_iterable(counts)))}
    texts_with = Counter(itertools.chain.from_iterable(counts))
    vectors = np.zeros((len(texts), len(columns)))
    for row, count in enumerate(counts):
        for word, number in count.items():
            rarity = 1 + math.log((1 + len(texts)) / (1 + texts_with[word]))
            vectors[row, columns[word]] = (1 + math.log(number)) * rarity
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1)  # a text without words stays a vector of zeros
    return np.asarray(vectors @ vectors.T)


def near_copies(texts: Sequence[str], cosines: Cosines) -> list[int]:
    """Return the number of each text's group: near-copies of each other share a number, other texts have their own."""
    groups = list(range(len(texts)))
    long_enough = [len(words(text)) >= LEAST_WORDS for text in texts]
    # Groups are joined along pairs: if A is like B and B like C, all three are one group, even if A is unlike C.
    for first, second in zip(*np.nonzero(np.triu(cosines, 1) > COPIED), strict=True):
        if long_enough[first] and long_enough[second] and groups[first] != groups[second]:
            old, new = groups[second], groups[first]
            groups = [new if group == old else group for group in groups]
    return groups


def groups_of_copies(answers: dict[tuple[str, str], str]) -> list[list[tuple[str, str]]]:
    """Return the groups of near-copies among answers by (student, question), the largest group first.

    Answers to all questions are compared together, to find an answer that one student gave to two questions as well.
    """
    keys, texts = list(answers), list(answers.values())
    groups: dict[int, list[tuple[str, str]]] = {}
    for key, group in zip(keys, near_copies(texts, likenesses(texts)), strict=True):
        groups.setdefault(group, []).append(key)
    return sorted((sorted(group) for group in groups.values() if len(group) > 1), key=lambda group: -len(group))


def in_order(groups: Sequence[int], cosines: Cosines) -> list[int]:
    """Return an order of texts: each is followed by its near-copies, then by the text that is most like the last."""
    remaining, order = set(range(len(groups))), list[int]()
    while remaining:
        # Ties go to the lower number, so that the order is the same at each visit of the page.
        chosen = max(remaining, key=lambda number: (cosines[order[-1], number], -number)) if order else min(remaining)
        copies = [number for number in sorted(remaining) if groups[number] == groups[chosen] and number != chosen]
        order += [chosen, *copies]
        remaining -= {chosen, *copies}
    return order
