"""The marking page's addresses without a server: pages with their headers, errors as sentences, bounds of a request."""

import asyncio
import json
import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from jupyter_server.auth.identity import IdentityProvider
from markupsafe import escape
from tornado import web

from autograder.common.course import WORKBOOK
from autograder.common.errors import GradingError
from autograder.common.sentences import saying
from autograder.gradebook.first_screen import essay_titles, title_of
from autograder.lesson.text import Lesson
from autograder.marking import handlers
from autograder.marking.handlers import MAX_BODY, ApiHandler, LabHandler, ListHandler, PageHandler
from autograder.marking.question import MarkedQuestion, Stale
from tests.helpers.courses import configure
from tests.helpers.marked_class import waiting_class
from utils.common.messages import translate

LESSON = Lesson.load("attention", WORKBOOK)
NAME = "why_convolutions_fail"


@pytest.fixture(scope="module")
def question(tmp_path_factory) -> MarkedQuestion:
    course = tmp_path_factory.mktemp("alone") / "course"
    made = waiting_class(course, LESSON, NAME, {"ada": "An answer.", "bob": "Another."})
    configure(course, "c.Translate.language = 'fr'")
    return made


@pytest.fixture
def other(tmp_path) -> SimpleNamespace:
    """A course in which nothing is graded."""
    configure(tmp_path)
    return SimpleNamespace(course=tmp_path, url=f"sqlite:///{tmp_path}/gradebook.db")


def asked(
    kind: type[Any], question: Any, *words: str, body: Any = None, server: Any = None, **arguments: str
) -> SimpleNamespace:
    """Return what a handler answers: the text or JSON that it sends, its headers, the status of an error.

    server: further settings of the server.
    """
    sent, headers = [], {}

    class Alone(kind):
        xsrf_token = b"token"

        def set_header(self, name: str, value: str) -> None:
            headers[name] = value

        def finish(self, chunk: Any = None) -> None:
            sent.append(chunk)

        def get_argument(self, name: str, default: str) -> str:
            return arguments.get(name, default)

        def get_json_body(self) -> Any:
            return json.loads(self.request.body)

    handler = object.__new__(Alone)
    folder = SimpleNamespace(root=str(question.course), db_url=question.url)
    settings = {"base_url": "/user/ada/", "nbgrader_formgrader": SimpleNamespace(coursedir=folder)}
    settings |= {"nbgrader_bad_setup": False, "identity_provider": IdentityProvider()} | (server or {})
    handler.application = SimpleNamespace(settings=settings)
    handler.current_user = SimpleNamespace(username="ines")
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    handler.request = SimpleNamespace(body=content)
    status, said = 200, ""
    try:
        asyncio.run(handler.get(*words) if body is None else handler.put(*words))
    except web.HTTPError as error:
        status, said = error.status_code, str(error.log_message)
    return SimpleNamespace(status=status, said=said, headers=headers, text=sent[0] if sent else None)


def test_the_list_has_lessons_in_which_somebody_is_graded_in_the_courses_language(question):
    page = asked(ListHandler, question)
    assert page.headers == {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"}
    assert '<html lang="fr" dir="ltr">' in page.text and f"<h2>{title_of(LESSON, 'fr')}</h2>" in page.text
    assert page.text.count("<h2>") == 1 and f'href="/user/ada/essays/attention/{NAME}"' in page.text
    assert saying("fr")("To mark: {waiting}; marked: {marked}", waiting=2, marked=0) in page.text


@pytest.mark.parametrize(("kind", "words"), [(ListHandler, ()), (PageHandler, ("attention",))])
def test_before_grading_a_page_says_what_to_type(other, kind, words):
    page = asked(kind, other, *words)
    assert "There is no gradebook yet; type: workbook grade" in page.text and '<html lang="en">' in page.text
    assert 'href="/user/ada/essays/static/marking.css"' in page.text and page.text.count("<p>") == 1
    assert page.headers == {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"}


def test_the_card_of_the_launcher_speaks_the_courses_language_and_needs_a_course(question, tmp_path):
    assert asked(LabHandler, question).text == {name: translate(text, "fr") for name, text in handlers.LAB.items()}
    found = asked(LabHandler, SimpleNamespace(course=tmp_path, url=""))
    assert (found.status, found.said) == (404, "This server was not started in a course.")


def test_a_page_is_that_of_the_question_asked_for_else_of_the_first_that_waits(question):
    first = asked(PageHandler, question, "attention")
    titles = {name: str(escape(title)) for name, title in essay_titles(LESSON, "fr").items()}
    assert f"<title>{titles[NAME]} · " in first.text and '<html lang="fr" dir="ltr">' in first.text
    other = next(name for name in LESSON.essays if name != NAME)
    assert f"<title>{titles[other]} · " in asked(PageHandler, question, "attention", other).text
    settings = json.loads(first.text.partition('id="settings">')[2].partition("</script>")[0])
    assert (settings["base"], settings["lesson"], settings["question"]) == ("/user/ada/", "attention", NAME)
    assert asked(PageHandler, question, "attention", "nonsense").status == 404
    assert asked(PageHandler, question, "nonsense").status == 404


def test_data_is_never_kept_by_a_browser_and_keeps_its_script(question):
    found = asked(ApiHandler, question, "attention", NAME, "class")
    assert found.headers == {"Content-Type": "application/json", "Cache-Control": "no-store"}
    assert {one["student"] for one in json.loads(found.text)["answers"]} == {"ada", "bob"}
    assert json.loads(asked(ApiHandler, question, "attention", NAME, "class", second="1").text)["answers"] == []
    assert json.loads(asked(ApiHandler, question, "attention", NAME, "figures", student="ada").text) == []
    assert asked(ApiHandler, question, "attention", NAME, "nonsense").status == 404


@pytest.mark.parametrize("student", ["../ada", "a/b", "..", "/etc"])
def test_the_figures_of_a_path_are_refused(question, student):
    found = asked(ApiHandler, question, "attention", NAME, "figures", student=student)
    assert (found.status, found.said) == (400, "This request cannot be used: a student's id is not a path") or (
        student == ".." and found.text == "[]"
    )


@pytest.mark.parametrize(("size", "status"), [(MAX_BODY, 404), (MAX_BODY + 1, 413)])
def test_a_request_has_at_most_a_million_bytes(question, size, status):
    body = b'{"x": "' + b"x" * (size - 9) + b'"}'
    assert len(body) == size and asked(ApiHandler, question, "attention", NAME, "nothing", body=body).status == status


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (Stale("an old page"), 409, "an old page"),
        (GradingError("it is locked"), 503, "it is locked"),
        (KeyError("student"), 400, "This request cannot be used: 'student'"),
        (TypeError("no list"), 400, "This request cannot be used: no list"),
        (ValueError("wrong"), 400, "This request cannot be used: wrong"),
    ],
)
def test_each_failure_has_its_status_and_sentence(question, monkeypatch, error, status, said):
    def fail(*asked: Any) -> None:
        raise error

    monkeypatch.setattr(handlers, "_mark", fail)
    found = asked(ApiHandler, question, "attention", NAME, "mark", body={})
    assert (found.status, found.said) == (status, said)


def test_who_marks_has_forty_letters_of_initials(question, monkeypatch):
    monkeypatch.setattr(handlers, "_mark", lambda question, told, who: who)
    told = {"by": "x" * 50}
    assert json.loads(asked(ApiHandler, question, "attention", NAME, "mark", body=told).text) == "x" * 40
    assert json.loads(asked(ApiHandler, question, "attention", NAME, "mark", body={"a": 1}).text) == ""


def change(question: MarkedQuestion, what: str, **told: Any) -> SimpleNamespace:
    found = asked(ApiHandler, question, "attention", NAME, what, body=told)
    return SimpleNamespace(status=found.status, said=found.said, data=json.loads(found.text) if found.text else None)


def version(question: MarkedQuestion, student: str = "ada") -> str:
    return question.cards()[1][student].version


@pytest.mark.parametrize("adjustment", [30.001, -30.001, math.inf, math.nan])
def test_an_adjustment_is_a_number_of_at_most_ten_times_the_points(question, adjustment):
    most = LESSON.essays[NAME].points
    told = {"student": "ada", "items": [], "version": version(question)}
    assert most == 3 and change(question, "mark", adjustment=adjustment, **told).status == 400


def test_a_mark_needs_neither_adjustment_nor_comment_and_is_undone(question):
    told = {"student": "ada", "items": ["mean"], "by": "me"}
    card = change(question, "mark", version=version(question), **told).data
    assert (card["score"], card["adjustment"], card["comment"], card["by"]) == (1, 0, "", "me")
    card = change(question, "mark", version=version(question), adjustment=-30, comment="c", **told).data
    assert (card["score"], card["comment"]) == (0, "c")
    assert change(question, "undo", student="ada", version="old").status == 409
    assert change(question, "undo", student="ada", version=version(question)).data["score"] == 1
    assert change(question, "undo", student="ada", version=version(question)).data["score"] is None


def test_a_rubric_is_changed_by_a_true_word_alone(question):
    items = question.cards()[0].to_json()["items"]
    for sure in (None, "true", 1):
        told = change(question, "rubric", items=items, revision=0, sure=sure).data
        assert told["moves"] == 0 and question.cards()[0].revision == 0
    assert change(question, "rubric", items=items, revision="1", sure=True).status == 409
    assert change(question, "rubric", items="items", revision=0).status == 400


def test_a_second_mark_and_a_claim_are_those_of_the_asking_window(question):
    assert change(question, "second", student="bob", items=["mean"], by="eve").status == 200
    second = question.store.record("bob").second
    assert (second.items, second.by) == (["mean"], "eve")
    assert change(question, "claim", student="bob", window="w").data == {"yours": True, "claims": {"bob": "w"}}
    assert change(question, "claim", student="bob", window="v").data == {"yours": False, "claims": {"bob": "w"}}
    assert change(question, "claim", student="", window="w").data == {"yours": True, "claims": {}}


def test_scripts_of_the_page_are_all_named():
    assert handlers.MODULES == sorted(path.name for path in Path(handlers.STATIC).glob("*.js")) != []


def test_an_error_without_a_sentence_is_its_status_as_json():
    sent: list[str] = []
    headers: dict[str, str] = {}
    handler = SimpleNamespace(set_header=headers.__setitem__, finish=sent.append)
    handlers.Base.write_error(handler, 500)
    handlers.Base.write_error(handler, 400, exc_info=(None, ValueError("no list"), None))
    handlers.Base.write_error(handler, 404, exc_info=(None, web.HTTPError(404, "There is none."), None))
    assert [json.loads(one)["error"] for one in sent] == ["500", "no list", "There is none."]
    assert headers == {"Content-Type": "application/json"}
