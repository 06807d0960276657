"""The page of a student's own attempts: the hub says who asks, and nobody gets another student's."""

import asyncio
import gc
import json
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest

from autograder.common.course import Course
from autograder.intake import attempts
from autograder.intake.attempts import Attempt, Rows
from tests.helpers.courses import configure

pytest.importorskip("jupyterhub", reason="needs the extra hub: pip install 'attention-workbook[hub]'")

import tornado.httpclient
import tornado.httpserver
import tornado.testing

from autograder.reports import own_attempts

# jupyterhub asks the hub in a thread, whose event loop it leaves to be closed by Python.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

PREFIX, LESSON = "/services/attempts/", "attention"
NAMES = {
    "ada-token": ("ada", "user"),
    "bob-token": ("bob", "user"),
    "cyd-token": ("cyd", "user"),
    "robot-token": ("ada", "service"),
}
NOW = attempts.now()


def attempt(student: str, number: int, minutes: float) -> Attempt:
    at = (NOW - timedelta(minutes=minutes)).isoformat()
    return Attempt(student, number, attempts.EXCHANGE, "", at, at, at, "", "")


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Course:
    folder = tmp_path_factory.mktemp("own")
    configure(folder)
    rules = 'keep = "best"\nattempts = 3\npause = "60 min"'
    (folder / "course.toml").write_text(f'timezone = "Europe/Paris"\n[{LESSON}]\n{rules}\n')
    rows = [attempt("ada", 1, 200), attempt("ada", 2, 120), attempt("ada", 3, 5), attempt("bob", 1, 90)]
    rows += [attempt("ada", 4, -1)]
    held = Rows(rows, points={"ada 1": ["", 31.5, 31.5], "ada 2": ["", 20.0, 20.0], "bob 1": ["", 7.25, 7.25]})
    held.answered, held.placed = ["ada 1", "ada 2", "bob 1"], {"ada": [1, []], "bob": [1, []]}
    kept = attempts.Attempts(Course(folder), LESSON)
    kept.rows = held
    kept.folder.mkdir(parents=True)
    kept.file.write_text(kept.to_json())
    return Course(folder)


def test_each_attempt_has_its_number_its_time_in_the_course_and_its_state(course):
    found = own_attempts.rows_of(course, "ada", "en")
    assert list(found) == [LESSON] and [number for number, *_ in found[LESSON]] == [1, 2, 3, 4]
    assert all(time.endswith("Europe/Paris") for _, time, _ in found[LESSON])
    assert [state for *_, state in found[LESSON]] == [
        "graded; counts (points from the tests: 31.5)",
        "graded; another attempt counts (points from the tests: 20)",
        "waits to be graded",
        "This attempt was not graded: the number of attempts that count, 3, was reached before it.",
    ]
    assert own_attempts.rows_of(course, "bob", "fr")[LESSON][0][2].count("7,25") == 1
    assert own_attempts.rows_of(course, "a", "en") == own_attempts.rows_of(course, "*", "en") == {}


class Hub(BaseHTTPRequestHandler):
    """Answers as a hub does: whose token that is, and a token for a code."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        name, kind = NAMES.get((self.headers.get("Authorization") or "").split(" ")[-1], ("", ""))
        scopes = ["access:services!service=attempts"]
        answer = {"kind": kind, "name": name, "admin": False, "groups": [], "scopes": scopes}
        self.give(200 if name else 403, answer)

    def do_POST(self):
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.give(200, {"access_token": f"{form['code'][0]}-token", "token_type": "Bearer"})

    def give(self, number, answer):
        self.send_response(number)
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())


class Browser:
    """Asks the page, without following it to the hub."""

    def __init__(self, url):
        self.url, self.cookies = url, {}

    async def get(self, path, **headers):
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={text}" for name, text in self.cookies.items())
        ask = tornado.httpclient.HTTPRequest(self.url + path, headers=headers, follow_redirects=False)
        answer = await tornado.httpclient.AsyncHTTPClient().fetch(ask, raise_error=False)
        for line in answer.headers.get_list("Set-Cookie"):
            name, _, text = line.partition(";")[0].partition("=")
            self.cookies[name] = text
        return answer

    async def sign_in(self, student):
        """Sign in at the hub as this student: the hub sends the browser back with a code."""
        first = await self.get(PREFIX)
        asked = {name: texts[0] for name, texts in parse_qs(urlsplit(first.headers["Location"]).query).items()}
        return await self.get(f"{PREFIX}oauth_callback?code={student}&state={asked['state']}")


@pytest.fixture
def ask(course, monkeypatch):
    """Run a function of a browser against the page, beside a hub."""
    hub = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=hub.serve_forever, args=(0.05,), daemon=True).start()
    at = f"http://127.0.0.1:{hub.server_address[1]}"
    settings = {
        "API_URL": f"{at}/hub/api",
        "API_TOKEN": "the-service",
        "SERVICE_PREFIX": PREFIX,
        "HOST": "",
        "BASE_URL": "/",
    }
    settings |= {"SERVICE_NAME": "attempts", "CLIENT_ID": "service-attempts"}
    settings["OAUTH_ACCESS_SCOPES"] = '["access:services!service=attempts"]'
    settings["OAUTH_CALLBACK_URL"] = f"{PREFIX}oauth_callback"
    for name, text in settings.items():
        monkeypatch.setenv(f"JUPYTERHUB_{name}", text)
    own_attempts.HubOAuthenticated.hub_auth_class.clear_instance()

    def run(function):
        async def served():
            sockets, port = tornado.testing.bind_unused_port()
            server = tornado.httpserver.HTTPServer(own_attempts.application(course, PREFIX))
            server.add_socket(sockets)
            try:
                return await function(Browser(f"http://127.0.0.1:{port}"))
            finally:
                server.stop()
                await server.close_all_connections()

        return asyncio.run(served())

    yield run
    hub.shutdown()
    hub.server_close()
    own_attempts.HubOAuthenticated.hub_auth_class.clear_instance()
    gc.collect()  # what jupyterhub leaves


def test_who_is_not_signed_in_gets_the_hubs_login(ask):
    async def visit(browser):
        return await browser.get(PREFIX)

    answer = ask(visit)
    assert answer.code == 302 and answer.headers["Location"].startswith("/hub/api/oauth2/authorize?")
    assert b"ada" not in answer.body


def test_a_student_sees_her_own_attempts_in_her_language_and_no_other_students(ask):
    async def visit(browser):
        back = await browser.sign_in("ada")
        assert back.code == 302 and urlsplit(back.headers["Location"]).path == PREFIX
        pages = [await browser.get(PREFIX, **{"Accept-Language": tag}) for tag in ("de, fr-CA;q=0.8", "zh-CN", "")]
        other = [await browser.get(PREFIX + path) for path in ("?student=bob", "bob", "..%2Fbob")]
        return pages, other

    pages, other = ask(visit)
    french, chinese, english = (answer.body.decode() for answer in pages)
    assert all(answer.headers["Cache-Control"] == "no-store" for answer in pages)
    assert 'lang="fr"' in french and "Vos tentatives" in french and "31,5" in french
    assert 'lang="zh"' in chinese and "Your attempts" in english and english.count("<tr>") == 5
    assert [answer.code for answer in other] == [200, 404, 404]
    assert "7.25" not in english + other[0].body.decode() and "31.5" in other[0].body.decode()


def test_who_has_handed_in_nothing_is_told_so(ask):
    async def visit(browser):
        await browser.sign_in("cyd")
        return await browser.get(PREFIX)

    assert "No notebook of yours has been collected yet." in ask(visit).body.decode()


@pytest.mark.parametrize(("who", "code"), [("eve", 500), ("robot", 403)])
def test_who_the_hub_does_not_know_as_a_person_gets_nothing(ask, who, code):
    async def visit(browser):
        back = await browser.sign_in(who)
        return back if back.code != 302 else await browser.get(PREFIX)

    answer = ask(visit)
    assert answer.code == code and b"31.5" not in answer.body
