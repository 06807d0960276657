"""Judges text by the grammar of the tales: are its sentences well formed, and which names does it have?

Why: nobody can say whether a text that a model has written is "right", but the grammar can say whether it is possible,
and a tale whose people change their names is not.
"""

import re
from dataclasses import dataclass

from utils.gpt.tales.grammar import CONSONANTS, PEOPLE, PLACES, SYLLABLES, VERBS, VOWELS

NAME = f"(?=[A-Z])(?i:[{CONSONANTS}])[{VOWELS}](?:[{CONSONANTS}][{VOWELS}]){{{SYLLABLES - 1}}}"
SENTENCE = re.compile(f"{NAME} (?:{'|'.join(VERBS)}) {NAME}(?: by the (?:{'|'.join(PLACES)}))?")
SOME_NAME = re.compile(r"\b[A-Z][a-z]*")


@dataclass(frozen=True)
class Judgement:
    """What the grammar says of one tale.

    sentences: how many it has; well_formed: how many of them have the grammar's form; oneself: in how many of the
    well-formed ones somebody meets himself; names: all names, each once.
    """

    sentences: int
    well_formed: int
    oneself: int
    names: tuple[str, ...]

    @property
    def is_consistent(self) -> bool:
        """Whether no more people appear than a tale has: a misspelled name counts as one more."""
        return len(self.names) <= PEOPLE


def judge(text: str) -> Judgement:
    """Judge one tale, or its beginning; a last sentence without its full stop is not counted.

    A sentence is well formed if it has the grammar's form: two names, a verb between them, perhaps a place. The grammar
    never tells of one person twice in a sentence; such sentences are well formed, and counted apart.
    """
    sentences = [sentence.strip() for sentence in text.split(".")[:-1]]
    people = [SOME_NAME.findall(sentence) for sentence in sentences if SENTENCE.fullmatch(sentence)]
    names = dict.fromkeys(name for sentence in sentences for name in SOME_NAME.findall(sentence))
    return Judgement(len(sentences), len(people), sum(one == other for one, other in people), tuple(names))
