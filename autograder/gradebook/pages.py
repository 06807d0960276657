"""The pages that instructors and students open: markdown as HTML that cannot run, and the words of feedback.

nbgrader's templates (feedback, formgrade; 0.9.6) put the rendered markdown into the page as it is: they do
not ask nbconvert's `sanitize_html`. So the filter that renders it is replaced by one that cleans up after it.
"""

from pathlib import Path

import nh3
from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.exporters import HTMLExporter
from nbconvert.exporters.exporter import ResourcesDict
from nbconvert.filters.markdown_mistune import MarkdownWithMath
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.common.nodes import grade_id
from autograder.gradebook.formulas import ELEMENTS, FormulaRenderer, arranges
from autograder.lesson.translation import TEXT_STUB
from utils.common.messages import LANGUAGES, N_, translate

# nbconvert looks here for the template `workbook`, a student's feedback.
TEMPLATES = Path(__file__).parent / "templates"
WORDS = {
    "answer": N_("Your answer"),
    "test": N_("Test"),
    "comment": N_("Comment:"),
    "waits": N_("not graded yet"),
    "most": N_("of"),
    "some_wait": N_("Some answers are read by a person and are not graded yet; the sum is without them."),
    "penalty": N_("Handed in late:"),
    "version": N_("Graded by the attention workbook, version"),
}

# What a page may hold besides formulas.
TAGS = {
    *("a", "abbr", "b", "blockquote", "br", "code", "dd", "del", "details", "dl", "dt", "em", "h1", "h2", "h3", "h4"),
    *("h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre", "s", "strong", "sub", "summary", "sup", "table"),
    *("tbody", "td", "th", "thead", "tr", "u", "ul", "div", "span"),
}
ATTRIBUTES = {"*": set(), **ELEMENTS, "a": {"href", "title"}, "img": {"alt", "src", "title", "width"}}
# Links lead to pages; pictures are in the notebook, because one from elsewhere would tell who looks at it.
BEGINS = {
    "href": ("https://", "http://", "mailto:", "#"),
    "src": ("data:image/png;base64,", "data:image/jpeg;base64,"),
}


def _allowed(tag: str, name: str, value: str) -> str | None:
    """Return the value of an attribute, None if it may not stay."""
    if tag in ELEMENTS:
        return arranges(tag, name, value)
    return value if value.lower().startswith(BEGINS.get(name, "")) else None


CLEANER = nh3.Cleaner(
    tags=TAGS | set(ELEMENTS),
    clean_content_tags=set(),  # the text of a script stays, as text
    attributes=ATTRIBUTES,
    attribute_filter=_allowed,
    url_schemes={"http", "https", "mailto", "data"},
    link_rel=None,
)


class FeedbackPage(HTMLExporter):
    """nbconvert's exporter, by another name: settings for feedback that formgrader's pages do not obey."""


@pass_context
def safe_markdown(context: Context, source: str) -> str:
    """nbconvert's filter `markdown2html`, with formulas that need no script, followed by a cleaning of the whole page.

    No ids are kept: they could stand for a form's.
    """
    renderer = FormulaRenderer(context.get("cell", {}).get("attachments", {}))
    return CLEANER.clean(MarkdownWithMath(renderer=renderer).render(source))


# What nbgrader itself notes beside an answer that nobody wrote.
NO_RESPONSE = N_("No response.")


def name_picture(output: NotebookNode) -> None:
    """Give a graded picture its alternative text: the sentence that our figures have as plain text.

    A figure of the student's own has only its repr, "<Figure size ...>", which nobody wants to hear.
    """
    data = output.get("data", {})
    text = data.get("text/plain", "")
    if "image/png" in data and not text.startswith("<"):
        output.metadata["alt"] = text


class Words(NbGraderPreprocessor):
    """Tells the feedback's template the student's language, and which answers a person has still to grade."""

    def preprocess(self, nb: NotebookNode, resources: ResourcesDict) -> tuple[NotebookNode, ResourcesDict]:
        told = resources["nbgrader"]
        with Gradebook(told["db_url"]) as gradebook:
            grades = gradebook.find_submission_notebook(told["notebook"], told["assignment"], told["student"]).grades
            waiting = {grade.name for grade in grades if grade.needs_manual_grade}
        noted = nb.metadata.get("workbook", {})
        language = noted.get("language")
        language = language if language in LANGUAGES else "en"
        for cell in nb.cells:
            if grade_id(cell) in waiting:
                cell.metadata.nbgrader["waits"] = True
            for output in cell.get("outputs", []):
                name_picture(output)
            if cell.source == TEXT_STUB:  # as intake restored it, so that nbgrader knows it again
                cell.source = translate(TEXT_STUB, language)
            if cell.metadata.get("nbgrader", {}).get("comment") == NO_RESPONSE:
                cell.metadata.nbgrader["comment"] = translate(NO_RESPONSE, language)
        words = {name: translate(text, language) for name, text in WORDS.items()}
        resources["workbook"] = {"language": language, "words": words, "waiting": bool(waiting)}
        resources["workbook"]["version"] = noted.get("version", "")
        return nb, resources
