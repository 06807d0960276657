"""A page of JupyterHub on which students see their own attempts: numbers, times, and which attempt counts.

`workbook attempts` serves the page as a managed service of a hub beside `workbook watch` (docs/administrator.md). The
hub says who asks (HubOAuth), and nobody gets another student's attempts: no part of the address names a student. The
page reads what `watch` and `collect` have written, and writes nothing. Only this page needs the package jupyterhub.
"""

import asyncio
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader
from jupyterhub.services.auth import HubOAuthCallbackHandler, HubOAuthenticated
from tornado import web

from autograder.common.course import Course
from autograder.common.course_file import BEST
from autograder.common.sentences import Number
from autograder.common.times import said
from autograder.intake import attempts
from autograder.intake.attempts import Attempts, Turn
from utils.common.messages import LANGUAGES, N_, Message, direction, translate

TEMPLATES = Path(__file__).parent / "templates"
WORDS = {
    "title": N_("Your attempts"),
    "number": N_("attempt number"),
    "time": N_("handed in at"),
    "state": N_("state of the attempt"),
    "hint": N_("You get the feedback on each attempt in the list of assignments, with “Fetch Feedback”."),
    "nothing": N_("No notebook of yours has been collected yet."),
}
LATER, WAITS = N_("is graded after {time}"), N_("waits to be graded")
COUNTS, OTHER = N_("graded; counts"), N_("graded; another attempt counts")
POINTS = N_("points from the tests: {points}")


def rows_of(course: Course, student: str, language: str) -> dict[str, list[tuple[int, str, str]]]:
    """Return a student's attempts by lesson: number, time, state. Nobody else's are read into the answer."""
    zone, rows = course.settings.timezone, dict[str, list[tuple[int, str, str]]]()
    for name in course.in_order():
        kept = attempts.read(course, name)
        if student in kept.students:
            rows[name] = [
                (one.attempt.number, said(one.attempt.time, zone), _state(kept, one, zone, language))
                for one in kept.turns(student)
            ]
    return rows


def _state(kept: Attempts, turn: Turn, zone: str, language: str) -> str:
    one = turn.attempt
    if turn.why_not is not None:
        return turn.why_not.render(language)
    if turn.begins and turn.begins > attempts.now():
        return Message(LATER, {"time": said(turn.begins, zone)}).render(language)
    if one.key not in kept.rows.answered:
        return translate(WAITS, language)
    state = translate(COUNTS if kept.is_placed(one) else OTHER, language)
    if kept.rules.keep == BEST and one.key in kept.rows.points:
        points = f"{Number(kept.rows.points[one.key][1], language):.4g}"
        state += f" ({Message(POINTS, {'points': points}).render(language)})"
    return state


class OwnAttempts(HubOAuthenticated, web.RequestHandler):
    """The page of the student whom the hub has signed in; anyone else is sent to the hub's login."""

    def initialize(self, course: Course) -> None:
        self.course = course

    @web.authenticated
    def get(self) -> None:
        person = self.current_user
        if person.get("kind") != "user":  # a service may have a student's name
            raise web.HTTPError(403)
        accepted = self.request.headers.get("Accept-Language", "").split(",")
        spoken = (tag.strip()[:2].lower() for tag in accepted)
        language = next((name for name in spoken if name in LANGUAGES), self.course.language)
        words = {name: translate(text, language) for name, text in WORDS.items()}
        rows = rows_of(self.course, str(person["name"]), language)
        self.set_header("Cache-Control", "no-store")
        # Not by `words.page`, which loads torch and nbconvert: 80 MB would be 380.
        page = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True).get_template("own_attempts.html.j2")
        self.write(page.render(words, lessons=rows, language=language, direction=direction(language)))


def application(course: Course, prefix: str) -> web.Application:
    """Return the page below an address of the hub."""
    pages: list[Any] = [(prefix, OwnAttempts, {"course": course}), (f"{prefix}oauth_callback", HubOAuthCallbackHandler)]
    return web.Application(pages, cookie_secret=os.urandom(32))


async def _serve(course: Course) -> None:
    at = urlsplit(os.environ["JUPYTERHUB_SERVICE_URL"])
    application(course, os.environ["JUPYTERHUB_SERVICE_PREFIX"]).listen(at.port or 80, at.hostname or "")
    await asyncio.Event().wait()


def serve(course: Course) -> None:
    """Serve the page as the service that the hub's variables describe, until the hub ends it."""
    asyncio.run(_serve(course))
