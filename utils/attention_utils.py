"""English-French sentence pairs as words, indices and padded batches: the names that the field knows.

Why: a translator needs the same few tools whatever attention it uses: a normalised text, a vocabulary with a start
and an end, and rows of equal length that know which places are real. The capitalised names (`Lang`, `readLangs`,
`filterPairs`, ...) are the ones that the widely read PyTorch lesson "NLP From Scratch: Translation with a Sequence to
Sequence Network and Attention" made common, so that code in its style runs here.
How: `utils/translation/` (pairs, vocabulary) and `utils/french/normalise.py`.
"""

import random

from utils.french.normalise import (
    MAX_LENGTH,
    eng_prefixes,
    filterPair,
    filterPairs,
    normalizeString,
    unicodeToAscii,
)
from utils.translation.pairs import PaddedPairs, corpus_file, pad_pairs, pad_sentences, readLangs, tensorsFromPair
from utils.translation.vocabulary import (
    EOS_token,
    Lang,
    PAD_token,
    SOS_token,
    indexesFromSentence,
    sentenceFromIndexes,
    tensorFromSentence,
)

__all__ = [
    "MAX_LENGTH",
    "EOS_token",
    "Lang",
    "PAD_token",
    "PaddedPairs",
    "SOS_token",
    "corpus_file",
    "eng_prefixes",
    "filterPair",
    "filterPairs",
    "indexesFromSentence",
    "normalizeString",
    "pad_pairs",
    "pad_sentences",
    "random",
    "readLangs",
    "sentenceFromIndexes",
    "tensorFromSentence",
    "tensorsFromPair",
    "unicodeToAscii",
]  # fmt: skip
