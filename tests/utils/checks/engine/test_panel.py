"""Verdicts as people read them: in a terminal, in a notebook, and a mistake explained once."""

import html
import re
from dataclasses import replace

import pytest

from utils.checks.engine import panel
from utils.checks.engine.outcome import Verdict
from utils.checks.engine.panel import COLOURS, SIGNS, Panel, coded, lines, rows
from utils.checks.engine.question import Question
from utils.common.messages import Message

pytestmark = pytest.mark.made_up_texts

QUESTION = Question("scale", "Scaling", {})
NAMED = Message("{mistake} ({detail})", {"mistake": Message("You forgot the root."), "detail": Message("got 2")})
AGAIN = Message("{mistake} ({detail})", {"mistake": Message("You forgot the root."), "detail": Message("got 3")})
VERDICTS = [
    Verdict("a", "asks a", 0.2, "passed"),
    Verdict("b", "asks b", 0.2, "wrong", NAMED, "no_root"),
    Verdict("c", "asks c", 0.2, "wrong", AGAIN, "no_root"),
    Verdict("d", "asks d", 0.2, "not attempted", Message("there is <nothing> here")),
    Verdict("e", "asks e", 0.2, "stopped", Message("it took too long")),
]


def test_every_outcome_has_a_sign_and_a_colour():
    assert SIGNS == {"passed": "✓", "wrong": "✗", "raised": "✗", "stopped": "✗", "not attempted": "○"}
    assert set(COLOURS) == set(SIGNS)
    assert len({COLOURS[outcome] for outcome in ("passed", "wrong", "not attempted")}) == 3


def test_a_mistake_is_explained_once_and_then_what_was_seen():
    assert lines(VERDICTS, "en") == [
        "✓ asks a",
        "✗ asks b",
        "    You forgot the root. (got 2)",
        "✗ asks c",
        "    the same mistake (got 3)",
        "○ asks d",
        "    there is <nothing> here",
        "✗ asks e",
        "    it took too long",
    ]


def test_what_was_seen_is_not_repeated_either():
    shown = lines([VERDICTS[1], Verdict("c", "asks c", 0.5, "wrong", AGAIN, VERDICTS[1].mistake), VERDICTS[2]], "en")
    assert [line.strip() for line in shown[1::2]] == [
        "You forgot the root. (got 2)",
        "the same mistake (got 3)",
        "the same mistake",
    ]


def test_two_mistakes_are_each_explained():
    other = Verdict("c", "asks c", 0.5, "wrong", AGAIN, "other")
    assert lines([VERDICTS[1], other], "en")[3] == "    You forgot the root. (got 3)"


def test_two_mistakes_at_once_are_explained_unless_both_were():
    values = {"mistake": Message("One."), "also": Message("Two."), "detail": Message("got 5")}
    both = Verdict("c", "asks c", 0.5, "wrong", Message("{mistake} {also} ({detail})", values), "one", "two")
    one, two = (
        Verdict("d", "asks d", 0.5, "wrong", Message("{mistake} ({detail})", {**values, "mistake": said}), name)
        for name, said in (("one", Message("One.")), ("two", Message("Two.")))
    )

    def told(*verdicts):
        return [line.strip() for line in lines([*verdicts, VERDICTS[0]], "en")[1:-1:2]]

    assert told(both, both) == ["One. Two. (got 5)", "both mistakes at once"]
    assert told(both, one, two) == ["One. Two. (got 5)", "One. (got 5)", "Two. (got 5)"]
    assert told(one, both, two, both) == ["One. (got 5)", "One. Two. (got 5)", "Two. (got 5)", "both mistakes at once"]
    assert told(one, two, both)[-1] == "both mistakes at once"
    other = Message("{mistake} {also} ({detail})", {**values, "detail": Message("got 6")})
    assert told(both, replace(both, reason=other))[-1] == "both mistakes at once (got 6)"


WHYS = {"no_root": "The scores `q · k` grow. The softmax gets sharp.", "other": "Another reason."}


def test_why_a_mistake_matters_is_told_once_and_folded_on_the_page():
    assert lines(VERDICTS[:3], "en", WHYS) == [
        "✓ asks a",
        "✗ asks b",
        "    You forgot the root. (got 2)",
        "    Why it matters: The scores `q · k` grow. The softmax gets sharp.",
        "✗ asks c",
        "    the same mistake (got 3)",
    ]
    shown = Panel.of(QUESTION, VERDICTS[:3], "en", whys=WHYS)
    page = shown._repr_html_()
    assert page.count("Why it matters") == 1 and "Another reason" not in page
    assert re.search(r"<details[^>]*><summary>Why it matters</summary>The scores <code[^>]*>q · k</code> grow\.", page)
    assert repr(shown).count("Why it matters: The scores") == 1


def test_two_mistakes_at_once_each_say_why():
    both = replace(VERDICTS[1], also="other")
    assert [row.whys for row in rows([both, both], "en", WHYS)] == [tuple(WHYS.values()), ()]


def test_a_reason_is_broken_at_96_characters():
    long = Verdict("a", "asks", 1.0, "wrong", Message(" ".join(["word"] * 40)))
    _, *found = lines([long], "en")
    assert [len(line) for line in found] == [93, 93, 23]
    assert all(re.match(r" {4}\S", line) for line in found)
    exact = Verdict("a", "asks", 1.0, "wrong", Message("x" * 50 + " " + "y" * 41))
    assert len(lines([exact], "en")) == 2
    assert len(lines([Verdict("a", "asks", 1.0, "wrong", Message("x" * 50 + " " + "y" * 42))], "en")) == 3


def raised(name, text, where="scores = query @ key"):
    said = "your code raised {kind}: {text}, in the line “{where}”"
    return Verdict(name, f"asks {name}", 0.2, "raised", Message(said, {"kind": "E", "text": text, "where": where}))


def test_an_exception_is_told_once_and_then_what_is_new_in_it():
    one, other = "the sizes 3 and 5 do not fit together here " * 2, "the sizes 7 and 5 do not fit together here " * 2
    shown = rows([raised("a", one), raised("b", other), raised("c", one), raised("d", one, "x = y"), VERDICTS[0]], "en")
    assert [row.reason for row in shown] == [
        f"your code raised E: {one}, in the line “scores = query @ key”",
        f"the same line again: {other}",
        "the same again",
        f"your code raised E: {one}, in the line “x = y”",
        "",
    ]


@pytest.mark.parametrize(("length", "again"), [(92, False), (93, True)])
def test_a_reason_that_fits_in_one_line_is_said_again(length, again):
    one = [Verdict(name, "asks", 0.2, "wrong", Message("x" * length)) for name in "ab"]
    assert rows([*one, VERDICTS[0]], "en")[1].reason == ("the same again" if again else "x" * length)


def test_no_failed_test_is_without_a_reason_unless_all_have_the_same():
    short = [Verdict(name, "asks", 0.2, "wrong", Message("expected 3, got 5")) for name in "ab"]
    assert [row.reason for row in rows([*short, VERDICTS[0]], "en")] == ["expected 3, got 5", "expected 3, got 5", ""]
    assert [row.reason for row in rows(short, "en")] == ["expected 3, got 5 (in all 2 tests)", ""]


def test_the_heading_counts_the_tests():
    some = Panel.of(QUESTION, VERDICTS, "en")
    assert (some.heading, some.outcome) == ("Scaling: tests passed: 1 of 5", "wrong")
    assert repr(some).splitlines()[0] == "✗ Scaling: tests passed: 1 of 5"
    full = Panel.of(QUESTION, VERDICTS[:1] * 3, "en")
    assert (full.heading, full.outcome) == ("Scaling: all tests pass (3)", "passed")
    assert repr(full) == "✓ Scaling: all tests pass (3)"


def test_the_first_failure_stands_in_full_and_those_of_the_same_reason_below_it():
    assert repr(Panel.of(QUESTION, VERDICTS, "en")).splitlines()[1:] == [
        "✗ asks b",
        "    You forgot the root. (got 2)",
        "  more tests that fail for the same reason: 1",
        "    ✗ asks c",
        "○ asks d",
        "    there is <nothing> here",
        "✗ asks e",
        "    it took too long",
        "✓ tests that pass: 1",
    ]


def test_tests_with_the_same_exception_in_the_same_line_are_folded_and_others_are_not():
    page = repr(Panel.of(QUESTION, [raised("a", "one"), raised("b", "two"), raised("c", "one", "x = y")], "en"))
    assert page.count("for the same reason: 1") == 1 and "    ✗ asks b" in page and "\n✗ asks c" in page
    numbers = [Verdict(name, f"asks {name}", 0.2, "wrong", Message(f"got {name}")) for name in "ab"]
    assert "same reason" not in repr(Panel.of(QUESTION, numbers, "en"))


def test_code_is_code_and_a_hint_is_not_bold():
    page = Panel("Print `x` & <b>.", "hint")._repr_html_()
    assert 'Print <code dir="ltr">x</code> &amp; &lt;b&gt;.' in page and "<strong>" not in page
    assert coded("a ` alone") == "a ` alone" and coded("`<i>`") == '<code dir="ltr">&lt;i&gt;</code>'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("which *position* looks", "which <em>position</em> looks"),
        ("问的是**位置**该看", "问的是<strong>位置</strong>该看"),
        ("`a *b* c` and *d*", '<code dir="ltr">a *b* c</code> and <em>d</em>'),
        ("in the line “y = 2*x*z”", "in the line “y = 2*x*z”"),
        ("in the line “x**2 + y**2”", "in the line “x**2 + y**2”"),
        ("in the line “f(*args, *rest)”", "in the line “f(*args, *rest)”"),
        ("N * H * d and *<b>*", "N * H * d and <em>&lt;b&gt;</em>"),
    ],
)
def test_emphasis_is_shown_and_a_product_is_none(text, shown):
    assert coded(text) == shown


def test_warnings_are_folded_into_the_panel_and_cost_nothing():
    warned = Panel.of(QUESTION, VERDICTS[:1], "en", warned=["The use of `.T` is <deprecated>"])
    assert "! The use of" in repr(warned) and "warnings of the libraries" in warned._repr_html_()
    assert "<deprecated>" not in warned._repr_html_()


def test_the_panel_in_a_notebook_says_the_same_in_the_verdicts_colours():
    page = Panel.of(QUESTION, VERDICTS, "en")._repr_html_()
    assert "<nothing>" not in page
    text = [part.strip() for part in html.unescape(re.sub(r"<[a-z/][^>]*>", "\n", page)).splitlines() if part.strip()]
    assert text == [
        "✗ Scaling: tests passed: 1 of 5",
        *("✗", "asks b", "You forgot the root. (got 2)"),
        *("more tests that fail for the same reason: 1", "✗", "asks c", "the same mistake (got 3)"),
        *("○", "asks d", "there is <nothing> here"),
        *("✗", "asks e", "it took too long"),
        *("✓", "tests that pass: 1", "asks a"),
    ]
    signs = re.findall(r'color: (#\w+); font-weight: bold">(.)<', page)
    ordered = [*VERDICTS[1:], VERDICTS[0]]
    assert signs == [(COLOURS[verdict.outcome], SIGNS[verdict.outcome]) for verdict in ordered]
    assert re.search(r"border-inline-start: 4px solid (#\w+)", page)[1] == COLOURS["wrong"]
    full = Panel.of(QUESTION, VERDICTS[:1], "en")._repr_html_()
    assert re.search(r"border-inline-start: 4px solid (#\w+)", full)[1] == COLOURS["passed"]
    assert "✓ Scaling: all tests pass (1)" in full


def test_texts_are_in_the_language_that_is_asked_for(monkeypatch):
    french = {"asks a": "demande a", "Scaling": "Échelle", "all tests pass ({total})": "les {total} tests passent"}
    translated = lambda text, language: french.get(text, text) if language == "fr" else text  # noqa: E731
    monkeypatch.setattr(panel, "translate", translated)
    monkeypatch.setattr("utils.common.messages.translate", translated)
    report = Panel.of(QUESTION, VERDICTS[:1], "fr")
    assert repr(report) == "✓ Échelle: les 1 tests passent"
    assert "demande a" in report._repr_html_()


def test_where_no_notebook_listens_the_verdicts_are_printed(capsys):
    panel.show(Panel.of(QUESTION, VERDICTS, "en"))
    assert capsys.readouterr().out == f"{Panel.of(QUESTION, VERDICTS, 'en')!r}\n"


def test_a_notebook_is_shown_the_panel(monkeypatch, capsys):
    shown = []
    monkeypatch.setattr("IPython.get_ipython", lambda: "a shell")
    monkeypatch.setattr("IPython.display.display", shown.append)
    panel.show(Panel.of(QUESTION, VERDICTS, "en"))
    assert [report.heading for report in shown] == ["Scaling: tests passed: 1 of 5"]
    assert capsys.readouterr().out == ""


def test_the_small_case_is_below_the_last_mistake_that_is_named():
    other = Verdict("f", "asks f", 0.2, "wrong", AGAIN, "other")
    shown = Panel.of(QUESTION, [*VERDICTS, other], "en", picture="THE CASE").shown
    assert [line.picture for line in shown] == [None, None, None, "THE CASE"]
    shown = Panel.of(QUESTION, VERDICTS[::-1], "en", picture="THE CASE").shown
    assert [line.picture for line in shown] == [None, None, "THE CASE"]
    assert Panel.of(QUESTION, VERDICTS[3:], "en", picture="THE CASE").shown[0].picture == "THE CASE"


def test_a_notebook_folds_what_fails_without_a_name_after_the_third():
    verdicts = [Verdict(c, f"asks {c}", 0.1, "wrong", Message(f"got {c}")) for c in "uvwxy"]
    shown = Panel.of(QUESTION, [*verdicts, VERDICTS[1]], "en")
    page = shown._repr_html_()
    assert page.index("asks w") < page.index("asks b") < page.index("more tests that fail: 2") < page.index("asks x")
    assert "got y" in page and "got y" in repr(shown)
