"""The marking page's addresses, asked as the page asks them: answers, refusals and their sentences."""

import json
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.common.course import Course
from autograder.gradebook import grade
from autograder.lesson.compose import hand_in
from autograder.marking.handlers import LAB
from tests.autograder.marking.test_question import ANSWERS, LESSON, NAME, essay
from tests.browser.conftest import jupyter_in
from tests.helpers.courses import configure

TOKEN, BASE = "a-token", "/user/ada"
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="module")
def course(tmp_path_factory, store) -> Path:
    course = tmp_path_factory.mktemp("place") / "course"
    course.mkdir()
    configure(course)
    for student in ("ada", "zoe"):
        hand_in(essay(*ANSWERS[student]), Course(course), student, LESSON.name)
    grade.grade(LESSON.name, course=Course(course))
    return course


@pytest.fixture(scope="module")
def server(course):
    with jupyter_in(course, f"--ServerApp.base_url={BASE}/", f"--IdentityProvider.token={TOKEN}") as address:
        yield f"{address}{BASE}/essays"


@pytest.fixture(scope="module")
def ask(server) -> Ask:
    def ask(what: str, change: Any = None, token: str = TOKEN) -> tuple[int, Any]:
        """Return an address' status and its JSON, or its text; with `change`, after a PUT of it, bytes as they are."""
        body = change if change is None or isinstance(change, bytes) else json.dumps(change).encode()
        wanted = urllib.request.Request(f"{server}{what}", body, method="GET" if body is None else "PUT")
        wanted.add_header("Authorization", f"token {token}")
        try:
            with urllib.request.urlopen(wanted, timeout=60) as answer:
                text, status = answer.read().decode(), answer.status
        except urllib.error.HTTPError as error:
            text, status = error.read().decode(), error.code
        return status, json.loads(text) if text.startswith(("{", "[")) else text

    return ask


API = f"/api/{LESSON.name}/{NAME}"


def version(ask: Ask, student: str = "ada") -> str:
    return next(one["version"] for one in ask(f"{API}/class")[1]["answers"] if one["student"] == student)


def test_pages_name_the_server_s_address_and_what_waits(ask):
    status, page = ask("")
    assert status == 200 and f'href="{BASE}/essays/{LESSON.name}' in page
    status, page = ask(f"/{LESSON.name}")
    assert status == 200 and f"{BASE}/essays/static/" in page and NAME in page
    assert ask(f"/{LESSON.name}/{NAME}")[0] == 200
    assert ask("/api/lab") == (200, LAB)


def test_a_class_has_both_answers_and_a_second_marking_a_sample(ask):
    status, told = ask(f"{API}/class")
    assert status == 200 and [one["student"] for one in told["answers"]] == ["ada", "zoe"]
    assert told["rubric"]["items"] and told["claims"] == {}
    assert ask(f"{API}/class?second=1")[1]["answers"] == []  # nobody is marked yet
    assert ask(f"{API}/figures?student=ada")[0] == 200
    assert ask(f"{API}/figures?student=../ada") == (
        400,
        {"error": "This request cannot be used: a student's id is not a path"},
    )


@pytest.mark.parametrize(
    ("what", "change", "status", "said"),
    [
        ("/nonsense", None, 404, "There is no lesson 'nonsense'"),
        (f"/{LESSON.name}/nonsense", None, 404, "has no question 'nonsense' that a person grades"),
        (f"/api/{LESSON.name}/nonsense/class", None, 404, "has no question 'nonsense' that a person grades"),
        (f"{API}/nonsense", None, 404, "There is nothing with this name."),
        (f"{API}/nonsense", {}, 404, "There is nothing with this name."),
        (f"{API}/mark", [], 400, "A change is a JSON object."),
        (f"{API}/mark", '{"student": "é"}'.encode("latin-1"), 400, "A change is a JSON object."),
        (f"{API}/mark", b"{", 400, "Invalid JSON"),
        ("/100%25", None, 404, "There is no lesson '100%'."),
        (f"/api/{LESSON.name}/100%25d/class", None, 404, "no question '100%d'"),
        (f"{API}/mark", {"student": "ada"}, 400, "This request cannot be used: "),
        (f"{API}/mark", {"student": "ada", "version": "old", "items": []}, 409, "nothing was saved"),
        (f"{API}/mark", {"long": "x" * 1_000_001}, 413, "That is too much at once."),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(ask, what, change, status, said):
    found, told = ask(what, change)
    assert found == status and said in told["error"]


def test_an_adjustment_is_at_most_ten_times_the_points(ask):
    most = LESSON.essays[NAME].points * 10
    told = {"student": "ada", "items": [], "by": "me", "version": version(ask)}
    status, refused = ask(f"{API}/mark", told | {"adjustment": most + 1})
    assert (status, refused["error"]) == (400, "This request cannot be used: an adjustment is a number of points")
    status, card = ask(f"{API}/mark", told | {"adjustment": -most, "comment": "no"})
    assert status == 200 and (card["score"], card["adjustment"], card["comment"]) == (0, -most, "no")


def test_a_mark_is_given_and_taken_back_a_second_one_stands_beside_it(ask):
    before = next(one for one in ask(f"{API}/class")[1]["answers"] if one["student"] == "zoe")
    item = ask(f"{API}/class")[1]["rubric"]["items"][0]
    given = {"student": "zoe", "version": before["version"], "items": [item["id"]], "by": "me"}
    status, card = ask(f"{API}/mark", given)
    assert status == 200 and (card["items"], card["score"], card["by"]) == ([item["id"]], item["points"], "me")
    assert ask(f"{API}/second", {"student": "zoe", "items": [], "by": "you"})[0] == 200
    second = next(one for one in ask(f"{API}/class?second=1")[1]["answers"] if one["student"] == "zoe")
    assert (second["by"], second["items"], second["score"], second["open"]) == ("you", [], None, False)
    status, card = ask(f"{API}/undo", {"student": "zoe", "version": version(ask, "zoe")})
    assert status == 200 and (card["items"], card["score"], card["open"]) == ([], None, True)


def test_an_answer_is_in_one_window_at_a_time(ask):
    assert ask(f"{API}/claim", {"student": "ada", "window": "one"})[1] == {"yours": True, "claims": {"ada": "one"}}
    assert ask(f"{API}/claim", {"student": "ada", "window": "two"})[1] == {"yours": False, "claims": {"ada": "one"}}
    assert ask(f"{API}/claim", {"student": "", "window": "one"})[1] == {"yours": True, "claims": {}}


@pytest.mark.parametrize("student", ["../../../../outside", "/outside", "nobody", "claims", ".", ""])
def test_a_second_marking_is_of_a_student_of_the_class_alone(ask, course, student):
    before = set(course.parent.rglob("*.json"))
    status, told = ask(f"{API}/second", {"student": student, "items": [], "by": "you"})
    assert status == 400 and "this class has no answer by a student with this name" in told["error"]
    assert set(course.parent.rglob("*.json")) == before


def test_a_second_marking_keeps_items_of_the_rubric_alone(ask, course):
    item = ask(f"{API}/class")[1]["rubric"]["items"][0]["id"]
    assert ask(f"{API}/second", {"student": "ada", "items": [item, "no such item"], "by": "x" * 1000})[0] == 200
    kept = json.loads((course / "marking" / LESSON.name / NAME / "answers" / "ada.json").read_text())["second"]
    assert kept["items"] == [item] and kept["by"] == "x" * 40


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ({"student": "nobody", "window": "one"}, "this class has no answer by a student with this name"),
        ({"student": "ada", "window": ""}, "a window's id has 1 to 64 letters"),
        ({"student": "ada", "window": "x" * 65}, "a window's id has 1 to 64 letters"),
    ],
)
def test_a_claim_is_of_a_student_of_the_class_by_a_window(ask, claim, said):
    before = ask(f"{API}/class")[1]["claims"]
    status, told = ask(f"{API}/claim", claim)
    assert status == 400 and said in told["error"]
    assert ask(f"{API}/class")[1]["claims"] == before


def test_a_rubric_changes_once_somebody_is_sure(ask):
    rubric = ask(f"{API}/class")[1]["rubric"]
    items = [{name: part for name, part in item.items() if name != "html"} for item in rubric["items"]]
    items[0]["points"] += 0.5
    status, told = ask(f"{API}/rubric", {"items": items, "revision": rubric["revision"], "sure": True})
    assert status == 200 and told
    assert ask(f"{API}/class")[1]["rubric"]["items"][0]["points"] == items[0]["points"]
    assert ask(f"{API}/rubric", {"items": items, "revision": rubric["revision"], "sure": True})[0] == 409


def test_nobody_without_the_token_sees_anything(ask):
    status, page = ask(f"{API}/class", token="wrong")
    assert status == 200 and "<title>Jupyter Server</title>" in page  # sent on to the login
    status, page = ask(f"{API}/mark", {}, token="wrong")
    assert status == 403 and "student" not in json.dumps(page)
