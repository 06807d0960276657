"""The marking page's addresses in the Jupyter server.

    essays                                   the course's lessons and questions, with the numbers of answers to mark
    essays/LESSON, essays/LESSON/QUESTION    the page
    essays/api/lab                           the texts of the card in JupyterLab's launcher
    essays/api/LESSON/QUESTION/WHAT          the page's data (GET), and the grader's changes (PUT), as JSON

The handlers extend formgrader's, for their login and their course, but each request has a gradebook session of its
own. Work is done in threads, so that a slow disk does not stop the server. No code of a student runs in the page: its
security policy allows only scripts that are the page's own files.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from jupyter_server.auth.identity import IdentityProvider, PasswordIdentityProvider
from jupyter_server.base.handlers import JupyterHandler
from nbgrader.server_extensions.formgrader.base import BaseApiHandler, check_notebook_dir, check_xsrf
from tornado import web

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import CONFIG_NAME
from autograder.common.sentences import said_in, saying
from autograder.gradebook.beside import own_figures, submitted_outputs
from autograder.gradebook.configuration import course_language
from autograder.gradebook.first_screen import essay_titles, title_of
from autograder.lesson.text import Lesson
from autograder.marking import view
from autograder.marking.book import counts, first_waiting
from autograder.marking.markers import MARKER, Aliases
from autograder.marking.question import MarkedQuestion, Stale
from utils.common.errors import WorkbookError
from utils.common.messages import LANGUAGES, N_, direction, translate

HERE = Path(__file__).parent
STATIC = HERE / "static"
MODULES = sorted(path.name for path in STATIC.glob("*.js"))
# The texts of the page's scripts, and those of the card in JupyterLab's launcher.
SAID = sorted({text for name in MODULES for text in said_in((STATIC / name).read_text(encoding="utf-8"))})
LAB = {
    "label": N_("Mark essays"),
    "caption": N_("Mark the answers that a person reads, one question of the whole class after the other"),
}
PAGES = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-ancestors 'self'; base-uri 'none'; form-action 'none'"
)
# Largest body of a request, in bytes: a rubric with all its texts.
MAX_BODY = 1_000_000


def for_graders(method: Any) -> Any:
    """Make a method answer only who has logged in, from a page of this server, as formgrader's own methods do."""
    return web.authenticated(check_xsrf(check_notebook_dir(method)))


class Base(BaseApiHandler):
    """The base of all requests about a lesson's essays."""

    @property
    def base_url(self) -> str:
        """The server's base address with its slash, which formgrader's lacks: a login's cookie would lack its path."""
        return str(JupyterHandler.base_url.fget(self))  # type: ignore[attr-defined]

    @property
    def content_security_policy(self) -> str:
        return POLICY

    @property
    def course(self) -> Course:
        return Course(Path(self.coursedir.root))

    def language(self) -> str:
        return course_language(self.course)

    def lesson(self, name: str) -> Lesson:
        """Return a lesson of the course, or answer with an error 404."""
        if name not in self.course.lessons:
            raise web.HTTPError(404, f"There is no lesson {name!r}.")
        return Lesson.load(name, self.course)

    def question(self, lesson_name: str, name: str) -> MarkedQuestion:
        """Return the question that a request names, or answer with an error 404."""
        lesson = self.lesson(lesson_name)
        if name not in lesson.essays:
            raise web.HTTPError(404, f"{lesson_name} has no question {name!r} that a person grades.")
        return MarkedQuestion(self.course, self.db_url, lesson, name)

    def grader(self, initials: str = "") -> str:
        """Return the grader's name: the marker's on a marker's server, the user's if the server knows names, else the
        initials that the page sent.
        """
        return self.marker or (str(self.current_user.username) if self.knows_names() else initials[:40])

    @property
    def marker(self) -> str:
        """The marker for whom this server runs, "" on all others."""
        return str(self.settings.get(MARKER, ""))

    @property
    def aliases(self) -> Aliases | None:
        """The names of students on a marker's server, None on all others."""
        return self.settings.get(Aliases.__name__)

    def knows_names(self) -> bool:
        """Return whether users log in by name, as on a hub, and not by a token or a password that all share."""
        return type(self.identity_provider) not in (IdentityProvider, PasswordIdentityProvider)

    def show(self, template: str, values: dict[str, Any]) -> None:
        """Answer with a page in the language that `values` names."""
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.set_header("Cache-Control", "no-store")
        values = values | {"_": saying(values["language"]), "direction": direction(values["language"])}
        self.finish(PAGES.get_template(f"{template}.html.j2").render(values))

    def trouble(self, error: WorkbookError) -> None:
        """Answer with a page that says why there is nothing to mark."""
        self.show("trouble", {"said": str(error), "base": self.base_url, "language": "en"})

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Answer an error with its sentence, as JSON."""
        error = kwargs.get("exc_info", (None, None, None))[1]
        sentence = str(error or status_code)
        if isinstance(error, web.HTTPError) and error.log_message:
            # Always formatted, because tornado doubles the percent signs of a message without arguments.
            sentence = error.log_message % error.args
        self.set_header("Content-Type", "application/json")
        self.finish(json.dumps({"error": sentence}))


class ListHandler(Base):
    """The lessons of the course with their questions."""

    @for_graders
    async def get(self) -> None:
        try:
            language = self.language()
            lessons = {name: self.lesson(name) for name in self.course.lessons}
            by_lesson = {name: await asyncio.to_thread(counts, self.db_url, lesson) for name, lesson in lessons.items()}
        except WorkbookError as error:
            self.trouble(error)
            return
        # A lesson without marked or waiting answers is not graded yet, and is not listed.
        begun = {name: by_question for name, by_question in by_lesson.items() if any(map(sum, by_question.values()))}
        titles = {name: title_of(lessons[name], language) for name in begun}
        values = {"base": self.base_url, "language": language, "counts": begun, "titles": titles}
        self.show("list", values | {"questions": _titles(list(lessons.values()), language)})


class LabHandler(Base):
    """The texts of the card in JupyterLab's launcher, in the course's language; an error 404 outside of a course."""

    @for_graders
    async def get(self) -> None:
        if not (self.course / CONFIG_NAME).is_file():
            raise web.HTTPError(404, "This server was not started in a course.")
        language = self.language()
        self.finish({name: translate(text, language) for name, text in LAB.items()})


class PageHandler(Base):
    """The page of a question."""

    @for_graders
    async def get(self, lesson_name: str, question: str = "") -> None:
        lesson = self.lesson(lesson_name)
        try:
            language = self.language()
            by_question = await asyncio.to_thread(counts, self.db_url, lesson)
        except WorkbookError as error:
            self.trouble(error)
            return
        chosen = question or first_waiting(by_question)
        if chosen not in lesson.essays:
            raise web.HTTPError(404, f"{lesson_name} has no question {chosen!r} that a person grades.")
        values = view.question_data(lesson, chosen, language)
        values = values | {"base": self.base_url, "lesson": lesson.name, "chosen": chosen, "counts": by_question}
        values |= {"language": language, "languages": LANGUAGES, "xsrf": self.xsrf_token.decode()}
        values |= {"title": title_of(lesson, language), "questions": _titles([lesson], language)}
        values |= {"grader": self.grader(), "named": bool(self.marker) or self.knows_names(), "modules": MODULES}
        values |= {"marker": self.marker, "markers": self.course.settings.markers}
        values |= {"words": {text: translate(text, language) for text in SAID}}
        self.show("page", values)


class ApiHandler(Base):
    """A question's data, and the grader's changes. An error is a sentence, with code 409 if the page is out of date."""

    @for_graders
    async def get(self, lesson_name: str, question: str, what: str) -> None:
        marked = self.question(lesson_name, question)
        student = self.student(self.get_argument("student", ""))
        reads: dict[str, Callable[[], Any]] = {
            "class": lambda: view.class_data(marked, second=bool(self.get_argument("second", ""))),
            "figures": lambda: _figures(marked, student),
        }
        await self._answer(reads.get(what))

    @for_graders
    async def put(self, lesson_name: str, question: str, what: str) -> None:
        if len(self.request.body) > MAX_BODY:
            raise web.HTTPError(413, "That is too much at once.")
        marked = self.question(lesson_name, question)
        try:
            change = self.get_json_body()
        except UnicodeDecodeError:
            change = None
        if not isinstance(change, dict):
            raise web.HTTPError(400, "A change is a JSON object.")
        if self.marker and what == "rubric":
            raise web.HTTPError(403, "The course's instructors change the rubric.")
        if "student" in change:
            change["student"] = self.student(str(change["student"]))
        # The request's values are converted here; `_answer` turns the exception of a wrong type into an error 400.
        grader = self.grader(str(change.get("by", "")))
        sure = change.get("sure") is True  # the string "false" would be true as well
        changes: dict[str, Callable[[], Any]] = {
            "mark": lambda: _mark(marked, change, grader),
            "undo": lambda: _card(
                marked.undo(str(change["student"]), str(change["version"]), grader), str(change["student"])
            ),
            "second": lambda: marked.mark_again(str(change["student"]), list(map(str, change["items"])), grader),
            "rubric": lambda: marked.change_rubric(change["items"], int(change["revision"]), sure=sure),
            "note": lambda: _hand_on(marked, change, grader),
            "claim": lambda: _claim(marked, str(change["student"]), str(change["window"])),
        }
        await self._answer(changes.get(what))

    def student(self, sent: str) -> str:
        """Return the student that the page has named, or answer with an error 400."""
        try:
            return self.aliases.student(sent) if self.aliases and sent else sent
        except ValueError as error:
            raise web.HTTPError(400, f"This request cannot be used: {error}") from None

    async def _answer(self, work: Callable[[], Any] | None) -> None:
        """Do the work in a thread and send its result, or its error's sentence."""
        if work is None:
            raise web.HTTPError(404, "There is nothing with this name.")
        try:
            result = await asyncio.to_thread(work)
        except Stale as error:
            raise web.HTTPError(409, str(error)) from None
        except GradingError as error:
            raise web.HTTPError(503, str(error)) from None
        except (KeyError, TypeError, ValueError) as error:
            raise web.HTTPError(400, f"This request cannot be used: {error}") from None
        self.set_header("Content-Type", "application/json")
        self.set_header("Cache-Control", "no-store")
        if self.aliases and isinstance(result, dict):
            result = self.aliases.hide(result)
        self.finish(json.dumps(result, ensure_ascii=False))


def _titles(lessons: list[Lesson], language: str) -> dict[str, str]:
    return {name: title for lesson in lessons for name, title in essay_titles(lesson, language).items()}


def _mark(marked: MarkedQuestion, change: dict[str, Any], grader: str) -> dict[str, Any]:
    student, adjustment = str(change["student"]), float(change.get("adjustment", 0))
    # Written with `not`, so that NaN, which compares as false, is refused; Python's JSON reader accepts NaN.
    if not abs(adjustment) <= marked.essay.points * 10:
        raise ValueError("an adjustment is a number of points")
    items, comment = list(map(str, change["items"])), str(change.get("comment", ""))
    return _card(marked.save(student, str(change["version"]), items, adjustment, comment, grader), student)


def _hand_on(marked: MarkedQuestion, change: dict[str, Any], grader: str) -> dict[str, Any]:
    noted = marked.hand_on(str(change["student"]), str(change["to"]), str(change["note"]), grader)
    return view.handed_on(noted, str(change["share"]))


def _card(saved: tuple[Any, Any], student: str) -> dict[str, Any]:
    rubric, card = saved
    return view.card_data(student, card, rubric)


def _claim(marked: MarkedQuestion, student: str, window: str) -> dict[str, Any]:
    return {"yours": marked.claim(student, window), "claims": marked.store.claims()}


def _figures(marked: MarkedQuestion, student: str) -> list[dict[str, str]]:
    """Return the student's own figures and tables that a question is about."""
    name = marked.lesson.name
    path = marked.course / "submitted" / student / name / f"{name}.ipynb"
    if Path(student).name != student:  # the id comes from the request and must not lead to another folder
        raise ValueError("a student's id is not a path")
    return [shown._asdict() for shown in own_figures(marked.essay, submitted_outputs(marked.lesson, path))]


ADDRESSES: list[tuple[Any, ...]] = [
    (r"/essays/?", ListHandler),
    (r"/essays/api/lab", LabHandler),
    (r"/essays/static/(.*)", web.StaticFileHandler, {"path": str(STATIC)}),
    (r"/essays/api/([^/]+)/([^/]+)/([a-z]+)", ApiHandler),
    (r"/essays/([^/]+)/?", PageHandler),
    (r"/essays/([^/]+)/([^/]+)/?", PageHandler),
]
