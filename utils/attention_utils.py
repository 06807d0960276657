"""English-French sentence pairs as words, indices and padded batches, under the names of published code.

The names (`Lang`, `readLangs`, `filterPairs`, ...) are those of the PyTorch lesson "NLP From Scratch: Translation with
a Sequence to Sequence Network and Attention", so that code in its style runs here. The content is in
`utils/seq2seq/` (pairs, vocabulary, normalise).
"""

import random

from utils.seq2seq.normalise import (
    MAX_LENGTH,
    eng_prefixes,
    filterPair,
    filterPairs,
    normalizeString,
    unicodeToAscii,
)
from utils.seq2seq.pairs import PaddedPairs, corpus_file, pad_pairs, pad_sentences, readLangs, tensorsFromPair
from utils.seq2seq.vocabulary import (
    EOS_token,
    Lang,
    PAD_token,
    SOS_token,
    indexesFromSentence,
    sentenceFromIndexes,
    tensorFromSentence,
)

__all__ = [
    "MAX_LENGTH", "EOS_token", "Lang", "PAD_token", "PaddedPairs", "SOS_token", "corpus_file", "eng_prefixes",
    "filterPair", "filterPairs", "indexesFromSentence", "normalizeString", "pad_pairs", "pad_sentences", "random",
    "readLangs", "sentenceFromIndexes", "tensorFromSentence", "tensorsFromPair", "unicodeToAscii",
]  # fmt: skip
