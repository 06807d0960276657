"""Platforms as they are: a term with each of six, and with all at once; each fact's handling is needed."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.common.errors import PlatformError
from autograder.common.toml import read_toml
from autograder.lti.marks import BY_HAND, LACKING, REFUSED, SAME, SENT, STRANGERS
from tests.helpers.learning_platform import Platform
from tests.helpers.platform_class import LESSON, send, take_roster, without, write_reason

FACTS = read_toml(Path(__file__).with_name("facts.toml"))["fact"]
PLATFORMS = sorted({fact["platform"] for fact in FACTS})
STUDENTS = 6
SETTINGS = f"[{LESSON}]\nout_of = 37.5\n"  # a maximum that is not whole


@contextlib.contextmanager
def started(plays: set[str], **named: float) -> Iterator[Platform]:
    with contextlib.closing(Platform(STUDENTS, plays, **named)) as there:
        there.ahead = 3600.0 * bool({"another_time", "a_clock_put_back"} & plays)
        yield there


def term(there: Platform, folder: Path, own_link: bool) -> None:
    """Take the roster; send marks three times, with a student who left and a mark by hand; look into the book."""
    course = there.connect(folder, *[LESSON] * own_link)
    (folder / "course.toml").write_text(SETTINGS)
    students = [f"u-{n}" if "no_names" in there.plays else f"s{n}" for n in range(STUDENTS)]
    assert (found := take_roster(course)).new == students and not found.doubtful
    assert {row.get("first_name", "") for row in found.rows} == {"" if "no_names" in there.plays else "Student"}
    again = take_roster(course)
    assert (again.new, again.matched, again.changed, again.gone) == ([], [], [], [])
    points = {student: 5.0 * number for number, student in enumerate(students)}
    ada, bob, cyd, dan, eve, fay = students
    write_reason(course, bob, "The <weights> do not sum to 1.")
    dan_there = there.members.pop(3)
    sent = send(course, points, waiting=eve)
    assert (sent[SENT], sent[SAME], sent[LACKING]) == ([ada, bob, cyd, fay], [], [])
    says_so = any(name.startswith("unknown") for name in there.plays)
    assert len(sent[STRANGERS]) == says_so and len(sent[REFUSED]) == (not says_so)
    assert "".join(sent[STRANGERS] + sent[REFUSED]).startswith(dan)
    ours = [one for one in there.columns if one.get("resourceId") == f"attention-workbook/{LESSON}"]
    assert len(ours) == 1 and ours[0]["scoreMaximum"] == 38 and ours[0]["label"] == LESSON
    there.members.insert(3, dan_there)
    there.ahead = 0.0 if "a_clock_put_back" in there.plays else there.ahead
    sent = send(course, points | {bob: 40.0, fay: 40.0}, waiting=eve)
    assert (sent[SENT], sent[SAME], sent[REFUSED]) == ([bob, dan, fay], [ada, cyd], [])
    path = ours[0]["path"]
    there.marks[path, "u-2"] |= {"scoreGiven": there.marks[path, "u-2"]["scoreMaximum"] * 0.99}  # a teacher's hand
    there.book["u-2"] = 0.99
    sent = send(course, points | {bob: 40.0, cyd: 20.0, fay: 40.0})
    assert (sent[SENT], sent[SAME], sent[REFUSED]) == ([eve], [ada, bob, dan, fay], [])
    assert sent[BY_HAND] == [f"{cyd} (99.0% there, 50.0% here)"]
    shares = {"u-0": 0.0, "u-1": 1.0, "u-2": 0.99, "u-3": 15 / 40, "u-4": 20 / 40, "u-5": 1.0}
    assert there.book == pytest.approx(shares, abs=1e-4), "what teachers see"
    assert there.marks[path, "u-1"]["comment"] == "loss: The ‹weights› do not sum to 1."
    assert len([one for one in there.columns if one.get("tag")]) == 1 and there.submissions == 0


def plays_of(facts: list[dict]) -> set[str]:
    return {name for fact in facts for name in fact.get("plays", ())}


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_term_with_each_platform(tmp_path, name):
    facts = [fact for fact in FACTS if fact["platform"] == name]
    with started(plays_of(facts)) as there:
        term(there, tmp_path, any(fact.get("needs") for fact in facts))


def test_a_term_with_all_of_them_at_once_and_every_eighth_request_in_trouble(tmp_path):
    apart = {"no_names", "other_audience", "a_clock_put_back", "whole_names"}
    with started(plays_of(FACTS) - apart, faults=0.125, seed=3) as there:
        term(there, tmp_path, own_link=True)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact['platform']}: {fact['says'][:50]}")
def test_each_facts_handling_is_needed(tmp_path, fact):
    with (
        started(set(fact.get("plays", ()))) as there,
        without(fact["module"], fact["text"], fact.get("with", "")),
        pytest.raises((AssertionError, PlatformError, KeyError, ValueError)),
    ):
        term(there, tmp_path, bool(fact.get("needs")))


def test_the_facts_are_of_six_platforms():
    assert set(PLATFORMS) == {"all", "Moodle", "Canvas", "Blackboard", "D2L", "Coursera", "Open edX"}
    assert len(FACTS) >= 25 and all({"says", "source", "module", "text"} <= fact.keys() for fact in FACTS)


def test_a_next_page_elsewhere_gets_no_token(tmp_path, monkeypatch):
    with started({"next_elsewhere"}) as there:
        course = there.connect(tmp_path)
        with pytest.raises(PlatformError, match=r"an address elsewhere, 'http://127\.0\.0\.1:9/"):
            take_roster(course)
        assert not (tmp_path / "students.csv").exists()
