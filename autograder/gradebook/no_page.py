"""Pages in place of feedback, in the student's language: one sentence, and perhaps what the tests say."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import nbformat
from jinja2 import Environment, FileSystemLoader

from autograder.common.paths import write_whole
from autograder.gradebook.pages import TEMPLATES
from autograder.gradebook.release_feedback import SECRET
from autograder.lesson.translation import language_of
from utils.common.messages import N_, direction, translate

SENTENCE = N_(
    "Your notebook is graded and your marks are kept, but this page could not be made from it. Your instructor has "
    "been told."
)


def write_no_page(graded: Path, feedback: Path, lesson_name: str, language: str) -> None:
    """Write the sentence as the feedback page of a graded notebook.

    `graded` is the path of the notebook, `feedback` the folder of the page; `language`, the course's, is used if the
    notebook does not name its own. Raises: OSError.
    """
    language = _language(graded) or language
    page = page_of(translate(SENTENCE, language), language, lesson_name)
    write_whole(feedback / f"{lesson_name}.html", page)
    secret = graded.with_name(SECRET)  # the student needs the secret to fetch the page
    if secret.is_file():
        shutil.copyfile(secret, feedback / SECRET)


def page_of(sentence: str, language: str, lesson_name: str, questions: Sequence[tuple[str, str]] = ()) -> str:
    """Return a page with a sentence, and below it the titles of questions, each with a text."""
    page = Environment(loader=FileSystemLoader(TEMPLATES / "workbook"), autoescape=True).get_template("no_page.html.j2")
    values = {"language": language, "direction": direction(language), "lesson": lesson_name, "questions": questions}
    return page.render(values, sentence=sentence)


def _language(graded: Path) -> str:
    """Return the language of a notebook, "" if the notebook cannot be read."""
    try:
        metadata = json.loads(graded.read_text(encoding="utf-8"))["metadata"]
        return language_of(nbformat.from_dict({"metadata": metadata}))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ""
