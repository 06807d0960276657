"""A page of the course, from a template, in the course's language: the templates contain their texts in English."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from autograder.common.sentences import Number, saying, with_decimals
from autograder.gradebook.pages import code_as_code
from autograder.gradebook.roll import EXCUSED, GRADED, MISSING, TO_GRADE, WAITS
from autograder.intake.notebook import UNREADABLE, WRONG_LESSON
from utils.common.messages import N_, SEMICOLON, direction

# The states of a student in a lesson, as pages show them.
STATES = {state: state for state in (GRADED, TO_GRADE, MISSING, EXCUSED, UNREADABLE, WRONG_LESSON)}
STATES |= {WAITS: N_("waits for a person")}


def page(template: str, language: str, content: dict[str, Any]) -> str:
    """Return a page of the course: a template with its content, in a language."""
    say = saying(language)
    folder = FileSystemLoader(Path(__file__).parent / "templates")
    pages = Environment(loader=folder, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    pages.filters["number"] = lambda value, form: format(Number(value, language), form)
    pages.filters["code"] = lambda text: Markup(code_as_code(text))
    # A student's mark in a lesson is a number, or the state that keeps the student from having one.
    pages.filters["mark"] = lambda mark: say(STATES[mark]) if mark in STATES else with_decimals(mark, language)
    about = {"language": language, "direction": direction(language), "semicolon": say(SEMICOLON)}
    return pages.get_template(template).render(content, _=say, zip=zip, **about)
