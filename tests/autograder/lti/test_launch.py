"""`workbook connect`: forged and misdirected sign-ins are refused; a teacher's click connects the course."""

import asyncio
import base64
import contextlib
import hashlib
import hmac
import json
import queue
import re
import socket
import stat
import sys
import threading
import time
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
import requests
from click.testing import CliRunner
from cryptography.hazmat.primitives import serialization as form

from autograder.__main__ import main
from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.lti import launch, settings
from autograder.lti.launch import Launch
from autograder.lti.service import Key
from autograder.lti.settings import places_of, platform_of
from tests.helpers.courses import configure
from tests.helpers.learning_platform import CLAIM, ROLE, Platform, key_pair

TEACHER = ROLE + "Instructor"
INSTITUTION = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor"


def begun(here: Launch, there: Platform, **more: str) -> tuple[dict[str, str], str]:
    """Begin a sign-in; return what the platform is asked, and the browser's cookie."""
    url, cookie = here.begin({"iss": there.url, "client_id": there.client, "login_hint": "t", **more})
    return dict(parse_qsl(urlsplit(url).query)), cookie


@pytest.fixture(scope="module")
def there():
    with contextlib.closing(Platform()) as there:
        yield there


@pytest.fixture
def here(there, tmp_path):
    return Launch(platform_of(there.connect(tmp_path)), "http://localhost:8765/launch")


def test_a_teacher_is_signed_in_and_the_place_is_known(here, there):
    asked, cookie = begun(here, there, lti_message_hint="m")
    assert asked["response_type"] == "id_token" and asked["response_mode"] == "form_post" and asked["scope"] == "openid"
    assert asked["client_id"] == there.client and asked["redirect_uri"] == "http://localhost:8765/launch"
    assert (asked["login_hint"], asked["lti_message_hint"]) == ("t", "m")
    token = there.signed(there.claims(asked["nonce"], "Instructor"))
    assert here.finish({"state": asked["state"], "id_token": token}, cookie) == there.place()


def by_public_key(claims: dict, head: dict) -> str:
    """HS256 with the public key as the secret, which a careless reader accepts."""
    secret = key_pair("platform").public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
    parts = [json.dumps(part).encode() for part in ({"alg": "HS256", "typ": "JWT", **head}, claims)]
    body = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    signature = hmac.new(secret, body, hashlib.sha256).digest()
    return (body + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()


HEAD = {"kid": "platform"}
NOW = int(time.time())
# How the token is made from right claims, by the name of the forgery.
TOKENS = {
    "another key": lambda claims: jwt.encode(claims, key_pair("stranger"), "RS256", HEAD),
    "an unknown key": lambda claims: jwt.encode(claims, key_pair("stranger"), "RS256", {"kid": "stranger"}),
    "no key's name": lambda claims: jwt.encode(claims, key_pair("platform"), "RS256"),
    "the key in the head": lambda claims: jwt.encode(
        claims, key_pair("stranger"), "RS256", {"kid": "stranger", "jku": "https://evil.example/keys"}
    ),
    "no signature": lambda claims: jwt.encode(claims, None, "none", HEAD),
    "the public key as a secret": lambda claims: by_public_key(claims, HEAD),
    "another algorithm": lambda claims: jwt.encode(claims, key_pair("platform"), "RS384", HEAD),
    "the padding PSS": lambda claims: jwt.encode(claims, key_pair("platform"), "PS256", HEAD),
    "a cut signature": lambda claims: jwt.encode(claims, key_pair("platform"), "RS256", HEAD)[:-8] + "AAAAAAAA",
    "no signature's part": lambda claims: jwt.encode(claims, key_pair("platform"), "RS256", HEAD).rpartition(".")[0],
    "another body": lambda claims: ".".join(
        part
        if number != 1
        else base64.urlsafe_b64encode(json.dumps({**claims, "sub": "x"}).encode()).decode().rstrip("=")
        for number, part in enumerate(jwt.encode(claims, key_pair("platform"), "RS256", HEAD).split("."))
    ),
    "no token": lambda claims: "",
    "not a token": lambda claims: "a.b.c",
    "a list": lambda claims: "W10.W10.",
}
# Claims in place of the right ones; None leaves a claim out.
CLAIMS = {
    "another audience": {"aud": "another"},
    "no audience": {"aud": None},
    "two audiences, no azp": {"aud": ["workbook", "another"]},
    "azp of another": {"aud": ["workbook", "another"], "azp": "another"},
    "one audience, azp of another": {"azp": "another"},
    "another issuer": {"iss": "https://evil.example"},
    "no issuer": {"iss": None},
    "a longer issuer": {"iss": "http://127.0.0.1.evil.example"},
    "ended": {"iat": NOW - 900, "exp": NOW - 600},
    "no end": {"exp": None},
    "an end that is a text": {"exp": "later"},
    "made later than now": {"iat": NOW + 900, "exp": NOW + 1800},
    "valid later": {"nbf": NOW + 900},
    "no time": {"iat": None},
    "no person": {"sub": None},
    "another nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "another deployment": {CLAIM + "deployment_id": "dep-2"},
    "no deployment": {CLAIM + "deployment_id": None},
    "another message": {CLAIM + "message_type": "LtiDeepLinkingRequest"},
    "another version": {CLAIM + "version": "1.1"},
    "a student": {CLAIM + "roles": [ROLE + "Learner"]},
    "no role": {CLAIM + "roles": []},
    "roles as a text": {CLAIM + "roles": TEACHER},
    "a teacher elsewhere in the institution": {CLAIM + "roles": [INSTITUTION]},
    "a role of another vocabulary": {CLAIM + "roles": ["http://evil.example/x#Instructor"]},
    "an administrator of the system": {CLAIM + "roles": [INSTITUTION.replace("institution", "system")]},
}
STATES = {
    "another state": ("another", None),
    "no state": ("", None),
    "another browser": (None, "another"),
    "no cookie": (None, ""),
    "letters beyond ASCII": (None, "é"),
}


def test_forged_sign_ins_are_many():
    assert len(TOKENS) + len(CLAIMS) + len(STATES) >= 43


@pytest.mark.parametrize("name", [*TOKENS, *CLAIMS, *STATES])
def test_a_forged_sign_in_is_refused(here, there, name):
    asked, cookie = begun(here, there)
    changed = CLAIMS.get(name, {})
    claims = there.claims(asked["nonce"], "Instructor") | changed
    claims = {key: value for key, value in claims.items() if value is not None}
    token = TOKENS[name](claims) if name in TOKENS else there.signed(claims)
    state, shown = STATES.get(name, (None, None))
    with pytest.raises(PlatformError):
        here.finish(
            {"state": asked["state"] if state is None else state, "id_token": token}, cookie if shown is None else shown
        )


def test_a_sign_in_is_valid_once(here, there):
    asked, cookie = begun(here, there)
    answer = {"state": asked["state"], "id_token": there.signed(there.claims(asked["nonce"], "Instructor"))}
    here.finish(answer, cookie)
    with pytest.raises(PlatformError, match="not begun in this browser"):
        here.finish(answer, cookie)


@pytest.mark.parametrize("wrong", [{"iss": "https://evil.example"}, {"client_id": "another"}])
def test_a_sign_in_from_another_platform_is_not_begun(here, there, wrong):
    with pytest.raises(PlatformError, match="another platform, or is meant for another tool"):
        here.begin({"iss": there.url, "client_id": there.client} | wrong)
    assert here.open == {}


def test_a_platform_may_change_its_key(here, there, monkeypatch):
    monkeypatch.setattr(there, "key_name", "stranger")
    asked, cookie = begun(here, there)
    token = there.signed(there.claims(asked["nonce"], "Instructor"))
    assert here.finish({"state": asked["state"], "id_token": token}, cookie).context == "course-1"


# ---- the door --------------------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def click(there: Platform, port: int, role: str, *, keeps_cookie: bool = True) -> requests.Response:
    """Open the link as a browser does."""
    door = f"http://127.0.0.1:{port}"
    first = requests.get(f"{door}/login", {"iss": there.url, "login_hint": "t"}, allow_redirects=False, timeout=10)
    asked = dict(parse_qsl(urlsplit(first.headers["Location"]).query))
    assert asked["redirect_uri"] == f"http://localhost:{port}/launch"
    crumbs = first.headers["Set-Cookie"]
    assert {"HttpOnly", "Secure", "SameSite=None"} <= {part.strip() for part in crumbs.split(";")}
    answer = {"state": asked["state"], "id_token": there.signed(there.claims(asked["nonce"], role))}
    headers = {"Cookie": crumbs.partition(";")[0]} if keeps_cookie else {}
    return requests.post(f"{door}/launch", answer, headers=headers, timeout=10)


@pytest.fixture
def course(there, tmp_path, monkeypatch):
    course = there.connect(tmp_path)
    (tmp_path / ".lti" / "places.json").unlink()
    monkeypatch.setattr(launch, "course_language", lambda course: "fr")
    return course


def test_only_a_teachers_click_in_the_same_browser_connects_the_course(there, course):
    port, said = free_port(), queue.Queue()
    asked = {"target": launch.connect, "args": (course, "", said.put), "kwargs": {"port": port}, "daemon": True}
    waiting = threading.Thread(**asked)
    waiting.start()
    assert said.get(timeout=60).startswith("Now open the link on the platform")
    student = click(there, port, "Learner")
    forgetful = click(there, port, "Instructor", keeps_cookie=False)
    assert student.status_code == forgetful.status_code == 400 and places_of(course) == {}
    assert "pas été connecté" in student.text and '<html lang="fr"' in student.text
    assert requests.get(f"http://127.0.0.1:{port}/launch", timeout=10).status_code == 400
    assert requests.get(f"http://127.0.0.1:{port}/", timeout=10).status_code == 404
    teacher = click(there, port, "Instructor")
    waiting.join(60)
    assert teacher.status_code == 200 and "Le cours est connecté" in teacher.text
    assert places_of(course) == {"": there.place()}
    assert [said.get(timeout=60) for _ in range(4)] == [
        "A person opened the link who does not teach the course on the platform.",
        "A sign-in was not begun in this browser, or too long ago.",
        "A sign-in was not begun in this browser, or too long ago.",
        f"Connected with Deep learning on {there.url}. Next: workbook roster",
    ]


def test_nobody_clicks(there, course):
    with pytest.raises(PlatformError, match="Nobody opened the link"):
        asyncio.run(launch.wait_for_click(platform_of(course), "en", print, free_port(), seconds=0.01))


def test_a_port_that_is_taken_is_one_sentence(there, course):
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.raises(PlatformError, match="cannot be used"):
        asyncio.run(launch.wait_for_click(platform_of(course), "en", print, server.getsockname()[1]))


def test_links_of_lessons_belong_to_the_same_course_of_the_platform(there, course):
    settings.keep_place(course, "", there.place())
    settings.keep_place(course, "gpt", there.place())
    assert set(places_of(course)) == {"", "gpt"}
    settings.keep_place(course, "", settings.Place("course-2", "Another term"))
    assert set(places_of(course)) == {""}


# ---- registration and key --------------------------------------------------------------------------------------


def test_first_the_course_says_what_to_enter_and_never_shows_the_private_key(tmp_path, capfd):
    course, said = Course(tmp_path), []
    launch.connect(course, "", said.append)
    text = "\n".join(said)
    assert "http://localhost:8765/launch" in text and "http://localhost:8765/login" in text
    jwk = json.loads(re.search(r"^ +(\{.*\})$", text, re.MULTILINE)[1])
    assert set(jwk) == {"kty", "n", "e", "kid", "alg", "use", "key_ops"} - ({"key_ops"} - jwk.keys())
    key = Key(course)
    assert key.pem in text and jwk["kid"] == key.name and key.private.key_size >= 2048
    private = (tmp_path / ".lti" / "key.pem").read_text()
    lines = private.splitlines()[1:-1]
    output = text + "".join(capfd.readouterr())
    assert "PRIVATE" in private and not any(line in output for line in lines)
    for path, mode in {".lti": 0o700, ".lti/key.pem": 0o600}.items():
        assert stat.S_IMODE((tmp_path / path).stat().st_mode) == mode
    assert (tmp_path / ".gitignore").read_text().split() == ["/.lti/", "/students.csv"]
    with pytest.raises(PlatformError, match="issuer, client_id"):
        launch.connect(course, "", said.append)  # nothing is filled in yet
    launch.connect(course, "", said.append, show=True)
    assert said.count(said[1]) == 2, "the key stays the same"


def test_a_key_that_others_can_read_is_not_used(there, course, tmp_path):
    (tmp_path / ".lti" / "key.pem").chmod(0o640)
    with pytest.raises(PlatformError, match="Others can read"):
        Key(course)


def test_a_lesson_may_have_a_registration_of_its_own(there, course, tmp_path):
    with (tmp_path / "lti.toml").open("a") as file:
        file.write('[gpt]\nclient_id = "of gpt"\n')
    assert (platform_of(course).client_id, platform_of(course, "gpt").client_id) == ("workbook", "of gpt")
    assert platform_of(course, "gpt").issuer == there.url


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('token_url = "http://uni.edu/token"', "does not begin with https://"),
        ('keys_url = "ftp://127.0.0.1/keys"', "does not begin with https://"),
        ('deployment_id = " "', "correct deployment_id"),
        ('secret = "x"', "correct secret"),
        ("issuer = ", "lti.toml: correct "),
    ],
)
def test_a_wrong_line_of_the_registration_is_named(there, course, tmp_path, line, said):
    path = tmp_path / "lti.toml"
    name = line.partition(" ")[0]
    others = [old for old in path.read_text().splitlines() if not old.startswith(name)]
    path.write_text("\n".join([*others, line]))
    with pytest.raises(PlatformError, match=re.escape(said)):
        platform_of(course)


def test_without_the_extra_the_commands_say_in_one_sentence_what_to_install(monkeypatch, tmp_path):
    for name in [name for name in sys.modules if name.startswith(("autograder.lti", "jwt"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "jwt", None)
    configure(tmp_path)
    for command in (["connect"], ["roster"], ["send", "attention"]):
        done = CliRunner().invoke(main, [*command, "--course", str(tmp_path)])
        assert done.exit_code == 1
        assert done.output.strip() == (
            "Error: This needs jwt, which is not installed; type: pip install 'attention-workbook[lti]'"
        )
