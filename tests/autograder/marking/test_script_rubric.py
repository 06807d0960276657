"""The dialog in which graders change the rubric: what is sent, what is said before it holds, and when it holds."""

import pytest

from tests.helpers.marking_page import ITEMS, answer

FIELDS = "[...document.querySelectorAll('#editor fieldset')][given.n].querySelectorAll('input')"


@pytest.fixture
def editor(page):
    page.open(answer("a"))
    page.click("#edit")
    return page


def sent(page) -> list[dict]:
    """The items as they were sent last."""
    return page.sent("rubric")[-1]["items"]


def effect(page) -> tuple[str, bool]:
    return page.text("#effect"), page.value("document.querySelector('#effect').classList.contains('failed')")


def is_open(page) -> bool:
    return page.value("document.querySelector('dialog#rubric').open")


def press_in(page, n: int, text: str) -> None:
    """Press a button of an item."""
    code = """[...document.querySelectorAll("#editor fieldset")][given.n].querySelectorAll("button").forEach((one) => {
        if (one.textContent === given.text) one.click();
    });"""
    page.run(code, n=n, text=text)


def values(page, n: int) -> list[str]:
    return page.value(f"[...{FIELDS}].map(({{ value }}) => value)", n=n)


def write(page, n: int, field: int, value: str) -> None:
    page.run(
        f"""const field = {FIELDS}[given.field];
        field.value = given.value;
        field.dispatchEvent(new window.Event("change", {{ bubbles: true }}));""",
        n=n, field=field, value=value,
    )  # fmt: skip


def test_each_item_has_its_points_texts_and_words(editor):
    assert values(editor, 0) == ["2", "field of 17", "", "", "field, 17", "", ""]
    assert values(editor, 1) == ["0.5", "the mean", "la moyenne", "", "mean", "moyenne", "均值，平均"]
    assert editor.value(f"[...{FIELDS}].map(({{ type, step, lang }}) => [type, step, lang].join())", n=0) == [
        "number,0.25,", *["text,,en", "text,,fr", "text,,zh"] * 2
    ]  # fmt: skip
    assert editor.texts("#editor fieldset:first-child label") == [
        "Points",
        *(f"Text that the student reads ({name})" for name in ("English", "français", "中文")),
        *(f"Words to highlight, separated by commas ({name})" for name in ("English", "français", "中文")),
    ]  # fmt: skip
    assert editor.texts("#editor legend") == ["1 · field", "2 · mean", "3 · wrong"]
    assert editor.value("document.activeElement === document.querySelector('#editor input')")


def test_a_language_without_a_known_name_has_its_code(page):
    page.open(answer("a"), languages=["en", "eo"])
    page.click("#edit")
    assert page.texts("#editor fieldset:first-child label")[2] == "Text that the student reads (eo)"


def test_what_a_change_moves_is_asked_without_making_it(editor):
    assert editor.sent("rubric") == [{"items": ITEMS, "revision": 4, "sure": False}]
    assert effect(editor) == (
        "No mark will change. The items' points add up to 2.5, those of the question are 3.",
        False,
    )
    editor.run("server.moves = 3;")
    write(editor, 0, 0, "2.5")
    assert sent(editor)[0]["points"] == 2.5 and effect(editor) == ("Marks that will change: 3.", True)
    assert editor.value("modules.state.state.rubric.items[0].points") == 2


def test_points_texts_and_words_are_changed(editor):
    write(editor, 0, 0, "")
    write(editor, 0, 2, "champ")
    write(editor, 1, 6, "均值")
    assert sent(editor)[0] == {**ITEMS[0], "points": 0, "text": {"en": "field of 17", "fr": "champ"}}
    assert sent(editor)[1]["words"] == {**ITEMS[1]["words"], "zh": "均值"} and sent(editor)[2] == ITEMS[2]


def test_how_many_answers_have_an_item_is_said(editor):
    editor.run("server.uses = { field: 4, wrong: 1 };")
    write(editor, 0, 0, "1")
    assert editor.texts("#editor legend small") == ["answers that have it: 4", "", "answers that have it: 1"]
    press_in(editor, 0, "Delete")
    assert editor.texts("#editor legend") == ["1 · mean", "2 · wrong answers that have it: 1"]


def test_a_split_halves_the_points_and_both_parts_have_the_marks(editor):
    press_in(editor, 1, "Split")
    assert [one["id"] for one in sent(editor)] == ["field", "mean", "mean_2", "wrong"]
    first, second = sent(editor)[1:3]
    assert first == {**ITEMS[1], "points": 0.25}
    assert second == {
        "id": "mean_2", "points": 0.25, "words": ITEMS[1]["words"], "split_from": "mean", "since": 0,
        "text": {"en": "the mean (second part)", "fr": "la moyenne (second part)"},
    }  # fmt: skip
    press_in(editor, 1, "Split")
    assert [one["id"] for one in sent(editor)] == ["field", "mean", "mean_3", "mean_2", "wrong"]
    write(editor, 2, 5, "autre")
    assert sent(editor)[2]["words"]["fr"] == "autre" and sent(editor)[1]["words"]["fr"] == "moyenne"


def test_an_empty_text_stays_empty_in_a_split(page):
    page.open(answer("a"), items=[{**ITEMS[0], "text": {"en": "field", "fr": ""}}])
    page.click("#edit")
    press_in(page, 0, "Split")
    assert sent(page)[1]["text"] == {"en": "field (second part)", "fr": ""}


def test_an_item_is_deleted(editor):
    press_in(editor, 1, "Delete")
    assert sent(editor) == [ITEMS[0], ITEMS[2]] and editor.texts("#editor legend") == ["1 · field", "2 · wrong"]


def test_an_item_is_added_with_a_text_to_write_over(editor):
    editor.run("window.HTMLInputElement.prototype.select = function select() { server.selected = this.value; };")
    editor.click("#add")
    editor.click("#add")
    assert sent(editor)[3] == {
        "id": "item_2", "points": 0, "text": {"en": "…", "fr": "", "zh": ""}, "words": {"en": "", "fr": "", "zh": ""}
    }  # fmt: skip
    assert sent(editor)[4]["id"] == "item_3" and editor.value("server.selected") == "…"
    write(editor, 4, 4, "new")
    assert sent(editor)[4]["words"]["en"] == "new" and sent(editor)[3]["words"]["en"] == ""


def test_apply_asks_first_and_then_makes_the_change(editor):
    editor.run("server.moves = 1;")
    editor.run(f"{FIELDS}[0].value = '1'; {FIELDS}[0].dispatchEvent(new window.Event('change'));", n=0)
    asked = len(editor.sent("rubric"))
    editor.run("server.hold = 'rubric';")
    write(editor, 0, 0, "1.5")
    editor.click("#apply")
    assert is_open(editor) and not any(one["sure"] for one in editor.sent("rubric"))
    editor.run("server.hold = null; await server.release();")
    editor.click("#apply")
    assert len(editor.sent("rubric")) == asked + 3
    assert editor.sent("rubric")[-1] == {
        "items": [{**ITEMS[0], "points": 1.5}, *ITEMS[1:]],
        "revision": 4,
        "sure": True,
    }
    assert not is_open(editor) and editor.value("modules.state.state.rubric.revision") == 5
    assert editor.text("#items b") == "+1.5"


def test_a_change_that_is_refused_leaves_the_dialog_open(editor):
    editor.run("server.next('rubric', { status: 400, content: { error: 'two items have one text' } });")
    editor.click("#apply")
    assert is_open(editor) and editor.text("#effect") == "NOT SAVED: two items have one text"


def test_an_effect_that_cannot_be_told_is_a_failure_and_nothing_is_applied(editor):
    editor.run("server.next('rubric', { status: 400, content: { error: 'no text' } });")
    write(editor, 0, 1, "")
    assert effect(editor) == ("NOT SAVED: no text", True)
    editor.click("#apply")
    assert [one["sure"] for one in editor.sent("rubric")] == [False, False, False] and is_open(editor)


def test_an_answer_about_older_items_is_not_shown(editor):
    editor.run("server.hold = 'rubric'; server.next('rubric', { content: { moves: 9, uses: { field: 9 } } });")
    write(editor, 0, 0, "1")
    assert effect(editor) == ("…", False)
    editor.run("server.next('rubric', { content: { moves: 0, uses: {} } });")
    write(editor, 0, 0, "3")
    editor.run("await server.release();")
    assert effect(editor)[0].startswith("No mark will change.") and editor.text("#editor legend small") == ""


def test_a_failure_about_older_items_is_not_shown(editor):
    editor.run("server.hold = 'rubric'; server.next('rubric', { status: 400 });")
    write(editor, 0, 0, "1")
    editor.run("server.hold = null;")
    write(editor, 0, 0, "2.5")
    editor.run("await server.release();")
    assert effect(editor) == ("No mark will change.", False)


def test_a_new_question_takes_the_last_failure_away(editor):
    editor.run("server.moves = 3;")
    write(editor, 0, 0, "1")
    assert effect(editor)[1]
    editor.run("server.hold = 'rubric';")
    write(editor, 0, 0, "2")
    assert effect(editor) == ("…", False)


def test_enter_in_a_field_applies_and_keeps_the_focus(editor):
    editor.run(f"{FIELDS}[1].focus();", n=0)
    assert editor.press("Enter") == [True]
    assert editor.sent("rubric")[-1]["sure"] is True and not is_open(editor)
    assert editor.value(f"document.activeElement === {FIELDS}[1]", n=0)


@pytest.mark.parametrize("options", [{"isComposing": True}, {"keyCode": 229}], ids=str)
def test_enter_of_an_input_method_applies_nothing(editor, options):
    editor.run(f"{FIELDS}[1].focus();", n=0)
    assert editor.press("Enter", **options) == [False] and len(editor.sent("rubric")) == 1


def test_other_keys_and_enter_on_a_button_apply_nothing(editor):
    editor.run(f"{FIELDS}[1].focus();", n=0)
    assert editor.press("a") == [False]
    assert editor.press("Enter", on="#editor button") == [False] and len(editor.sent("rubric")) == 1


def test_cancel_closes_and_the_next_dialog_has_the_rubric_as_it_is(editor):
    write(editor, 0, 0, "1")
    editor.click("#cancel")
    assert not is_open(editor) and editor.text("#items b") == "+2"
    editor.leave()
    editor.press("r")
    assert values(editor, 0)[0] == "2" and sent(editor) == ITEMS


def test_a_field_that_is_being_typed_in_is_left_before_the_change_is_made(editor):
    editor.run(f"{FIELDS}[1].focus();", n=0)
    editor.click("#apply")
    assert editor.value("document.activeElement === document.body")
