"""How a course and a platform know each other.

lti.toml        the registration, filled in by a person; a table [LESSON] for a lesson that has its own
.lti/           not readable by other people, not for git:
  key.pem       the course's private key, with which anyone can write marks wherever the platform lets this tool in
  places.json   the addresses that launches named: of the course (""), and of lessons with links of their own
  sent/         the journals of `outbox`
"""

import json
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urlsplit

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.common.paths import write_whole
from autograder.common.toml import read_toml

NAME, FOLDER = "lti.toml", ".lti"


class Platform(NamedTuple):
    """The registration of a course, or of a lesson: the lines of lti.toml."""

    issuer: str  # the platform's name for itself, an address
    client_id: str  # the platform's number for this tool
    deployment_id: str  # ... and for this tool in this course
    login_url: str  # where a sign-in is requested
    token_url: str  # where this tool gets a token
    keys_url: str  # the platform's public keys
    audience: str = ""  # of the request for a token, if it is not `token_url` (D2L)


class Place(NamedTuple):
    """A course on the platform, or a link in it, as a launch described it."""

    context: str
    title: str
    lineitems: str = ""  # the address of the course's columns
    lineitem: str = ""  # the address of a column, not always the link's own
    memberships: str = ""  # the address of the roster
    link: str = ""  # the link that was opened
    scopes: Sequence[str] = ()  # what this tool may do with columns


def platform_of(course: Course, lesson: str = "") -> Platform:
    """Return the registration of a course, or of a lesson. Raises: PlatformError for a line that is wrong."""
    path, names, lines = course / NAME, Platform._fields, dict[str, object]()
    try:
        content = read_toml(path)
    except ValueError as error:
        wrong = [str(error)]
    else:
        lines = {key: value for key, value in content.items() if not isinstance(value, dict)} | content.get(lesson, {})
        wrong = sorted(lines.keys() - {*names}) or [n for n in names[:-1] if not str(lines.get(n, "")).strip()]
    if wrong:
        about = {"path": path, "wrong": ", ".join(wrong), "names": ", ".join(names)}
        raise PlatformError("{path}: correct {wrong}. Its lines are {names}; fill in the first 6.", **about)
    platform = Platform(**{name: str(text) for name, text in lines.items()})
    for url in (platform.login_url, platform.token_url, platform.keys_url):
        require_https(url)
    return platform


def places_of(course: Course) -> dict[str, Place]:
    """Return the connected places: "" is the course's, the others belong to lessons."""
    path = course / FOLDER / "places.json"
    content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {name: Place(**place) for name, place in content.items()}


def place_of(course: Course, lesson: str = "") -> tuple[str, Place]:
    """Return a lesson's place and its name, "" for the course's; without a lesson, any. Raises: PlatformError."""
    places = places_of(course)
    for name in (lesson, "") if lesson else ("", *places):
        if name in places:
            return name, places[name]
    raise PlatformError("This course is not connected with a platform; type: workbook connect")


def keep_place(course: Course, lesson: str, place: Place) -> None:
    """Note the place of a lesson, or of the course (""); places of another course are forgotten. Raises: OSError."""
    places = {name: one for name, one in places_of(course).items() if one.context == place.context} | {lesson: place}
    rows = {name: one._asdict() for name, one in places.items()}
    write_whole(course / FOLDER / "places.json", json.dumps(rows, indent=1), private=True)


def require_https(url: str) -> None:
    """Raises: PlatformError for an address that is not https, except on this computer."""
    parts = urlsplit(url)
    if parts.scheme != "https" and (parts.scheme, parts.hostname) not in (("http", "localhost"), ("http", "127.0.0.1")):
        raise PlatformError("{url!r} does not begin with https://; correct it in lti.toml or on the platform.", url=url)
