"""The rules of French that our corpus needs: agreement, elision, contraction, negation, the place of adjectives.

`sentences.py` chooses the words, this module spells them. Reference for all rules: Grevisse and
Goosse, "Le Bon Usage" (elision, contracted articles, "de" under negation, adjectives before and after the noun).
"""

import re
from typing import NamedTuple

from . import lexicon as words


class Subject(NamedTuple):
    english: str  # I, you, he, ...
    french: str
    person: int  # column of the conjugation tables: je tu il nous vous ils
    gender: str  # "m" or "f", of those spoken of
    plural: bool


SUBJECTS = [
    Subject("I", "je", 0, "m", False), Subject("I", "je", 0, "f", False),
    Subject("you", "tu", 1, "m", False), Subject("you", "tu", 1, "f", False),
    Subject("he", "il", 2, "m", False), Subject("she", "elle", 2, "f", False),
    Subject("we", "nous", 3, "m", True), Subject("we", "nous", 3, "f", True),
    Subject("you", "vous", 4, "m", False), Subject("you", "vous", 4, "f", False),
    Subject("you", "vous", 4, "m", True), Subject("you", "vous", 4, "f", True),
    Subject("they", "ils", 5, "m", True), Subject("they", "elles", 5, "f", True),
]  # fmt: skip
EACH_PRONOUN = [s for i, s in enumerate(SUBJECTS) if s.french not in {t.french for t in SUBJECTS[:i]}]

ETRE = ("suis", "es", "est", "sommes", "êtes", "sont")
AVOIR = ("ai", "as", "a", "avons", "avez", "ont")
ALLER = ("vais", "vas", "va", "allons", "allez", "vont")
REVENIR = ("reviens", "reviens", "revient", "revenons", "revenez", "reviennent")
VENIR = ("viens", "viens", "vient", "venons", "venez", "viennent")
REFLEXIVE = ("me", "te", "se", "nous", "vous", "se")

AM = {"I": "I'm", "you": "You're", "he": "He's", "she": "She's", "we": "We're", "they": "They're"}
AM_IN_FULL = {"I": "I am", "you": "You are", "he": "He is", "she": "She is", "we": "We are", "they": "They are"}
AM_NOT = {
    "I": "I'm not", "you": "You aren't", "he": "He isn't", "she": "She isn't", "we": "We aren't", "they": "They aren't",
}  # fmt: skip
# English object | French after a preposition | subjects of the same person, with which it is not used
PERSONS = [
    ("me", "moi", "je nous"), ("you", "toi", "tu vous"), ("him", "lui", ""), ("her", "elle", ""),
    ("us", "nous", "je nous"), ("you", "vous", "tu vous"), ("them", "eux", ""), ("Tom", "Tom", ""),
    ("Mary", "Marie", ""),
]  # fmt: skip
# English object | French before the verb | subjects of the same person, with which it is not used
CLITICS = [
    ("me", "me", "je nous"), ("you", "te", "tu vous"), ("him", "le", ""), ("her", "la", ""),
    ("us", "nous", "je nous"), ("you", "vous", "tu vous"), ("them", "les", ""),
]  # fmt: skip

_ELIDED = re.compile(r"\b(je|me|te|se|le|la|ne|de|que|LE|LA) (?=[aeiouhâéèêîôAÉ])", re.IGNORECASE)
_CONTRACTED = [(re.compile(rf"\b{a} {b}\b"), c) for a, b, c in (
    ("à", "LE", "au"), ("à", "LES", "aux"), ("de", "LE", "du"), ("de", "LES", "des"),
)]  # fmt: skip


def elide(french: str) -> str:
    """Return the text with je, ne, de, que, le, ... elided before a vowel: "je ai" -> "j'ai"."""
    return _ELIDED.sub(lambda match: match[1][:-1] + "'", french)


def spell(french: str) -> str:
    """Apply elision, contraction and the first capital. Articles are LE, LA, LES here: le, la, les do not contract."""
    french = elide(french)
    for pattern, contracted in _CONTRACTED:
        french = pattern.sub(contracted, french)
    french = re.sub(r"\bL(E|A|ES|')(?= |\w)", lambda match: match[0].lower(), french)
    return french[0].upper() + french[1:]


def clause(subject: Subject, verb: str, rest: str = "", *, neg: str = "", clitic: str = "") -> str:
    """Return a French statement: subject [ne] [clitic] verb [pas, plus, jamais] rest."""
    return " ".join(part for part in (subject.french, "ne" if neg else "", clitic, verb, neg, rest) if part)


def inflect(masculine: str, feminine: str, gender: str, plural: bool) -> str:
    """Return the form of an adjective or noun for gender and number; phrases such as "en retard" do not change."""
    form = masculine if gender == "m" else feminine
    if not plural or " " in form or form[-1] in "sx":
        return form
    if form.endswith("eau"):
        return form + "x"
    return form[:-1] + "ux" if form.endswith("al") else form + "s"


def begins_with_vowel(word: str) -> bool:
    return word[0] in "aeiouhâéèêîô"


def a(english: str) -> str:
    """Return an English noun phrase with its indefinite article: "an honest man", "a university"."""
    vowel_sound = (english[0].lower() in "aeiou" and english[:3] != "uni") or english.startswith("honest")
    return f"{'an' if vowel_sound else 'a'} {english}"


def noun_phrase(noun: str, gender: str, attribute: tuple[str, ...] | None, plural: bool = False) -> str:
    """Return a French noun with its adjective before or after it: "vieil arbre", "robe rouge"."""
    noun = inflect(noun, noun, gender, plural)
    if attribute is None:
        return noun
    _, masculine, feminine, side = attribute
    before_consonant, _, before_vowel = masculine.partition("/")
    if before_vowel and not plural and begins_with_vowel(noun):
        before_consonant = before_vowel
    adjective = inflect(before_consonant, feminine, gender, plural)
    return f"{adjective} {noun}" if side == "<" else f"{noun} {adjective}"


ATTRIBUTES = {row[0]: row for row in words.ATTRIBUTES}


def determiner(which: str, gender: str, following: str) -> str:
    vowel = begins_with_vowel(following)
    if which == "a":
        return "un" if gender == "m" else "une"
    if which == "the":
        return "LE" if gender == "m" else "LA"
    if which == "this":
        return "cette" if gender == "f" else "cet" if vowel else "ce"
    return {"my": "mon" if gender == "m" or vowel else "ma", "our": "notre", "their": "leur"}[which]
