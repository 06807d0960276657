"""The texts that students read: all are found, all are translated, all can be rendered."""

import re
import string

import polib
import pytest

from autograder.common.paths import lesson_names
from autograder.course import catalogues
from autograder.lesson.text import Lesson
from autograder.lesson.translation import TRANSLATED, catalogue_path, prose, update_catalogue
from autograder.lesson.wrapping import markdown
from utils.common.messages import LANGUAGES, Message, translations


def places(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def fixed(source: str) -> list[tuple[str, str]]:
    """What a translation must keep of a cell: its blocks in order; formulas, code and links in any order."""
    tokens = markdown().parse(source)
    blocks = [(token.tag, token.type) for token in tokens if token.type not in ("inline", "fence", "code_block")]
    inside = [child for token in tokens for child in token.children or ()]
    code = [(child.type, child.content) for child in inside if child.type == "code_inline"]
    links = [("link", str(child.attrs["href"])) for child in inside if child.type == "link_open"]
    words = re.compile(r"\\text\{[^}]*\}")
    formulas = [token for token in [*tokens, *inside] if token.type.startswith("math")]
    maths = [(token.type, words.sub("", token.content)) for token in formulas]
    return [*blocks, *sorted(code), *sorted(links), *sorted(maths)]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return catalogues.texts()


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_text_is_translated(texts, language):
    assert [text for text in texts if not translations(language).get(text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_rendered_with_its_values(language):
    marked = catalogues.marked_texts()
    assert len(marked) > 40
    for text in marked:
        values = {name: f"‹{name}›" for name in places(text)}
        shown = Message(text, values).render(language)
        assert all(value in shown for value in values.values()), text


def test_texts_that_intake_and_examiner_assemble_are_found():
    marked = catalogues.marked_texts()
    for text in (
        "The cell {cell} was missing and was put back.",
        "The cell {cell} stood there twice.",
        "not run, because your code had to be stopped before",
        "your notebook was stopped: all its cells together ran too long",
    ):
        assert text in marked


@pytest.mark.parametrize("name", lesson_names())
@pytest.mark.parametrize("language", TRANSLATED)
def test_translated_prose_is_whole_and_keeps_formulas_code_and_links(language, name):
    catalogue = polib.pofile(str(catalogue_path(language, name)))
    translated = {entry.msgid: entry.msgstr for entry in catalogue if entry.msgstr and not entry.obsolete}
    for text in prose(Lesson.load(name)):
        assert text in translated, f"{language}: not translated: {text}"
        assert fixed(translated[text]) == fixed(text), text
        inside = [child for token in markdown().parse(translated[text]) for child in token.children or ()]
        assert not any(child.type == "text" and "*" in child.content for child in inside), (
            f"{language}: stray *: {text}"
        )


# ---- bringing a catalogue up to date ------------------------------------------------------------------------


def updated(path, texts: list[str]) -> polib.POFile:
    """A catalogue brought up to date with these texts, written, and read again."""
    update_catalogue(path, "fr", texts).save(str(path))
    return polib.pofile(str(path))


def entries(catalogue: polib.POFile) -> list[tuple[str, str, bool]]:
    return [(entry.msgid, entry.msgstr, bool(entry.obsolete)) for entry in catalogue]


def test_new_texts_are_added_empty_in_the_order_of_the_lesson(tmp_path):
    path = tmp_path / "x.po"
    catalogue = updated(path, ["one", "two"])
    assert entries(catalogue) == [("one", "", False), ("two", "", False)]
    assert catalogue.metadata == {"Content-Type": "text/plain; charset=UTF-8", "Language": "fr"}
    catalogue[0].msgstr = "un"
    catalogue.save(str(path))
    assert entries(updated(path, ["two", "three", "one"])) == [
        ("two", "", False),
        ("three", "", False),
        ("one", "un", False),
    ]


def test_a_translation_whose_text_is_gone_is_kept_and_comes_back_with_it(tmp_path):
    path = tmp_path / "x.po"
    catalogue = updated(path, ["one", "two", "three"])
    catalogue[0].msgstr, catalogue[2].msgstr = "un", "trois"
    catalogue.save(str(path))
    gone = [("three", "trois", False), ("one", "un", True)]  # what had no translation is no loss
    assert entries(updated(path, ["three"])) == gone
    assert entries(updated(path, ["three"])) == gone
    back = updated(path, ["one", "three"])
    assert entries(back) == [("one", "un", False), ("three", "trois", False)]


def test_bringing_all_up_to_date_loses_no_translation_and_counts_what_is_missing(tmp_path, monkeypatch):
    """On copies of the real catalogues, with one text gone and one that is new."""
    copies = {}

    def path_of(language: str, name: str):
        copy = tmp_path / language / f"{name}.po"
        if copy not in copies:
            copies[copy] = before(language, name)
            copy.parent.mkdir(exist_ok=True)
            copy.write_bytes(copies[copy].read_bytes())
        return copy

    before, real = catalogues.catalogue_path, catalogues.texts()
    monkeypatch.setattr(catalogues, "catalogue_path", path_of)
    monkeypatch.setattr(catalogues, "ROOT", tmp_path)
    monkeypatch.setattr(catalogues, "texts", lambda: [*real[1:], "a text that is new"])
    missing = catalogues.update_all()
    assert missing == {str(copy.relative_to(tmp_path)): int(copy.stem == "messages") for copy in copies}
    for copy, original in copies.items():
        kept = {entry.msgid: (entry.msgstr, bool(entry.obsolete)) for entry in polib.pofile(str(copy))}
        for entry in polib.pofile(str(original)):
            assert kept[entry.msgid] == (entry.msgstr, bool(entry.obsolete) or entry.msgid == real[0])
