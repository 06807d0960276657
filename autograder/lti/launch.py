"""`workbook connect`: for ten minutes this computer is the tool, until an instructor has opened the platform's link.

    1  platform -> tool      the issuer, and a hint of the person (`begin`)
    2  tool -> platform      state and nonce, numbers that only this browser and this tool know
    3  platform -> tool      the id_token, signed with the platform's key (`finish`)

It all goes through the instructor's own browser to http://localhost, and the platform gets the public key as text: no
server, no public address, no certificate. Nothing of step 3 is believed before everything in it has been checked.
"""

import hmac
import json
import queue
import secrets
import threading
import time
from collections.abc import Callable
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode

import jwt
import requests

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.common.paths import write_whole
from autograder.common.sentences import T_
from autograder.gradebook.configuration import course_language
from autograder.gradebook.no_page import page_of
from autograder.lti.roster import of_course
from autograder.lti.service import TIMEOUT
from autograder.lti.settings import NAME, Key, Place, Platform, keep_place, platform_of
from utils.common.messages import N_, translate
from utils.common.printable import printable

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
AGS_CLAIM = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NRPS_CLAIM = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
PORT, COOKIE = 8765, "workbook-state"
SECONDS = 600  # in which a person signs in
LEEWAY = 60  # seconds by which clocks may differ
LARGEST = 2**20  # bytes of a form
CONNECTED = N_("The course is connected. You can close this window.")
REFUSED = N_(
    "The course was not connected; the terminal says why. Open the link on the learning platform again, as a teacher "
    "of the course."
)
Say = Callable[[str], None]


def connect(course: Course, lesson: str, say: Say, *, show: bool = False, port: int = PORT) -> None:
    """Connect a course, or a lesson that has its own link; without a registration, say what it needs.

    Raises: OSError, PlatformError.
    """
    key, path = Key(course), course / NAME
    if show or not path.exists():
        say(T_("Enter this on the platform (docs/lti.md says where in Moodle and Canvas):"))
        say(f"  http://localhost:{port}/launch\n  http://localhost:{port}/login\n  {json.dumps(key.jwk())}\n{key.pem}")
    if not path.exists():
        write_whole(path, "".join(f'{name} = ""\n' for name in Platform._fields[:-1]))
        say(T_("Then write into {file} what the platform shows, and type this again.", file=path))
    elif not show:
        platform = platform_of(course, lesson)
        place = wait_for_click(platform, course_language(course), say, port)
        keep_place(course, lesson, place)
        values = {"course": place.title or place.context, "platform": platform.issuer}
        say(T_("Connected with {course} on {platform}. Next: workbook roster", **values))


def wait_for_click(platform: Platform, language: str, say: Say, port: int, seconds: float = SECONDS) -> Place:
    """Answer the browser until a teacher of the course has opened the link; return its place. Raises: PlatformError."""
    launch, opened = Launch(platform, f"http://localhost:{port}/launch"), queue.Queue[Place]()

    class Door(BaseHTTPRequestHandler):
        timeout = 10  # seconds; browsers open connections in advance

        def log_message(self, *_: Any) -> None:
            pass

        def do_GET(self) -> None:
            length, (path, _, query) = self.headers.get("Content-Length", ""), self.path.partition("?")
            body = self.rfile.read(min(int(length), LARGEST) if length.isdigit() else 0).decode(errors="replace")
            form = dict(parse_qsl(body or query))
            try:
                if path == "/login":
                    url, state = launch.begin(form)
                    # SameSite=None, because the platform's page posts the launch; Secure is fulfilled by localhost.
                    crumbs = f"{COOKIE}={state}; Path=/; HttpOnly; Secure; SameSite=None; Max-Age={SECONDS}"
                    self.send(302, "", ("Location", url), ("Set-Cookie", crumbs))
                elif path == "/launch" and self.command == "POST":
                    cookie = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
                    place = launch.finish(form, cookie.value if cookie else "")
                    self.send(200, CONNECTED)
                    opened.put(place)
                else:
                    self.send(404, "")
            except PlatformError as error:
                say(str(error))
                self.send(400, REFUSED)

        do_POST = do_GET

        def send(self, number: int, sentence: str, *headers: tuple[str, str]) -> None:
            page = page_of(translate(sentence, language), language, platform.issuer).encode() if sentence else b""
            self.send_response(number)
            for header in (("Content-Type", "text/html; charset=utf-8"), ("Content-Length", str(len(page))), *headers):
                self.send_header(*header)
            self.end_headers()
            self.wfile.write(page)

    try:
        server = ThreadingHTTPServer(("127.0.0.1", port), Door)
    except OSError as error:
        reason = error.strerror
        raise PlatformError(
            "Port {port} of this computer cannot be used ({reason}).", port=port, reason=reason
        ) from None
    with server:
        threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
        now = N_("Now open the link on the platform, as a teacher, in this computer's browser ({number} minutes).")
        say(T_(now, number=SECONDS // 60))
        try:
            return opened.get(timeout=seconds)
        except queue.Empty:
            minutes = f"{seconds / 60:g}"
            raise PlatformError(
                "Nobody opened the link within {number} minutes; type this again.", number=minutes
            ) from None
        finally:
            server.shutdown()


class Launch:
    """The sign-ins of one platform to one address of ours."""

    def __init__(self, platform: Platform, redirect_uri: str):
        self.platform, self.redirect_uri = platform, redirect_uri
        self.open: dict[str, tuple[str, float]] = {}  # state -> nonce, end

    def begin(self, form: dict[str, str]) -> tuple[str, str]:
        """Return the address for the browser, and the state, which becomes its cookie. Raises: PlatformError."""
        issuer, client = self.platform.issuer, self.platform.client_id
        if form.get("iss") != issuer or form.get("client_id", client) != client:
            raise PlatformError("A sign-in came from another platform, or is meant for another tool.")
        state, nonce = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        self.open[state] = nonce, time.time() + SECONDS
        query = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}
        query |= {"client_id": client, "redirect_uri": self.redirect_uri, "state": state, "nonce": nonce}
        query |= {name: form[name] for name in ("login_hint", "lti_message_hint") if name in form}
        return f"{self.platform.login_url}{'&' if '?' in self.platform.login_url else '?'}{urlencode(query)}", state

    def finish(self, form: dict[str, str], cookie: str) -> Place:
        """Return the place that a teacher of the course has opened. Raises: PlatformError."""
        state = form.get("state", "")
        nonce, end = self.open.pop(state, ("", 0.0))  # a state is valid once
        if not nonce or end < time.time() or not hmac.compare_digest(state.encode(), cookie.encode()):
            raise PlatformError("A sign-in was not begun in this browser, or too long ago.")
        mine, wanted = self.platform, {"version": "1.3.0", "message_type": "LtiResourceLinkRequest"}
        wanted["deployment_id"] = mine.deployment_id
        claims = self._claims(form.get("id_token", ""))
        wrong = [name for name, value in wanted.items() if claims.get(CLAIM + name) != value]
        wrong += ["nonce"] * (claims["nonce"] != nonce)
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        wrong += ["azp"] * (claims.get("azp", None if several else mine.client_id) != mine.client_id)
        if wrong:
            raise PlatformError("The platform's sign-in is for something else ({names}).", names=", ".join(wrong))
        if not {"Instructor", "Administrator"} & set(of_course(claims.get(CLAIM + "roles"))):
            raise PlatformError("A person opened the link who does not teach the course on the platform.")
        context, link = claims.get(CLAIM + "context") or {}, claims.get(CLAIM + "resource_link") or {}
        columns, roster = claims.get(AGS_CLAIM) or {}, claims.get(NRPS_CLAIM) or {}
        known = {"context": context.get("id"), "title": printable(str(context.get("title") or ""))}
        known |= {"lineitems": columns.get("lineitems"), "lineitem": columns.get("lineitem"), "link": link.get("id")}
        known |= {"memberships": roster.get("context_memberships_url")}
        texts = {name: str(text or "") for name, text in known.items()}
        return Place(**texts, scopes=tuple(map(str, columns.get("scope") or ())))

    def _claims(self, token: str) -> dict[str, Any]:
        """Return the claims of a token that the platform has signed, for this tool, now. Raises: PlatformError."""
        required = ["exp", "iat", "iss", "aud", "sub", "nonce"]
        try:
            # The keys are fetched each time, because platforms change them; an address in the token counts for nothing.
            answer = requests.get(self.platform.keys_url, timeout=TIMEOUT, allow_redirects=False)
            keys, name = jwt.PyJWKSet.from_dict(answer.json()).keys, jwt.get_unverified_header(token).get("kid")
            key = next((key for key in keys if key.key_id == name), None)
            if key is None:
                raise jwt.InvalidKeyError("the platform has no key of this name")
            claims: dict[str, Any] = jwt.decode(
                token,
                key,
                ["RS256"],  # never the one that the token itself names
                {"require": required},
                audience=self.platform.client_id,
                issuer=self.platform.issuer,
                leeway=LEEWAY,
            )
        except (jwt.PyJWTError, requests.RequestException, ValueError) as error:
            raise PlatformError(
                "The platform's sign-in is not valid ({reason}).", reason=printable(str(error))
            ) from None
        return claims
