"""A learning platform in memory: sign-ins, tokens, a roster, columns, marks; it misbehaves as real ones do.

`plays` names the oddities, see tests/autograder/lti/facts.toml. `faults` is the share of requests that meet trouble.
"""

import contextlib
import json
import random
import threading
import time
from datetime import datetime
from email.utils import formatdate
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from autograder.common.course import Course
from autograder.lti.settings import FOLDER, NAME, Place, keep_place

AGS = "https://purl.imsglobal.org/spec/lti-ags/scope/"
CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
FAULTS = ("401", "429", "403", "500", "503", "broken before", "broken after")
NOT_A_STUDENT = {
    "unknown_moodle": (400, "Incorrect score received"),
    "unknown_blackboard": (400, "User could not be found: u-1"),
    "unknown_d2l": (403, "User in requested score is not enrolled in the org unit"),
    "unknown_canvas": (422, "User not found in course or is not a student"),
}
Answer = tuple[int, Any, dict[str, str]]


@cache
def key_pair(name: str) -> rsa.RSAPrivateKey:
    """Return the key of the tool, of the platform or of a stranger; made once, because making takes long."""
    return rsa.generate_private_key(65537, 2048)


class Platform:
    """The platform's state, and its server until `close`."""

    def __init__(
        self, students: int = 0, plays: set[str] | frozenset[str] = frozenset(), faults: float = 0.0, seed: int = 0
    ):
        self.plays, self.faults, self.rng = set(plays), faults, random.Random(seed)
        self.client, self.deployment, self.key_name = "workbook", "dep-1", "platform"
        self.tokens: dict[str, tuple[set[str], float]] = {}
        self.members = [self.member(number) for number in range(students)]
        self.columns: list[dict[str, Any]] = []
        self.marks: dict[tuple[str, str], dict[str, Any]] = {}  # (column, student) -> the last score
        self.changed: dict[tuple[str, str], float] = {}  # when, by the platform's clock
        self.book: dict[str, float] = {}  # what teachers see: student -> share
        self.ahead = 0.0  # seconds by which its clock is ahead of this computer's
        self.log: list[str] = []
        self.submissions = 0  # that Canvas made
        self.meeting: threading.Barrier | None = None  # two that look for columns wait for each other here
        self.lock = threading.RLock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"platform": self}))
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        if "hidden_columns" in self.plays:
            self.columns = [{"path": f"/c/columns/{n}", "label": "attention", "scoreMaximum": 9} for n in (900, 901)]
        if "names_a_column" in self.plays:
            self.columns.append(
                {"path": "/c/columns/1", "label": "of another tool", "resourceId": "x", "scoreMaximum": 1}
            )
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    def member(self, number: int) -> dict[str, Any]:
        status = "ACTIVE" if "status_in_capitals" in self.plays else "Active"
        person = {"user_id": f"u-{number}", "roles": [ROLE + "Learner"], "status": status}
        if "whole_names" in self.plays:
            return person | {"email": f"s{number}@uni.edu", "name": f"Student Number{number}"}
        if "no_names" in self.plays:
            return person
        return person | {"email": f"s{number}@uni.edu", "given_name": "Student", "family_name": f"Number{number}"}

    def now(self) -> float:
        return time.time() + self.ahead

    def address(self, path: str) -> str:
        return f"{self.url}{path}" + ("?type_id=10" if "query_in_addresses" in self.plays else "")

    def place(self) -> Place:
        """Return what a launch describes."""
        named = self.address("/c/columns/1") if "names_a_column" in self.plays else ""
        scopes = [AGS + name for name in ("lineitem", "result.readonly", "score")]
        return Place(
            "course-1", "Deep learning", self.address("/c/columns"), named, self.address("/c/members"), "link-1", scopes
        )

    def connect(self, folder: Path, *lessons: str) -> Course:
        """Make a folder a course that is connected, by one link or by links of lessons."""
        course, lines = Course(folder), {"issuer": self.url, "client_id": self.client, "deployment_id": self.deployment}
        lines |= {"login_url": f"{self.url}/auth", "token_url": f"{self.url}/token", "keys_url": f"{self.url}/keys"}
        lines |= {"audience": "https://elsewhere.example/auth"} if "other_audience" in self.plays else {}
        (course / NAME).write_text("".join(f'{name} = "{text}"\n' for name, text in lines.items()))
        form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        path = course / FOLDER / "key.pem"
        path.parent.mkdir(mode=0o700)
        path.touch(mode=0o600)
        path.write_bytes(key_pair("tool").private_bytes(*form))
        for lesson in lessons or ("",):
            keep_place(course, lesson, self.place())
        return course

    # ---- a launch ----

    def claims(self, nonce: str, *roles: str, **other: Any) -> dict[str, Any]:
        now, place = int(self.now()), self.place()
        columns = {"scope": place.scopes, "lineitems": place.lineitems, "lineitem": place.lineitem}
        return {
            "iss": self.url,
            "aud": self.client,
            "sub": "t-1",
            "nonce": nonce,
            "iat": now,
            "exp": now + 300,
            CLAIM + "version": "1.3.0",
            CLAIM + "message_type": "LtiResourceLinkRequest",
            CLAIM + "deployment_id": self.deployment,
            CLAIM + "roles": [ROLE + role for role in roles],
            CLAIM + "resource_link": {"id": place.link},
            CLAIM + "context": {"id": place.context, "title": place.title},
            "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": columns,
            "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
                "context_memberships_url": place.memberships
            },
            **other,
        }

    def signed(self, claims: dict[str, Any]) -> str:
        return jwt.encode(claims, key_pair(self.key_name), algorithm="RS256", headers={"kid": self.key_name})

    # ---- services ----

    def do(self, method: str, path: str, query: dict[str, str], body: bytes, token: str) -> Answer:
        if path == "/keys":
            public = json.loads(RSAAlgorithm.to_jwk(key_pair(self.key_name).public_key()))
            return 200, {"keys": [{**public, "alg": "RS256", "use": "sig", "kid": self.key_name}]}, {}
        if path == "/token":
            return self.give_token({name: texts[0] for name, texts in parse_qs(body.decode()).items()})
        scopes, end = self.tokens.get(token, (set(), 0.0))
        if end < self.now():
            return 401, "no token", {}
        if "query_in_addresses" in self.plays and query.get("type_id") != "10":
            return 404, "no such type", {}
        if path == "/c/members":
            return self.page(self.members, query, path, "members")
        if path == "/c/columns" and method == "GET":
            if "readonly_scope" in self.plays and AGS + "lineitem.readonly" not in scopes:
                return 403, "insufficient scope", {}
            shown = [{**one, "id": self.address(one["path"])} for one in self.columns]
            known = {"resource_id": "resourceId", "tag": "tag", "resource_link_id": "resourceLinkId"}
            if not {"hidden_columns", "names_a_column"} & self.plays:  # these ignore filters
                shown = [one for one in shown if all(one.get(known[n]) == query[n] for n in known.keys() & query)]
            return self.page(shown, query, path, "")
        if path == "/c/columns":
            column = json.loads(body)
            if "whole_maximum" in self.plays and not isinstance(column["scoreMaximum"], int):
                return 400, "A valid integer is required.", {}
            self.columns.append({**column, "path": f"/c/columns/{len(self.columns) + 10}"})
            return 201, {**column, "id": self.address(self.columns[-1]["path"])}, {}
        column_path, _, part = path.rpartition("/")
        if part == "results":
            shown = [
                {"userId": user, "resultScore": score["scoreGiven"], "resultMaximum": score["scoreMaximum"]}
                for (there, user), score in self.marks.items()
                if there == column_path and "scoreGiven" in score
            ]
            return self.page(shown, query, path, "")
        column = next((one for one in self.columns if one["path"] == column_path), None)
        return self.score(column, json.loads(body)) if column and part == "scores" else (404, f"no {path}", {})

    def give_token(self, form: dict[str, str]) -> Answer:
        audience = "https://elsewhere.example/auth" if "other_audience" in self.plays else f"{self.url}/token"
        public = key_pair("tool").public_key()
        try:
            note = jwt.decode(
                form["client_assertion"],
                public,
                ["RS256"],
                audience=audience,
                issuer=self.client,
                options={"verify_iat": False, "verify_exp": False},
            )
        except jwt.PyJWTError as error:
            return 400, f"invalid_client: {error}", {}
        if not note["iat"] <= self.now() <= note["exp"]:
            return 400, "invalid_client: not valid now", {}
        token = f"token-{len(self.tokens)}"
        self.tokens[token] = set(form["scope"].split()), self.now() + 3600
        return 200, {"access_token": token, "expires_in": 3600, "token_type": "bearer"}, {}

    def page(self, entries: list[Any], query: dict[str, str], path: str, name: str) -> Answer:
        size, start = min(int(query.get("limit", 50)), 4), int(query.get("start", 0))
        headers, page = {}, entries[start : start + size]
        if start + size < len(entries):
            there = "http://127.0.0.1:9" if "next_elsewhere" in self.plays else self.url
            headers["Link"] = f'<{there}{path}?{urlencode(query | {"start": start + size})}>; rel="next"'
        return 200, {name: page} if name else page, headers

    def score(self, column: dict[str, Any], score: dict[str, Any]) -> Answer:
        user, at = score["userId"], datetime.fromisoformat(score["timestamp"].replace("Z", "+00:00")).timestamp()
        if all(one["user_id"] != user for one in self.members):
            return (*next((NOT_A_STUDENT[name] for name in NOT_A_STUDENT if name in self.plays), (404, "?")), {})
        key = column["path"], user
        if (there := self.marks.get(key)) and "whole_seconds" in self.plays and int(self.changed[key]) >= int(at):
            return 409, "Refusing score with an earlier timestamp", {}
        last = datetime.fromisoformat(there["timestamp"].replace("Z", "+00:00")).timestamp() if there else 0.0
        if at <= last and "whole_seconds" not in self.plays:
            same = "Score already exists for the provided timestamp"
            return 400, same if at == last else "Score timestamp can only be updated to a later point in time", {}
        if "only_fully_graded" in self.plays and score["gradingProgress"] != "FullyGraded":
            del score["scoreGiven"]
        new = score.get("https://canvas.instructure.com/lti/submission", {}).get("new_submission", True)
        self.submissions += "canvas_submission" in self.plays and new
        self.marks[key], self.changed[key] = score, self.now()
        if "scoreGiven" in score and ("only_own_link" not in self.plays or column.get("resourceLinkId") == "link-1"):
            self.book[user] = score["scoreGiven"] / score["scoreMaximum"]
        return 200, {}, {}

    def fault(self, request: str) -> str:
        """Return the trouble that a request meets, "" for none."""
        number = self.log.count(request)
        if "loses_answers" in self.plays and number == 1 and request.startswith("POST /c/"):
            return "broken after"
        if "limits_by_403" in self.plays and number % 3 == 1 and request.startswith("POST /c/columns/"):
            return "403"
        if "withdraws_tokens" in self.plays and len(self.log) in (4, 5, 7):
            self.tokens.clear()
        return self.rng.choice(FAULTS) if self.rng.random() < self.faults else ""


class Handler(BaseHTTPRequestHandler):
    platform: Platform
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: Any) -> None:
        pass

    def date_time_string(self, timestamp: float | None = None) -> str:
        return formatdate(self.platform.now(), usegmt=True)

    def do_GET(self) -> None:
        self.serve("GET")

    def do_POST(self) -> None:
        self.serve("POST")

    def serve(self, method: str) -> None:
        platform, parts = self.platform, urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with platform.lock:
            platform.log.append(f"{method} {parts.path}")
            fault = platform.fault(f"{method} {parts.path}")
        if fault in ("401", "429", "500", "503"):
            return self.answer(int(fault), "trouble", {})
        if fault == "403":
            return self.answer(403, "403 Forbidden (Rate Limit Exceeded)", {"x-rate-limit-remaining": "0.0"})
        if fault == "broken before":
            return self.break_off()
        query = {name: texts[0] for name, texts in parse_qs(parts.query).items()}
        with platform.lock:
            answer = platform.do(
                method, parts.path, query, body, (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            )
        if platform.meeting and (method, parts.path) == ("GET", "/c/columns"):
            with contextlib.suppress(threading.BrokenBarrierError):
                platform.meeting.wait(0.3)
        return self.break_off() if fault == "broken after" else self.answer(*answer)

    def answer(self, number: int, content: Any, headers: dict[str, str]) -> None:
        text = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(number)
        for name, value in {
            "Content-Type": "text/plain; charset=utf-8",
            **headers,
            "Content-Length": str(len(text)),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def break_off(self) -> None:
        self.close_connection = True
        self.connection.close()
