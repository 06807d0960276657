"""BLEU: how much of a translation's, or a caption's, wording agrees with people's.

    BLEU = min(1, e^(1 - r/c)) (p1 p2 p3 p4)^(1/4)

with p_n the share of the texts' runs of n words that stand in a reference (each as often as there), c the texts' words,
r those of the references nearest in length. Where no run of n words agrees, p_n is 1/2, 1/4, ... of a single run.

Source: Papineni et al. 2002; in every choice as sacrebleu (Post 2018), whose score the tests compare. Written out here
because Colab and many labs do not have that package.
"""

import math
from collections import Counter
from collections.abc import Sequence

ORDERS = range(1, 5)


def bleu(texts: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the BLEU of all texts together, from 0 to 1; `references[i]` are the wordings that text i may have."""
    length = wanted = 0
    agreeing, all_runs = dict.fromkeys(ORDERS, 0), dict.fromkeys(ORDERS, 0)
    for text, wordings in zip(texts, references, strict=True):
        words, wording_words = text.split(), [wording.split() for wording in wordings]
        length += len(words)
        # the nearest length, and of two that are as near the shorter one
        wanted += min(map(len, wording_words), key=lambda size: (abs(size - len(words)), size))
        for n in ORDERS:
            runs = _runs(words, n)
            known: Counter[tuple[str, ...]] = Counter()
            for wording in wording_words:
                known |= _runs(wording, n)
            agreeing[n] += (runs & known).total()
            all_runs[n] += runs.total()
    if not any(agreeing.values()) or not all(all_runs.values()):
        return 0.0
    logarithm, halvings = 0.0, 0
    for n in ORDERS:
        halvings += agreeing[n] == 0
        logarithm += math.log((agreeing[n] or 0.5**halvings) / all_runs[n]) / len(ORDERS)
    return math.exp(logarithm + min(0.0, 1 - wanted / length))


def _runs(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
