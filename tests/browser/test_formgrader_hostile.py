"""Each page that shows what a student wrote, in a browser: formgrader's, feedback, the report, the marking page.

The hostile notebook is that of `tests/attacks/test_hostile_class.py`; here the student's name is hostile as well.
"""

from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.common.course import Course
from autograder.course import new
from autograder.gradebook import converters, grade
from autograder.gradebook.configuration import gradebook_url
from autograder.lesson.compose import compose, hand_in
from autograder.reports import report
from tests.attacks.corpus import ATTENTION, LESSON
from tests.attacks.test_hostile_class import CODE, MARKDOWN
from tests.browser.conftest import jupyter_in
from tests.browser.test_formgrader import foreign

NAME = "<img src=x onerror=evil()>"
# Counts how often something of the student's ran, in whatever frame.
WATCH = "window.ran = 0; window.evil = () => { window.ran += 1; };"
PAGES = {
    "the list of lessons": "formgrader/manage_assignments",
    "submissions of a lesson": f"formgrader/manage_submissions/{LESSON}",
    "the gradebook": "formgrader/gradebook",
    "the gradebook of a lesson": f"formgrader/gradebook/{LESSON}",
    "the gradebook of a notebook": f"formgrader/gradebook/{LESSON}/{LESSON}",
    "the list of students": "formgrader/manage_students",
    "a student": "formgrader/manage_students/mallory",
    "a student's notebooks": f"formgrader/manage_students/mallory/{LESSON}",
    "a submission": "formgrader/submissions/{submission}",
    "the marking page": "essays/{lesson}/{essay}",
    "feedback": "file://{course}/feedback/mallory/{lesson}/{lesson}.html",
    "the report": "file://{course}/report/{lesson}.html",
}


@pytest.fixture(scope="module")
def course(tmp_path_factory, store) -> Path:
    """A class in which two handed in the same hostile notebook, so that the report shows them side by side."""
    course = tmp_path_factory.mktemp("hostile") / "term"
    new.make(course, "dl-26", "en")
    answers = {next(iter(ATTENTION.essays)): MARKDOWN, next(iter(ATTENTION.solutions)): CODE * 3}
    notebook = compose(ATTENTION, answers, blank=True)
    notebook.cells.insert(0, nbformat.v4.new_markdown_cell(MARKDOWN))
    notebook.cells.append(nbformat.v4.new_code_cell(CODE))
    for student in ("mallory", "trudy"):
        hand_in(notebook, Course(course), student, LESSON)
    grade.grade(LESSON, course=Course(course))
    with Gradebook(gradebook_url(Course(course))) as gradebook:
        gradebook.update_or_create_student("mallory", first_name=NAME, last_name=NAME, email=f'"{NAME}"@x.invalid')
        (cell, *_) = gradebook.find_submission_notebook(LESSON, LESSON, "mallory").comments
        cell.manual_comment = NAME
        gradebook.db.commit()
    converters.feedback(Course(course), LESSON)
    report.write_report(Course(course), ATTENTION)
    return course


@pytest.fixture(scope="module")
def places(course) -> Iterator[dict[str, str]]:
    """The server's address, and what the pages' addresses need."""
    with Gradebook(gradebook_url(Course(course))) as gradebook:
        submission = gradebook.find_submission_notebook(LESSON, LESSON, "mallory").id
    with jupyter_in(course, "--IdentityProvider.token=") as address:
        yield {
            "address": address,
            "course": str(course),
            "lesson": LESSON,
            "submission": submission,
            "essay": next(iter(ATTENTION.essays)),
        }


@pytest.mark.parametrize("name", PAGES)
def test_nothing_of_a_students_runs_in_a_page(name, browser, places):
    page = browser.new_page(viewport={"width": 1200, "height": 1400})
    page.set_default_timeout(30_000)
    page.add_init_script(WATCH)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    asked = foreign(page, places["address"] + "/x")
    address = PAGES[name].format(**places)
    page.goto(address if address.startswith("file:") else f"{places['address']}/{address}")
    page.get_by_text("evil").or_(page.get_by_text("mallory")).or_(page.get_by_text(LESSON)).first.wait_for()
    page.wait_for_load_state("networkidle")
    for clickable in page.locator("summary").all():
        clickable.click()
    assert [frame.evaluate("window.ran") for frame in page.frames] == [0] * len(page.frames)
    outside = [one for one in asked if not one.startswith("file:")]
    assert not dialogs and not outside
    assert "evil.invalid" not in page.url
    page.close()
