"""Verdicts as a person sees them: a panel in a notebook, lines in a terminal."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from utils.checks.messages import Message, translate

if TYPE_CHECKING:
    from utils.checks.core import Question, Verdict

SIGNS = {"passed": "✓", "wrong": "✗", "raised": "✗", "stopped": "✗", "not attempted": "○"}
# Green and vermilion of Okabe and Ito's palette, and grey; the sign says the same without colour.
COLOURS = {
    "passed": "#009E73",
    "wrong": "#D55E00",
    "raised": "#D55E00",
    "stopped": "#D55E00",
    "not attempted": "#777777",
}


def lines(verdicts: Iterable["Verdict"], language: str) -> list[str]:
    """Return one line per test: sign, what was asked, and the reason where it failed."""
    shown = []
    for verdict in verdicts:
        ask = translate(verdict.ask, language)
        reason = f"\n    {verdict.reason.render(language)}" if verdict.reason else ""
        shown.append(f"{SIGNS[verdict.outcome]} {ask}{reason}")
    return shown


class Report:
    """One check's verdicts; IPython asks for whichever form it can show."""

    def __init__(self, question: "Question", verdicts: list["Verdict"], language: str):
        self.title = translate(question.title, language)
        self.verdicts = verdicts
        self.language = language
        self.passed = all(verdict.passed for verdict in verdicts)
        failed = next((v for v in verdicts if not v.passed), None)
        if failed is None:
            self.summary = Message("all {total} tests pass", {"total": len(verdicts)}).render(language)
        else:
            values = {"passed": sum(v.passed for v in verdicts), "total": len(verdicts)}
            self.summary = Message("{passed} of {total} tests pass", values).render(language)

    def __repr__(self) -> str:
        sign = SIGNS["passed" if self.passed else "wrong"]
        return "\n".join([f"{sign} {self.title}: {self.summary}", *(lines(self.verdicts, self.language))])

    def _repr_html_(self) -> str:
        from jinja2 import Environment

        return (
            Environment(autoescape=True)
            .from_string(PANEL)
            .render(
                report=self,
                rows=self.verdicts,
                signs=SIGNS,
                colours=COLOURS,
                tr=lambda text: translate(text, self.language),
            )
        )


PANEL = """\
<div style="border-left: 4px solid {{ colours['passed' if report.passed else 'wrong'] }}; padding: 4px 12px; \
margin: 4px 0; line-height: 1.5">
<strong>{{ signs['passed' if report.passed else 'wrong'] }} {{ report.title }}: {{ report.summary }}</strong>
{% for row in rows %}<div><span style="color: {{ colours[row.outcome] }}; font-weight: bold">{{ signs[row.outcome] }}</span> \
{{ tr(row.ask) }}{% if row.reason %}
<div style="margin-left: 1.4em; color: {{ colours[row.outcome] }}">{{ row.reason.render(report.language) }}</div>{% endif %}</div>
{% endfor %}</div>"""


def show(question: "Question", verdicts: list["Verdict"], language: str) -> None:
    """Show the verdicts: a panel where a notebook listens, text elsewhere."""
    report = Report(question, verdicts, language)
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        print(report)
        return
    if get_ipython() is None:
        print(report)
    else:
        display(report)
