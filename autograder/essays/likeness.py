"""How alike answers are: near-copies, and an order in which neighbours read alike.

Words are compared, without case and accents. In Chinese, which is written without spaces, each sign and each pair of
neighbouring signs is a word. An answer is the vector of its words' weights (1 + log count, times the word's rarity),
of length 1; the likeness of two answers is their cosine. In a trial, disguised copies had 0.84 and more, other pairs up
to 0.65.

Likeness says who may have copied, and nothing about what an answer deserves.
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
    """Return the words of a text, folded: no case, no accents; a run of Chinese as its signs and pairs."""
    plain = unicodedata.normalize("NFKD", text[:MAX_LETTERS])
    folded = "".join(sign for sign in plain if not unicodedata.combining(sign)).casefold()
    parts: list[str] = []
    for run in WORD.findall(folded):
        if re.match(rf"[{HAN}]", run):
            parts += [*run, *map("".join, itertools.pairwise(run))]
        else:
            parts.append(run)
    return parts


def likenesses(texts: Sequence[str]) -> Cosines:
    """Return the cosines of all pairs of texts (N, N); a text without words is like none."""
    counts = [Counter(words(text)) for text in texts]
    known = {word: column for column, word in enumerate(dict.fromkeys(itertools.chain.from_iterable(counts)))}
    rarity = Counter(itertools.chain.from_iterable(counts))  # in how many texts a word is
    vectors = np.zeros((len(texts), len(known)))
    for row, count in enumerate(counts):
        for word, number in count.items():
            vectors[row, known[word]] = (1 + math.log(number)) * (1 + math.log((1 + len(texts)) / (1 + rarity[word])))
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1)  # a text without words stays a vector of zeros
    return np.asarray(vectors @ vectors.T)


def near_copies(texts: Sequence[str], cosines: Cosines) -> list[int]:
    """Return a group's number for each text: near-copies of each other have the same, every other text its own."""
    groups = list(range(len(texts)))
    enough = [len(words(text)) >= LEAST_WORDS for text in texts]
    # Groups are joined along pairs: if A is like B and B like C, all three are one group, even if A is unlike C.
    for first, second in zip(*np.nonzero(np.triu(cosines, 1) > COPIED), strict=True):
        if enough[first] and enough[second] and groups[first] != groups[second]:
            old, new = groups[second], groups[first]
            groups = [new if group == old else group for group in groups]
    return groups


def copied(answers: dict[tuple[str, str], str]) -> list[list[tuple[str, str]]]:
    """Return the groups of near-copies among answers by (student, question), the largest group first.

    All questions are compared together, so that an answer given twice by one student is found as well.
    """
    places, texts = list(answers), list(answers.values())
    groups: dict[int, list[tuple[str, str]]] = {}
    for place, group in zip(places, near_copies(texts, likenesses(texts)), strict=True):
        groups.setdefault(group, []).append(place)
    return sorted((sorted(group) for group in groups.values() if len(group) > 1), key=lambda group: -len(group))


def in_order(groups: Sequence[int], cosines: Cosines) -> list[int]:
    """Return an order of texts in which each is followed by its near-copies, then by the text most like it."""
    left, order = set(range(len(groups))), list[int]()
    while left:
        # Ties go to the lower number, so that the order is the same at each visit of the page.
        last = max(left, key=lambda number: (cosines[order[-1], number], -number)) if order else min(left)
        copies = [number for number in sorted(left) if groups[number] == groups[last] and number != last]
        order += [last, *copies]
        left -= {last, *copies}
    return order
