"""Words that the marking page highlights: those of the rubric's items, and those that near-copies do not share."""

import pytest

from tests.helpers.marking_page import answer

FOUND = """(() => {
    const element = document.createElement("div");
    element.innerHTML = given.html;
    return modules.highlights.matches(element, given.words).map(String);
})()"""
DIFFERENT = """(() => {
    const [one, other] = given.texts.map((html) => Object.assign(document.createElement("div"), { innerHTML: html }));
    return modules.highlights.differences(one, other).map(String);
})()"""


def found(page, html: str, *words: str) -> list[str]:
    return page.value(FOUND, html=html, words=words)


@pytest.fixture(scope="module")
def empty(page):
    page.open(answer("a"))
    return page


@pytest.mark.parametrize(
    ("html", "words", "expected"),
    [
        ("The mean is mean.", ["mean"], ["mean", "mean"]),
        ("The MEAN, a méan", ["Mean"], ["MEAN", "méan"]),  # without case and accents
        ("meaning and demean", ["mean"], ["meaning"]),  # the whole word that begins so, none that only contains it
        ("demean, then mean", ["mean"], ["mean"]),  # goes on after a match that does not count
        ("a net, ne dit", ["ne"], ["ne"]),  # a word of two letters has to be whole
        ("nets", ["net"], ["nets"]),
        ("17 and 170, 17.5", ["17"], ["17", "17"]),  # a number has to be whole
        ("117 or 4x17", ["17"], []),
        ("17px", ["17"], []),
        ("task2 words", ["task"], ["task2"]),  # a word goes on with the digits behind it
        ("感受野是17，平均值", ["平均", "17"], ["平均", "17"]),  # signs themselves, and numbers beside them
        ("感受野很大", ["受野"], ["受野"]),
        ("a <b>me</b>an mean", [" mean "], ["mean"]),  # blanks around a wanted word do not count
        ("anything", ["", " "], []),
        ("field mean", ["mean", "field"], ["mean", "field"]),
        ("aaaa", ["a"], []),
        ("x" * 60, ["xxx"], ["x" * 43]),  # at most 40 letters behind the wanted ones
    ],
    ids=str,
)
def test_words_that_begin_like_a_wanted_one_are_found(empty, html, words, expected):
    assert found(empty, html, *words) == expected


def test_folding_keeps_the_length_of_each_sign(empty):
    texts = ["Élan", "naïve", "İx", "ﬁn", "e\u0301", "😀a", "感É"]
    folded = empty.value("given.texts.map((text) => modules.highlights.folded(text))", texts=texts)
    lengths = empty.value(
        "given.texts.map((text) => [text.length, modules.highlights.folded(text).length])", texts=texts
    )
    assert all(before == after for before, after in lengths)
    assert folded[0] == "elan" and folded[1] == "naive" and folded[6] == "感e"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("The field is 17.", "the FIELD is 18!", ["17"]),
        ("a b c", "a c", ["b"]),
        ("same <b>words</b>", "words, same", []),
        ("l'été", "l'ete", []),
        ("more, more", "less", ["more", "more"]),
        ("感受野是17", "感受野是18", ["17"]),
    ],
)
def test_words_that_the_other_text_lacks_are_found(empty, one, other, expected):
    assert empty.value(DIFFERENT, texts=[one, other]) == expected


def test_a_range_covers_the_words_own_letters(empty):
    code = """const element = document.createElement("p");
        element.innerHTML = "<i>the</i> field";
        const [range] = modules.highlights.matches(element, ["field"]);
        return [range.startContainer.data, range.startOffset, range.endOffset];"""
    assert empty.run(code) == [" field", 1, 6]


def test_highlights_are_the_browsers_and_go_when_there_are_none(page):
    page.open(answer("a"))
    page.run("modules.highlights.highlight('differs', ['some', 'words']);")
    assert page.value("page.highlights.get('differs').words") == ["some", "words"]
    page.run("modules.highlights.highlight('differs', []);")
    assert page.value("page.highlights.has('differs')") is False


def test_a_browser_without_highlights_shows_the_page_all_the_same(page):
    page.open(answer("a", html="the field"), plain=True)
    assert page.in_hand == "a" and page.text("#said") == ""
