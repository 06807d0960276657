"""The page of an attempt that does not count: why, and what the tests say about its code.

The feedback of the attempt that counts is nbgrader's. This page is made without the gradebook, so that an attempt that
does not count changes no mark, no comment and no line of the ledger.
"""

from autograder import mistakes
from autograder.common.sentences import Number
from autograder.examine.result import Result
from autograder.gradebook.first_screen import titles_of
from autograder.gradebook.no_page import page_of
from autograder.gradebook.steps import verdict_outputs
from autograder.lesson.text import Lesson
from utils.common.messages import N_, Message

WORSE = N_(
    "Attempt {number}: the tests give {points} of {max_points} points. Attempt {best} counts, because it gave more."
)
OLDER = N_(
    "Attempt {number}: the tests give {points} of {max_points} points. Attempt {best} counts, because it is newer."
)


def page(lesson: Lesson, result: Result, number: int, best: int, language: str, why: str = WORSE) -> str:
    """Return the page of attempt `number`, with the verdicts of all its tests; attempt `best` counts: `why`."""
    tests = [question for question in result.questions if question.points is not None]
    points = Number(sum(question.points or 0.0 for question in tests), language)
    most = Number(sum(question.max_points for question in tests), language)
    earned = {"points": f"{points:.4g}", "max_points": f"{most:g}", "number": number, "best": best}
    titles, whys = titles_of(lesson, language), mistakes.whys_of(lesson)
    texts = [(titles.get(one.id, one.id), verdict_outputs(one, language, whys)[0].text) for one in tests]
    return page_of(Message(why, earned).render(language), language, lesson.name, texts)
