"""How a course and a platform know each other.

lti.toml        the registration, filled in by a person; a table [LESSON] for a lesson that has its own
.lti/           not readable by other people, not for git:
  key.pem       the course's private key, with which anyone can write marks wherever the platform lets this tool in
  places.json   the addresses that launches named: of the course (""), and of lessons with links of their own
  sent/         the journals of `outbox`
"""

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.common.paths import write_whole
from autograder.common.toml import read_toml
from utils.common.messages import N_

NAME, FOLDER = "lti.toml", ".lti"
BITS = 2048  # of the key; Canvas refuses fewer


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
    scopes: tuple[str, ...] = ()  # what this tool may do with columns


class Key:
    """The course's key pair, made at the first use. Only the public half is ever shown."""

    def __init__(self, course: Course):
        """Raises: OSError, PlatformError for a key that other people can read."""
        from cryptography.hazmat.primitives import serialization as form
        from cryptography.hazmat.primitives.asymmetric import rsa

        path = folder_of(course) / "key.pem"
        if not path.exists():
            made = rsa.generate_private_key(65537, BITS)
            pem = made.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
            write_whole(path, pem, private=True)
        if path.stat().st_mode & 0o077:
            open_to_all = N_("Other people can read {path}; delete it, type: workbook connect, and register anew.")
            raise PlatformError(open_to_all, path=path)
        self.private: Any = form.load_pem_private_key(path.read_bytes(), None)
        public = self.private.public_key()
        self.pem = public.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo).decode()
        self.name = hashlib.sha256(self.pem.encode()).hexdigest()[:16]

    def jwk(self) -> dict[str, Any]:
        """Return the public key in the form that Canvas wants."""
        from jwt.algorithms import RSAAlgorithm

        public = json.loads(RSAAlgorithm.to_jwk(self.private.public_key()))
        return {**public, "kid": self.name, "alg": "RS256", "use": "sig"}


def platform_of(course: Course, lesson: str = "") -> Platform:
    """Return the registration of a course, or of a lesson. Raises: PlatformError for a line that is wrong."""
    path, names = course / NAME, Platform._fields
    try:
        content = read_toml(path)
    except ValueError as error:
        raise PlatformError("{path} cannot be read ({error}); correct that line.", path=path, error=error) from None
    lines = {key: value for key, value in content.items() if not isinstance(value, dict)} | content.get(lesson, {})
    if wrong := sorted(lines.keys() - {*names}) or [n for n in names[:-1] if not str(lines.get(n, "")).strip()]:
        lacks = N_("{path}: correct {wrong}. Its lines are {names}; fill in the first 6.")
        raise PlatformError(lacks, path=path, wrong=", ".join(wrong), names=", ".join(names))
    platform = Platform(**{name: str(text) for name, text in lines.items()})
    for url in (platform.login_url, platform.token_url, platform.keys_url):
        require_https(url)
    return platform


def places_of(course: Course) -> dict[str, Place]:
    """Return the connected places: "" is the course's, the others belong to lessons."""
    path = course / FOLDER / "places.json"
    content = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {name: Place(**place | {"scopes": tuple(place["scopes"])}) for name, place in content.items()}


def keep_place(course: Course, lesson: str, place: Place) -> None:
    """Note the place of a lesson, or of the course (""); places of another course are forgotten. Raises: OSError."""
    places = {name: one for name, one in places_of(course).items() if one.context == place.context} | {lesson: place}
    rows = {name: one._asdict() for name, one in places.items()}
    write_whole(folder_of(course) / "places.json", json.dumps(rows, indent=1), private=True)


def folder_of(course: Course) -> Path:
    """Return the course's folder `.lti`; make it if it does not exist. Raises: OSError."""
    folder = course / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    if not (folder / ".gitignore").exists():
        write_whole(folder / ".gitignore", "*\n")
    return folder


def require_https(url: str) -> None:
    """Raises: PlatformError for an address that is not https, except on this computer."""
    parts = urlsplit(url)
    if parts.scheme != "https" and (parts.scheme != "http" or parts.hostname not in ("localhost", "127.0.0.1")):
        insecure = N_("{url!r} does not begin with https://; correct it in {file}, or on the platform.")
        raise PlatformError(insecure, url=url, file=NAME)
