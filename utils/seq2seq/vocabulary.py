"""Words as numbers: a vocabulary with tokens for start and end, and sentences as rows of its indices."""

from collections.abc import Sequence

import torch

from utils.common.errors import DataError
from utils.common.messages import N_

SOS_token = 0  # the decoder's input before the first word
EOS_token = 1  # ends every sentence
PAD_token = -1  # fills a row after its end; no word has this index


class Lang:
    """The vocabulary of one language: words get the indices 2, 3, ... in the order in which they are added.

    `word2index` {word: index}, `index2word` {index: word}, `word2count` {word: occurrences} and `n_words`,
    which counts SOS and EOS too and is the size of an embedding table. PAD is not a word and has no row.
    """

    def __init__(self, name: str):
        self.name = name
        self.word2index: dict[str, int] = {}
        self.word2count: dict[str, int] = {}
        self.index2word = {SOS_token: "SOS", EOS_token: "EOS"}
        self.n_words = 2

    def addSentence(self, sentence: str) -> None:
        """Add every word of a normalised sentence, split at single spaces."""
        for word in sentence.split(" "):
            self.addWord(word)

    def addWord(self, word: str) -> None:
        """Count one occurrence of `word`; a new word gets the next index."""
        if word not in self.word2index:
            self.word2index[word] = self.n_words
            self.index2word[self.n_words] = word
            self.n_words += 1
        self.word2count[word] = self.word2count.get(word, 0) + 1


def indexesFromSentence(lang: Lang, sentence: str) -> list[int]:
    """Return the words' indices, without EOS. Raises: DataError for a word that `lang` lacks."""
    try:
        return [lang.word2index[word] for word in sentence.split(" ")]
    except KeyError as missing:
        raise DataError(
            N_(
                "The word {missing} is not among the {count} words of {name!r}: use words of the training pairs, "
                "written in lower case without accents (normalizeString does that)."
            ),
            missing=str(missing),
            count=lang.n_words,
            name=lang.name,
        ) from None


def tensorFromSentence(lang: Lang, sentence: str, device: torch.device | str | None = None) -> torch.Tensor:
    """Return the indices and EOS as a column: int64 (T, 1), T one more than the number of words."""
    return torch.tensor([*indexesFromSentence(lang, sentence), EOS_token], device=device).view(-1, 1)


def sentenceFromIndexes(lang: Lang, indexes: torch.Tensor | Sequence[int]) -> str:
    """Return the words up to the first EOS, joined by spaces; `indexes` may be a list or a tensor (S,)."""
    words = []
    for index in torch.as_tensor(indexes).flatten().tolist():
        if index == EOS_token:
            break
        if index != PAD_token:
            words.append(lang.index2word[index])
    return " ".join(words)
