"""How good translations are: BLEU, and BLEU by the length of the source sentence.

Source: Papineni et al. 2002 (BLEU), on words that are already separated.
"""

import itertools
from collections.abc import Sequence

from utils.common.bleu import bleu as corpus_bleu


def bleu(translations: Sequence[str], references: Sequence[str]) -> float:
    """Corpus BLEU in percent, words separated by spaces."""
    return 100 * corpus_bleu(translations, [[reference] for reference in references])


def bleu_by_length(
    sources: Sequence[str],
    translations: Sequence[str],
    references: Sequence[str],
    edges: Sequence[int] = (4, 6, 8, 10, 14, 18, 22, 26, 33),
) -> list[tuple[float, float]]:
    """Return (mean source length in words, BLEU in percent) of the sentences between each two `edges`."""
    points = []
    lengths = [len(source.split(" ")) for source in sources]
    for low, high in itertools.pairwise(edges):
        rows = [i for i, n in enumerate(lengths) if low <= n < high]
        if rows:
            score = bleu([translations[i] for i in rows], [references[i] for i in rows])
            points.append((sum(lengths[i] for i in rows) / len(rows), score))
    return points
