"""Feedback as a zip that a learning platform takes back: `workbook feedback LESSON --to moodle`.

moodle   "Upload multiple feedback files in a zip" of the assignment (feedback type "Feedback files"). Moodle reads, of
         each path, a part FULLNAME_NUMBER_assignsubmission_file, as its own download has it, and keeps what follows
         as the file's name (mod/assign/feedback/file/importziplib.php, is_valid_filename_for_import)
canvas   "Re-upload Submissions" of the assignment. Canvas reads the first two whole numbers between underscores as
         the user and the submitted file, and shows the upload under the submitted file's name, so that each file
         here has the name and the kind of the one that was downloaded: a notebook
         (app/models/assignment.rb, infer_comment_context_from_filename)
blackboard  pages under the names of Blackboard's own download, to be attached by hand: it has no upload for all
mail     a folder of pages and a list of addresses, for everybody to whom no other way leads
"""

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.common.paths import write_whole, zipped
from autograder.gradebook.configuration import course_language
from autograder.gradebook.roll import graded_roll
from autograder.intake.folder import secret_of
from autograder.intake.places import Place, places_of
from autograder.lesson.text import Lesson, write_notebook
from autograder.reports.spreadsheet import spreadsheet
from utils.common.messages import N_

# Moodle's name of a student's folder in the archive, without what a student called the file.
FOLDER = re.compile(r"[^_]+_\d+_assignsubmission_file")

EXCHANGE, MAIL = N_("the exchange"), N_("mail")


@dataclass(frozen=True)
class GivenBack:
    """The zip, how many students' feedback it holds, and the students who have feedback but no place in it."""

    content: bytes
    number: int
    others: list[str]


def ways(course: Course, lesson: Lesson) -> dict[str, str]:
    """Return by student the way by which feedback goes back: a platform, the exchange or mail.

    Raises: GradingError if nobody is graded.
    """
    places, found = places_of(course, lesson.name), {}
    for student in graded_roll(course, lesson.name).members:
        if _page(course, lesson, student).is_file():
            place = places.get(student)
            by_exchange = bool(secret_of(course / "submitted" / student / lesson.name))
            found[student] = EXCHANGE if by_exchange else MAIL
            if place and place.name and place.platform in PLATFORMS:
                found[student] = place.platform
    return found


def feedback_zip(course: Course, lesson: Lesson, platform: str) -> GivenBack:
    """Return the feedback of the students who handed in by this platform. Raises: GradingError if there is none."""
    if platform not in PLATFORMS:
        names = ", ".join([*PLATFORMS, MAIL])
        raise GradingError(
            "Feedback cannot be returned by {platform!r}; choose one of: {names}.", platform=platform, names=names
        )
    places, by_student, named = places_of(course, lesson.name), ways(course, lesson), PLATFORMS[platform]
    own = [student for student, way in by_student.items() if way == platform]
    files = dict(named(lesson, places[student], _page(course, lesson, student)) for student in own)
    if not files:
        raise GradingError(
            "There is no feedback for {platform}: no graded submission of {lesson} was collected from its "
            "archives. Put them into downloaded/{lesson}/archive/, and type `workbook collect {lesson}`.",
            platform=platform,
            lesson=lesson.name,
        )
    return GivenBack(zipped(files), len(files), [student for student, way in by_student.items() if way != platform])


def to_mail(course: Course, lesson: Lesson, folder: Path) -> list[str]:
    """Write a folder of pages with a list of addresses; return the students in it, in place of those of a former run.

    Raises: GradingError if everybody's feedback goes back by another way.
    """
    members = graded_roll(course, lesson.name).members
    students = [student for student, way in ways(course, lesson).items() if way == MAIL]
    if not students:
        raise GradingError("No feedback of {lesson} has to be sent by mail.", lesson=lesson.name)
    shutil.rmtree(folder, ignore_errors=True)
    table = [["id", "name", "email", "file"]]
    for student in students:
        path = folder / f"{student}.html"
        write_whole(path, _page(course, lesson, student).read_bytes())
        table.append([student, members[student].name, members[student].row.get("email", ""), path.name])
    language = course_language(course)
    write_whole(folder / "addresses.csv", spreadsheet(table, language, len(table[0])))
    return students


def _page(course: Course, lesson: Lesson, student: str) -> Path:
    return course / "feedback" / student / lesson.name / f"{lesson.name}.html"


def for_moodle(lesson: Lesson, place: Place, page: Path) -> tuple[str, bytes]:
    """Return the path in Moodle's zip, and the page."""
    folder = FOLDER.match(place.name)
    return f"{folder[0] if folder else place.name}_/{lesson.name}-feedback.html", page.read_bytes()


def for_blackboard(lesson: Lesson, place: Place, page: Path) -> tuple[str, bytes]:
    """Return the name that Blackboard gave the submission, without the student's own, and the page."""
    attempt = re.match(r".*?_attempt_20\d\d(-\d\d){5}", place.name)
    return f"{attempt[0] if attempt else place.name}_{lesson.name}-feedback.html", page.read_bytes()


def for_canvas(lesson: Lesson, place: Place, page: Path) -> tuple[str, bytes]:
    """Return the name that Canvas gave the submission, and a notebook that shows the page."""
    return place.name, write_notebook(as_notebook(page.read_text(encoding="utf-8"))).encode()


def as_notebook(page: str) -> nbformat.NotebookNode:
    """Return a notebook that shows a page of feedback as the output of its only cell, without being run."""
    body = re.search(r"<body[^>]*>(.*)</body>", page, re.DOTALL)
    # The page's head is lost, so the style of the table of marks, which is there, goes into the output.
    styles = "".join(re.findall(r"<style[^>]*>table\.marks.*?</style>", page, re.DOTALL))
    shown = nbformat.v4.new_output("display_data", data={"text/html": styles + (body[1] if body else page)})
    cell = nbformat.v4.new_code_cell("# Your feedback", outputs=[shown], id="feedback")
    notebook: nbformat.NotebookNode = nbformat.v4.new_notebook(cells=[cell])
    return notebook


Named = Callable[[Lesson, Place, Path], tuple[str, bytes]]
PLATFORMS: dict[str, Named] = {"moodle": for_moodle, "canvas": for_canvas, "blackboard": for_blackboard}
