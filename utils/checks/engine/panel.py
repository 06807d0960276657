"""Verdicts, and hints, as a person sees them: a panel in a notebook, lines in a terminal."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from utils.checks.engine.question import Question
from utils.checks.engine.verdict import NOT_ATTEMPTED, Verdict
from utils.common.columns import wrap
from utils.common.messages import N_, Message, translate
from utils.common.notebook import running_shell

SIGNS = {"passed": "✓", "wrong": "✗", "raised": "✗", "stopped": "✗", "not attempted": "○"}
# Green, vermilion and grey: each with a contrast above 4.5 to white and above 3 to JupyterLab's dark ground, for large
# bold signs. Text has the theme's own colour, and the sign says the same without colour.
COLOURS = {
    "passed": "#007D5B",
    "wrong": "#C35100",
    "raised": "#C35100",
    "stopped": "#C35100",
    "not attempted": "#737373",
}


# Columns; lines of a verdict are broken here, so that nobody has to scroll sideways.
WIDTH = 96


@dataclass(frozen=True)
class Line:
    """One test as it is shown: what was asked, and why it failed where that was not said before."""

    outcome: str
    ask: str
    reason: str = ""


def rows(verdicts: Sequence[Verdict], language: str) -> list[Line]:
    """Return each test's line; a mistake, or one and the same failure of several tests, is explained once."""
    told = Counter(verdict.reason.render(language) for verdict in verdicts if verdict.reason)
    explained: set[str] = set()
    # What was said of exceptions, by kind and line, and of other long reasons, by their text.
    long: dict[tuple[Any, ...], str] = {}
    shown = []
    for verdict in verdicts:
        said = reason(verdict, explained, language)
        if verdict.reason and not verdict.mistake and told[said] == len(verdicts) > 1:
            counted = {"reason": verdict.reason, "count": len(verdicts)}
            everywhere = Message(N_("{reason} (in all {count} tests)"), counted).render(language)
            said, whole = "" if said in explained else everywhere, said
            explained.add(whole)
        elif verdict.reason and not verdict.mistake:
            said = _again(verdict.reason, said, long, language)
        shown.append(Line(verdict.outcome, translate(verdict.ask, language), said))
    return shown


def _again(told: Message, said: str, long: dict[tuple[Any, ...], str], language: str) -> str:
    """Return why a test failed; where it takes several lines and was told before, only what is new."""
    if len(said) <= WIDTH - 4:
        return said
    place = told.values.get("kind"), told.values.get("where")
    before = long.setdefault(place if all(place) else (said,), said)
    if before is said:
        return said
    if before == said:
        return translate(N_("the same again"), language)
    return Message(N_("the same line again: {text}"), {"text": told.values["text"]}).render(language)


def untouched(verdicts: Sequence[Verdict]) -> Message | None:
    """Return the one reason that all tests give for there being nothing to judge, else None."""
    reasons = [verdict.reason for verdict in verdicts if verdict.outcome == NOT_ATTEMPTED]
    alike = len(reasons) == len(verdicts) and all(one == reasons[0] for one in reasons)
    return reasons[0] if alike and reasons else None


def lines(verdicts: Iterable[Verdict], language: str) -> list[str]:
    """Return each test's line: sign, what was asked, and the reason where it failed."""
    verdicts = list(verdicts)
    if nothing := untouched(verdicts):
        return _wrapped(f"{SIGNS[NOT_ATTEMPTED]} {nothing.render(language)}", "")
    shown: list[str] = []
    for row in rows(verdicts, language):
        shown.append(f"{SIGNS[row.outcome]} {row.ask}")
        shown += _wrapped(row.reason, "    ")
    return shown


def _wrapped(text: str, indent: str) -> list[str]:
    return wrap(text, WIDTH, indent)


def reason(verdict: Verdict, explained: set[str], language: str) -> str:
    """Return why a test failed; of a mistake that was explained before, only what was seen this time, where new."""
    if verdict.reason is None:
        return ""
    if verdict.mistake in explained:
        detail: Message = verdict.reason.values["detail"]
        template = N_("the same mistake") if _told(detail) in explained else N_("the same mistake ({detail})")
        explained.add(_told(detail))
        return Message(template, {"detail": detail}).render(language)
    if verdict.mistake:
        explained |= {verdict.mistake, _told(verdict.reason.values["detail"])}
    return verdict.reason.render(language)


def _told(detail: Message) -> str:
    return f"detail: {detail.render()}"


class Panel:
    """A heading, lines below it, and a last word; IPython asks for whichever form it can show."""

    def __init__(self, heading: str, outcome: str, shown: Sequence[Line] = (), last: str = ""):
        self.heading, self.outcome, self.shown, self.last = heading, outcome, shown, last

    @classmethod
    def of(cls, question: Question, verdicts: Sequence[Verdict], language: str, last: str = "") -> "Panel":
        """Return the panel of one question's verdicts; an untouched gap is one line."""
        passed, total = sum(verdict.passed for verdict in verdicts), len(verdicts)
        if nothing := untouched(verdicts):
            summary, outcome = nothing, NOT_ATTEMPTED
        elif passed == total:
            summary, outcome = Message(N_("all tests pass ({total})"), {"total": total}), "passed"
        else:
            counted = {"passed": passed, "total": total}
            summary, outcome = Message(N_("tests passed: {passed} of {total}"), counted), "wrong"
        heading = Message(N_("{title}: {summary}"), {"title": Message(question.title), "summary": summary})
        return cls(heading.render(language), outcome, () if nothing else rows(verdicts, language), last)

    def __repr__(self) -> str:
        shown = _wrapped(f"{SIGNS.get(self.outcome, '')} {self.heading}".strip(), "")
        for row in self.shown:
            shown += [f"{SIGNS[row.outcome]} {row.ask}", *_wrapped(row.reason, "    ")]
        return "\n".join([*shown, *_wrapped(self.last, "")])

    def _repr_html_(self) -> str:
        from jinja2 import Environment

        template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(TEMPLATE)
        return template.render(panel=self, signs=SIGNS, colours=COLOURS)


# `inherit`: the theme's text colour, dark on light and light on dark.
TEMPLATE = """\
{% set colour = colours.get(panel.outcome, "#737373") %}
<div style="border-left: 4px solid {{ colour }}; padding: 4px 12px; margin: 4px 0; line-height: 1.5; color: inherit; \
max-width: 60em">
  <strong>{{ signs.get(panel.outcome, "") }} {{ panel.heading }}</strong>
  {% for row in panel.shown %}
  <div>
    <span style="color: {{ colours[row.outcome] }}; font-weight: bold">{{ signs[row.outcome] }}</span> {{ row.ask }}
    {% if row.reason %}
    <div style="margin-left: 1.4em; color: inherit">{{ row.reason }}</div>
    {% endif %}
  </div>
  {% endfor %}
  {% if panel.last %}
  <div style="margin-top: 4px; color: inherit"><em>{{ panel.last }}</em></div>
  {% endif %}
</div>
"""


def show(panel: Panel) -> None:
    """Show a panel where a notebook listens, text elsewhere."""
    if running_shell() is None:
        print(panel)
        return
    from IPython.display import display

    display(panel)  # type: ignore[no-untyped-call]  # IPython's
