"""The marking page's keys, and the panel that they change: items, points, the comment with those used before."""

import pytest

from tests.helpers.marking_page import ITEMS, answer, marked

COMMENTS = ["Say why.", "Say more.", "Good.", "Say why."]
OFFERED = """[...document.querySelectorAll("#offered > *")].map((option) =>
    [option.textContent, option.getAttribute("aria-selected")])"""


def checked(page) -> list[bool]:
    return page.value("[...document.querySelectorAll('#items input')].map((box) => box.checked)")


def commented(page) -> None:
    """Open the page with comments used before, and write one: the focus is in the comment."""
    page.open(answer("a"), *(marked(f"m{n}", comment=text) for n, text in enumerate(COMMENTS)))
    page.press("c")


def typed(page, text: str, **options: object) -> None:
    page.run(
        """const comment = document.querySelector("#comment");
        comment.value = given.text;
        comment.dispatchEvent(new window.InputEvent("input", { bubbles: true, ...given.options }));""",
        text=text, options=options,
    )  # fmt: skip


def offered(page) -> list[str]:
    return page.texts("#offered > [role=option]")


def has_focus(page, id: str) -> bool:
    return page.value("document.activeElement.id === given.id", id=id)


# ---- the panel ----


def test_an_item_has_its_key_its_points_and_its_text_in_the_pages_language(page):
    page.open(answer("a"))
    assert page.texts("#items kbd") == ["1", "2", "3"] and page.texts("#items b") == ["+2", "+0.5", "-1"]
    assert page.texts("#items span") == ["field of 17", "the mean", "wrong"]
    assert page.value("[...document.querySelectorAll('#items kbd')].map(({ className }) => className)") == [
        "item-1", "item-2", "item-3"
    ]  # fmt: skip


def test_an_item_without_a_text_in_the_pages_language_has_another_ones(page):
    items = [{**ITEMS[0], "text": {"en": "", "fr": "", "zh": "均值"}}, {**ITEMS[1], "text": {"en": ""}}]
    page.open(answer("a"), items=items)
    assert page.texts("#items span") == ["均值", "mean"]


def test_the_tenth_item_has_no_key(page):
    page.open(answer("a"), items=[{**ITEMS[0], "id": f"i{n}"} for n in range(10)])
    assert page.texts("#items kbd") == [str(n) for n in range(1, 10)] and page.count("#items label") == 10


def test_items_are_ticked_as_the_mark_has_them_and_turned_by_a_click(page):
    page.open(answer("a", items=["mean"]))
    assert checked(page) == [False, True, False] and page.text("#total") == "Mark: 0.5 of 3"
    page.click("#items label:first-child input")
    assert page.draft["items"] == ["field", "mean"] and page.text("#total") == "Mark: 2.5 of 3"
    page.click("#items label:nth-child(2) input")
    assert page.draft["items"] == ["field"] and checked(page) == [True, False, False]


def test_points_more_or_less_are_typed(page):
    page.open(answer("a", adjustment=0.25))
    assert page.value("document.querySelector('#adjustment').value") == "0.25"
    page.fill("#adjustment", "1.5")
    assert page.draft["adjustment"] == 1.5 and page.text("#total") == "Mark: 1.5 of 3"
    page.fill("#adjustment", "")
    assert page.draft["adjustment"] == 0 and page.text("#total") == "Mark: 0 of 3"


def test_comments_used_before_that_contain_what_is_typed_are_offered(page):
    commented(page)
    assert offered(page) == ["Say why.", "Say more.", "Good."]
    for text, found in {"SAY ": ["Say why.", "Say more."], "Say why.": [], "goo": ["Good."], "no": []}.items():
        typed(page, text)
        assert offered(page) == found and page.draft["comment"] == text
        assert page.value("document.querySelector('#offered').hidden") is (not found)
        expanded = page.value("document.querySelector('#comment').getAttribute('aria-expanded')")
        assert expanded == str(bool(found)).lower()


def test_while_an_input_method_composes_the_offers_stay(page):
    commented(page)
    typed(page, "go", isComposing=True)
    assert len(offered(page)) == 3 and page.draft["comment"] == "go"


def test_six_comments_are_offered_and_none_outside_of_the_field(page):
    page.open(answer("a"), *(marked(f"m{n}", comment=f"comment {n}") for n in range(8)))
    assert offered(page) == []
    page.press("c")
    assert len(offered(page)) == 6
    page.run("document.querySelector('#comment').blur();")
    assert offered(page) == []


def test_an_offered_comment_is_taken_by_the_mouse_without_losing_the_focus(page):
    commented(page)
    prevented = page.run("""const event = new window.MouseEvent("mousedown", { bubbles: true, cancelable: true });
        return !document.querySelector("#offered-1").dispatchEvent(event);""")
    assert prevented and page.draft["comment"] == "Say more." and has_focus(page, "comment")
    assert page.value("document.querySelector('#comment').value") == "Say more." and offered(page) == []


def test_arrows_go_around_the_offered_comments(page):
    commented(page)
    at = "document.querySelector('#comment').getAttribute('aria-activedescendant')"
    assert page.value(at) is None
    for key, place in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", 2), ("ArrowDown", 0)):
        assert page.press(key) == [True]
        assert page.value(OFFERED) == [
            [text, str(n == place).lower()] for n, text in enumerate(["Say why.", "Say more.", "Good."])
        ]
        assert page.value(at) == f"offered-{place}"
    typed(page, "say")
    assert page.value(at) is None
    page.press("ArrowUp")
    assert page.value(at) == "offered-1"  # upwards from the field comes the last one


def test_enter_takes_the_chosen_comment_and_a_second_one_saves(page):
    commented(page)
    assert page.press("ArrowDown", "Enter") == [True, True]
    assert page.draft["comment"] == "Say why." and page.sent("mark") == [] and has_focus(page, "comment")
    assert page.press("Enter") == [True]
    assert page.sent("mark")[0]["comment"] == "Say why." and not has_focus(page, "comment")


def test_keys_of_the_comment_write_where_they_do_nothing_else(page):
    commented(page)
    typed(page, "nothing like it")
    assert page.press("ArrowDown", "1", "j", "?") == [False] * 4
    assert page.press("Enter", shiftKey=True) == [False]
    assert page.sent("mark") == [] and page.draft["items"] == [] and has_focus(page, "comment")
    assert page.press("Escape") == [True] and not has_focus(page, "comment")


def test_the_comment_is_that_of_the_draft(page):
    page.open(marked("a", comment="one"), marked("b", comment="two"))
    assert page.value("document.querySelector('#comment').value") == "one"
    page.press("j")
    assert page.value("document.querySelector('#comment').value") == "two"


def test_writing_a_comment_selects_what_is_there(page):
    page.open(marked("a", comment="one"))
    page.run("document.querySelector('#comment').select = () => (page.selected = true);")
    assert page.press("c") == [True]
    assert has_focus(page, "comment") and page.value("page.selected")


# ---- the keys ----


def test_numbers_give_items_and_take_them_away(page):
    page.open(answer("a"))
    assert page.press("2", "3", "9", "2") == [True] * 4
    assert page.draft["items"] == ["wrong"] and checked(page) == [False, False, True]
    assert page.text("#total") == "Mark: 0 of 3"


def test_a_gives_all_items_that_bring_points_and_0_none(page):
    page.open(answer("a", items=["wrong"]))
    assert page.press("a") == [True]
    assert page.draft["items"] == ["field", "mean"] and checked(page) == [True, True, False]
    assert page.text("#total") == "Mark: 2.5 of 3"
    assert page.press("0") == [True]
    assert page.draft["items"] == [] and checked(page) == [False] * 3 and page.text("#total") == "Mark: 0 of 3"


def test_plus_and_minus_move_by_half_a_point(page):
    page.open(answer("a"))
    assert page.press("+", "+", "-", "+") == [True] * 4
    assert page.draft["adjustment"] == 1 and page.value("document.querySelector('#adjustment').value") == "1"
    assert page.text("#total") == "Mark: 1 of 3"
    page.press("-", "-", "-")
    assert page.draft["adjustment"] == -0.5 and page.text("#total") == "Mark: 0 of 3"


def test_j_and_k_move_and_stop_at_the_ends(page):
    page.open(answer("a"), answer("b"), answer("c"))
    hands = [page.press(key) and page.in_hand for key in "jjjkkk"]
    assert hands == ["b", "c", "c", "b", "a", "a"]


def test_keys_open_names_search_help_and_rubric(page):
    page.open(answer("a"))
    assert page.press("n") == [True] and page.value("document.querySelector('#names').checked")
    assert page.press("/") == [True] and has_focus(page, "search")
    page.leave()
    assert page.press("r") == [True] and page.value("document.querySelector('dialog#rubric').open")
    page.click("#cancel")
    page.leave()
    assert page.press("?") == [True] and page.value("document.querySelector('dialog#keys').open")


def test_other_keys_are_left_to_the_browser(page):
    page.open(answer("a"))
    assert page.press("x", "Tab", "F5", "ArrowDown", "Escape") == [False] * 5


@pytest.mark.parametrize("options", [{"ctrlKey": True}, {"metaKey": True}, {"altKey": True}, {"isComposing": True},
                                     {"keyCode": 229}], ids=str)  # fmt: skip
def test_keys_with_a_modifier_or_of_an_input_method_are_not_the_pages(page, options):
    page.open(answer("a"))
    assert page.press("1", "Enter", **options) == [False, False]
    assert page.draft["items"] == [] and page.sent("mark") == []


def test_while_a_dialog_is_open_keys_are_its_own(page):
    page.open(answer("a"))
    page.click("#help")
    assert page.press("1", "Enter") == [False, False] and page.draft["items"] == []
    page.click("#close")
    assert page.press("1") == [True] and page.draft["items"] == ["field"]


@pytest.mark.parametrize(("selector", "typing"), [("#search", True), ("#filter", True), ("#adjustment", True),
                                                  ("#names", False), ("#save", False)])  # fmt: skip
def test_keys_that_are_typed_into_a_field_do_nothing_else(page, selector, typing):
    page.open(answer("a"))
    page.run("document.querySelector(given.selector).focus();", selector=selector)
    assert page.press("1") == [not typing] and page.draft["items"] == ([] if typing else ["field"])
    assert page.press("Escape") == [True]
    assert page.value("document.activeElement === document.body")


@pytest.mark.parametrize(
    ("selector", "used"), [("#help", False), ("summary", False), ("nav a", False), ("#names", True)]
)
def test_enter_presses_what_has_the_focus_instead_of_saving(page, selector, used):
    page.open(answer("a"))
    assert page.press("Enter", on=selector) == [used] and bool(page.sent("mark")) is used


def test_single_keys_can_be_switched_off_for_good(page):
    page.open(answer("a"))
    assert not page.value("document.querySelector('#keys-off').checked")
    page.click("#keys-off")
    page.leave()
    assert page.press("1", "j", "?") == [False] * 3 and page.draft["items"] == []
    assert page.value("window.localStorage.getItem('attention-workbook-keys-off')") == "yes"
    assert page.press("Enter") == [True] and len(page.sent("mark")) == 1
    page.click("#keys-off")
    assert page.value("window.localStorage.getItem('attention-workbook-keys-off')") == "no"
    page.open(answer("a"), stored={"attention-workbook-keys-off": "yes"})
    assert page.value("document.querySelector('#keys-off').checked") and page.press("1") == [False]
