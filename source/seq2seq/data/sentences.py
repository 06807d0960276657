"""The sentences of our French-English grammar: one generator per family, each sentence with its combinations.

A family has far more sentences than the corpus needs (`corpus.py` chooses from them). Each shows a
rule of grammar: adjectives that agree, degrees, "avoir faim", professions without article, objects, pronouns before the
verb, places with contracted articles. The words are in `lexicon.py`.
"""

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from . import lexicon as words
from .grammar import (  # fmt: skip
    ALLER,
    AM,
    AM_IN_FULL,
    AM_NOT,
    ATTRIBUTES,
    AVOIR,
    CLITICS,
    EACH_PRONOUN,
    ETRE,
    PERSONS,
    REFLEXIVE,
    REVENIR,
    SUBJECTS,
    VENIR,
    Subject,
    a,
    begins_with_vowel,
    clause,
    determiner,
    inflect,
    noun_phrase,
    spell,
)


class Sentence(NamedTuple):
    english: str
    french: str
    combinations: tuple[str, ...]  # which words it combines; new to a model that has not seen all of these


def sentence(english: str, french: str, *combinations: str, mark: str = ".") -> Sentence:
    return Sentence(english + mark, spell(french) + (mark if mark == "." else f" {mark}"), combinations)


def adjectives() -> Iterator[Sentence]:
    for english, masculine, feminine, comparative, state in words.ADJECTIVES:
        for s in SUBJECTS:
            be, key = ETRE[s.person], f"{s.french} {english}"
            adjective = inflect(masculine, feminine, s.gender, s.plural)
            am, full, isnt = AM[s.english], AM_IN_FULL[s.english], AM_NOT[s.english]

            def says(
                en: str, rest: str, neg: str = "", mark: str = ".", s: Subject = s, be: str = be, key: str = key
            ) -> Sentence:
                return sentence(en, clause(s, be, rest, neg=neg), key, mark=mark)

            yield says(f"{am} {english}", adjective)
            yield says(f"{isnt} {english}", adjective, "pas")
            if comparative:
                for en, fr in (("very", "très"), ("too", "trop"), ("really", "vraiment"), ("quite", "assez")):
                    yield says(f"{am} {en} {english}", f"{fr} {adjective}")
                yield says(f"{am} so {english}", f"tellement {adjective}", mark="!")
                yield says(f"{isnt} very {english}", f"très {adjective}", "pas")
            if comparative == "+":
                yield says(f"{isnt} always {english}", f"toujours {adjective}", "pas")
            if state:
                yield says(f"{full} always {english}", f"toujours {adjective}")
                yield says(f"{full} never {english}", adjective, "jamais")
                yield says(f"{full} no longer {english}", adjective, "plus")
                yield says(f"{am} still {english}", f"encore {adjective}")
                yield says(f"{am} {english} again", f"de nouveau {adjective}")
                for en, fr in (("today", "aujourd'hui"), ("tonight", "ce soir"), ("this morning", "ce matin")):
                    yield says(f"{am} {english} {en}", f"{adjective} {fr}")
                    yield says(f"{isnt} {english} {en}", f"{adjective} {fr}", "pas")


def degrees() -> Iterator[Sentence]:
    """Yield sentences with comparisons, complements, "too" and "enough"."""
    rows = {row[0]: row for row in words.ADJECTIVES}
    for s in SUBJECTS:
        be, am, isnt, full = ETRE[s.person], AM[s.english], AM_NOT[s.english], AM_IN_FULL[s.english]

        def form(english: str, s: Subject = s) -> str:
            _, masculine, feminine, *_ = rows[english]
            return inflect(masculine, feminine, s.gender, s.plural)

        for english, _, _, comparative, _ in words.ADJECTIVES:
            for them, eux, same in PERSONS:
                if not comparative or s.french in same.split():
                    continue
                more, key = f"more {english}" if comparative == "+" else comparative, f"{s.french} {english}"
                yield sentence(f"{full} {more} than {them}", clause(s, be, f"plus {form(english)} que {eux}"), key)
                yield sentence(f"{full} as {english} as {them}", clause(s, be, f"aussi {form(english)} que {eux}"), key)
                no = clause(s, be, f"aussi {form(english)} que {eux}", neg="pas")
                yield sentence(f"{isnt} as {english} as {them}", no, key)
        for english, what, quoi in words.COMPLEMENTS:
            for them, eux, same in PERSONS if "{X}" in what else [("", "", "je nous" if "nous" in quoi else "tu vous")]:
                if s.french in same.split() and ("{X}" in what or re.search(r"\b(te|vous|nous)\b", quoi)):
                    continue
                key, rest = f"{s.french} {english}", f"{form(english)} {quoi.format(X=eux)}"
                yield sentence(f"{am} {english} {what.format(X=them)}", clause(s, be, rest), key)
                yield sentence(f"{isnt} {english} {what.format(X=them)}", clause(s, be, rest, neg="pas"), key)
        for do, faire in words.TO_DO:
            for english in words.TOO:
                rest = f"trop {form(english)} pour {faire}"
                yield sentence(f"{am} too {english} to {do}", clause(s, be, rest), f"{s.french} {english}")
            for english in words.ENOUGH:
                rest, key = f"assez {form(english)} pour {faire}", f"{s.french} {english}"
                yield sentence(f"{am} {english} enough to {do}", clause(s, be, rest), key)
                yield sentence(f"{isnt} {english} enough to {do}", clause(s, be, rest, neg="pas"), key)


def with_avoir() -> Iterator[Sentence]:
    for english, noun, very in words.WITH_AVOIR:
        for s in EACH_PRONOUN:
            have, am, isnt, full = AVOIR[s.person], AM[s.english], AM_NOT[s.english], AM_IN_FULL[s.english]
            key = f"{s.french} {english}"
            yield sentence(f"{am} {english}", clause(s, have, noun), key)
            yield sentence(f"{isnt} {english}", clause(s, have, noun, neg="pas"), key)
            yield sentence(f"{full} always {english}", clause(s, have, f"toujours {noun}"), key)
            yield sentence(f"{full} never {english}", clause(s, have, noun, neg="jamais"), key)
            if very:
                yield sentence(f"{am} very {english}", clause(s, have, f"très {noun}"), key)
                yield sentence(f"{am} too {english}", clause(s, have, f"trop {noun}"), key)
                yield sentence(f"{full} no longer {english}", clause(s, have, noun, neg="plus"), key)
                yield sentence(f"{am} still {english}", clause(s, have, f"encore {noun}"), key)


def professions() -> Iterator[Sentence]:
    for english, masculine, feminine in words.PROFESSIONS:
        for s in SUBJECTS:
            be, am, isnt, full = ETRE[s.person], AM[s.english], AM_NOT[s.english], AM_IN_FULL[s.english]
            what = english + "s" if s.plural else a(english)
            noun, key = inflect(masculine, feminine or masculine, s.gender, s.plural), f"{s.french} {english}"
            yield sentence(f"{full} {what}", clause(s, be, noun), key)
            yield sentence(f"{isnt} {what}", clause(s, be, noun, neg="pas"), key)
            yield sentence(f"{full} no longer {what}", clause(s, be, noun, neg="plus"), key)
            yield sentence(f"{full} also {what}", clause(s, be, f"aussi {noun}"), key)
            if s.gender == "f" and not feminine:
                continue
            # "il est un ..." is not said: "c'est un ...", "ce sont des ..."
            those = s._replace(french="ce") if s.person in (2, 5) else s
            for said in words.SAID_OF["person"].split():
                phrase = noun_phrase(masculine if s.gender == "m" else feminine, s.gender, ATTRIBUTES[said], s.plural)
                one = determiner("a", s.gender, phrase)
                some = "de" if ATTRIBUTES[said][3] == "<" else "des"
                what = f"{said} {english}s" if s.plural else a(f"{said} {english}")
                rest = f"{some if s.plural else one} {phrase}"
                yield sentence(
                    f"{am} {what}", clause(those, be, rest).replace("ce est", "c'est"), key, f"{said} {english}"
                )


def kin() -> Iterator[Sentence]:
    for english, noun, gender, plural in words.KIN:
        be, he = ("sont", "They") if plural else ("est", "He" if gender == "m" else "She")
        for whose in ("my", "our", "their"):
            des = {"my": "mes", "our": "nos", "their": "leurs"}[whose] if plural else determiner(whose, gender, noun)
            for am, fr in ((AM[he.lower()], f"ce {be} {des}"), (AM_NOT[he.lower()], f"ce ne {be} pas {des}")):
                fr, key = fr.replace("ce est", "c'est"), f"{whose} {noun}"
                yield sentence(f"{am} {whose} {english}", f"{fr} {noun}", key)
                if noun.startswith("ami"):
                    best = inflect("meilleur", "meilleure", gender, bool(plural))
                    des_best = des if plural else determiner(whose, gender, best)
                    yield sentence(f"{am} {whose} best {english}", f"{fr.replace(des, des_best)} {best} {noun}", key)


def objects(rng: random.Random) -> Iterator[Sentence]:
    """Yield sentences of a verb and a thing with a random article; all articles would make 50,000 sentences."""
    for doing, do, infinitive, *present, things in words.TRANSITIVE:
        for thing in things.split():
            _, noun, gender, kind = words.THINGS[thing]
            attributes = [None, *(words.SAID_OF[kind].split() if kind else ())]
            for s, said in ((s, said) for s in EACH_PRONOUN for said in attributes):
                which = rng.choice(("a", "the", "this", "my", "our"))
                phrase = noun_phrase(noun, gender, ATTRIBUTES[said] if said else None)
                rest = f"{determiner(which, gender, phrase)} {phrase}"
                none = f"de {phrase}" if which == "a" else rest  # under negation "un" becomes "de"
                what = f"{said} {thing}" if said else thing
                what = a(what) if which == "a" else f"{which} {what}"
                key = f"{doing} {what.split(' ', 1)[1]}" if said else f"{s.french} {doing} {thing}"
                am, isnt, verb, go = AM[s.english], AM_NOT[s.english], present[s.person], ALLER[s.person]
                yield sentence(f"{am} {doing} {what}", clause(s, verb, rest), key)
                yield sentence(f"{isnt} {doing} {what}", clause(s, verb, none, neg="pas"), key)
                if do:
                    yield sentence(f"{am} going to {do} {what}", clause(s, go, f"{infinitive} {rest}"), key)
                    no = clause(s, go, f"{infinitive} {none}", neg="pas")
                    yield sentence(f"{isnt} going to {do} {what}", no, key)
                    now = clause(s, ETRE[s.person], f"en train de {infinitive} {rest}")
                    yield sentence(f"{am} {doing} {what} now", now, key)


def actions() -> Iterator[Sentence]:
    """Yield sentences of verbs without object; some are reflexive in French."""
    for doing, do, infinitive, *present in words.INTRANSITIVE:
        reflexive, infinitive = infinitive.startswith("se "), infinitive.removeprefix("se ")
        for s in EACH_PRONOUN:
            oneself = REFLEXIVE[s.person] if reflexive else ""
            verb, go, key = present[s.person], ALLER[s.person], f"{s.french} {doing}"
            acting = f"{oneself} {infinitive}".strip()
            am, isnt, full = AM[s.english], AM_NOT[s.english], AM_IN_FULL[s.english]
            yield sentence(f"{am} {doing}", clause(s, verb, clitic=oneself), key)
            yield sentence(f"{isnt} {doing}", clause(s, verb, neg="pas", clitic=oneself), key)
            yield sentence(f"{full} always {doing}", clause(s, verb, "toujours", clitic=oneself), key)
            yield sentence(f"{full} no longer {doing}", clause(s, verb, neg="plus", clitic=oneself), key)
            yield sentence(f"{am} {doing} today", clause(s, verb, "aujourd'hui", clitic=oneself), key)
            yield sentence(f"{am} going to {do}", clause(s, go, acting), key)
            yield sentence(f"{isnt} going to {do}", clause(s, go, acting, neg="pas"), key)
            yield sentence(f"{am} going to {do} tomorrow", clause(s, go, f"{acting} demain"), key)
            yield sentence(f"{am} {doing} now", clause(s, ETRE[s.person], f"en train de {acting}"), key)


def with_pronoun_object() -> Iterator[Sentence]:
    """Yield sentences whose pronoun object comes before the verb in French and after it in English."""
    for doing, do, infinitive, *present in words.OF_PERSONS:
        for s, (them, les, same) in ((s, c) for s in EACH_PRONOUN for c in CLITICS):
            if s.french in same.split() or (les in ("le", "la") and begins_with_vowel(infinitive)):
                continue  # "l'aide" would hide whether he or she is helped
            verb, go = present[s.person], ALLER[s.person]
            am, isnt = AM[s.english], AM_NOT[s.english]
            key = f"{s.french} {doing} {les}"
            yield sentence(f"{am} {doing} {them}", clause(s, verb, clitic=les), key)
            yield sentence(f"{isnt} {doing} {them}", clause(s, verb, neg="pas", clitic=les), key)
            yield sentence(f"{am} going to {do} {them}", clause(s, go, f"{les} {infinitive}"), key)
            yield sentence(f"{isnt} going to {do} {them}", clause(s, go, f"{les} {infinitive}", neg="pas"), key)
            yield sentence(
                f"{am} {doing} {them} now", clause(s, ETRE[s.person], f"en train de {les} {infinitive}"), key
            )


def places() -> Iterator[Sentence]:
    for s in EACH_PRONOUN:
        am, isnt = AM[s.english], AM_NOT[s.english]
        be, go, return_, come = ETRE[s.person], ALLER[s.person], REVENIR[s.person], VENIR[s.person]
        for english, noun, gender in words.PLACES:
            there, key = f"{determiner('the', gender, noun)} {noun}", f"{s.french} {english}"
            for verb, at, là in (
                (be, "at", "à"), (be, "near", "près de"), (be, "in front of", "devant"), (go, "going to", "à"),
                (return_, "coming back from", "de"),
            ):  # fmt: skip
                yield sentence(f"{am} {at} the {english}", clause(s, verb, f"{là} {there}"), key)
                yield sentence(f"{isnt} {at} the {english}", clause(s, verb, f"{là} {there}", neg="pas"), key)
        for english, to, from_ in words.COUNTRIES:
            key = f"{s.french} {english}"
            for verb, at, là in (
                (be, "in", to), (go, "going to", to), (return_, "coming back from", from_), (come, "from", from_),
            ):  # fmt: skip
                yield sentence(f"{am} {at} {english}", clause(s, verb, là), key)
                yield sentence(f"{isnt} {at} {english}", clause(s, verb, là, neg="pas"), key)


def ages() -> Iterator[Sentence]:
    numbers = dict(words.TEENS) | words.TENS
    for ten, (english, french) in words.TENS.items():
        numbers |= {ten + n: (f"{english}-{en}", f"{french}-{fr}") for n, (en, fr) in words.UNITS.items()}
    for english, french in numbers.values():
        for s in EACH_PRONOUN:
            have, key = AVOIR[s.person], f"{s.french} {english}"
            yield sentence(f"{AM_IN_FULL[s.english]} {english} years old", clause(s, have, f"{french} ans"), key)
            no = clause(s, have, f"{french} ans", neg="pas")
            yield sentence(f"{AM_NOT[s.english]} {english} years old", no, key)
