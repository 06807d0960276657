"""`workbook roster`: the class as the platform knows it (NRPS), matched with the course's own list.

A person is matched once, by the institution's number or by e-mail, and from then on by the platform's number alone
(`lti_user_id`): names and addresses can be changed by the person on some platforms, and matching by them again would
let one student take another's marks. A match counts only if one person fits one line; else it is in doubt.
"""

import csv
import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.common.paths import write_whole
from autograder.common.sentences import joined
from autograder.course.new import STUDENTS as HEADS
from autograder.intake.roster import LOGINS, STUDENTS, with_names, wrong_id
from autograder.lti.outbox import NUMBER, Row, numbered
from autograder.lti.service import Service
from utils.common.printable import printable

MEMBERS = "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"
IN_COURSE = "http://purl.imsglobal.org/vocab/lis/v2/membership"
LONGEST = 100  # characters of a name or an address
# The columns of `students.csv`, and of a member here, by the platform's names. Open edX tells the whole name only.
NAMES = {"email": "email", "given_name": "first_name", "family_name": "last_name", "name": "full_name"}


@dataclass(frozen=True)
class Member:
    """A student on the platform; `known_as` is the institution's number, where the platform tells it."""

    number: str
    email: str = ""
    first_name: str = ""
    last_name: str = ""
    known_as: str = ""

    @property
    def id(self) -> str:
        """What the person is called here, if new: as on a hub, the first of these that can be an id."""
        wanted = (self.known_as, self.email.partition("@")[0], self.number)
        return next((name for name in wanted if not wrong_id(name)), "")

    def fits(self, row: Row) -> bool:
        """Return whether a line has this person's address, or the institution's number."""
        logins = {row.get(name, "").casefold() for name in ("id", *LOGINS)} - {""}
        return bool({self.email.casefold(), self.known_as.casefold()} & logins)


@dataclass
class Matched:
    """The list after a match, and by the students' ids what is different in it."""

    rows: list[Row]
    new: list[str] = field(default_factory=list)
    matched: list[str] = field(default_factory=list)  # lines that have a number of the platform from now on
    changed: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)  # these stay in the list
    doubtful: list[str] = field(default_factory=list)  # the platform's number, and whose line or id it may be


def of_course(roles: Any) -> list[str]:
    """Return the roles in the course, each as one word: a teacher of the institution may be a student here."""
    parts = [str(role).rpartition("#") for role in roles] if isinstance(roles, list) else []
    return [word for address, _, word in parts if address in ("", IN_COURSE)]


def members(service: Service) -> list[Member]:
    """Return the course's students on the platform. Raises: PlatformError, also for an empty list."""
    found: dict[str, Member] = {}
    pages = service.pages(service.home, MEMBERS, limit="100")
    for person in (person for page in pages for person in page.get("members", ())):
        is_active = str(person.get("status", "Active")).casefold() == "active"  # Coursera writes ACTIVE
        if is_active and person.get("user_id") and "Learner" in of_course(person.get("roles")):
            row = with_names({ours: _clean(person.get(theirs)) for theirs, ours in NAMES.items()})
            number, known_as = str(person["user_id"]), _clean(person.get("lis_person_sourcedid"))
            found[number] = Member(number, row["email"], row["first_name"], row["last_name"], known_as)
    if not found:
        raise PlatformError("The platform's list has no students; nothing was changed.")
    return list(found.values())


def _clean(text: Any) -> str:
    """Return a text that a person may have written: in one line, bounded, and not a spreadsheet's formula."""
    return " ".join(printable(str(text or "")).split())[:LONGEST].lstrip("=+-@ ")


def match(rows: Sequence[Row], there: Sequence[Member]) -> Matched:
    """Match the course's lines with the platform's students; new students get lines. Raises: PlatformError."""
    done = Matched([dict(row) for row in rows])
    by_number = numbered(done.rows)
    done.gone = sorted(row["id"] for number, row in by_number.items() if number not in {one.number for one in there})
    free = [row for row in done.rows if not row.get(NUMBER)]
    fitting = {one: [row for row in free if one.fits(row)] for one in there if one.number not in by_number}
    claims = Counter(row["id"] for fits in fitting.values() for row in fits)
    new_ids = [one.id for one, fits in fitting.items() if not fits]
    ids = Counter(name.casefold() for name in (*(row["id"] for row in rows), *new_ids))
    for one, fits in fitting.items():
        row = fits[0] if fits else {"id": one.id}
        is_sure = len(fits) == claims[row["id"]] == 1 if fits else one.id and ids[one.id.casefold()] == 1
        if is_sure:
            row[NUMBER], by_number[one.number] = one.number, row
            (done.matched if fits else done.new).append(row["id"])
            done.rows += [] if fits else [row]
        else:
            done.doubtful.append(f"{one.number}: {joined([each['id'] for each in fits or [row]])}?")
    emails = {row.get("email", "").casefold() for row in done.rows}
    for one, row in ((one, by_number[one.number]) for one in there if one.number in by_number):
        # An address that another line has would make files of that student's this one's.
        email = "" if one.email.casefold() in emails else one.email
        emails.add(email.casefold())
        news = {"first_name": one.first_name, "last_name": one.last_name, "email": email}
        differ = [name for name, text in news.items() if text and text != row.get(name, "")]
        row |= {name: news[name] for name in differ}
        if differ and row["id"] not in {*done.new, *done.matched}:
            done.changed.append(f"{row['id']} ({', '.join(differ)})")
    return done


def write(course: Course, rows: Sequence[Row]) -> None:
    """Write students.csv, for this account alone. Raises: OSError."""
    names = dict.fromkeys([*HEADS.strip().split(","), NUMBER, *(name for row in rows for name in row)])
    names.pop("full_name", None)  # it is in first_name and last_name
    table = csv.DictWriter(text := io.StringIO(), names, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    write_whole(course / STUDENTS, "\ufeff" + text.getvalue(), private=True)  # Excel knows UTF-8 by the mark
