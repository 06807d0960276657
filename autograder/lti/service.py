"""All requests to a platform's services: token, retries, limits, pages.

A platform knows a tool by its key: for a note signed with it (RFC 7523) the tool gets a token for an hour. After
trouble, a request is repeated unless it must not be carried out twice: a GET and a mark may be repeated, a new column
may not, because a lost answer does not say whether the column was made.
"""

import contextlib
import random
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import jwt
import requests

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.lti.settings import Key, platform_of, require_https
from utils.common.printable import printable

AGS = "https://purl.imsglobal.org/spec/lti-ags/scope/"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
# `lineitem` implies `lineitem.readonly`, but Moodle asks for it before columns are read.
SCOPES = (NRPS, *(AGS + name for name in ("lineitem", "lineitem.readonly", "result.readonly", "score")))
TRIES, LONGEST_WAIT = 7, 60.0  # of one request; seconds of a pause, after which a command ends
TIMEOUT = (10, 60)  # seconds to connect, and between two pieces of an answer
MOST_PAGES = 200  # of one list, because pages might lead in a circle


class Service:
    """A platform's service for a course, or a lesson with its own link. The token goes to the origin of `home` only."""

    def __init__(self, course: Course, lesson: str, home: str):
        if not home:
            raise PlatformError("The platform does not allow this; ask its administrator, then type: workbook connect")
        self.platform, self.key, self.home = platform_of(course, lesson), Key(course), home
        require_https(home)
        self.http = requests.Session()
        self.http.auth = lambda request: request  # else requests sends what ~/.netrc has for the host
        self.ahead = 0.0  # seconds by which the platform's clock is ahead of ours
        self._token, self._ends = "", 0.0

    def pages(self, url: str, accept: str, **query: str) -> Iterator[Any]:
        """Yield the content of each page of a list. Raises: PlatformError."""
        parts = urlsplit(url)  # Moodle's addresses have a query already
        url = parts._replace(query=urlencode(dict(parse_qsl(parts.query)) | query)).geturl()
        for _ in range(MOST_PAGES):
            answer = self.request("GET", url, {"Accept": accept})
            if answer.status_code != 200:
                raise PlatformError(
                    "The platform did not return {path} ({answer}).", path=parts.path, answer=said(answer)
                )
            yield content(answer)
            if "next" not in answer.links:
                return
            url = urljoin(url, answer.links["next"]["url"])
        raise PlatformError("The list {path} has more than {most} pages.", path=parts.path, most=MOST_PAGES)

    def request(
        self, method: str, url: str, headers: Mapping[str, str], body: str | None = None, *, repeat: bool = True
    ) -> requests.Response:
        """Send a request until the answer is not trouble; return it, whatever it says. Raises: PlatformError.

        repeat: whether the request may be sent again although it may have been carried out.
        """
        if urlsplit(url)[:2] != urlsplit(self.home)[:2]:
            raise PlatformError(
                "The platform names an address elsewhere, {url!r}; the token was not sent there.", url=url
            )

        def send() -> requests.Response:
            ours = {**headers, "Authorization": f"Bearer {self.token()}"}
            answer = self.http.request(method, url, headers=ours, data=body, timeout=TIMEOUT, allow_redirects=False)
            if answer.status_code == 401:
                self._ends = 0.0  # the token was withdrawn
            return answer

        return self._tried(send, repeat=repeat, withdrawn=401)

    def token(self) -> str:
        """Return a token that is valid for another minute at least. Raises: PlatformError."""
        url, client = self.platform.token_url, self.platform.client_id
        note = {"iss": client, "sub": client, "aud": self.platform.audience or url}
        form = {"grant_type": "client_credentials", "scope": " ".join(SCOPES)}
        form["client_assertion_type"] = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

        def send() -> requests.Response:
            now = int(time.time() + self.ahead)
            claims = note | {"iat": now - 5, "exp": now + 300, "jti": uuid.uuid4().hex}
            signed = jwt.encode(claims, self.key.private, "RS256", {"kid": self.key.name})
            data = form | {"client_assertion": signed}
            return self.http.post(url, data=data, timeout=TIMEOUT, allow_redirects=False)

        if time.time() < self._ends - 60:
            return self._token
        for _ in range(2):  # the first note may be refused because of our clock; the second has the platform's time
            answer = self._tried(send)
            if answer.status_code == 200:
                grant = content(answer)
                self._token, self._ends = str(grant["access_token"]), time.time() + float(grant.get("expires_in", 3600))
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
            pause, unsure = 0.0, True
            try:
                answer = send()
            except requests.RequestException as error:
                trouble = type(error).__name__
            else:
                with contextlib.suppress(ValueError, TypeError):
                    self.ahead = parsedate_to_datetime(answer.headers.get("Date", "")).timestamp() - time.time()
                unsure = answer.status_code >= 500
                if not (unsure or is_limited(answer) or answer.status_code == withdrawn):
                    return answer
                trouble, wait = said(answer), answer.headers.get("Retry-After", "")
                pause = float(wait) if wait.isdigit() else 0.0
            if unsure and not repeat:
                raise PlatformError("The platform did not answer ({trouble}).", trouble=trouble)
            if pause > LONGEST_WAIT:
                raise PlatformError(
                    "The platform asks to wait {pause:.0f} s; type the command again later.", pause=pause
                )
            if number < TRIES - 1:
                time.sleep(max(pause, min(LONGEST_WAIT, 2.0**number) * random.uniform(0.5, 1.0)))
        raise PlatformError("The platform does not answer ({trouble}); type the command again later.", trouble=trouble)


def is_limited(answer: requests.Response) -> bool:
    """Return whether a platform asks for a pause: 429, or Canvas' 403 when nothing is left of the budget."""
    left = answer.headers.get("x-rate-limit-remaining", "1")
    return bool(answer.status_code == 429 or (answer.status_code == 403 and not left.strip("0.")))


def content(answer: requests.Response) -> Any:
    """Return an answer's JSON. Raises: PlatformError."""
    try:
        return answer.json()
    except ValueError:
        raise PlatformError("The platform's answer cannot be read ({answer}).", answer=said(answer)) from None


def said(answer: requests.Response) -> str:
    """Return an answer's number and the beginning of its text, for a sentence."""
    return f"{answer.status_code}: {' '.join(printable(answer.text).split())[:120]}"
