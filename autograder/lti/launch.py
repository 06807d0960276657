"""`workbook connect`: for ten minutes this computer is the tool, until an instructor has opened the platform's link.

    1  platform -> tool      the issuer, and a hint of the person (`begin`)
    2  tool -> platform      state and nonce, numbers that only this browser and this tool know
    3  platform -> tool      the id_token, signed with the platform's key (`finish`)

It all goes through the instructor's own browser to http://localhost, and the platform gets the public key as text: no
server, no public address, no certificate. Nothing of step 3 is believed before everything in it has been checked.
"""

import asyncio
import json
import secrets
import socket
from collections.abc import Callable
from typing import Any

import jwt
import requests
from tornado import web
from tornado.httpserver import HTTPServer

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.common.paths import write_whole
from autograder.common.sentences import T_
from autograder.gradebook.configuration import course_language
from autograder.gradebook.no_page import page_of
from autograder.lti.roster import of_course
from autograder.lti.service import TIMEOUT, Key
from autograder.lti.settings import NAME, Place, Platform, keep_place, platform_of
from utils.common.messages import N_, translate
from utils.common.printable import printable

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
AGS_CLAIM = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NRPS_CLAIM = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
PORT, COOKIE = 8765, "workbook-state"
SECONDS = 600  # in which a person signs in
LEEWAY = 60  # seconds by which clocks may differ
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
        say(f"  http://localhost:{port}/launch\n  http://localhost:{port}/login\n  {json.dumps(key.jwk)}\n{key.pem}")
    if not path.exists():
        write_whole(path, "".join(f'{name} = ""\n' for name in Platform._fields[:-1]))
        say(T_("Then write into {file} what the platform shows, and type this again.", file=path))
    elif not show:
        platform = platform_of(course, lesson)
        place = asyncio.run(wait_for_click(platform, course_language(course), say, port))
        keep_place(course, lesson, place)
        names = {"course": place.title or place.context, "platform": platform.issuer}
        say(T_("Connected with {course} on {platform}. Next: workbook roster", **names))


async def wait_for_click(platform: Platform, language: str, say: Say, port: int, seconds: float = SECONDS) -> Place:
    """Answer the browser until a teacher of the course has opened the link; return its place. Raises: PlatformError."""
    launch, opened = Launch(platform, f"http://localhost:{port}/launch"), asyncio.Queue[Place]()

    class Door(web.RequestHandler):
        async def get(self) -> None:
            form = {name: self.get_argument(name) for name in self.request.arguments}
            try:
                if self.request.path == "/login":
                    url, state = launch.begin(form)
                    # SameSite=None, because the platform's page posts the launch; Secure is fulfilled by localhost.
                    self.set_cookie(COOKIE, state, max_age=SECONDS, httponly=True, secure=True, samesite="None")
                    return self.redirect(url)
                place = launch.finish(form, self.get_cookie(COOKIE) or "")
                await self.show(CONNECTED)
                opened.put_nowait(place)
            except PlatformError as error:
                say(str(error))
                self.set_status(400)
                await self.show(REFUSED)

        post = get

        async def show(self, sentence: str) -> None:
            await self.finish(page_of(translate(sentence, language), language, platform.issuer))

    server = HTTPServer(web.Application([("/login|/launch", Door)], log_function=lambda _: None))
    try:
        listening = socket.create_server(("127.0.0.1", port))  # tornado's own leaves a socket open if that fails
    except OSError as error:
        about = {"port": port, "reason": error.strerror}
        raise PlatformError("Port {port} of this computer cannot be used ({reason}).", **about) from None
    listening.setblocking(False)
    server.add_socket(listening)
    now = N_("Now open the link on the platform, as a teacher, in this computer's browser ({number} minutes).")
    say(T_(now, number=SECONDS // 60))
    try:
        return await asyncio.wait_for(opened.get(), seconds)
    except asyncio.TimeoutError:
        nobody = N_("Nobody opened the link within {number} minutes; type this again.")
        raise PlatformError(nobody, number=f"{seconds / 60:g}") from None
    finally:
        server.stop()
        await server.close_all_connections()


class Launch:
    """The sign-ins of one platform to one address of ours, while this computer waits for a click."""

    def __init__(self, platform: Platform, redirect_uri: str):
        self.platform, self.redirect_uri = platform, redirect_uri
        self.open: dict[str, str] = {}  # state -> nonce

    def begin(self, form: dict[str, str]) -> tuple[str, str]:
        """Return the address for the browser, and the state, which becomes its cookie. Raises: PlatformError."""
        issuer, client = self.platform.issuer, self.platform.client_id
        if form.get("iss") != issuer or form.get("client_id", client) != client:
            raise PlatformError("A sign-in came from another platform, or is meant for another tool.")
        state = secrets.token_urlsafe(32)
        self.open[state] = nonce = secrets.token_urlsafe(32)
        query = {"scope": "openid", "response_type": "id_token", "response_mode": "form_post", "prompt": "none"}
        query |= {"client_id": client, "redirect_uri": self.redirect_uri, "state": state, "nonce": nonce}
        query |= {name: form[name] for name in ("login_hint", "lti_message_hint") if name in form}
        return str(requests.Request("GET", self.platform.login_url, params=query).prepare().url), state

    def finish(self, form: dict[str, str], cookie: str) -> Place:
        """Return the place that a teacher of the course has opened. Raises: PlatformError."""
        state, client = form.get("state", ""), self.platform.client_id
        nonce = self.open.pop(state, "")  # a state is valid once
        if not nonce or state != cookie:
            raise PlatformError("A sign-in was not begun in this browser, or too long ago.")
        claims = self._claims(form.get("id_token", ""))
        wanted = {CLAIM + "version": "1.3.0", CLAIM + "message_type": "LtiResourceLinkRequest", "nonce": nonce}
        wanted[CLAIM + "deployment_id"] = self.platform.deployment_id
        wrong = [name.rpartition("/")[2] for name, value in wanted.items() if claims.get(name) != value]
        # Of several audiences, `azp` says which is meant; where it is missing, there must be one alone.
        wrong += ["azp"] * (claims.get("azp", claims["aud"]) not in (client, [client]))
        if wrong:
            raise PlatformError("The platform's sign-in is for something else ({names}).", names=", ".join(wrong))
        if not {"Instructor", "Administrator"} & set(of_course(claims.get(CLAIM + "roles"))):
            raise PlatformError("A person opened the link who does not teach the course on the platform.")
        names = (CLAIM + "context", CLAIM + "resource_link", AGS_CLAIM, NRPS_CLAIM)
        context, link, columns, roster = (claims.get(name) or {} for name in names)
        known = {"context": context.get("id"), "title": context.get("title"), "link": link.get("id")}
        known |= {"lineitems": columns.get("lineitems"), "lineitem": columns.get("lineitem")}
        known |= {"memberships": roster.get("context_memberships_url")}
        texts = {name: printable(str(text or "")) for name, text in known.items()}
        return Place(**texts, scopes=[str(scope) for scope in columns.get("scope") or ()])

    def _claims(self, token: str) -> dict[str, Any]:
        """Return the claims of a token that the platform has signed, for this tool, now. Raises: PlatformError."""
        mine, needed = self.platform, ["exp", "iat", "iss", "aud", "sub", "nonce"]
        try:
            # The keys are fetched each time, because platforms change them; an address in the token counts for nothing.
            answer = requests.get(mine.keys_url, timeout=TIMEOUT, allow_redirects=False)
            key = jwt.PyJWKSet.from_dict(answer.json())[str(jwt.get_unverified_header(token).get("kid"))]
            # Never the algorithm that the token itself names.
            checks: dict[str, Any] = {"algorithms": ["RS256"], "options": {"require": needed}, "leeway": LEEWAY}
            return jwt.decode(token, key, audience=mine.client_id, issuer=mine.issuer, **checks)
        except (jwt.PyJWTError, requests.RequestException, ValueError, KeyError, AttributeError) as error:
            reason = printable(str(error))
            raise PlatformError("The platform's sign-in is not valid ({reason}).", reason=reason) from None
