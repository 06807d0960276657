"""Pages for instructors and students: markdown as HTML that cannot run, and what feedback shows.

nbgrader's templates (feedback, formgrade; 0.9.6) put the rendered markdown into the page as it is, whatever nbconvert's
setting `sanitize_html` says. So nbconvert's filter for markdown is replaced by one that cleans the HTML as well.
"""

import base64
import contextlib
import html
import io
import re
import warnings
from functools import cache
from pathlib import Path

import nh3
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor
from pygments.formatters import HtmlFormatter

from autograder.common.course import Course
from autograder.common.nodes import grade_id
from autograder.common.sentences import DECIMAL_SIGN, Number, saying
from autograder.essays.feedback import ShownItem, shown_items
from autograder.examine.outputs import MAX_ALL_PIXELS, MAX_PIXELS
from autograder.gradebook.first_screen import fold_lesson, questions, title_of, titles_of
from autograder.gradebook.formulas import ELEMENTS, FormulaRenderer, allowed_value
from autograder.gradebook.keep import NOT_ASKED
from autograder.gradebook.late_days import late_days
from autograder.gradebook.late_rule import described, rule_of
from autograder.gradebook.log import Log, read_log
from autograder.intake.plain import PICTURES
from autograder.lesson.release import course_in
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.lesson.translation import TEXT_STUB, language_of
from autograder.speed.pages import QuickPage
from utils.common.messages import N_, direction, translate

# nbconvert looks here for the template `workbook`, a student's feedback.
TEMPLATES = Path(__file__).parent / "templates"

# The elements that a page may contain besides formulas.
TAGS = {
    *("a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "dl", "dt", "em", "h1", "h2", "h3", "h4"),
    *("h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre", "s", "strong", "sub", "summary", "sup", "table"),
    *("tbody", "td", "th", "thead", "tr", "u", "ul", "div", "span"),
}
ATTRIBUTES = {"*": set(), **ELEMENTS, "a": {"href", "title"}, "img": {"alt", "src", "title", "width"}}
# Links may lead to any page. Pictures have to be in the notebook: another site would learn who looks at its picture.
READ = [kind.removeprefix("image/").upper() for kind in PICTURES]  # Pillow's names of the formats
SHOWN = tuple(f"data:{kind};base64," for kind in PICTURES)
BEGINS = {"href": ("https://", "http://", "mailto:", "#"), "src": SHOWN}


# A picture without a description: screen readers would read out its address, hundreds of thousands of letters.
WITHOUT_ALT = re.compile(r"<img(?![^>]* alt=)")

# Letters of markdown that are rendered, of a cell and of a page: a lesson's longest cell has 1,500, a lesson 32,000.
# LaTeX environments in a cell: to look for the end of each takes time that grows with their square.
MAX_CELL, MAX_PAGE, MAX_ENVIRONMENTS = 20_000, 200_000, 50
# Texts that are rendered once for all pages of a class, most of them the lesson's: letters of one, and how many.
MAX_KEPT, MOST_KEPT = 4_000, 1_000
_rendered: dict[str, str] = {}


class Pictures:
    """The pictures that a page may still show; the attribute says how many pixels are left."""

    def __init__(self) -> None:
        self.pixels_left = MAX_ALL_PIXELS

    def allowed(self, tag: str, name: str, value: str) -> str | None:
        """Return the value of an attribute of an element if it may stay, else None."""
        if tag in ELEMENTS:
            return allowed_value(tag, name, value)
        allowed = value.lower().startswith(BEGINS.get(name, ""))
        return value if allowed and (name != "src" or self._has_room_for(value)) else None

    def _has_room_for(self, picture: str) -> bool:
        """Return whether a picture's pixels are within the page's budget, and take them from it."""
        pixels = pixels_of(picture.partition(",")[2])
        if not 0 < pixels <= min(self.pixels_left, MAX_PIXELS):
            return False
        self.pixels_left -= pixels
        return True


class Page:
    """Renders a page's cells within one budget of characters and pixels; the attribute says how many letters are left.

    The cleaner must not lead back to the page: it is not Python's, so a circle through it would never be collected
    (2.7 MB for each page in a process that writes many).
    """

    def __init__(self) -> None:
        self.letters_left = MAX_PAGE
        self.cleaner = nh3.Cleaner(
            tags=TAGS | set(ELEMENTS),
            clean_content_tags=set(),  # the text of a script stays, as text
            attributes=ATTRIBUTES,
            attribute_filter=Pictures().allowed,
            url_schemes={"http", "https", "mailto", "data"},
            link_rel=None,
        )

    def rendered(self, source: str, attachments: dict[str, dict[str, str]]) -> str:
        """Return markdown as HTML that cannot run; as plain text where it is too long or cannot be rendered."""
        self.letters_left -= len(source)
        simple = len(source) <= MAX_CELL and source.count(r"\begin{") <= MAX_ENVIRONMENTS
        if simple and self.letters_left >= 0:
            with contextlib.suppress(Exception):  # whatever a student's markdown does to the renderer
                known = None if attachments else _rendered.get(source)
                return known or self._html(source, attachments)
        return f"<pre>{html.escape(source)}</pre>"

    def _html(self, source: str, attachments: dict[str, dict[str, str]]) -> str:
        cleaned = self.cleaner.clean(MarkdownWithMath(renderer=FormulaRenderer(attachments)).render(source))
        shown = WITHOUT_ALT.sub('<img alt=""', cleaned)
        # A picture depends on the page: on its attachments, and on the pixels that are left.
        if not attachments and "<img" not in shown and len(source) <= MAX_KEPT and len(_rendered) < MOST_KEPT:
            _rendered[source] = shown
        return shown


def pixels_of(picture: str) -> int:
    """Return the number of pixels of a picture in base64, in all its frames; 0 for anything but a picture."""
    from PIL import Image  # here, because it is slow to load and few pages have pictures in their texts

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # Pillow warns of sizes that are an attack
            with Image.open(io.BytesIO(base64.b64decode(picture)), formats=READ) as image:
                return int(image.width * image.height * getattr(image, "n_frames", 1))
    except Exception:  # any error that a student's bytes cause in Pillow
        return 0


class FeedbackPage(QuickPage):
    """The exporter of feedback pages. Settings for this class do not apply to formgrader's pages."""


@pass_context
def safe_markdown(context: Context, source: str) -> str:
    """nbconvert's filter `markdown2html`, with formulas that need no script; then the HTML is cleaned.

    Ids are removed, because an id in an answer could replace an id of the page's forms. All cells of a page share one
    budget.
    """
    page: Page = context.get("resources", {}).setdefault("workbook_page", Page())
    return page.rendered(source, context.get("cell", {}).get("attachments", {}))


CODE = re.compile(r"`([^`\n]+)`")
# nbgrader's own comment on an empty answer.
NO_RESPONSE = N_("No response.")
# The alternative text of a figure that the student's own code drew.
UNDESCRIBED = N_("A figure without a description")


def name_picture(output: NotebookNode, language: str) -> None:
    """Give a graded picture its alternative text: our figures have a sentence as their plain text.

    A figure that the student's own code drew has only its repr there, "<Figure size ...>", which describes nothing.
    """
    data = output.get("data", {})
    text = data.get("text/plain", "")
    if "image/png" in data:
        described = text and not text.startswith("<")
        output.metadata["alt"] = text if described else translate(UNDESCRIBED, language)


def code_as_code(text: str) -> str:
    """Return one of our sentences as HTML: what is between backticks is code, everything else is text."""
    return CODE.sub(r"<code>\1</code>", html.escape(text))


@cache
def dark_code() -> str:
    """Return the colours of code on a dark page, as CSS."""
    styles: str = HtmlFormatter(style="github-dark").get_style_defs(".highlight")
    return styles


class Words(NbGraderPreprocessor):
    """Gives the feedback's template its words in the student's language, the first screen, and the rubric's items."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        submission, course = resources["nbgrader"], course_in(self.config)
        with Gradebook(submission["db_url"]) as gradebook:
            names = (submission["notebook"], submission["assignment"], submission["student"])
            grades = gradebook.find_submission_notebook(*names).grades
            waiting = {grade.name for grade in grades if grade.needs_manual_grade}
            by_hand = {g.name: (g.manual_score, g.max_score) for g in grades if g.manual_score is not None}
            used = late_days(course, self.config, gradebook.db, submission["student"]).get(submission["notebook"], 0)
            hours = gradebook.find_submission(*names[1:]).total_seconds_late / 3600
        metadata = nb.metadata.get("workbook", {})
        language = language_of(nb)
        late = {"hours": f"{Number(hours, language):.4g}"}
        late["rule"] = described(rule_of(course, self.config, submission["notebook"]), language)
        lesson = Lesson.load(submission["notebook"], course)
        cases = cases_of(read_log(course, lesson.name, submission["student"]), lesson, language)
        for cell in nb.cells:
            if grade_id(cell) in waiting:
                cell.metadata.nbgrader["waits"] = True
            elif grade_id(cell) in by_hand:
                score, most = by_hand[grade_id(cell)]
                cell.metadata.nbgrader["rubric"] = _items(course, submission, grade_id(cell), score, most, language)
            if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade"):
                # The points, which nbgrader reads as the cell's value, are in the heading already.
                said = (one.text for one in cell.outputs if one.output_type == "stream")
                cell.metadata.nbgrader["verdict"], cell.outputs = code_as_code("".join(said)), []
                cell.metadata.nbgrader["case"] = code_as_code(cases.get(grade_id(cell), ""))
            for output in cell.get("outputs", []):
                name_picture(output, language)
            # Intake wrote nbgrader's English text into empty answers, because nbgrader recognises them by this text.
            if cell.source == TEXT_STUB:
                cell.source = translate(TEXT_STUB, language)
            if cell.metadata.get("nbgrader", {}).get("comment") == NO_RESPONSE:
                cell.metadata.nbgrader["comment"] = translate(NO_RESPONSE, language)
        refused = metadata.get("refused")
        if refused:  # nothing in such a notebook was graded, so the page shows only the first cell, the reason
            nb.cells = nb.cells[:1]
        fold_lesson(nb)
        titles = titles_of(lesson, language)
        unasked = [titles.get(TEST_PREFIX + name, titles.get(name, name)) for name in metadata.get(NOT_ASKED, ())]
        lines = questions(nb, lesson, language)
        resources["nbgrader"]["max_score"] = sum(line.points for line in lines)  # nbgrader's has other tracks' as well
        resources["workbook"] = {
            "language": language,
            "direction": direction(language),
            "say": saying(language),
            "decimal": translate(DECIMAL_SIGN, language),
            "late": late,
            "days": used,
            "unasked": "; ".join(unasked),
            "contact": course.settings.contact,
            "code_as_code": code_as_code,
            "title": title_of(lesson, language),
            "refused": bool(refused),
            "waiting": bool(waiting),
            "questions": lines,
            "version": metadata.get("version", ""),
            "dark_code": dark_code(),
        }
        return nb, resources


def _items(
    course: Course, submission: dict[str, str], question: str, score: float, most: float, language: str
) -> list[ShownItem]:
    """Return the rubric's items of a marked answer."""
    return shown_items(course, submission["assignment"], question, submission["student"], score, most, language)


# ---- the small case of a named mistake ----
# It is one of the public checks' cases, which students have, so a page shows no value of a hidden test. What runs is
# the reference with the mistake in it, not the student's code.


@cache  # a class makes the same mistakes
def small_case(lesson: Lesson, question: str, mistake: str, language: str) -> str:
    """Return a small case of a question's mistake as lines of text, "" if there is none in which it shows."""
    from autograder.exams.reference import mutant_students  # here, because these modules load torch
    from autograder.sandbox.inside.light_torch import leave_compiler_unloaded
    from utils.checks.check import case_book
    from utils.checks.engine.case_picture import CasePicture
    from utils.checks.engine.cases import Pool

    leave_compiler_unloaded()  # a mistake in a training would load it
    with contextlib.suppress(Exception):  # without a case, the page still says what is wrong
        if book := case_book(lesson.name):
            students = mutant_students(lesson, question, mistake)
            cases = Pool.read(book, lesson.name, question).differing(students, [mistake])
            # A case in which the code raises shows its line, which is the mistake's and not the student's.
            return next((repr(CasePicture(stored, run, language)) for stored, run in cases if not run.failure), "")
    return ""


def cases_of(log: Log, lesson: Lesson, language: str) -> dict[str, str]:
    """Return the small case of each test cell whose first lost test has a named mistake, by the cell's grade id."""
    cases = {}
    for question in log.get("questions", []):
        lost = next((test for test in question["tests"] if not test["passed"]), None)
        if lost and lost["mistake"]:
            name = question["id"].removeprefix(TEST_PREFIX)
            cases[question["id"]] = small_case(lesson, name, str(lost["mistake"]), language)
    return cases
