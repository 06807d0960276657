"""The normal form of sentences, lower case without accents, and the subset of pairs that trains in minutes.

The mixed-case names are those of the PyTorch lesson "NLP From Scratch: Translation with a Sequence to Sequence Network
and Attention", which made them common.
"""

import re
import unicodedata

MAX_LENGTH = 10  # words, punctuation and EOS included

# The usual subset begins so in English: simple statements about someone.
eng_prefixes = (
    "i am ", "i m ", "he is", "he s ", "she is", "she s ",
    "you are", "you re ", "we are", "we re ", "they are", "they re ",
)  # fmt: skip

_NOT_A_LETTER = re.compile(r"[^a-zA-Z.!?\n\t]+")


def unicodeToAscii(text: str) -> str:
    """Drop accents: decompose letters (Unicode NFD) and leave out the combining marks. "œ" has no decomposition."""
    decomposed = unicodedata.normalize("NFD", text)
    if decomposed.isascii():
        return decomposed
    marks = {ord(c): None for c in set(decomposed) if unicodedata.category(c) == "Mn"}
    return decomposed.translate(marks)


def normalizeString(text: str) -> str:
    """Lower, strip, drop accents, set `.!?` apart by a space, turn every other run of non-letters into one space."""
    return set_apart(unicodeToAscii(text.lower().strip()))


def set_apart(text: str) -> str:
    """Set `.!?` apart by a space and turn every other run of non-letters into one space; tabs and line ends stay."""
    text = text.replace(".", " .").replace("!", " !").replace("?", " ?")
    return _NOT_A_LETTER.sub(" ", text)


def filterPair(pair: list[str], max_length: int = MAX_LENGTH) -> bool:
    """Keep a pair whose sides both have fewer than `max_length` words and whose English begins with `eng_prefixes`."""
    return (
        (pair[1].startswith(eng_prefixes) or pair[0].startswith(eng_prefixes))
        and len(pair[0].split(" ")) < max_length
        and len(pair[1].split(" ")) < max_length
    )


def filterPairs(pairs: list[list[str]], max_length: int = MAX_LENGTH) -> list[list[str]]:
    """Return the pairs that `filterPair` keeps, in their order."""
    return [pair for pair in pairs if filterPair(pair, max_length)]
