"""Compares a translation with its original: blocks, formulas, code, links and placeholders must be the same.

In a cell's prose, blocks must agree in their order; formulas, code and links may come in any order, because languages
order their sentences differently, and words within a formula may differ. In a message, the placeholders must agree.
"""

import re
import string
from collections.abc import Iterator

import polib

from autograder.lesson.wrapping import markdown

WORDS = re.compile(r"\\text\{[^}]*\}")


def unfaithful(original: str, translation: str, *, is_prose: bool) -> list[str]:
    """Return the kinds of pieces that differ between a translation and its original."""
    if not is_prose:
        return ["placeholders"] if placeholders(original) != placeholders(translation) else []
    here, there = pieces(original), pieces(translation)
    return [kind for kind in here if here[kind] != there[kind]]


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


def complaints(catalogue: polib.POFile, *, is_prose: bool) -> Iterator[str]:
    """Yield a phrase for each text of a catalogue that is untranslated or unfaithful; stale texts are left out."""
    for entry in catalogue:
        start = " ".join(entry.msgid.split())[:60]
        if entry.obsolete or "fuzzy" in entry.flags:
            continue
        if not entry.msgstr:
            yield f"not translated: {start!r}"
        elif differing := unfaithful(entry.msgid, entry.msgstr, is_prose=is_prose):
            yield f"{', '.join(differing)} differ from the original: {start!r}"
