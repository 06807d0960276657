"""The door of similarity and of the report: sources that a tokenizer cannot read, or would read without end."""

import pytest

from autograder.reports.similarity import MAX_CODE, similar, tokens

HONEST = "def mean(values):\n    total = 0\n    for value in values:\n        total += value\n    return total\n"
SOURCES = {
    "brackets in one another": "(" * 10_000,
    "brackets of many kinds": "([{" * 5_000 + "}])" * 5_000,
    "blocks in one another": "".join(f"{' ' * depth}if x:\n" for depth in range(150)),
    "lines that are moved back to nowhere": "if x:\n        y\n   z\n",
    "tabs and spaces": "if x:\n\ty\n        z\n",
    "a text without an end": '"""' + "x" * 50_000,
    "a formatted text in itself": "f'" + '{f"{' * 400 + "x",
    "a number without an end": "1" * 50_000,
    "a number of bad form": "0x 1_ 1__2 09 1e 0b2",
    "characters that end a text": "x = 1\x00y = 2\x1a",
    "halves of characters": "x = '\ud800\udfff'\n\ud800 = 1",
    "a mark that turns the text": "x = 1 # \u202e\u2066 1 = x",
    "line ends of all kinds": "a = 1\r\nb = 2\rc = 3\x0cd = 4\x85e = 5\u2028f = 6",
    "a line that goes on without end": "x = \\\n" * 10_000,
    "a coding that is not there": "# -*- coding: evil-16 -*-\nx = 1",
    "nothing but operators": "+" * 20_000,
    "names without end": "x " * 25_000,
    "names of other scripts": "变量 = 1\nẋ̣ = 2\nﬁ = 3\n𝒙 = 4",
}


@pytest.mark.parametrize("source", SOURCES)
def test_no_source_ends_the_search_for_copies_or_makes_it_long(source):
    """Two copies of the source stand in a class with honest work; what is compared of it is bounded."""
    class_ = {student: {"cell": SOURCES[source]} for student in ("mallory", "trudy")} | {"ada": {"cell": HONEST}}
    found = similar(class_, [])
    assert all({pair.first, pair.second} == {"mallory", "trudy"} for pair in found)
    assert len(tokens(SOURCES[source])) <= MAX_CODE
