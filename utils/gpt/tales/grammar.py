"""Tales about three people with names that are newly invented for every tale.

What: "Nelako met Sirute by the river. Dopima saw Nelako. ...": nine sentences. A name is three syllables of one
consonant and one vowel, drawn at random, so nobody can guess a name before it first occurs. Later mentions are
another matter: a reader who remembers the tale knows every letter after the first.
Why: each letter is labelled with its kind, so that the loss of names can be told apart from that of the grammar.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field

CONSONANTS = "bdfgklmnprstvz"
VOWELS = "aeiou"
SYLLABLES = 3
# Nats of a letter that a fair die chooses, on the average over a name's letters after the first: 2.02.
DICE = ((SYLLABLES - 1) * math.log(len(CONSONANTS)) + SYLLABLES * math.log(len(VOWELS))) / (2 * SYLLABLES - 1)

VERBS = ("met", "saw", "told", "called", "helped", "thanked")
PLACES = ("river", "mill", "bridge", "wood", "hill", "lake", "market", "harbour")
PEOPLE = 3
SENTENCES = 9
WITH_PLACE = 0.3  # share of the sentences that name a place

# The kinds of letters:
PLAIN = 0  # letters of words that all tales have
WHO = 1  # a name's first letter, which says who is meant
FIRST = 2  # a name's other letters, where the tale tells it for the first time
AGAIN = 3  # a name's other letters at its later mentions


@dataclass
class Tale:
    """A tale's text, which ends with a line end, the kind of each of its letters, and the names in it."""

    names: tuple[str, ...]
    text: str = ""
    kinds: list[int] = field(default_factory=list)

    def tell(self, words: str) -> None:
        """Add letters of plain words."""
        self.text += words
        self.kinds += [PLAIN] * len(words)

    def mention(self, name: str) -> None:
        """Add a name."""
        self.kinds += [WHO] + [AGAIN if name in self.text else FIRST] * (len(name) - 1)
        self.text += name


def invented_name(rng: random.Random) -> str:
    """Return one of 343,000 names, such as Nelako."""
    return "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(SYLLABLES)).capitalize()


def people(rng: random.Random) -> tuple[str, ...]:
    """Return the names of a tale's people; each begins with a letter of its own, so that one letter says who it is."""
    names: dict[str, str] = {}
    while len(names) < PEOPLE:
        name = invented_name(rng)
        names.setdefault(name[0], name)
    return tuple(names.values())


def tale(rng: random.Random) -> Tale:
    """Return a new tale."""
    new = Tale(people(rng))
    place = rng.choice(PLACES)
    for _ in range(SENTENCES):
        first, second = rng.sample(new.names, 2)
        new.mention(first)
        new.tell(f" {rng.choice(VERBS)} ")
        new.mention(second)
        new.tell(f" by the {place}. " if rng.random() < WITH_PLACE else ". ")
    new.tell("\n")
    return new


def tales(count: int, seed: int) -> Iterator[Tale]:
    """Yield `count` tales, the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        yield tale(rng)
