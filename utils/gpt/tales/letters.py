"""Letters as numbers, and tales as rows of letters for a language model.

A row begins with the line end before a tale, so that a model that writes can be started with a line end.
S letters of a row, N rows.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import torch

from utils.common.errors import DataError
from utils.common.messages import N_
from utils.gpt.tales.grammar import CONSONANTS, PLACES, VERBS, VOWELS, Tale, tales

END = "\n"  # before, between and after tales
_WORDS = "".join((*VERBS, *PLACES, "by the"))
# All letters that tales have, the line end first.
LETTERS = "".join(sorted({END, ".", *_WORDS, *CONSONANTS, *CONSONANTS.upper(), *VOWELS}))
_NUMBERS = {letter: number for number, letter in enumerate(LETTERS)}


def encode(text: str) -> torch.Tensor:
    """Return the numbers (S,) of a text's letters.

    Raises: DataError for a letter that no tale has.
    """
    if unknown := sorted(set(text) - set(LETTERS)):
        raise DataError(
            N_("No tale has the letter {letter!r}; the letters are {letters!r}."), letter=unknown[0], letters=LETTERS
        )
    return torch.tensor([_NUMBERS[letter] for letter in text], dtype=torch.long)


def decode(numbers: torch.Tensor) -> str:
    """Return the text of numbers (S,)."""
    return "".join(LETTERS[number] for number in numbers.tolist())


@dataclass(frozen=True)
class Rows:
    """Letters (N, S) and the kind of each (N, S); `names` are all names in the tales."""

    letters: torch.Tensor
    kinds: torch.Tensor
    names: frozenset[str]

    def __len__(self) -> int:
        return len(self.letters)


def rows_of(stories: Iterable[Tale], length: int) -> Rows:
    """Return a row of `length` letters for each tale; a row goes on into the next tales until it is full.

    The last tales, after which too little text follows, have no row of their own.
    """
    texts, kinds, starts, names = [END], [0], [], set[str]()
    start_of_tale = 0
    for tale in stories:
        starts.append(start_of_tale)
        texts.append(tale.text)
        kinds += tale.kinds
        names.update(tale.names)
        start_of_tale += len(tale.text)
    stream = encode("".join(texts))
    # A tale near the end is in other rows, but no row of `length` letters can begin with it.
    wanted = torch.tensor([start for start in starts if start + length <= len(stream)], dtype=torch.long)
    positions = wanted.unsqueeze(1) + torch.arange(length)
    return Rows(stream[positions], torch.tensor(kinds)[positions], frozenset(names))


def training_rows(count: int, length: int, seed: int) -> Rows:
    """Return rows of `count` tales to learn from."""
    return rows_of(tales(count, seed), length)


def unseen_rows(count: int, length: int, seed: int, known: frozenset[str]) -> Rows:
    """Return rows of tales without any name of `known`, out of `count` tales drawn."""
    return rows_of((tale for tale in tales(count, seed) if known.isdisjoint(tale.names)), length)
