"""Verdicts and hints as a person sees them: a panel in a notebook, lines of text in a terminal."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from utils.checks.engine.outcome import NOT_ATTEMPTED, Verdict
from utils.common.columns import wrap
from utils.common.messages import N_, Message, direction, translate
from utils.common.notebook import running_shell

if TYPE_CHECKING:  # this module loads torch
    from utils.checks.engine.question import Question

SIGNS = {"passed": "✓", "wrong": "✗", "raised": "✗", "stopped": "✗", "not attempted": "○"}
# Colours of the signs: green, vermilion and grey, each with a contrast above 4.5 to white and above 3 to JupyterLab's
# dark background. Text has the theme's own colour. The sign tells the outcome to those who do not see the colour.
COLOURS = {
    "passed": "#007D5B",
    "wrong": "#C35100",
    "raised": "#C35100",
    "stopped": "#C35100",
    "not attempted": "#737373",
}

# Columns of a line in a terminal: wide enough for most sentences, narrow enough that nobody has to scroll sideways.
WIDTH = 96
# So many failed tests without a named mistake are shown before the others are folded.
MOST_UNNAMED = 3

# What goes wrong because of a mistake, by the id of the mistake or of its class; of most there is nothing to say.
Whys = Mapping[str, str]
NO_WHYS: Whys = MappingProxyType({})


@dataclass(frozen=True)
class Line:
    """One test as it is shown: its requirement, and why it failed, unless an earlier line has said so."""

    outcome: str
    ask: str
    reason: str = ""
    whys: tuple[str, ...] = ()  # what goes wrong because of the mistakes that the reason names
    picture: Any = None  # a small case (`case_picture.py`), below the reason
    more: tuple["Line", ...] = ()  # tests that fail for the same reason
    named: bool = False  # whether the reason names a mistake


def rows(verdicts: Sequence[Verdict], language: str, whys: Whys = NO_WHYS) -> list[Line]:
    """Return each test's line; a mistake, and a failure that several tests share, is explained once."""
    reasons = Counter(verdict.reason.render(language) for verdict in verdicts if verdict.reason)
    explained: set[str] = set()
    long: dict[tuple[Any, ...], str] = {}
    said: set[str] = set()  # the whys of earlier lines
    shown = []
    for verdict in verdicts:
        text = reason(verdict, explained, language)
        if verdict.reason and not verdict.mistake and reasons[text] == len(verdicts) > 1:
            # One cause, usually an exception in a line that every test runs: said once, with the number of tests.
            counted = {"reason": verdict.reason, "count": len(verdicts)}
            everywhere = Message(N_("{reason} (in all {count} tests)"), counted).render(language)
            # `explained` gets the text without the count, because the next test has to find its own reason there.
            text, whole = "" if text in explained else everywhere, text
            explained.add(whole)
        elif verdict.reason and not verdict.mistake:
            text = _shortened(verdict.reason, text, long, language)
        ids = [id_ for id_ in (verdict.mistake, verdict.also) if id_]
        new = dict.fromkeys(whys[id_] for id_ in ids if id_ in whys and whys[id_] not in said)
        said.update(new)
        why = tuple(translate(text, language) for text in new)
        shown.append(Line(verdict.outcome, translate(verdict.ask, language), text, why, named=bool(verdict.mistake)))
    return shown


def _shortened(reason: Message, text: str, long: dict[tuple[Any, ...], str], language: str) -> str:
    """Return why a test failed, `text`; where an earlier test had the same long reason, only the new part.

    long: the reasons shown so far that are longer than a line, exceptions by kind and line of code, others by their
    text; changed in place.
    """
    if len(text) <= WIDTH - 4:
        return text
    # An exception's text often holds sizes, which differ from test to test; the line of code is the same.
    cause = reason.values.get("kind"), reason.values.get("where")
    before = long.setdefault(cause if all(cause) else (text,), text)
    if before is text:  # this very text was just added: it is the first with its cause
        return text
    if before == text:
        return translate(N_("the same again"), language)
    return Message(N_("the same line again: {text}"), {"text": reason.values["text"]}).render(language)


def untouched(verdicts: Sequence[Verdict]) -> Message | None:
    """Return why there is nothing to judge, if no test was attempted and all have the same reason; else None."""
    reasons = [verdict.reason for verdict in verdicts if verdict.outcome == NOT_ATTEMPTED]
    alike = len(reasons) == len(verdicts) and all(reason == reasons[0] for reason in reasons)
    return reasons[0] if alike and reasons else None


def lines(verdicts: Iterable[Verdict], language: str, whys: Whys = NO_WHYS) -> list[str]:
    """Return the verdicts as lines of text: sign and requirement of each test, below it the reason of a failure."""
    verdicts = list(verdicts)
    if nothing := untouched(verdicts):
        return wrap(f"{SIGNS[NOT_ATTEMPTED]} {nothing.render(language)}", WIDTH)
    return _as_text(rows(verdicts, language, whys), language)


def _as_text(shown: Iterable[Line], language: str) -> list[str]:
    lines = []
    for row in shown:
        lines += [f"{SIGNS[row.outcome]} {row.ask}", *wrap(row.reason, WIDTH, "    ")]
        for why in row.whys:
            lines += wrap(Message(N_("Why it matters: {why}"), {"why": why}).render(language), WIDTH, "    ")
        if row.picture is not None:
            lines += ["", *(f"    {line}" if line else "" for line in repr(row.picture).split("\n")), ""]
    return lines


def reason(verdict: Verdict, explained: set[str], language: str) -> str:
    """Return why a test failed; of a mistake explained in an earlier line, only this test's result, if it is new.

    explained: the mistakes and details explained so far; changed in place. Two mistakes at once are explained again
    unless the same two were, or each of them alone.
    """
    if verdict.reason is None:
        return ""
    # Two mistakes at once have a key of their own: their sentence together is new, even where one of them is known.
    both = f"{verdict.mistake} and {verdict.also}"
    ids = {verdict.mistake, verdict.also} - {None}
    if verdict.mistake and (ids <= explained or both in explained):
        detail: Message = verdict.reason.values["detail"]
        known = _key(detail) in explained
        if verdict.also:
            template = N_("both mistakes at once") if known else N_("both mistakes at once ({detail})")
        else:
            template = N_("the same mistake") if known else N_("the same mistake ({detail})")
        explained.add(_key(detail))
        return Message(template, {"detail": detail}).render(language)
    if verdict.mistake:
        explained |= {both if verdict.also else verdict.mistake, _key(verdict.reason.values["detail"])}
    return verdict.reason.render(language)


def _key(detail: Message) -> str:
    """Return a detail's key in `explained`, which also holds ids of mistakes."""
    return f"detail: {detail.render()}"


def folded(verdicts: Sequence[Verdict], language: str, whys: Whys = NO_WHYS) -> list[Line]:
    """Return the failed tests' lines; those that fail for the same reason are folded into the first of them."""
    groups: dict[Any, list[Line]] = {}
    for verdict, line in zip(verdicts, rows(verdicts, language, whys), strict=True):
        if not verdict.passed:
            groups.setdefault(_cause(verdict), []).append(line)
    return [replace(first, more=tuple(rest)) for first, *rest in groups.values()]


def _cause(verdict: Verdict) -> tuple[Any, ...]:
    """Return a key that is the same for tests that fail for the same reason."""
    values = verdict.reason.values if verdict.reason else {}
    if verdict.mistake:
        return verdict.mistake, verdict.also
    cause = values.get("kind"), values.get("where")
    return cause if all(cause) else (verdict.reason and verdict.reason.render(),)


class Panel:
    """A heading, lines and a closing sentence; IPython takes the form, HTML or text, that the notebook can show."""

    def __init__(self, heading: str, outcome: str, shown: Sequence[Line] = (), last: str = "", *, language: str = "en"):
        """shown: the failed tests; of those that pass, `passed` are listed."""
        self.heading, self.outcome, self.shown, self.last, self.language = heading, outcome, shown, last, language
        self.passed: list[str] = []
        # A notebook folds the lines without a name after the first few, so that a panel fits on a screen.
        unnamed = [line for line in shown if not line.named and line.picture is None][MOST_UNNAMED:]
        self.open = [line for line in shown if not any(line is folded for folded in unnamed)]
        self.closed = [one for line in unnamed for one in (line, *line.more)]
        self.warned: Sequence[str] = ()

    @classmethod
    def of(
        cls,
        question: "Question",
        verdicts: Sequence[Verdict],
        language: str,
        last: str = "",
        picture: Any = None,
        warned: Sequence[str] = (),
        whys: Whys = NO_WHYS,
    ) -> "Panel":
        """Return the panel of one question's verdicts; an untouched gap is one line.

        picture: a small case, which is shown below the first failed test. warned: the warnings that the code raised.
        """
        passed, total = sum(verdict.passed for verdict in verdicts), len(verdicts)
        if nothing := untouched(verdicts):
            summary, outcome = nothing, NOT_ATTEMPTED
        elif passed == total:
            summary, outcome = Message(N_("all tests pass ({total})"), {"total": total}), "passed"
        else:
            counted = {"passed": passed, "total": total}
            summary, outcome = Message(N_("tests passed: {passed} of {total}"), counted), "wrong"
        heading = Message(N_("{title}: {summary}"), {"title": Message(question.title), "summary": summary})
        shown = [] if nothing else folded(verdicts, language, whys)
        if picture is not None:
            # Below the first failed test; where two mistakes are named, below the last that is, so that both are read.
            last_named = max((place for place, line in enumerate(shown) if line.named), default=0)
            shown[last_named] = replace(shown[last_named], picture=picture)
        panel = cls(heading.render(language), outcome, shown, last, language=language)
        panel.passed = [translate(verdict.ask, language) for verdict in verdicts if verdict.passed]
        panel.warned = [] if nothing else warned
        return panel

    def said(self, template: str, count: int) -> str:
        """Return a sentence with a count, in the panel's language."""
        return Message(template, {"count": count}).render(self.language)

    def more_fail(self, line: Line) -> str:
        return self.said(N_("more tests that fail for the same reason: {count}"), len(line.more))

    def others_fail(self) -> str:
        return self.said(N_("more tests that fail: {count}"), len(self.closed))

    def pass_(self) -> str:
        return self.said(N_("tests that pass: {count}"), len(self.passed))

    def matters(self) -> str:
        return translate(N_("Why it matters"), self.language)

    def warnings_(self) -> str:
        return self.said(N_("warnings of the libraries, which cost no points: {count}"), len(self.warned))

    def to_json(self) -> str:
        """Return what the panel shows as JSON, so that a program or an assistant can quote it."""
        failed = [
            {
                "test": line.ask,
                "reason": line.reason,
                "matters": list(line.whys),
                "case": "" if line.picture is None else repr(line.picture),
                "same reason": [other.ask for other in line.more],
            }
            for line in self.shown
        ]
        data = {"check": self.heading, "outcome": self.outcome, "failed": failed, "passed": self.passed}
        data |= {"warnings": list(self.warned), "next": self.last}
        return json.dumps(data, ensure_ascii=False, indent=1)

    def __repr__(self) -> str:
        lines = wrap(f"{SIGNS.get(self.outcome, '')} {self.heading}".strip(), WIDTH)
        for line in self.shown:
            lines += _as_text([line], self.language)
            if line.more:
                lines += [
                    f"  {self.more_fail(line)}",
                    *(f"    {SIGNS[other.outcome]} {other.ask}" for other in line.more),
                ]
        lines += [f"{SIGNS['passed']} {self.pass_()}"] if self.passed and self.shown else []
        for warning in self.warned:
            lines += wrap(f"! {warning}", WIDTH)
        return "\n".join([*lines, *wrap(self.last, WIDTH)])

    def _repr_html_(self) -> str:
        from jinja2 import Environment

        environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
        environment.filters["coded"] = coded
        return environment.from_string(TEMPLATE).render(panel=self, signs=SIGNS, colours=COLOURS, direction=direction)


# Emphasis as in the lessons' prose, `*so*` or `**so**`. The sign of a product, `a*b` or `2 * x`, is not taken for
# emphasis, because it has a name, a number or a space beside it.
EMPHASIS = re.compile(r"(?<![A-Za-z0-9_*)\]])(\*\*?)(?=[^\s*])([^*\n]+?)(?<=[^\s*])\1(?![A-Za-z0-9_*(])")

# Code keeps its direction in a language that is written from right to left; else "f()" would read "()f".
CODE = '<code dir="ltr">{}</code>'


def coded(text: str) -> Any:
    """Return a text as HTML: text between backticks becomes code, text between asterisks is emphasised."""
    from markupsafe import Markup, escape

    parts = text.split("`")
    if len(parts) % 2 == 0:  # a backtick without its partner
        return escape(text)
    return Markup("").join(
        Markup(CODE).format(part) if number % 2 else _emphasised(part) for number, part in enumerate(parts)
    )


def _emphasised(text: str) -> Any:
    from markupsafe import Markup, escape

    tags = {"*": r"<em>\2</em>", "**": r"<strong>\2</strong>"}
    return Markup(EMPHASIS.sub(lambda match: match.expand(tags[match[1]]), str(escape(text))))


# `inherit`: the theme's text colour, dark on light and light on dark.
TEMPLATE = """\
{% set colour = colours.get(panel.outcome, "#737373") %}
{% macro test(row) %}
    <span style="color: {{ colours[row.outcome] }}; font-weight: bold">{{ signs[row.outcome] }}</span>
    {{ row.ask | coded }}
    {% if row.reason %}
    <div style="margin-inline-start: 1.4em; color: inherit">{{ row.reason | coded }}</div>
    {% endif %}
{% endmacro %}
{% set fold = "margin: 2px 0; margin-inline-start: 1.4em; color: inherit" %}
<div role="group" style="border-inline-start: 4px solid {{ colour }}; padding: 4px 12px; margin: 4px 0; \
line-height: 1.5; color: inherit; max-width: 60em; overflow-wrap: break-word" lang="{{ panel.language }}" \
dir="{{ direction(panel.language) }}">
  {% if panel.outcome == "hint" %}
  <div>{{ panel.heading | coded }}</div>
  {% else %}
  <strong>{{ signs.get(panel.outcome, "") }} {{ panel.heading | coded }}</strong>
  {% endif %}
  {% for row in panel.open %}
  <div>
    {{ test(row) }}
    {% for why in row.whys %}
    <details style="{{ fold }}"><summary>{{ panel.matters() }}</summary>{{ why | coded }}</details>
    {% endfor %}
    {% if row.picture is not none %}
    {{ row.picture._repr_html_() | safe }}
    {% endif %}
    {% if row.more %}
    <details style="{{ fold }}"><summary>{{ panel.more_fail(row) }}</summary>
      {% for other in row.more %}
      <div>{{ test(other) }}</div>
      {% endfor %}
    </details>
    {% endif %}
  </div>
  {% endfor %}
  {% if panel.closed %}
  <details style="{{ fold }}"><summary>{{ panel.others_fail() }}</summary>
    {% for row in panel.closed %}
    <div>{{ test(row) }}</div>
    {% endfor %}
  </details>
  {% endif %}
  {% if panel.passed %}
  <details style="margin: 2px 0; color: inherit">
    <summary><span style="color: {{ colours.passed }}; font-weight: bold">{{ signs.passed }}</span> \
{{ panel.pass_() }}</summary>
    {% for ask in panel.passed %}
    <div style="margin-inline-start: 1.4em">{{ ask | coded }}</div>
    {% endfor %}
  </details>
  {% endif %}
  {% if panel.warned %}
  <details style="margin: 2px 0; color: inherit"><summary>{{ panel.warnings_() }}</summary>
    {% for warning in panel.warned %}
    <div style="margin-inline-start: 1.4em">{{ warning }}</div>
    {% endfor %}
  </details>
  {% endif %}
  {% if panel.last %}
  <div style="margin-top: 4px; color: inherit">{{ panel.last | coded }}</div>
  {% endif %}
</div>
"""


def show(panel: Any) -> None:
    """Show a panel, or a small case, in a notebook; its text elsewhere."""
    if running_shell() is None:
        print(panel)
        return
    from IPython.display import display

    display(panel)  # type: ignore[no-untyped-call]  # IPython's
