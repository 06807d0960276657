"""All requests to a platform's services: the course's key, token, retries, limits, pages.

A platform knows a tool by its key: for a note signed with it (RFC 7523) the tool gets a token for an hour. After
trouble, a request is repeated unless it must not be carried out twice: a GET and a mark may be repeated, a new column
may not, because a lost answer does not say whether the column was made.
"""

import contextlib
import hashlib
import random
import time
import uuid
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from typing import Any, cast
from urllib.parse import urljoin, urlsplit

import jwt
import requests
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.common.paths import write_whole
from autograder.intake.roster import STUDENTS
from autograder.lti.settings import FOLDER, platform_of, require_https
from utils.common.printable import printable

BITS = 2048  # of the key; Canvas refuses fewer
AGS = "https://purl.imsglobal.org/spec/lti-ags/scope/"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
# `lineitem` implies `lineitem.readonly`, but Moodle asks for it before columns are read.
SCOPES = (NRPS, *(AGS + name for name in ("lineitem", "lineitem.readonly", "result.readonly", "score")))
TRIES, LONGEST_WAIT = 7, 60.0  # of one request; seconds of a pause, after which a command ends
TIMEOUT = (10, 60)  # seconds to connect, and between two pieces of an answer
MOST_PAGES = 200  # of one list, because pages might lead in a circle


class Key:
    """The course's key pair, made at the first use. Only the public half is ever shown."""

    def __init__(self, course: Course):
        """Raises: OSError, PlatformError for a key that other people can read."""
        path, ignored = course / FOLDER / "key.pem", course / ".gitignore"
        if not path.exists():
            path.parent.mkdir(mode=0o700, exist_ok=True)
            before = ignored.read_text(encoding="utf-8") if ignored.exists() else ""
            write_whole(ignored, f"{before}\n/{FOLDER}/\n/{STUDENTS}\n")
            made = rsa.generate_private_key(65537, BITS)
            pem = made.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
            write_whole(path, pem, private=True)
        if path.stat().st_mode & 0o077:
            raise PlatformError("Others can read {path}; delete it, and register anew: workbook connect", path=path)
        self.private = cast(rsa.RSAPrivateKey, form.load_pem_private_key(path.read_bytes(), None))
        public = self.private.public_key()
        self.pem = public.public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo).decode()
        self.name = hashlib.sha256(self.pem.encode()).hexdigest()[:16]
        # The public key in the form that Canvas wants.
        self.jwk = {**RSAAlgorithm.to_jwk(public, as_dict=True), "kid": self.name, "alg": "RS256", "use": "sig"}


class Service:
    """A platform's service for a course, or a lesson with its own link. The token goes to the origin of `home` only."""

    def __init__(self, course: Course, lesson: str, home: str):
        if not home:
            raise PlatformError("The platform does not allow this; ask its administrator, then type: workbook connect")
        require_https(home)
        self.platform, self.key, self.home = platform_of(course, lesson), Key(course), home
        self.http = requests.Session()
        self.http.auth = lambda request: request  # else requests sends what ~/.netrc has for the host
        self.ahead = 0.0  # seconds by which the platform's clock is ahead of ours
        self._token, self._ends = "", 0.0

    def pages(self, url: str, accept: str, **query: str) -> Iterator[Any]:
        """Yield the content of each page of a list; the query is for the first page. Raises: PlatformError."""
        for _ in range(MOST_PAGES):
            answer = self.request("GET", url, {"Accept": accept}, params=query)
            yield content(answer)
            if "next" not in answer.links:
                return
            url, query = urljoin(url, answer.links["next"]["url"]), {}
        about = {"path": urlsplit(url).path, "answer": f"{MOST_PAGES}+ pages"}
        raise PlatformError("The platform did not return {path} ({answer}).", **about)

    def request(
        self, method: str, url: str, headers: dict[str, str], *, repeat: bool = True, **parts: Any
    ) -> requests.Response:
        """Send a request until the answer is not trouble; return it, whatever it says. Raises: PlatformError.

        repeat: whether the request may be sent again although it may have been carried out.
        """
        if urlsplit(url)[:2] != urlsplit(self.home)[:2]:
            raise PlatformError("The platform names an address elsewhere, {url!r}; it gets no token.", url=url)

        def send() -> requests.Response:
            ours = headers | {"Authorization": f"Bearer {self.token()}"}
            answer = self.http.request(method, url, headers=ours, timeout=TIMEOUT, allow_redirects=False, **parts)
            if answer.status_code == 401:
                self._ends = 0.0  # the token was withdrawn
            return answer

        return self._tried(send, repeat=repeat, withdrawn=401)

    def token(self) -> str:
        """Return a token that is valid for another minute at least. Raises: PlatformError."""
        url, client = self.platform.token_url, self.platform.client_id
        note = {"iss": client, "sub": client, "aud": self.platform.audience or url}
        grant = {"grant_type": "client_credentials", "scope": " ".join(SCOPES)}
        grant["client_assertion_type"] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

        def send() -> requests.Response:
            now = int(time.time() + self.ahead)
            claims = note | {"iat": now - 5, "exp": now + 300, "jti": uuid.uuid4().hex}
            signed = jwt.encode(claims, self.key.private, "RS256", {"kid": self.key.name})
            data = grant | {"client_assertion": signed}
            return self.http.post(url, data=data, timeout=TIMEOUT, allow_redirects=False)

        if time.time() < self._ends - 60:
            return self._token
        for _ in range(2):  # the first note may be refused because of our clock; the second has the platform's time
            answer = self._tried(send)
            if answer.status_code == 200:
                given = content(answer)
                self._token, self._ends = str(given["access_token"]), time.time() + float(given.get("expires_in", 3600))
                return self._token
        raise PlatformError(
            "The platform does not know this course or its key ({answer}); compare its entries with "
            "lti.toml and with `workbook connect --show`.",
            answer=said(answer),
        )

    def _tried(
        self, send: Callable[[], requests.Response], *, repeat: bool = True, withdrawn: int = 0
    ) -> requests.Response:
        """Return the first answer that is not trouble; `withdrawn`: a number that says that nothing was carried out."""
        for number in range(TRIES):
            pause, unsure = 2.0**number * random.uniform(0.5, 1.0), True
            try:
                answer = send()
            except requests.RequestException as error:
                trouble = type(error).__name__
            else:
                with contextlib.suppress(ValueError, TypeError):
                    self.ahead = parsedate_to_datetime(answer.headers.get("Date", "")).timestamp() - time.time()
                unsure, left = answer.status_code >= 500, answer.headers.get("x-rate-limit-remaining", "1")
                # Canvas asks for a pause by 403, when nothing is left of the budget.
                is_limited = answer.status_code == 403 and not left.strip("0.")
                if not (unsure or is_limited or answer.status_code in (429, withdrawn)):
                    return answer
                trouble, wished = said(answer), answer.headers.get("Retry-After", "")
                pause = max(pause, float(wished)) if wished.isdigit() else pause
            if (unsure and not repeat) or pause > LONGEST_WAIT or number == TRIES - 1:
                break
            time.sleep(pause)
        raise PlatformError("The platform does not answer ({trouble}); type the command again later.", trouble=trouble)


def content(answer: requests.Response) -> Any:
    """Return an answer's JSON. Raises: PlatformError for a refusal, and for a page in its place, as of a sign-in."""
    with contextlib.suppress(ValueError):
        if answer.status_code < 300:
            return answer.json()
    about = {"path": urlsplit(answer.url).path, "answer": said(answer)}
    raise PlatformError("The platform did not return {path} ({answer}).", **about)


def said(answer: requests.Response) -> str:
    """Return an answer's number and the beginning of its text, for a sentence."""
    return f"{answer.status_code}: {' '.join(printable(answer.text).split())[:120]}"
