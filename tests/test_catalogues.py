"""The texts that students read: all are found, all are translated, all can be rendered."""

import string

import pytest

from autograder.course import catalogues
from utils.common.messages import LANGUAGES, Message, translations


def places(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


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
