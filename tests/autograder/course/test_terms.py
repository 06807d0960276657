"""One word for each term: where the English has a term of `notebooks/TERMS.md`, a translation has that row's word."""

import re

import polib
import pytest

from autograder.common.course import WORKBOOK
from autograder.course import catalogues
from autograder.course.faithful import NO_WORDS
from autograder.course.glossary import rows
from tests.helpers.languages import TRANSLATED
from utils.common.messages import own_name

# Terms that are everyday words as well, which a sentence may say in another way.
EVERYDAY = {
    *("place", "step", "shape", "tell", "turn", "mean", "thing", "kind", "hide", "true", "false", "check", "caption"),
    *("captioning", "bit", "sharp", "controls", "control", "one vector", "norm", "kernel", "gain", "ask for", "source"),
    *("memory", "ground", "essay"),
}
# Texts with a term, and how many of them may lack its translation: a share, and at least so many.
ENOUGH, SHARE, LEAST = 10, 0.05, 2
# The title of a paper stays in its language.
TITLE = re.compile(r"\[[^\]]*\]\([^)]*\)")
ENDING = 3  # letters of a word that may be others: plurals, feminines


def names_of(cell: str) -> list[str]:
    """The names in a cell of the table, without what stands in parentheses, and without the "to" of a verb."""
    plain = re.sub(r"\(.*?\)|（.*?）", "", cell).casefold()
    return [name.strip().removeprefix("to ") for name in re.split("[,，;；/]", plain) if name.strip()]


def beginnings(name: str) -> list[str]:
    return [word[: max(4, len(word) - ENDING)] for word in name.split()]


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_term_has_one_word_in_each_language(language):
    head, *table = rows()
    column = head.index(own_name(language))
    paths = [catalogues.path_of(WORKBOOK, language, name) for name in (catalogues.SHARED, *WORKBOOK.own)]
    entries = [entry for path in paths for entry in polib.pofile(str(path)) if entry.msgstr and not entry.obsolete]
    texts = [(NO_WORDS.sub(" ", TITLE.sub(" ", entry.msgid)).casefold(), entry.msgstr.casefold()) for entry in entries]
    seldom = {}
    for row in table:
        ours = [beginnings(name) for name in names_of(row[column])]
        for term in set(names_of(row[0])) - EVERYDAY if ours else ():
            with_term = [text for english, text in texts if re.search(rf"\b{re.escape(term)}s?\b", english)]
            said = sum(any(all(part in text for part in name) for name in ours) for text in with_term)
            if len(with_term) >= ENOUGH and len(with_term) - said > max(LEAST, SHARE * len(with_term)):
                seldom[term] = f"{said} of {len(with_term)}"
    assert seldom == {}
