"""`workbook mark LESSON`: a Jupyter server in the course's folder that opens the marking page."""

import os
import sys
from importlib.util import find_spec

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.course.new import SERVER_EXTENSION


def command(lesson_name: str, *, browser: bool) -> list[str]:
    """Return the command that starts the server and opens a lesson's page."""
    options = [f"--ServerApp.default_url=/essays/{lesson_name}", f"--ServerApp.open_browser={browser}"]
    return [sys.executable, "-m", "jupyter", "server", *options]


def serve(course: Course, lesson_name: str, *, browser: bool) -> None:
    """Replace this process by a Jupyter server in the course's folder.

    Raises: GradingError if the marking page is not installed in this environment.
    """
    if find_spec(SERVER_EXTENSION) is None:
        raise GradingError("This environment's Jupyter does not know the page yet; type: python -m autograder install")
    os.chdir(course.folder)
    arguments = command(lesson_name, browser=browser)
    os.execv(arguments[0], arguments)
