"""Some 13,000 English-French sentence pairs made by our own grammar, in the form of `eng-fra.txt`.

Why: the lesson must run offline, and generalisation can only be measured on what training never shows. Each sentence
knows its *combinations* (subject and predicate, verb and object). A tenth of all combinations is held out of training
in every sentence form; each of their words occurs in training in other combinations.

The statements begin like those that `filterPairs` keeps. The French determines the English, but not the other way round
("you" is tu or vous, "tired" fatigué or fatiguée), so French is the better input.
"""

import random
import zlib
from collections.abc import Iterator
from functools import cache

from utils.seq2seq.normalise import filterPair, normalizeString

from . import sentences as families
from .grammar import elide
from .sentences import Sentence

# Sentences per family: about 10,000 short ones, and long ones, which filterPairs drops.
QUOTAS = {
    "adjective": 3000, "degree": 1500, "avoir": 450, "profession": 1200, "kin": 350, "object": 2000,
    "action": 650, "pronoun": 450, "place": 400, "age": 250, "two clauses": 750, "long": 3000,
}  # fmt: skip
HELD_OUT = 10  # one combination in ten is never trained on


def joined(parts: list[Sentence], count: int, clauses: tuple[int, ...], rng: random.Random) -> Iterator[Sentence]:
    """Yield sentences of two or more clauses, such as "He's sad because they're leaving.".

    parts: statements, from which the clauses are chosen. count: sentences to try. clauses: possible numbers of clauses.
    """
    for _ in range(count):
        chosen = rng.sample(parts, rng.choice(clauses))
        speakers = [part.combinations[0].split(" ")[0].replace("tu", "vous") for part in chosen]
        if len(set(speakers)) < len(speakers):
            continue  # the same "je" would be heureux and heureuse, or the same "you" tu and vous
        english, french = chosen[0].english[:-1], chosen[0].french[:-1]
        for part in chosen[1:]:
            link, lien = ("and", "et")
            if part is chosen[-1]:
                link, lien = rng.choice((("and", "et"), ("but", "mais"), ("because", "parce que")))
            clause_english, clause_french = part.english[:-1], part.french[0].lower() + part.french[1:-1]
            if not part.english.startswith("I"):
                clause_english = clause_english[0].lower() + clause_english[1:]
            english += f" {link} {clause_english}"
            french += " " + elide(f"{lien} {clause_french}")
        yield Sentence(f"{english}.", f"{french}.", tuple(key for part in chosen for key in part.combinations))


@cache
def corpus() -> tuple[Sentence, ...]:
    """Return all sentences, chosen at random from those of the grammar, the shortest English first."""
    rng = random.Random(0)  # the same choice on every computer, because Python's generator and `shuffle` never change
    drawn_from = {
        "adjective": families.adjectives(), "degree": families.degrees(), "avoir": families.with_avoir(),
        "profession": families.professions(), "kin": families.kin(), "object": families.objects(rng),
        "action": families.actions(), "pronoun": families.with_pronoun_object(), "place": families.places(),
        "age": families.ages(),
    }  # fmt: skip
    chosen: dict[tuple[str, str], Sentence] = {}

    def choose(candidates: list[Sentence], quota: int, short: bool = True) -> None:
        rng.shuffle(candidates)
        for candidate in candidates:
            if quota == 0:
                return
            key = (normalizeString(candidate.english), normalizeString(candidate.french))
            if key not in chosen and filterPair(list(key)) == short:
                chosen[key] = candidate
                quota -= 1

    clauses: list[Sentence] = []
    for family, generated in drawn_from.items():
        candidates = list(generated)
        choose(candidates, QUOTAS[family])
        if family in ("adjective", "avoir", "action", "place"):
            clauses += [c for c in candidates[:1000] if "!" not in c.english]
    brief = [c for c in clauses if len(c.french.split()) <= 4]
    choose(list(joined(brief, 4 * QUOTAS["two clauses"], (2,), rng)), QUOTAS["two clauses"])
    choose(list(joined(clauses, 4 * QUOTAS["long"], (2, 3, 4), rng)), QUOTAS["long"], short=False)
    return tuple(sorted(chosen.values(), key=lambda s: (len(s.english), s.english, s.french)))


def is_held_out(sentence: Sentence) -> bool:
    """Return whether a sentence has a combination that is held out: one in HELD_OUT, chosen by a hash (CRC-32)."""
    return any(zlib.crc32(combination.encode()) % HELD_OUT == 0 for combination in sentence.combinations)
