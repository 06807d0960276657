"""Texts on their way to a person: numbers in a language, control characters, tables, errors."""

import pytest

from utils.common.errors import WorkbookError
from utils.common.messages import LANGUAGE_VARIABLE, Message
from utils.common.printable import LONGEST, printable
from utils.common.printing import print_table


@pytest.mark.made_up_texts
@pytest.mark.parametrize(
    ("language", "shown"), [("en", "1,234,567"), ("fr", "1\u202f234\u202f567"), ("zh", "1,234,567")]
)
def test_thousands_are_set_apart_as_the_language_does(language, shown):
    assert Message("{n:,}", {"n": 1234567}).render(language) == shown
    assert Message("{n}", {"n": 1234567}).render(language) == "1234567"


@pytest.mark.made_up_texts
def test_truths_and_fractions_are_shown_as_they_are():
    assert Message("{a} {b}", {"a": True, "b": 2.5}).render("fr") == "True 2.5"


@pytest.mark.made_up_texts
def test_a_students_text_is_shown_without_control_characters_and_not_for_ever():
    assert printable("a\x1b[31m\nb\u202e") == "a [31m b "
    assert printable("x" * (LONGEST + 1)) == "x" * LONGEST
    assert "\x1b" not in Message("expected {expected}", {"expected": "\x1b[2J"}).render()


def test_a_tables_first_column_is_on_the_left_and_the_others_on_the_right(monkeypatch, capsys):
    monkeypatch.setenv(LANGUAGE_VARIABLE, "en")
    print_table([["a", "10"], ["长", "9"]], heads=["name", "x"])
    assert capsys.readouterr().out == "name   x\na     10\n长     9\n"


def test_a_tables_large_numbers_are_set_apart_as_the_language_does(monkeypatch, capsys):
    monkeypatch.setenv(LANGUAGE_VARIABLE, "fr")
    print_table([["2 × 4", "2,147,483,648"], ["2,4", "0.5"]])
    assert capsys.readouterr().out == "2 × 4  2\u202f147\u202f483\u202f648\n2,4              0.5\n"


@pytest.mark.made_up_texts
def test_an_error_speaks_the_notebooks_language(monkeypatch):
    monkeypatch.setenv(LANGUAGE_VARIABLE, "fr")
    assert str(WorkbookError("done")) == "fait"
    assert str(WorkbookError("not yet: tests passed so far: {passed} of {total}", passed=1, total=2)).count("1") == 1
    assert WorkbookError("done").render("en") == "done"
