"""What the marking page's script knows: order, filters, drafts and points; what it asks of the server; sizes."""

import pytest

from tests.helpers.marking_page import answer, marked

STUDENTS = "modules.state.ordered(given.odd).map((one) => one.student)"
FILTER = "modules.state.state.answers.filter(modules.state.filters[given.name]).map((one) => one.student)"
WORTH = "modules.state.worth({ items: given.items, adjustment: given.adjustment }, given.most)"


@pytest.mark.parametrize(
    ("odd", "expected"), [("odd_among", "abcd"), ("odd_first", "bdac"), ("odd_last", "acbd")], ids=str
)
def test_odd_answers_are_where_the_grader_wants_them(page, odd, expected):
    page.open(answer("a"), answer("b", odd="long"), answer("c"), answer("d", odd="empty"))
    assert "".join(page.value(STUDENTS, odd=odd)) == expected


def test_a_markers_page_begins_with_her_share(page):
    page.open(answer("a", marker="ben"), answer("b", marker="anna"), named=True, grader="anna", markers=["anna", "ben"])
    assert page.shown == ["b"] and page.in_hand == "b"
    page.fill("#filter", "all")
    assert page.shown == ["a", "b"] and page.texts("article .marker") == ["for ben"]


def test_an_answer_is_handed_on_with_a_note(page):
    page.open(answer("a", marker="anna", share="anna"), named=True, grader="anna", markers=["anna", "ben"])
    page.run("server.next('note', { content: { marker: 'ben', share: 'anna', notes: ['In Dutch. (anna)'] } });")
    page.fill("#note", " In Dutch. ")
    page.fill("#to", "ben")
    page.click("#pass")
    assert page.sent("note") == [{"student": "a", "share": "anna", "to": "ben", "note": "In Dutch.", "by": "anna"}]
    assert page.texts("article .marker, article .note") == ["for ben", "Note for markers · In Dutch. (anna)"]
    assert page.text("#said") == "Noted; students do not see it."


@pytest.mark.parametrize(
    ("name", "expected"),
    [("all", "abcdefg"), ("open_ones", "afg"), ("marked_ones", "bcde"), ("to_check", "cd"), ("copies_only", "fg"),
     ("left_empty", "hijk")],
)  # fmt: skip
def test_a_filter_leaves_its_answers(page, name, expected):
    page.open(
        answer("a"), marked("b"), marked("c", elsewhere=True), marked("d", changed=True), marked("e"),
        answer("f", group="x"), answer("g", group="x"), answer("h", asked=False),
        marked("i", asked=False, elsewhere=True, changed=True), answer("j", asked=False, group="y"),
        answer("k", asked=False, group="y"),
    )  # fmt: skip
    assert "".join(page.value(FILTER, name=name)) == expected


def test_an_answer_is_taken_if_another_window_has_it(page):
    page.open(answer("a"), answer("b"), answer("c"), claims={"a": "this-window", "b": "another"})
    assert page.value("modules.state.state.answers.map(modules.state.isTaken)") == [False, True, False]


def test_a_window_without_a_secure_context_has_a_name_of_its_own(page):
    page.open(answer("a"), insecure=True)
    assert float(page.value("modules.state.windowId")) < 1
    page.open(answer("a"))
    assert page.value("modules.state.windowId") == "this-window"


def test_a_draft_begins_as_the_mark_and_changes_no_answer(page):
    page.open(marked("a", "field", adjustment=0.5, comment="good"))
    page.run("modules.state.begin(modules.state.state.answers[0]); modules.state.toggle('wrong');")
    assert page.draft == {"items": ["field", "wrong"], "adjustment": 0.5, "comment": "good"}
    assert page.value("modules.state.state.answers[0].items") == ["field"]


def test_with_no_answer_in_hand_the_draft_is_empty(page):
    page.open(marked("a", "field", adjustment=0.5, comment="good"))
    page.run("modules.state.begin(undefined);")
    assert page.in_hand is None and page.draft == {"items": [], "adjustment": 0, "comment": ""}
    assert page.value("[modules.state.isDirty(), modules.state.most(), modules.state.inHand() ?? 'none']") == [
        False,
        3,
        "none",
    ]


def test_a_draft_that_was_kept_comes_back(page):
    page.open(answer("a"), answer("b"))
    page.run("""modules.state.state.draft = { items: ["mean"], adjustment: 1, comment: "so" };
        modules.state.keepDraft();
        modules.state.begin(modules.state.state.answers[1]);
        modules.state.begin(modules.state.state.answers[0]);""")
    assert page.draft == {"items": ["mean"], "adjustment": 1, "comment": "so"}
    page.run("modules.state.state.draft = { items: [], adjustment: 0, comment: '' }; modules.state.keepDraft();")
    assert page.value("modules.state.state.drafts") == {}


@pytest.mark.parametrize(
    ("change", "dirty"),
    [({}, False), ({"items": ["mean"]}, True), ({"items": []}, True), ({"adjustment": 1}, True),
     ({"comment": "x"}, True)],
    ids=str,
)  # fmt: skip
def test_a_draft_is_dirty_if_it_differs_from_the_mark(page, change, dirty):
    page.open(marked("a", "field", adjustment=0.5, comment="good"))
    page.run("Object.assign(modules.state.state.draft, given.change);", change=change)
    assert page.value("modules.state.isDirty()") is dirty


@pytest.mark.parametrize(
    ("items", "adjustment", "points"),
    [([], 0, 0), (["field"], 0, 2), (["field", "mean"], 0, 2.5), (["field", "wrong"], 0, 1), (["mean"], 0.25, 0.75),
     (["wrong"], 0, 0), (["field", "mean"], 2, 3), (["field"], -0.5, 1.5), (["gone"], 0, 0)],
)  # fmt: skip
def test_a_draft_is_worth_its_items_and_the_adjustment_within_the_questions_points(page, items, adjustment, points):
    page.open(answer("a"))
    assert page.value(WORTH, items=items, adjustment=adjustment, most=3) == points


def test_items_are_turned_over_and_stay_in_the_rubrics_order(page):
    page.open(answer("a"))
    page.run("['wrong', 'field', 'mean', 'wrong'].forEach(modules.state.toggle);")
    assert page.draft["items"] == ["field", "mean"]


def test_comments_that_were_used_most_come_first(page):
    page.open(*(marked(f"s{n}", comment=text) for n, text in enumerate(["once", "", "often", "often", "", ""])))
    assert page.value("modules.state.commentsUsed()") == ["often", "once"]


def test_the_points_to_reach_are_those_of_the_answer_in_hand(page):
    page.open(answer("a", most=7), points=5)
    assert page.value("modules.state.most()") == 7
    page.open(points=5)
    assert page.value("modules.state.most()") == 5


def test_the_class_is_loaded_with_rubric_agreement_and_claims(page):
    agreement = {"answers": 1, "items": {n: {"agreed": 1, "only_first": 0, "only_second": 0, "kappa": None}
                                         for n in ("field", "mean", "wrong")}}  # fmt: skip
    page.open(answer("a"), agreement=agreement, claims={"z": "other"})
    state = page.value("modules.state.state")
    assert [one["student"] for one in state["answers"]] == ["a"]
    assert state["rubric"]["revision"] == 4 and state["agreement"] == agreement and state["claims"] == {"z": "other"}
    assert page.value("server.requests[0].query") == {}


# ---- the server ----


def test_words_have_their_values_filled_in(page):
    page.open()
    assert page.value("modules.server.say('{marked} of {all} marked', { marked: 2, all: 5 })") == "2 of 5 marked"
    assert page.value("modules.server.say('Split')") == "Split"


def test_numbers_are_written_with_the_decimals_they_need(page):
    page.open()
    assert page.value("[2, 0.5, 1 / 3, 0.1 + 0.2, 2.0004, -1].map(modules.server.points)") == [
        "2", "0.5", "0.333", "0.3", "2", "-1"
    ]  # fmt: skip


def test_a_question_to_the_server_names_lesson_and_question_in_its_address(page):
    page.open()
    page.run("await modules.server.get('figures', { student: 'a b' }); await modules.server.get('class');")
    with_query, without = page.value("server.requests.filter(({ method }) => method === 'GET').slice(1)")
    assert with_query["path"] == "/user/ada/essays/api/a%20lesson/why%2Fso/figures"
    assert with_query["query"] == {"student": "a b"} and without["query"] == {}
    assert with_query["headers"] == {"Accept": "application/json"}


def test_an_address_without_a_query_has_no_question_mark(page):
    page.open()
    assert page.value("server.urls") == [
        f"/user/ada/essays/api/a%20lesson/why%2Fso/{what}" for what in ("class", "claim")
    ]


def test_a_change_is_sent_with_the_token(page):
    page.open()
    page.run("await modules.server.put('claim', { student: 'a' }, { keepalive: true });")
    sent = page.value("server.requests.at(-1)")
    assert (sent["method"], sent["body"], sent["keepalive"]) == ("PUT", {"student": "a"}, True)
    assert sent["headers"] == {"Content-Type": "application/json", "X-XSRFToken": "token"}


@pytest.mark.parametrize(
    ("reply", "said", "stale"),
    [({"offline": True}, "the server does not answer", None),
     ({"status": 409, "content": {"error": "old"}}, "old", True),
     ({"status": 400, "content": {"error": "bad"}}, "bad", False), ({"status": 502, "text": "<html>"}, "502", False)],
    ids=str,
)  # fmt: skip
def test_what_the_server_refuses_is_an_error_with_its_sentence(page, reply, said, stale):
    page.open()
    page.run("server.next('claim', given.reply);", reply=reply)
    caught = "return modules.server.put('claim', {}).catch((error) => [error.message, error.stale ?? null]);"
    assert page.run(caught) == [said, stale]


# ---- heights ----


def test_heights_of_what_stays_in_sight_are_variables_of_the_style(page):
    page.open()
    page.run(
        """const parts = page.observed.filter(({ element }) => !element.classList.contains("text"));
        parts.forEach(({ seen }, n) => seen([{ borderBoxSize: [{ blockSize: 40.2 + n }] }]));"""
    )
    assert page.value("page.observed.map(({ element }) => element.id || element.localName)")[:3] == [
        "header",
        "panel",
        "about",
    ]
    style = "['--head', '--panel', '--about'].map((name) => document.documentElement.style.getPropertyValue(name))"
    assert page.value(style) == ["41px", "42px", "43px"]


def test_the_room_of_a_card_is_the_window_without_what_covers_it(page):
    page.open()
    assert page.value("modules.sight.freeHeight(document.body)") == 730 - 10 - 20
