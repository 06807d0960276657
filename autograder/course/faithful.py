"""Compares a translation with its original: blocks, formulas, code, links and placeholders must be the same.

It also finds numbers that the translation lacks, and signs that its language writes in another way, such as a space
where a line could break before a French colon. In a cell's prose, blocks must agree in their order; formulas, code and
links may come in any order, because languages order their sentences differently, and words within a formula may differ.
In a message, the placeholders must agree.
"""

import re
import string
from collections.abc import Collection, Iterator

import polib

from autograder.lesson.wrapping import markdown

WORDS = re.compile(r"\\text\{[^}]*\}")
# Parts of a text that are not words: code, formulas, placeholders, the addresses of links.
NO_WORDS = re.compile(r"`[^`]*`|\$\$[^$]*\$\$|\$[^$\n]*\$|\{[^}]*\}|\]\([^)]*\)")
HAN = "[\u4e00-\u9fff]"
# By language: signs that it does not write so, and how it does.
TYPOGRAPHY = {
    "fr": {
        r"(?<![\u00a0\u202f(])[:;!?»](?=[\s.,)*]|$)": "a no-break space before : ; ! ? »",
        r"«(?![\u00a0\u202f])": "a no-break space after «",
        r"[\"“”]": "« » for quotes",
        r"’": "' for an apostrophe, as everywhere here",
        r"\d \d{3}": "a no-break space in 50 000",
    },
    "zh": {rf"{HAN}[,;:!?]|[,;:!?]{HAN}": "，；：！？ beside Han", rf"{HAN}\(|\){HAN}": "（） beside Han"},
}
# A number, with the signs that languages write between digits.
NUMBER = re.compile(r"\d+(?:[.,\u00a0\u202f]\d+)*")
# By language: how a translation may write a number in words, or in the language's own units (2.5 million).
IN_WORDS = {"fr": {"0": "nul", "15": "quinzaine"}, "zh": {"20": "200 万", "25": "250 万", "10000": "一万"}}
# What a cell emphasises by one asterisk on each side; two on each side come first, so that they are not taken for one.
SLANTED = re.compile(r"\*\*.+?\*\*|\*([^*\n]+)\*")
# A list of words that a program reads, such as those that belong to a rubric's item: no sentence, so no typography.
LIST = re.compile(r"(?:[^.:;!?()*]|\d\.\d)+(, (?:[^.:;!?()*]|\d\.\d)+)+")


def unfaithful(original: str, translation: str, *, is_prose: bool) -> list[str]:
    """Return the kinds of pieces that differ between a translation and its original."""
    if not is_prose:
        try:
            return ["placeholders"] if placeholders(original) != placeholders(translation) else []
        except ValueError:  # a brace that opens or closes nothing
            return ["placeholders"]
    here, there = pieces(original), pieces(translation)
    return [kind for kind in here if here[kind] != there[kind]]


def typography(text: str, language: str) -> list[str]:
    """Return the language's rules that a text breaks, each once: how the language writes a sign."""
    words = NO_WORDS.sub("x", text)
    if LIST.fullmatch(words):
        return []
    rules = [rule for wrong, rule in TYPOGRAPHY.get(language, {}).items() if re.search(wrong, words)]
    if any(re.search(HAN, emphasis[1] or "") for emphasis in SLANTED.finditer(words)):
        rules.append("** for emphasis, since slanted Han are hard to read")
    return rules


def lost_numbers(original: str, translation: str, language: str) -> list[str]:
    """Return the digits of each number of a text, outside of code and formulas, that its translation lacks."""
    in_words = IN_WORDS.get(language, {})
    lost = _numbers(NO_WORDS.sub(" ", original)) - _numbers(translation)
    return [number for number in sorted(lost) if number not in in_words or in_words[number] not in translation]


def _numbers(text: str) -> set[str]:
    return {re.sub(r"\D", "", number) for number in NUMBER.findall(text)}


def placeholders(text: str) -> set[str]:
    """Return the names in braces. Raises: ValueError for a brace that opens or closes nothing."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def pieces(text: str) -> dict[str, list[str]]:
    """Return the pieces of a cell that a translation must keep, by kind."""
    tokens = markdown().parse(text)
    inside = [child for token in tokens for child in token.children or ()]
    formulas = [token for token in [*tokens, *inside] if token.type.startswith("math")]
    return {
        "blocks": [t.tag + t.type for t in tokens if t.type not in ("inline", "fence", "code_block")],
        "inline code": sorted(child.content for child in inside if child.type == "code_inline"),
        "links": sorted(str(child.attrs["href"]) for child in inside if child.type == "link_open"),
        "formulas": sorted(token.type + WORDS.sub("", token.content) for token in formulas),
    }


def complaints(
    catalogue: polib.POFile, language: str, *, prose: Collection[str] = (), whole: bool = True
) -> Iterator[str]:
    """Yield a phrase for each text of a catalogue that is untranslated, unfaithful or has another language's signs.

    Stale texts are left out. prose: a lesson's cells. whole: an untranslated text is a complaint, too.
    """
    for entry in catalogue:
        start = " ".join(entry.msgid.split())[:60]
        if entry.obsolete or "fuzzy" in entry.flags:
            continue
        if not entry.msgstr:
            if whole:
                yield f"not translated: {start!r}"
            continue
        if differing := unfaithful(entry.msgid, entry.msgstr, is_prose=entry.msgid in prose):
            yield f"{', '.join(differing)} differ from the original: {start!r}"
        if lost := lost_numbers(entry.msgid, entry.msgstr, language):
            yield f"{language} lacks {', '.join(lost)}: {start!r}"
        for rule in typography(entry.msgstr, language):
            yield f"{language} has {rule}: {start!r}"


def compiled(catalogue: polib.POFile, prose: Collection[str] = ()) -> bytes:
    """Return a catalogue's messages in gettext's binary form, without prose and without unfaithful translations.

    No program could fill in the values of such a message, so the English message is shown in its place. The entries of
    the given catalogue change.
    """
    for entry in catalogue.translated_entries():
        if entry.msgid in prose or unfaithful(entry.msgid, entry.msgstr, is_prose=False):
            entry.msgstr = ""
    return bytes(catalogue.to_binary())
