"""The words of the report and of the term's page, which are shown in the course's language."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from autograder.common.sentences import Number, with_decimals
from autograder.gradebook.pages import code_as_code
from autograder.gradebook.roll import EXCUSED, GRADED, MISSING, TO_GRADE, WAITS
from autograder.intake.notebook import UNREADABLE, WRONG_LESSON
from utils.common.messages import N_, SEMICOLON, Message, direction

WORDS = {
    # states of a student in a lesson, see gradebook/roll.py
    GRADED: N_("graded"),
    WAITS: N_("waits for a person"),
    TO_GRADE: N_("to grade"),
    MISSING: N_("not handed in"),
    EXCUSED: N_("excused"),
    UNREADABLE: N_("unreadable"),
    WRONG_LESSON: N_("wrong lesson"),
    # the report: headline and state of the class
    "mean_of_all": N_("{mean} of {most} points on average; half of the class has {median} or more."),
    "mean_so_far": N_(
        "{mean} of {most} points on average in the questions examined for the whole class: {number} of {all}."
    ),
    "one_scale": N_(
        "Not all students have the same questions; the points of each are scaled as if all could earn {most}."
    ),
    "no_mean": N_("No question is examined for the whole class yet."),
    "strangers": N_("Not in students.csv, and counted nowhere: {names}."),
    "waiting": N_("Answers that wait for a person: {waiting}. Late submissions: {late}. Repaired notebooks: {mended}."),
    "released": N_("Days since the release: {days}."),
    "cost": N_("Students' code ran {seconds} s and took {cpu_seconds} s of processor time. Made {time} UTC."),
    "versions": N_("Graded by the workbook: {versions}."),
    # the report: its sections
    "marks": N_("Marks"),
    "picture": N_("Number of students by points: {bars}."),
    "points": N_("points"),
    "questions": N_("Questions"),
    "question": N_("question"),
    "mean": N_("mean"),
    "full": N_("full points"),
    "none": N_("no point"),
    "agrees with the rest": N_("agrees with the rest"),
    "wait": N_("waiting"),
    "agreement": N_(
        "“Agrees with the rest” is the correlation of a question's points with the sum of all others. "
        "Near 0, the question does not show who understood."
    ),
    "first_full": N_("Students who reached full points, by the attempt at which they did:"),
    "at_attempt": N_("attempt {number}: {students} of {all}"),
    "not_yet": N_("not yet: {students} of {all}"),
    "semicolon": SEMICOLON,
    "mistakes": N_("Mistakes"),
    "lost": N_("{lost} points were lost here; {named} of them with a named mistake."),
    "no_mistakes": N_("No named mistake was made."),
    "flags": N_("Flags"),
    "nothing": N_("None."),
    "similar": N_("Similar submissions"),
    "similar_hint": N_(
        "Pairs whose code agrees in runs of tokens that neither the lesson nor the task explains. Look at them before "
        "you conclude anything: students may have learned together, or from one source."
    ),
    "share": N_("{students}: {share} of the shorter one's own code ({runs} runs)"),
    "copies": N_("Near-copies among essays"),
    "copies_hint": N_("Answers that use nearly the same words; “{command}” shows them side by side."),
    # the term
    "term": N_("The term"),
    "students": N_("Students: {count}."),
    "total_is": N_(
        "The total is the mean of the shares earned, weighted by lesson. An excused lesson does not count; a lesson "
        "that was not handed in counts as zero. “+” marks a result that is not final, because an answer waits for a "
        "person or a file cannot be read. A mark links to the student's feedback; a click on a column's title sorts "
        "the table."
    ),
    "totals": N_("Number of students by total in percent: {bars}."),
    "name": N_("name"),
    "weight": N_("of {most}, weight {weight}"),
    "total": N_("total"),
}


def page(template: str, language: str, content: dict[str, Any]) -> str:
    """Return a page of the course: a template with its content, in a language."""
    folder = FileSystemLoader(Path(__file__).parent / "templates")
    pages = Environment(loader=folder, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    pages.filters["number"] = lambda value, form: format(Number(value, language), form)
    return pages.get_template(template).render(
        content, language=language, direction=direction(language), say=saying(language), zip=zip, code=_with_code
    )


def _with_code(text: str) -> Markup:
    """Return one of our sentences as HTML, with code as code."""
    return Markup(code_as_code(text))


def saying(language: str) -> Callable[..., str]:
    """Return a template's function for texts: it takes a text from WORDS and fills in values, or takes a mark."""

    def say(word: str, **values: Any) -> str:
        return Message(WORDS[word], values).render(language) if word in WORDS else with_decimals(word, language)

    return say
