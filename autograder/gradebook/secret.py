"""A course's secret, from which the inputs of hidden tests are drawn, so that no student can work them out.

The secret is kept in the course's folder `.grading`, which no student gets, and is made when a course is graded for the
first time. If it is lost, another is made: recorded marks stay, and later submissions get other inputs, on which a
correct answer passes and a wrong one fails as before.
"""

import contextlib
import os
import re
import secrets
from pathlib import Path

from autograder.common.course import Course
from autograder.common.errors import CourseError, GradingError
from autograder.common.paths import course_above

BYTES = 32
FORM = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}")


def course_secret(course: Course) -> str:
    """Return the course's secret; make one if there is none, or only a part of one. Raises: GradingError."""
    path = course / ".grading" / "secret"
    try:
        return _read(path) or _make(path)
    except OSError as error:
        raise GradingError(
            "The secret of the course, {file}, can be neither read nor made ({reason}); make room there or make it "
            "readable, then run the same command again. Nothing was changed.",
            file=path,
            reason=error.strerror,
        ) from None


def secret_here() -> str:
    """Return the secret of the course that contains the current folder, to grade a single notebook; "" if none."""
    with contextlib.suppress(CourseError, OSError):
        return _read(course_above(Path.cwd()) / ".grading" / "secret")
    return ""


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    return text if FORM.fullmatch(text) else ""


def _make(path: Path) -> str:
    """Write a secret that only its owner may read; return it, or the one that another process wrote meanwhile."""
    secret = secrets.token_hex(BYTES)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{os.getpid()}.secret")
    part.unlink(missing_ok=True)
    try:
        with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(secret)
            file.flush()
            os.fsync(file.fileno())
        if path.exists() and not _read(path):
            path.unlink()  # a part of a secret: an earlier process was killed while it wrote
        os.link(part, path)  # unlike `replace`, fails if another process has written its secret meanwhile
    except FileExistsError:
        pass
    finally:
        part.unlink(missing_ok=True)
    return _read(path)
