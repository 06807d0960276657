"""The student's standing: the last cell of every lesson shows a table of its questions, and how to hand in.

The cell runs the checks again on the objects that the notebook has defined; that trains nothing and takes seconds. An
essay is read from the notebook's file, so only its saved text counts. A person sees the open questions in the table; a
program that runs the notebook (`nbconvert --execute`) gets an error, because a failed check does not stop a run
(`going_on.py`).
"""

import contextlib
import importlib
import importlib.util
import io
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from utils.checks.check import Check
from utils.checks.engine.outcome import NOT_ATTEMPTED
from utils.checks.going_on import under_nbgrader
from utils.checks.outline import Outline, OutlineEntry, outlines
from utils.common import lessons, notebook
from utils.common.errors import NotDone
from utils.common.messages import LANGUAGES, N_, Message, direction, listed, notebook_language, own_name, translate

DONE, PARTLY, OPEN, UNSEEN = "✓", "✗", "○", "?"
TITLE = N_("Where you stand")
COLUMNS = (N_("question"), N_("section"), N_("points"), N_("state"))
STATES = {
    "done": N_("done"),
    "partly": N_("not yet: tests passed so far: {passed} of {total}"),
    "open": N_("not started"),
    "not run": N_("its cell has not run"),
    "empty": N_("empty"),
    "written": N_("written"),
    "unseen": N_("cannot be seen from here: look yourself"),
}
SUM = N_("Points whose checks pass: {earned} of {total}. The essays (points: {essays}) are read by a person.")
NBGRADER = N_("To hand in: save the notebook, then click Submit in nbgrader's Assignment List.")
COLAB = N_("To hand in: File → Download → Download .ipynb, then upload that file where your course says.")
UPLOAD = N_("To hand in: save the notebook, then upload this one file where your course says, under its own name.")
ELSEWHERE = N_("Also here:")
OPEN_QUESTIONS = N_("Questions that are not done: {names}.")


@dataclass(frozen=True)
class StandingRow:
    """A question, its title in the notebook's language, and its state."""

    entry: OutlineEntry
    title: str
    sign: str
    state: Message

    @property
    def is_done(self) -> bool:
        return self.sign == DONE


class Standing:
    """The table of a lesson's questions; IPython takes the form, HTML or text, that it can show."""

    def __init__(self, rows: list[StandingRow], language: str, how: str, links: Mapping[str, str]):
        """how: the sentence on handing in, in English. links: other notebooks in reach, name -> path."""
        self.rows, self.language, self.links = rows, language, links
        coded = [row for row in rows if not row.entry.is_essay]
        values = {
            "earned": f"{sum(row.entry.points for row in coded if row.is_done):g}",
            "total": f"{sum(row.entry.points for row in coded):g}",
            "essays": f"{sum(row.entry.points for row in rows if row.entry.is_essay):g}",
        }
        self.title = translate(TITLE, language)
        self.columns = [translate(column, language) for column in COLUMNS]
        self.elsewhere = translate(ELSEWHERE, language)
        self.sentences = [Message(SUM, values).render(language), translate(how, language)]

    def cells(self, row: StandingRow) -> dict[str, str]:
        """Return a row's texts, and a link to its heading in the form of JupyterLab and nbconvert."""
        heading = row.entry.headings[self.language]
        return {
            "sign": row.sign,
            "title": row.title,
            "heading": heading,
            "link": "#" + heading.replace(" ", "-"),
            "points": f"{row.entry.points:g}",
            "state": row.state.render(self.language),
        }

    def __repr__(self) -> str:
        lines = [self.title]
        for row in self.rows:
            cells = self.cells(row)
            lines.append(f"{cells['sign']} {cells['title']} ({cells['heading']}) [{cells['points']}]: {cells['state']}")
        return "\n".join([*lines, *self.sentences])

    def _repr_html_(self) -> str:
        from jinja2 import Environment

        page = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(TABLE)
        return page.render(standing=self, rows=[self.cells(row) for row in self.rows], direction=direction)


# Without colours of its own: the theme's are legible in light and dark.
TABLE = """\
<div lang="{{ standing.language }}" dir="{{ direction(standing.language) }}">
  <h3>{{ standing.title }}</h3>
  <table>
    <thead><tr><th></th>{% for column in standing.columns %}<th style="text-align: start">{{ column }}</th>{% endfor %}
    </tr></thead>
    <tbody>
    {% for row in rows %}
    <tr><td>{{ row.sign }}</td><td style="text-align: start"><bdi>{{ row.title }}</bdi></td>
      <td style="text-align: start"><a href="{{ row.link }}"><bdi>{{ row.heading }}</bdi></a></td>
      <td>{{ row.points }}</td><td style="text-align: start"><bdi>{{ row.state }}</bdi></td></tr>
    {% endfor %}
    </tbody>
  </table>
  {% for sentence in standing.sentences %}
  <p><bdi>{{ sentence }}</bdi></p>
  {% endfor %}
  {% if standing.links %}
  <p>{{ standing.elsewhere }}
    {% for name, path in standing.links.items() %}
    <a href="{{ path }}"><bdi>{{ name }}</bdi></a>{{ "," if not loop.last }}
    {% endfor %}
  </p>
  {% endif %}
</div>
"""


def show(lesson: str, names: Mapping[str, Any]) -> None:
    """Show the state of each question of a lesson; `names` are the notebook's variables.

    Raises: NotDone with the names of the open questions, where a program runs the notebook.
    """
    standing = stand(lesson, names)
    try:
        from IPython.display import display
    except ImportError:
        print(standing)
    else:
        display(standing)  # type: ignore[no-untyped-call]  # IPython's
    missing = [row.entry.name for row in standing.rows if not row.entry.is_essay and not row.is_done]
    if missing and not notebook.is_open() and not under_nbgrader():
        raise NotDone(Message(OPEN_QUESTIONS, {"names": listed(missing)}).render(standing.language))


def stand(lesson: str, names: Mapping[str, Any]) -> Standing:
    """Return the table of the questions' states, without showing it."""
    language = notebook_language()
    outline = outlines()[lesson]
    checks = checks_of(lesson)
    essays = _essays(lesson, outline)
    rows = []
    for entry in outline.questions:
        if entry.is_essay:
            states = {True: (DONE, "written"), False: (OPEN, "empty"), None: (UNSEEN, "unseen")}
            sign, state = states[essays.get(entry.name)]
            rows.append(StandingRow(entry, entry.titles[language], sign, Message(STATES[state])))
        elif entry.call is None:
            rows.append(StandingRow(entry, entry.name, UNSEEN, Message(STATES["unseen"])))
        else:
            check = checks[entry.name]
            rows.append(StandingRow(entry, translate(check.title, language), *_judged(check, entry, names)))
    return Standing(rows, language, _how_to_hand_in(), _links(lesson, language))


def checks_of(lesson: str) -> dict[str, Check]:
    """Return the lesson's checks by name, also those of a course's questions for a lesson of the workbook (`more`)."""
    names = [f"utils.{lesson}.{module}" for module in ("check", "more")]
    modules = [importlib.import_module(name) for name in names if importlib.util.find_spec(name)]
    return {check.name: check for module in modules for check in vars(module).values() if isinstance(check, Check)}


def _links(lesson: str, language: str) -> dict[str, str]:
    """Return the other lessons, and this one in other languages, that are where the bundle or nbgrader puts them."""
    others = [other for other in lessons.names() if other != lesson]
    places = {other: [f"{other}.ipynb", f"../{other}/{other}.ipynb"] for other in others}
    places |= {own_name(code): [f"../{code}/{lesson}.ipynb"] for code in LANGUAGES if code != language}
    existing = {name: [path for path in paths if Path(path).is_file()] for name, paths in places.items()}
    return {name: paths[0] for name, paths in existing.items() if paths}


def _judged(check: Check, entry: OutlineEntry, names: Mapping[str, Any]) -> tuple[str, Message]:
    """Return a check's sign and state; what the student's code prints is discarded."""
    try:
        # `entry.call` comes from our outline, not from a student
        students = tuple(eval(expression, dict(names)) for expression in entry.call or ())
    except NameError:
        return OPEN, Message(STATES["not run"])
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        verdicts = check.verdicts(students)  # not `check(...)`, which shows a panel and counts as a try
    passed = sum(verdict.passed for verdict in verdicts)
    if passed == len(verdicts):
        return DONE, Message(STATES["done"])
    if all(verdict.outcome == NOT_ATTEMPTED for verdict in verdicts):
        return OPEN, Message(STATES["open"])
    return PARTLY, Message(STATES["partly"], {"passed": passed, "total": len(verdicts)})


def _essays(lesson: str, outline: Outline) -> dict[str, bool]:
    """Return for each essay whether the student has written in it; empty if the notebook cannot be read.

    Empty, too, if several notebooks of this lesson are in the folder: nobody knows which one the student means.
    """
    wanted = {entry.name for entry in outline.questions if entry.is_essay}
    try:
        notebooks = [
            candidate
            for candidate in notebook.candidates()
            if notebook.workbook(candidate).get("lesson", lesson) == lesson
        ]
        cells = notebooks[0]["cells"] if len(notebooks) == 1 else []
        written: dict[str, bool] = {}
        for cell in cells:
            metadata = cell.get("metadata", {})
            name = metadata.get("nbgrader", {}).get("grade_id") or metadata.get("id") or cell.get("id")
            if name in wanted:
                text = "".join(cell.get("source", "")).strip()
                written[name] = text not in ("", *outline.empty)
    except Exception:  # a notebook in an unexpected form must not stop the table
        return {}
    return written


def _how_to_hand_in() -> str:
    """Return the sentence, in English, for the program in which the notebook runs."""
    if "google.colab" in sys.modules:
        return COLAB
    return NBGRADER if importlib.util.find_spec("nbgrader") else UPLOAD
