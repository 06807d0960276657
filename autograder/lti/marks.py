"""`workbook send`: a lesson's final marks into the platform's gradebook (AGS), one column for each lesson.

Everything here may be killed at any moment and done again:

    column   looked for before it is made; after a lost answer it is looked for, not made again
    mark     sent again unless the platform's gradebook shows it; its time is later than that of the mark there
"""

import json
import time
from dataclasses import replace as with_
from datetime import datetime, timezone
from typing import Any
from urllib.parse import urlsplit

from autograder.common.course import Course
from autograder.common.errors import PlatformError
from autograder.common.sentences import T_
from autograder.gradebook.first_screen import REASON
from autograder.gradebook.roll import GRADED, graded_roll
from autograder.gradebook.state import Done, only_one
from autograder.gradebook.summary import OnStep
from autograder.lesson.text import TEST_PREFIX, Lesson
from autograder.lti.outbox import Mark, Outbox, final_marks
from autograder.lti.service import AGS, Service, content, said
from autograder.lti.settings import Place, place_of
from utils.common.messages import N_
from utils.common.printable import printable

COLUMNS, COLUMN = "application/vnd.ims.lis.v2.lineitemcontainer+json", "application/vnd.ims.lis.v2.lineitem+json"
SCORE, RESULTS = "application/vnd.ims.lis.v1.score+json", "application/vnd.ims.lis.v2.resultcontainer+json"
TAG, OPEN_EDX = "attention-workbook", "/lti_consumer/"  # the second is a part of its addresses
# What became of a mark; but for the first two, a person has to look.
SENT, SAME = "sent", "there already"
BY_HAND = N_("Not sent, because a teacher gave another mark on the platform (--replace sends ours)")
STRANGERS, REFUSED = N_("Not students of the course on the platform"), N_("Refused")
LACKING = N_("Accepted by the platform, but not in its gradebook; send again later")
UNMATCHED = N_("Not known on the platform; type `workbook roster`")
# How platforms say that a person is not, or not any more, a student of the course: Blackboard, Moodle; D2L; Canvas.
STRANGER = (
    *("User could not be found", "Incorrect score received", "not enrolled in the org unit"),
    *("User in requested score does not exist", "User not found in course"),
)
# How they say that a mark's time is not later than that of the mark there; Moodle says it by the number 409.
TOO_EARLY = ("later point in time", "already exists for the provided timestamp")
LATER = 1.0  # seconds between two times of one mark: Moodle compares whole seconds
COMMENT = 1000  # characters
PLAIN = str.maketrans("<>", "‹›")  # because some platforms show a comment as HTML


def send(course: Course, lesson: Lesson, on_step: OnStep, *, replace: bool = False) -> dict[str, list[str]]:
    """Send the final marks that the platform's gradebook does not show; return the students by what became of the mark.

    replace: also in place of marks that a teacher has given on the platform. The course's lock is held, because two
    senders at once would make two columns. Raises: GradingError, PlatformError.
    """
    name, place = place_of(course, lesson.name)
    service = Service(course, name, place.lineitems or place.lineitem)
    done: dict[str, list[str]] = {kind: [] for kind in (SENT, SAME, BY_HAND, STRANGERS, REFUSED)}
    with only_one(course, brief=True):
        roll = graded_roll(course, lesson.name)
        final = final_marks(course, lesson.name, roll)
        url, outbox = column(service, place, course, lesson, own_link=bool(name)), Outbox(course, lesson.name)
        book = results(service, url)
        for number, (student, mark) in enumerate(final.items()):
            on_step("sending", student, number + 1, len(final))
            commented = with_(mark, comment=_comment(course, lesson.name, student))
            kind, why = _send(service, url, commented, book.get(mark.number), outbox, replace)
            done[kind].append(f"{student} ({why})" if why else student)
        book = results(service, url) if done[SENT] else {}
    # That a platform has taken a mark does not prove that its gradebook has the mark.
    done[LACKING] = [student for student in done[SENT] if not final[student].is_worth(book.get(final[student].number))]
    done[UNMATCHED] = sorted(roll.of_state(GRADED).keys() - final.keys())
    return done


def column(service: Service, place: Place, course: Course, lesson: Lesson, *, own_link: bool) -> str:
    """Return the address of a lesson's column; make the column if there is none. Raises: PlatformError.

    own_link: the place is a link for this lesson alone. Then the column must be the link's: Open edX takes marks into
    any column, gives them back as results, and shows teachers only those with the link's own `resourceLinkId`.
    """
    if not own_link and (AGS + "lineitem" not in place.scopes or OPEN_EDX in place.lineitems):
        raise PlatformError(
            "The platform requires a link for each lesson, or does not let this course create columns; make a link "
            "for {lesson} there, and type: workbook connect {lesson}",
            lesson=lesson.name,
        )
    if AGS + "lineitem" not in place.scopes:
        return place.lineitem
    settings = course.settings.of_lesson(lesson.name)
    most = settings.out_of or sum(cell.points for cell in lesson.of_role("test", "essay"))
    wanted = {"resourceId": f"{TAG}/{lesson.name}", "tag": TAG} | ({"resourceLinkId": place.link} if own_link else {})
    new = {"label": (settings.title or lesson.name)[:100], "scoreMaximum": max(1, round(most)), **wanted}
    if url := _found(service, place, wanted):
        return url
    try:
        headers = {"Content-Type": COLUMN, "Accept": COLUMN}
        answer = service.request("POST", place.lineitems, headers, data=json.dumps(new), repeat=False)
    except PlatformError:
        if url := _found(service, place, wanted):  # made, although the answer was lost
            return url
        raise
    return str(content(answer)["id"])


def _found(service: Service, place: Place, wanted: dict[str, str]) -> str:
    """Return the address of the column that is wanted, "" if there is none. Raises: PlatformError if there are several.

    The query only shortens the list: Open edX ignores some filters, and Coursera has hidden columns of the same label.
    """
    link = wanted.get("resourceLinkId", "")
    query = {"resource_link_id": link} if link else {"resource_id": wanted["resourceId"], "tag": TAG}
    there = [one for page in service.pages(place.lineitems, COLUMNS, **query) for one in page]
    # Canvas and Moodle make a column with a link; Open edX names the first column there is, of whatever tool.
    its = [one for one in there if (one.get("id"), one.get("resourceLinkId")) == (place.lineitem, link)]
    ours = [one for one in there if wanted.items() <= one.items()]
    ours = ours or [one for one in its if not one.get("resourceId")]
    if len(ours) > 1:
        several = N_("The platform has several columns for this lesson; delete all but one there: {labels}")
        raise PlatformError(several, labels=", ".join(str(one.get("label")) for one in ours))
    return str(ours[0]["id"]) if ours else ""


def below(url: str, part: str) -> str:
    """Return the address of a part of a column: before the query, which Moodle's addresses have."""
    parts = urlsplit(url)
    return parts._replace(path=parts.path.rstrip("/") + part).geturl()


def results(service: Service, url: str) -> dict[str, float]:
    """Return all students' shares of the maximum, as the platform's gradebook shows them. Raises: PlatformError."""
    shown = [one for page in service.pages(below(url, "/results"), RESULTS) for one in page]
    shown = [one for one in shown if one.get("resultScore") is not None]
    return {str(one["userId"]): float(one["resultScore"]) / float(one.get("resultMaximum") or 1) for one in shown}


def _send(
    service: Service, url: str, mark: Mark, there: float | None, outbox: Outbox, replace: bool
) -> tuple[str, str]:
    """Send a mark unless the platform shows it, or another that is not ours; return what became of it, and why.

    there: the share of the maximum that the platform shows. Raises: PlatformError.
    """
    ours = outbox.ours.get(mark.number, [])
    if mark.is_worth(there) and (not ours or (ours[-1].taken and ours[-1] == mark)):
        if not ours:  # the journal was lost
            outbox.note(with_(mark, taken=True))
        return SAME, ""
    if there is not None and not replace and not any(one.is_worth(there) for one in ours):
        return BY_HAND, T_("{there:.1%} there, {here:.1%} here", there=there, here=mark.given / mark.most)
    at = ours[-1].time + LATER if ours else 0.0
    for _ in range(3):
        at = max(at, time.time() + service.ahead)
        outbox.note(with_(mark, time=at))
        score, headers = json.dumps(_score(mark, at)), {"Content-Type": SCORE}
        answer = service.request("POST", below(url, "/scores"), headers, data=score)
        if answer.status_code < 300:
            outbox.note(with_(mark, time=at, taken=True))
            return SENT, ""
        if answer.status_code != 409 and not any(words in answer.text for words in TOO_EARLY):
            break
        at += LATER  # a mark with this time or a later one is there: of a command that was killed, or sent twice
    return STRANGERS if any(words in answer.text for words in STRANGER) else REFUSED, said(answer)


def _score(mark: Mark, at: float) -> dict[str, Any]:
    """Return a mark as AGS writes it: always `FullyGraded`, because Moodle drops the number for any other word."""
    return {
        "userId": mark.number,
        "scoreGiven": mark.given,
        "scoreMaximum": mark.most,
        "comment": mark.comment,
        "timestamp": datetime.fromtimestamp(at, timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "activityProgress": "Completed",
        "gradingProgress": "FullyGraded",
        "https://canvas.instructure.com/lti/submission": {"new_submission": False},  # else Canvas makes a new one
    }


def _comment(course: Course, lesson_name: str, student: str) -> str:
    """Return the first reason for lost points, "" for none, in the language of the student's notebook."""
    try:
        cells = json.loads(Done(course, lesson_name).graded(student).read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return ""
    for cell in cells:
        if reason := cell["metadata"].get("workbook", {}).get(REASON):
            name = cell["metadata"]["nbgrader"]["grade_id"].removeprefix(TEST_PREFIX)
            return printable(f"{name}: {reason}").translate(PLAIN)[:COMMENT]
    return ""
