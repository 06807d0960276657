"""Feedback as a zip that a learning platform takes back: `workbook feedback LESSON --to moodle`.

moodle   "Upload multiple feedback files in a zip" of the assignment (feedback type "Feedback files"). Moodle reads, of
         each path, a part FULLNAME_NUMBER_assignsubmission_file, as its own download has it, and keeps what follows
         as the file's name (mod/assign/feedback/file/importziplib.php, is_valid_filename_for_import)
canvas   "Re-upload Submissions" of the assignment. Canvas reads the first two whole numbers between underscores as
         the user and the submitted file, and shows the upload under the submitted file's name, so that each file
         here has the name and the kind of the one that was downloaded: a notebook
         (app/models/assignment.rb, infer_comment_context_from_filename)
"""

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.gradebook.roll import graded_roll
from autograder.intake.places import Place, places_of
from autograder.lesson.text import Lesson, write_notebook

# Moodle's name of a student's folder in the archive, without what a student called the file.
FOLDER = re.compile(r"[^_]+_\d+_assignsubmission_file")


@dataclass(frozen=True)
class GivenBack:
    """The zip, how many students' feedback it holds, and the students who have feedback but no place in it."""

    content: bytes
    number: int
    others: list[str]


def feedback_zip(course: Course, lesson: Lesson, platform: str) -> GivenBack:
    """Return the feedback of the students who handed in by this platform. Raises: GradingError if there is none."""
    if platform not in PLATFORMS:
        raise GradingError(f"Feedback cannot be given back to {platform!r}; there are: {', '.join(PLATFORMS)}.")
    places, others, files = places_of(course, lesson.name), [], {}
    for student in graded_roll(course, lesson.name).members:
        page = course / "feedback" / student / lesson.name / f"{lesson.name}.html"
        place = places.get(student)  # none for a student who handed in by the exchange or by mail
        if page.is_file() and place and place.platform == platform:
            name, content = PLATFORMS[platform](lesson, place, page)
            files[name] = content
        elif page.is_file():
            others.append(student)
    if not files:
        raise GradingError(
            f"Nobody's feedback goes back to {platform}: no graded submission of {lesson.name} was collected from its "
            f"archives. Put them into downloaded/{lesson.name}/archive/, and type `workbook collect {lesson.name}`."
        )
    return GivenBack(zipped(files), len(files), others)


def zipped(files: dict[str, bytes]) -> bytes:
    """Return a zip of the files, in the order of their names; the same files give the same bytes."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def for_moodle(lesson: Lesson, place: Place, page: Path) -> tuple[str, bytes]:
    """Return the path in Moodle's zip, and the page."""
    folder = FOLDER.match(place.name)
    return f"{folder[0] if folder else place.name}_/{lesson.name}-feedback.html", page.read_bytes()


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


PLATFORMS: dict[str, Callable[[Lesson, Place, Path], tuple[str, bytes]]] = {"moodle": for_moodle, "canvas": for_canvas}
