"""BLEU: how far the wording of translations, or captions, agrees with reference texts written by people.

    BLEU = min(1, e^(1 - r/c)) (p1 p2 p3 p4)^(1/4)

p_n is the share of the texts' n-grams (n successive words) that a reference contains, each counted at most as often as
in the reference; c is the number of words of the texts, r the number of words of the references nearest in length. If
no n-gram of a length agrees, their number counts as 1/2 for the first such n, as 1/4 for the second, and so on.

Source: Papineni et al. 2002, in every detail as sacrebleu (Post 2018), with which the tests compare. Written out here
because Colab and many labs do not have that package.
"""

import math
from collections import Counter
from collections.abc import Sequence

ORDERS = range(1, 5)


def bleu(texts: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return the BLEU of all texts together, from 0 to 1; `references[i]` are the reference texts of text i."""
    length = reference_length = 0
    agreeing, total = dict.fromkeys(ORDERS, 0), dict.fromkeys(ORDERS, 0)
    for text, wordings in zip(texts, references, strict=True):
        words, wording_words = text.split(), [wording.split() for wording in wordings]
        length += len(words)
        # of two references equally near in length, the shorter one counts
        reference_length += min(map(len, wording_words), key=lambda size: (abs(size - len(words)), size))
        for n in ORDERS:
            ngrams = _ngrams(words, n)
            in_references: Counter[tuple[str, ...]] = Counter()
            for wording in wording_words:
                in_references |= _ngrams(wording, n)
            agreeing[n] += (ngrams & in_references).total()
            total[n] += ngrams.total()
    if not any(agreeing.values()) or not all(total.values()):
        return 0.0
    logarithm, halvings = 0.0, 0
    for n in ORDERS:
        halvings += agreeing[n] == 0
        logarithm += math.log((agreeing[n] or 0.5**halvings) / total[n]) / len(ORDERS)
    return math.exp(logarithm + min(0.0, 1 - reference_length / length))


def _ngrams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
