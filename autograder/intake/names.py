"""Compares people's names as platforms write them: in another order and case, without accents, with parts left out.

Moodle removes apostrophes from the names in its archives (PARAM_FILE), Canvas everything but letters and digits, and
both shorten names of many parts.
"""

import re
import unicodedata
from itertools import product

PARTICLES = frozenset(
    re.findall(
        r"\w+", "al bin da de del della den der di do dos du el ibn la las le les los ten ter van vom von y zu zur"
    )
)
# Letters that Unicode does not separate into a plain letter and an accent.
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th"})
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa"})
APOSTROPHES, JOINING = "’‘ʼʻ`´ʹ′＇", "'-‐‑"

Words = tuple[str, ...]


def words(name: str, joining: str = "") -> Words:
    """Return a name's words without accents and case. The signs in `joining` are removed; others separate words."""
    name = re.sub(f"[{APOSTROPHES}]", "'", name)
    folded = unicodedata.normalize("NFKC", name).casefold().translate(LETTERS)
    bare = "".join(sign for sign in unicodedata.normalize("NFD", folded) if not unicodedata.combining(sign))
    return tuple("".join(s if s.isalnum() else "" if s in joining else " " for s in bare).split())


def plain(name: str) -> str:
    """Return a name in a form in which its spellings agree: without accents, case, punctuation and order of words."""
    return " ".join(sorted(words(name)))


def joined(name: str) -> str:
    """Return the same with apostrophes and hyphens removed, so that O'Neil is one word."""
    return " ".join(sorted(words(name, JOINING)))


def letters(name: str) -> str:
    """Return a name's letters and digits in their order, as Canvas writes it."""
    return "".join(words(name))


def whole(first: str, last: str) -> set[str]:
    """Return the spellings of a whole name: its words in any order, or its letters from any word on."""
    spellings = set()
    for given, family in product(_spellings(first), _spellings(last)):
        name = given + family
        spellings |= {" ".join(sorted(name)), *("".join(name[i:] + name[:i]) for i in range(len(name)))}
    return spellings


def shortened(first: str, last: str) -> set[str]:
    """Return the spellings of a name with parts left out: particles, a second given name, one of two family names."""
    spellings = set()
    for given, family in product(_spellings(first), _spellings(last)):
        bare = tuple(word for word in family if word not in PARTICLES)
        for some, rest in product((given, given[:1]), (family, bare, bare[:1], bare[-1:])):
            if some and rest:
                spellings |= {" ".join(sorted(some + rest)), "".join(some + rest), "".join(rest + some)}
    return spellings


def _spellings(part: str) -> set[Words]:
    lower = part.casefold()
    return {words(text, joining) for text in (lower, lower.translate(UMLAUTS)) for joining in ("", JOINING)}
