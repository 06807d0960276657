"""How good translations are: BLEU, and BLEU and the share of right ones by the length of the source sentence.

Source: Papineni et al. 2002 (BLEU), on words that are already separated.
"""

import itertools
from collections.abc import Sequence

from utils.common.bleu import bleu as corpus_bleu
from utils.common.messages import N_

# Names of lengths in words, and the lengths that they stand for.
LENGTHS = {
    N_("4 to 8 words"): range(4, 9),
    N_("9 to 14 words"): range(9, 15),
    N_("15 words and more"): range(15, 10**6),
}


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


def right_by_length(
    sources: Sequence[str], translations: Sequence[str], references: Sequence[str]
) -> list[tuple[str, int, float]]:
    """Return each length's name, how many sentences have it, and the share translated as the reference says.

    A source sentence's length is counted in words, its full stop included. Lengths without a sentence are left out.
    """
    shares = []
    for name, lengths in LENGTHS.items():
        right = [
            translation == reference
            for source, translation, reference in zip(sources, translations, references, strict=True)
            if len(source.split(" ")) in lengths
        ]
        if right:
            shares.append((name, len(right), sum(right) / len(right)))
    return shares
