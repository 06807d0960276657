"""Verdicts as a person sees them: a panel in a notebook, lines in a terminal."""

import textwrap
from collections.abc import Iterable

from utils.checks.question import Question
from utils.checks.verdict import Verdict
from utils.common.messages import N_, Message, translate

SIGNS = {"passed": "✓", "wrong": "✗", "raised": "✗", "stopped": "✗", "not attempted": "○"}
# Green and vermilion of Okabe and Ito's palette, and grey; the sign says the same without colour.
COLOURS = {
    "passed": "#009E73",
    "wrong": "#D55E00",
    "raised": "#D55E00",
    "stopped": "#D55E00",
    "not attempted": "#777777",
}


# Lines of a verdict are broken here, so that nobody has to scroll sideways.
WIDTH = 96


def lines(verdicts: Iterable[Verdict], language: str) -> list[str]:
    """Return each test's line: sign, what was asked, and the reason where it failed; a mistake is explained once."""
    shown: list[str] = []
    explained: set[str] = set()
    for verdict in verdicts:
        shown.append(f"{SIGNS[verdict.outcome]} {translate(verdict.ask, language)}")
        if verdict.reason:
            shown += textwrap.wrap(
                reason(verdict, explained, language), WIDTH, initial_indent="    ", subsequent_indent="    "
            )
    return shown


def reason(verdict: Verdict, explained: set[str], language: str) -> str:
    """Return why a test failed; of a mistake that was explained before, only what was seen this time."""
    if verdict.reason is None:
        return ""
    if verdict.mistake in explained:
        repeated = Message(N_("the same mistake ({detail})"), {"detail": verdict.reason.values["detail"]})
        return repeated.render(language)
    if verdict.mistake:
        explained.add(verdict.mistake)
    return verdict.reason.render(language)


class Panel:
    """One check's verdicts; IPython asks for whichever form it can show."""

    def __init__(self, question: Question, verdicts: list[Verdict], language: str):
        self.verdicts = verdicts
        self.language = language
        self.passed = all(verdict.passed for verdict in verdicts)
        failed = next((v for v in verdicts if not v.passed), None)
        if failed is None:
            summary = Message(N_("all tests pass ({total})"), {"total": len(verdicts)})
        else:
            values = {"passed": sum(v.passed for v in verdicts), "total": len(verdicts)}
            summary = Message(N_("tests passed: {passed} of {total}"), values)
        self.heading = Message(N_("{title}: {summary}"), {"title": Message(question.title), "summary": summary}).render(
            language
        )

    def __repr__(self) -> str:
        sign = SIGNS["passed" if self.passed else "wrong"]
        return "\n".join([f"{sign} {self.heading}", *(lines(self.verdicts, self.language))])

    def _repr_html_(self) -> str:
        from jinja2 import Environment

        explained: set[str] = set()
        rows = [
            {
                "colour": COLOURS[verdict.outcome],
                "sign": SIGNS[verdict.outcome],
                "ask": translate(verdict.ask, self.language),
                "reason": reason(verdict, explained, self.language),
            }
            for verdict in self.verdicts
        ]
        state = "passed" if self.passed else "wrong"
        template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(TEMPLATE)
        return template.render(panel=self, rows=rows, sign=SIGNS[state], colour=COLOURS[state])


TEMPLATE = """\
<div style="border-left: 4px solid {{ colour }}; padding: 4px 12px; margin: 4px 0; line-height: 1.5">
  <strong>{{ sign }} {{ panel.heading }}</strong>
  {% for row in rows %}
  <div>
    <span style="color: {{ row.colour }}; font-weight: bold">{{ row.sign }}</span> {{ row.ask }}
    {% if row.reason %}
    <div style="margin-left: 1.4em; color: {{ row.colour }}">{{ row.reason }}</div>
    {% endif %}
  </div>
  {% endfor %}
</div>
"""


def show(question: Question, verdicts: list[Verdict], language: str) -> None:
    """Show the verdicts: a panel where a notebook listens, text elsewhere."""
    panel = Panel(question, verdicts, language)
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        print(panel)
        return
    if get_ipython() is None:
        print(panel)
    else:
        display(panel)  # type: ignore[no-untyped-call]  # IPython's
