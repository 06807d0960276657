"""The answers on the marking page: their cards, what is said of each, their order, and the one in hand."""

import pytest

from tests.helpers.marking_page import ITEMS, answer, marked

CHIPS = """[...document.querySelectorAll("article")].map((card) =>
    [...card.querySelectorAll(".meta span")].map((chip) => [chip.className, chip.textContent]))"""
HIGHLIGHTS = "Object.fromEntries([...page.highlights].map(([name, { words }]) => [name, words]))"


def chips(page) -> list[dict[str, list[str]]]:
    """For each card what is said of the answer, by the kind of what is said."""
    found = []
    for card in page.value(CHIPS):
        found.append({})
        for kind, text in card:
            found[-1].setdefault(kind, []).append(text)
    return found


def attribute(page, selector: str, name: str) -> list[str | None]:
    return page.value(
        "[...document.querySelectorAll(given.selector)].map((one) => one.getAttribute(given.name))",
        selector=selector, name=name,
    )  # fmt: skip


def test_a_card_shows_the_answer_in_its_language_under_a_number(page):
    page.open(answer("ada", html="<b>So</b> it is", language="en"), answer("zoe", html="<p>Ainsi</p>", language="fr"))
    assert page.texts("article h2") == ["Answer 1", "Answer 2"]
    assert attribute(page, "article .text", "lang") == ["en", "fr"]
    assert page.text("article .text b") == "So" and page.texts("article .text") == ["So it is", "Ainsi"]
    assert attribute(page, "article", "tabindex") == ["-1", "-1"]


def test_names_are_shown_only_to_those_who_want_them(page):
    page.open(answer("ada", name="Ada Lovelace"), answer("zoe"))
    page.click("#names")
    assert page.texts("article h2") == ["Answer 1 · Ada Lovelace", "Answer 2 · zoe"]
    page.click("#names")
    assert page.texts("article h2") == ["Answer 1", "Answer 2"]


def test_an_answer_without_text_is_said_to_be_empty_unless_it_has_a_picture(page):
    page.open(answer("a", html=" <p> </p>"), answer("b", html='<img src="data:,">'), answer("c", html="<p>x</p>"))
    assert page.texts("article .text") == ["(empty)", "", "x"] and page.count("article .text i") == 1


def test_a_long_answer_says_that_it_is_cut(page):
    page.open(answer("a", letters=8000), answer("b", letters=8001))
    assert page.texts(".note") == ["Characters in all: 8001; the rest is in formgrader."]
    assert page.value("document.querySelector('.note').parentElement.id") == "answer-1"


def test_a_changed_answer_shows_what_was_marked(page):
    page.open(marked("a", changed=True, former="the old text"), marked("b", former="not shown"))
    assert page.texts("details.former div") == ["the old text"]
    assert (
        page.text("details.former summary") == "The answer has changed since it was marked. The answer that was marked"
    )


def test_marked_and_taken_answers_look_different(page):
    page.open(answer("a"), marked("b"), answer("c"), claims={"c": "another"})
    classes = "[...document.querySelectorAll('article')].map(({ className }) => className)"
    assert page.value(classes) == ["", "done", "taken"]


def test_of_an_open_answer_only_its_language_is_said(page):
    page.open(answer("a", score=2, items=["field"]))
    assert chips(page) == [{"language": ["en"]}]


@pytest.mark.parametrize(
    ("changes", "kind", "said"),
    [
        ({"score": 2.5}, "score", ["2.5 / 3"]),
        ({"score": None}, "score", None),
        ({"score": 0}, "score", ["0 / 3"]),
        ({}, "items", ["no item"]),
        ({"items": ["wrong", "field"]}, "items", ["1 3"]),
        ({"items": ["mean"], "adjustment": 0.5}, "items", ["2 +0.5"]),
        ({"items": ["mean"], "adjustment": -1}, "items", ["2 −1"]),
        ({"elsewhere": True}, "items", None),
        ({"elsewhere": True, "score": 2}, "warning", ["marked in formgrader: 2"]),
        ({"elsewhere": True, "score": None}, "warning", ["its mark was removed in formgrader"]),
        ({"changed": True}, "warning", ["The answer has changed since it was marked."]),
        ({"odd": "long"}, "odd", ["far longer than others"]),
        ({"odd": "apart"}, "odd", ["unlike all others"]),
        ({"odd": "empty"}, "odd", ["(empty)"]),
        ({}, "odd", None),
        ({}, "warning", None),
        ({}, "copies", None),
        ({"by": "ada"}, "by", ["by ada"]),
        ({"by": ""}, "by", None),
        ({"comment": "Say why."}, "said", ["Say why."]),
        ({}, "said", None),
        ({"open": True, "score": 1}, "score", None),
        ({"open": True}, "items", None),
    ],
    ids=str,
)
def test_what_is_said_of_an_answer(page, changes, kind, said):
    page.open(marked("a", **changes))
    assert chips(page)[0].get(kind) == said


def test_near_copies_and_taken_answers_are_said_to_be_such(page):
    page.open(answer("a", group="x"), answer("b", group="x"), answer("c"), claims={"c": "another"})
    assert [(one.get("copies"), one.get("warning")) for one in chips(page)] == [
        (["near-copy"], None), (["near-copy"], None), (None, ["open on another grader's screen"])
    ]  # fmt: skip


def test_near_copies_that_follow_each_other_are_side_by_side(page):
    page.open(*(answer(student, group=group) for student, group in zip("abcde", "xxyxx", strict=True)))
    groups = """[...document.querySelectorAll("#answers > *")].map((part) =>
        part.localName === "div" ? part.children.length : part.localName)"""
    assert page.value(groups) == [2, "article", 2]
    assert attribute(page, "#answers > div", "role") == ["group", "group"]
    assert attribute(page, "#answers > div", "aria-label") == ["near-copies", "near-copies"]


def test_a_search_finds_letters_of_either_case_in_the_text_alone(page):
    page.open(answer("ada", html="<em>The</em> Field"), answer("bob", html="em and more"))
    for wanted, students in {" field ": ["ada"], "EM": ["bob"], "the f": ["ada"], "": ["ada", "bob"]}.items():
        page.fill("#search", wanted, "input")
        assert page.shown == students
    page.fill("#search", "nowhere", "input")
    assert page.shown == [] and page.texts("#answers .none") == ["No answers to show."]


def test_filter_and_order_are_chosen_above_the_answers(page):
    page.open(answer("a", odd="long"), marked("b"), answer("c"), answer("d", asked=False))
    assert page.shown == ["b", "c", "a"] and page.count("#answers .none") == 0
    page.fill("#odd", "odd_first")
    assert page.shown == ["a", "b", "c"]
    page.fill("#filter", "open_ones")
    assert page.shown == ["a", "c"]
    page.fill("#filter", "left_empty")
    assert page.shown == ["d"]


def test_progress_counts_the_answers_that_somebody_has_to_mark(page):
    page.open(answer("a"), marked("b"), marked("c"), marked("d"), marked("e", asked=False))
    assert page.text("#count") == "3 of 4 marked" and page.value("document.querySelector('#progress').value") == 0.75
    assert page.texts("nav small") == ["3/4"]
    page.open(answer("a", asked=False))
    assert page.text("#count") == "0 of 0 marked" and page.value("document.querySelector('#progress').value") == 0


def test_one_answer_is_in_hand_and_a_click_takes_another(page):
    page.open(marked("a"), answer("b"), answer("c"))
    current = "[...document.querySelectorAll('article[aria-current=true]')].map(({ id }) => id)"
    assert page.value(current) == ["answer-1"] and page.in_hand == "b"
    page.click("#answer-2 .text")
    assert page.value(current) == ["answer-2"] and page.in_hand == "c"


def test_a_click_on_the_answer_in_hand_keeps_its_draft(page):
    page.open(answer("a"))
    page.press("1")
    page.click("#answer-0")
    assert page.draft["items"] == ["field"] and len(page.sent("claim")) == 1


@pytest.mark.parametrize(("height", "block"), [(700, "center"), (701, "start")])
def test_the_answer_in_hand_is_brought_to_the_middle_or_to_its_beginning(page, height, block):
    page.open(answer("a"), answer("b"))
    page.run("page.height = given.height; page.scrolled.length = 0;", height=height)
    page.press("j")
    assert page.value("page.scrolled") == [["answer-1", block]]


def test_an_answer_that_is_saved_meanwhile_does_not_move_the_page(page):
    page.open(answer("a"), answer("b"))
    page.run("server.hold = 'mark';")
    page.press("Enter")
    page.press("k")
    page.run("page.scrolled.length = 0; await server.release();")
    assert page.in_hand == "a" and page.value("page.scrolled") == []
    assert page.value("document.querySelector('#answer-0').getAttribute('aria-current')") == "true"


def test_words_of_the_items_are_highlighted_in_the_answers_language(page):
    page.open(
        answer("a", html="The field and the mean of 17"), answer("b", html="moyenne, mean, field", language="fr"),
        answer("c", html="均值 和 平均", language="zh"),
    )  # fmt: skip
    assert page.value(HIGHLIGHTS) == {"item-1": ["field", "17"], "item-2": ["mean"]}
    page.press("j")
    assert page.value(HIGHLIGHTS) == {"item-1": ["field"], "item-2": ["moyenne"]}
    page.press("j")
    assert page.value(HIGHLIGHTS) == {"item-2": ["均值", "平均"]}


def test_nine_items_have_highlights(page):
    items = [{**ITEMS[0], "id": f"i{n}", "words": {"en": f"word{chr(97 + n)}"}} for n in range(11)]
    page.open(answer("a", html=" ".join(f"word{chr(97 + n)}" for n in range(11))), items=items)
    assert page.value(HIGHLIGHTS) == {f"item-{n + 1}": [f"word{chr(97 + n)}"] for n in range(9)}


def test_what_near_copies_do_not_share_is_highlighted_in_each(page):
    page.open(
        answer("a", html="one two three", group="x"), answer("b", html="one two four", group="x"),
        answer("c", html="one five", group="x"), answer("d", html="other"), items=[],
    )  # fmt: skip
    assert page.value(HIGHLIGHTS) == {"differs": ["three", "four", "five"]}
    page.press("j", "j", "j")
    assert page.in_hand == "d" and page.value(HIGHLIGHTS) == {}


def test_a_copy_that_is_not_shown_is_not_compared(page):
    page.open(answer("a", html="one two", group="x"), marked("b", html="one three", group="x"), items=[])
    page.fill("#filter", "open_ones")
    assert page.value(HIGHLIGHTS) == {}


def test_where_no_answer_is_left_nothing_is_highlighted(page):
    page.open(answer("a", html="the field"))
    page.fill("#search", "nowhere", "input")
    assert page.value(HIGHLIGHTS) == {} and page.value("document.querySelector('[aria-current=true]')") is None


def test_the_students_figures_are_fetched_once_for_the_answer_in_hand(page):
    page.open(answer("a"), answer("b"))
    assert page.count(".figures") == 0 and page.value("server.requests.some(({ what }) => what === 'figures')") is False
    page.open(answer("a"), answer("b"), figures=True)
    page.run(
        "server.next('figures', { content: [{ picture: 'aGk=', text: '' }, { picture: '', text: 'Axes(0.1)' }] });"
    )
    page.press("j")
    page.press("k")
    page.press("j")
    asked = "server.requests.filter(({ what }) => what === 'figures').map(({ query }) => query.student)"
    assert page.value(asked) == ["a", "b"]
    assert attribute(page, "#answer-1 .figures img", "src") == ["data:image/png;base64,aGk="]
    assert attribute(page, "#answer-1 .figures img", "alt") == ["The student's own figures"]
    assert page.texts("#answer-1 .figures pre") == ["Axes(0.1)"] and page.count("#answer-1 .figures p") == 0
    assert page.texts("#answer-0 .figures p") == ["The submission has none."]
    assert (
        attribute(page, ".figures", "open") == ["", ""]
        and page.texts(".figures summary")[0] == "The student's own figures"
    )


def test_figures_that_cannot_be_fetched_are_as_none(page):
    page.open(answer("a"), answer("b"), figures=True)
    page.run("server.next('figures', { status: 500 });")
    page.press("j")
    assert page.texts("#answer-1 .figures p") == ["The submission has none."] and page.text("#said") == ""
