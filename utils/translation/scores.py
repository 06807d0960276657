"""How good translations are: BLEU, and BLEU against the length of the sentence read.

Source: Papineni et al. 2002 (BLEU), computed by sacrebleu (Post 2018) on words that are already separated.
"""

import itertools
from collections.abc import Sequence


def bleu(translations: Sequence[str], references: Sequence[str]) -> float:
    """Corpus BLEU in percent, words separated by spaces."""
    import sacrebleu  # here, since it takes a third of a second and the first cells do without it

    return sacrebleu.corpus_bleu(list(translations), [list(references)], tokenize="none", force=True).score


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
