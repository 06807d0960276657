"""Saving on the marking page: marks, near-copies, failures, steps taken back, several graders, second marking."""

import pytest

from tests.helpers.marking_page import ITEMS, answer, marked

PREVENTED = """(() => {
    const event = new window.Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
})()"""
SCORES = "modules.state.state.answers.map(({ open, score }) => (open ? null : score))"
WARNINGS = """[...document.querySelectorAll("article")].map((card) =>
    [...card.querySelectorAll(".warning")].map((chip) => chip.textContent))"""


def said(page) -> tuple[str, bool]:
    """The sentence above the answers, and whether it is shown as a failure."""
    return page.text("#said"), page.value("document.querySelector('#said').classList.contains('failed')")


def loads(page) -> int:
    return page.value("server.requests.filter(({ what }) => what === 'class').length")


# ---- beginning ----


def test_the_first_answer_that_is_open_and_free_is_in_hand(page):
    page.open(marked("a"), answer("b"), answer("c"), claims={"b": "another"})
    assert page.in_hand == "c" and page.sent("claim") == [{"student": "c", "window": "this-window"}]
    page.open(marked("a"), marked("b"))
    assert page.in_hand == "a"
    page.open()
    assert page.in_hand is None and page.sent("claim") == [{"student": "", "window": "this-window"}]
    assert page.text("#said") == "" and page.texts("#answers .none") == ["No answers to show."]


def test_a_class_that_cannot_be_loaded_is_said(page):
    page.open(answer("a"))
    page.run("server.next('class', { status: 400, content: { error: 'no class' } });")
    page.click("#second")
    assert said(page) == ("NOT SAVED: no class", True)


# ---- a mark ----


def test_a_mark_is_saved_and_the_next_open_answer_is_in_hand(page):
    page.open(answer("a"), marked("b"), answer("c"))
    page.run("server.score = 2.5;")
    page.press("1", "2")
    page.click("#save")
    assert page.sent("mark") == [
        {"student": "a", "version": "1", "items": ["field", "mean"], "adjustment": 0, "comment": "", "by": "someone"}
    ]
    assert page.in_hand == "c" and said(page) == ("Saved: 2.5", False) and page.text("#count") == "2 of 3 marked"
    assert page.sent("claim")[-1]["student"] == "c" and page.draft == {"items": [], "adjustment": 0, "comment": ""}


def test_a_mark_is_shown_at_once_as_the_server_will_compute_it(page):
    page.open(answer("a", most=2, elsewhere=True, changed=True), answer("b"))
    page.run("server.hold = 'mark';")
    page.press("1", "2", "Enter")
    assert page.value(SCORES) == [2, None] and page.value(WARNINGS) == [[], []] and page.in_hand == "b"
    assert page.text("#answer-0 .items") == "1 2" and said(page) == ("Saving: 1 …", False)
    page.run("server.score = 1.5; await server.release();")
    assert page.value(SCORES) == [1.5, None] and page.text("#answer-0 .score") == "1.5 / 2"


def test_the_next_answer_is_looked_for_from_here_on_and_around(page):
    page.open(answer("a"), answer("b"), answer("c"), answer("d"), claims={"d": "another"})
    page.press("j", "j")
    order = [page.press("Enter") and page.in_hand for _ in range(3)]
    assert order == ["a", "b", "b"] and page.text("#said") == "All answers here are marked."


def test_where_the_filter_leaves_out_what_is_marked_the_next_one_moves_up(page):
    page.open(answer("a"), answer("b"), answer("c"))
    page.fill("#filter", "open_ones")
    page.press("j")
    assert page.press("Enter") and page.in_hand == "c"
    assert page.press("Enter") and page.in_hand == "a"


def test_marks_are_sent_one_after_the_other(page):
    page.open(answer("a"), answer("b"))
    page.run("server.hold = 'mark';")
    page.press("1", "Enter")
    page.press("2", "Enter")
    assert [one["student"] for one in page.sent("mark")] == ["a"]
    page.run("server.hold = null; await server.release();")
    assert [(one["student"], one["items"]) for one in page.sent("mark")] == [("a", ["field"]), ("b", ["mean"])]


def test_a_mark_that_is_corrected_before_its_save_returns_is_no_conflict(page):
    page.open(answer("a"), answer("b"))
    page.run("server.hold = 'mark';")
    page.press("1", "Enter", "k", "2", "Enter")
    assert page.value(SCORES) == [2.5, None] and said(page) == ("Saving: 1 …", False)
    page.run("server.hold = null; server.score = 2; await server.release();")
    assert [(one["version"], one["items"]) for one in page.sent("mark")] == [
        ("1", ["field"]),
        ("1+", ["field", "mean"]),
    ]
    assert loads(page) == 1 and page.text("#answer-0 .items") == "1 2" and said(page) == ("Saved: 2", False)


def test_a_correction_that_is_not_saved_leaves_the_mark_before_it(page):
    page.open(answer("a"), answer("b"))
    page.run(
        "server.hold = 'mark'; server.next('mark', {}); server.next('mark', { status: 400, content: { error: 'x' } });"
    )
    page.press("1", "Enter", "k", "2", "Enter")
    page.run("server.hold = null; await server.release();")
    assert page.text("#answer-0 .items") == "1" and said(page) == ("NOT SAVED: x", True)
    assert page.value("modules.state.state.drafts.a.items") == ["field", "mean"]


def test_what_is_saved_is_counted_and_not_what_was_sent(page):
    page.open(answer("a"), answer("b"), answer("c"))
    page.run("server.hold = 'mark';")
    page.press("Enter", "Enter")
    assert page.text("#count") == "0 of 3 marked" and said(page) == ("Saving: 2 …", False)
    page.run("server.hold = null; await server.release();")
    assert page.text("#count") == "2 of 3 marked"


def test_without_an_answer_in_hand_nothing_is_saved(page):
    page.open()
    page.press("Enter", "g", ".", "j")
    assert page.sent("mark") == [] and page.in_hand is None and said(page) == ("", False)


def test_the_version_that_a_save_brings_is_that_of_the_next_save(page):
    page.open(answer("a"))
    page.press("Enter")
    page.press("1", "Enter")
    assert [one["version"] for one in page.sent("mark")] == ["1", "1+"]


def test_a_mark_is_given_again(page):
    page.open(answer("a"), answer("b"), answer("c"))
    page.press(".")
    assert page.draft["items"] == []
    page.press("1", "+", "Enter")
    page.press(".")
    assert page.draft == {"items": ["field"], "adjustment": 0.5, "comment": ""}
    assert page.text("#total") == "Mark: 2.5 of 3"
    page.press("2", "Enter")
    assert page.sent("mark")[0]["items"] == ["field"] and page.sent("mark")[1]["items"] == ["field", "mean"]
    page.press(".", "1", ".")
    assert page.draft["items"] == ["field", "mean"]


def test_a_draft_is_kept_while_another_answer_is_in_hand(page):
    page.open(answer("a"), answer("b"))
    page.press("1", "j", "2", "k")
    assert page.draft["items"] == ["field"]
    page.press("Enter")
    assert page.draft["items"] == ["mean"] and page.value("Object.keys(modules.state.state.drafts)") == ["b"]


# ---- near-copies ----


def test_near_copies_that_are_open_and_free_are_marked_together(page):
    page.open(*(answer(s, group="x") for s in "abc"), marked("d", group="x"), answer("e"), claims={"c": "another"})
    assert not page.value("document.querySelector('#copies').hidden")
    page.press("1", "g")
    assert [one["student"] for one in page.sent("mark")] == ["a", "b"]
    assert page.in_hand == "e" and page.value("document.querySelector('#copies').hidden")


def test_the_marked_answer_in_hand_is_marked_with_its_copies(page):
    page.open(marked("a", group="x"), answer("b", group="x"))
    page.press("k")
    page.click("#copies")
    assert [one["student"] for one in page.sent("mark")] == ["a", "b"]


def test_a_save_leaves_near_copies_as_they_are(page):
    page.open(answer("a", group="x"), answer("b", group="x"))
    page.press("Enter")
    assert [one["student"] for one in page.sent("mark")] == ["a"] and page.in_hand == "b"


# ---- failures ----


def test_a_mark_that_is_not_saved_is_put_back_and_its_draft_kept(page):
    page.open(answer("a"), answer("b"))
    page.run("server.next('mark', { status: 400, content: { error: 'too late' } });")
    page.press("1", "Enter")
    assert said(page) == ("NOT SAVED: too late", True) and page.value(WARNINGS) == [["NOT SAVED"], []]
    assert page.value(SCORES) == [None, None] and loads(page) == 1
    page.press("k")
    assert page.draft["items"] == ["field"]
    page.press("Enter")
    assert said(page) == ("Saved: 1", False) and page.value(WARNINGS) == [[], []]
    assert page.value("modules.state.state.drafts") == {}
    page.press("u")
    page.press("u")
    assert len(page.sent("undo")) == 1  # the failed save is no step to take back


def test_a_mark_of_an_older_state_loads_the_class_again(page):
    page.open(answer("a"), answer("b"))
    page.run("server.card('a').comment = 'of another'; server.next('mark', { status: 409 });")
    page.press("1", "Enter")
    assert said(page)[0].startswith("Someone else has changed this answer meanwhile.") and said(page)[1]
    assert loads(page) == 2 and page.text("#answer-0 .said") == "of another" and page.in_hand == "b"


def test_loading_again_keeps_what_is_being_written(page):
    page.open(answer("a"), answer("b"))
    page.run("server.hold = 'mark'; server.next('mark', { status: 409 });")
    page.press("1", "Enter", "2", "+")
    page.run("await server.release();")
    assert page.draft == {"items": ["mean"], "adjustment": 0.5, "comment": ""} and page.text("#total") == "Mark: 1 of 3"
    assert page.in_hand == "b"


def test_after_a_failure_the_next_mark_is_sent(page):
    page.open(answer("a"), answer("b"), answer("c"))
    page.run("server.next('mark', { offline: true });")
    page.press("Enter", "Enter")
    assert [one["student"] for one in page.sent("mark")] == ["a", "b"] and said(page)[0] == "Saved: 1"


# ---- steps taken back ----


def test_without_a_step_there_is_nothing_to_take_back(page):
    page.open(answer("a"))
    page.press("u")
    assert said(page) == ("There is nothing to undo.", False) and page.sent("undo") == []


def test_marks_of_one_step_are_taken_back_together(page):
    page.open(answer("a", group="x"), answer("b", group="x"), answer("c"))
    page.press("1", "g")
    page.press("2", "Enter")
    page.click("#undo")
    assert page.sent("undo") == [{"student": "c", "version": "1+"}] and page.in_hand == "c"
    assert said(page) == ("Undone", False) and page.value(SCORES) == [1, 1, None]
    page.click("#undo")
    assert [one["student"] for one in page.sent("undo")] == ["c", "b", "a"] and page.in_hand == "a"
    assert page.value(SCORES) == [None, None, None] and page.text("#count") == "0 of 3 marked"
    page.click("#undo")
    assert said(page)[0] == "There is nothing to undo."


def test_a_step_that_fails_midway_is_taken_back_from_there(page):
    page.open(answer("a", group="x"), answer("b", group="x"))
    page.press("g")
    page.run("server.next('undo', {}); server.next('undo', { status: 400, content: { error: 'no' } });")
    page.press("u")
    assert said(page) == ("NOT SAVED: no", True)
    page.press("u")
    assert [one["student"] for one in page.sent("undo")] == ["b", "a", "a"] and said(page)[0] == "Undone"


def test_a_change_of_the_rubric_is_taken_back(page):
    page.open(answer("a"))
    page.run("server.moves = 2;")
    page.press("r")
    page.fill("#editor input", "1.5")
    page.click("#apply")
    assert said(page) == ("The rubric is changed; marks that have changed: 2.", False) and loads(page) == 2
    page.leave()
    page.press("u")
    sent = page.sent("rubric")[-1]
    assert sent["sure"] is True and sent["revision"] == 5
    assert [one["points"] for one in sent["items"]] == [2, 0.5, -1] and not any("html" in one for one in sent["items"])
    assert said(page) == ("Undone", False) and loads(page) == 3
    page.press("u")
    assert said(page)[0] == "There is nothing to undo."


# ---- several graders ----


def test_an_answer_in_anothers_hand_is_said_to_be(page):
    page.open(answer("a"), answer("b"))
    page.run("server.next('claim', { content: { claims: { b: 'another' }, yours: false } });")
    page.press("j")
    assert said(page) == ("open on another grader's screen", True)
    assert page.value("modules.state.state.claims") == {"b": "another"}
    page.press("k")
    page.run("server.hold = 'claim'; server.next('claim', { content: { claims: {}, yours: false } });")
    page.press("j", "k")
    page.run("document.querySelector('#said').textContent = ''; await server.release();")
    assert said(page)[0] == ""  # another answer is in hand by then


def test_a_claim_that_fails_is_no_failure_of_the_grader(page):
    page.open(answer("a"), answer("b"))
    page.run("server.next('claim', { offline: true });")
    page.press("j")
    assert said(page) == ("", False) and page.in_hand == "b"


def test_a_window_that_closes_gives_back_its_answer(page):
    page.open(answer("a"))
    page.run("window.dispatchEvent(new window.Event('pagehide'));")
    sent = page.value("server.requests.at(-1)")
    assert sent["what"] == "claim" and sent["body"] == {"student": "", "window": "this-window"} and sent["keepalive"]


def test_every_ten_seconds_what_others_did_is_loaded(page):
    page.open(answer("a"), answer("b"))
    page.press("j")
    page.run("""page.top = 120; page.scrolled.length = 0;
        Object.assign(server.card("a"), { open: false, score: 3, comment: "by another" });
        await page.tick();""")
    assert page.value("page.intervals.map(({ milliseconds }) => milliseconds)") == [10_000]
    assert page.text("#answer-0 .said") == "by another" and page.in_hand == "b" and loads(page) == 2
    assert page.value("page.scrolled.at(-1)") == ["window", 120] and len(page.sent("claim")) == 3


@pytest.mark.parametrize(
    "busy",
    ["page.hidden = true;", "modules.state.state.draft.comment = 'x';", "modules.state.state.drafts.b = {};",
     "document.querySelector('#comment').focus();", "document.querySelector('#keys').showModal();"],
)  # fmt: skip
def test_nothing_is_loaded_while_something_could_be_lost(page, busy):
    page.open(answer("a"))
    page.run(f"{busy} await page.tick();")
    assert loads(page) == 1


def test_nothing_is_loaded_while_a_mark_is_sent(page):
    page.open(answer("a"), answer("b"))
    page.run("server.hold = 'mark';")
    page.press("Enter")
    page.run("await page.tick(); server.hold = null; await server.release();")
    assert loads(page) == 1
    page.run("await page.tick();")
    assert loads(page) == 2


def test_what_is_written_while_the_class_is_loaded_stays(page):
    page.open(answer("a"))
    page.run("server.hold = 'class'; await page.tick();")
    page.press("1")
    page.run("await server.release();")
    assert page.draft["items"] == ["field"] and len(page.sent("claim")) == 1


@pytest.mark.parametrize(
    ("code", "warned"),
    [("", False), ("modules.state.state.draft.adjustment = 1;", True), ("modules.state.state.drafts.b = {};", True)],
)
def test_who_leaves_with_something_unsaved_is_warned(page, code, warned):
    page.open(answer("a"))
    page.run(code)
    assert page.value(PREVENTED) is warned


def test_who_leaves_while_a_mark_is_sent_is_warned(page):
    page.open(answer("a"))
    page.run("server.hold = 'mark';")
    page.press("Enter")
    assert page.value(PREVENTED) is True
    page.run("await server.release();")
    assert page.value(PREVENTED) is False


# ---- who marks ----


def test_initials_are_sent_with_a_mark_and_remembered(page):
    page.open(answer("a"), answer("b"))
    page.fill("#you", " AL ")
    page.press("Enter", on="body")
    assert (
        page.sent("mark")[0]["by"] == "AL"
        and page.value("window.localStorage.getItem('attention-workbook-initials')") == " AL "
    )
    page.open(answer("a"), stored={"attention-workbook-initials": "GH"})
    page.press("Enter")
    assert page.sent("mark")[0]["by"] == "GH"


def test_where_users_log_in_by_name_nobody_types_initials(page):
    page.open(answer("a"), named=True, grader="ada", stored={"attention-workbook-initials": "GH"})
    page.press("Enter")
    assert page.sent("mark")[0]["by"] == "ada" and page.count("#you") == 0


# ---- second marking ----


def test_a_second_marking_sends_items_alone_and_changes_no_mark(page):
    page.open(answer("a"), answer("b"))
    page.press("2", "j")
    page.click("#second")
    assert said(page)[0].startswith("A tenth of the marked answers") and loads(page) == 2
    assert page.value("server.requests.findLast(({ what }) => what === 'class').query") == {"second": "1"}
    assert page.in_hand == "a" and page.draft["items"] == [] and page.sent("claim")[-1]["student"] == ""
    page.press("1", "+", "Enter")
    assert page.sent("second") == [{"student": "a", "items": ["field"], "by": "someone"}] and page.sent("mark") == []
    assert page.text("#answer-0 .by") == "by someone" and page.texts("nav small") == ["0/2"]
    page.press("u")
    assert page.sent("undo") == []
    page.click("#second")
    assert said(page)[0] == "" and page.value("server.requests.findLast(({ what }) => what === 'class').query") == {}


def test_agreement_is_a_row_for_each_item(page):
    rows = {"field": {"agreed": 4, "only_first": 1, "only_second": 0, "kappa": 0.55},
            "mean": {"agreed": 5, "only_first": 0, "only_second": 2, "kappa": None}}  # fmt: skip
    page.open(answer("a"), items=ITEMS[:2], agreement={"answers": 5, "items": rows})
    assert page.text("#agreement h2") == "Agreement with the second marks (answers: 5)"
    assert page.texts("#agreement th") == ["Item", "agree", "first only", "second only", "κ"]
    assert page.texts("#agreement td") == ["1", "4", "1", "0", "0.55", "2", "5", "0", "2", "–"]
    page.run("server.rubric.items.length = 2; await page.tick();")
    page.click("#second")
    assert page.count("#agreement table") == 1
    page.open(answer("a"))
    assert page.text("#agreement") == ""
