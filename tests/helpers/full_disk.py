"""Grades a class on a disk with a few free bytes, then again with more; `test_trouble.py` runs this on a small disk.

python tests/helpers/full_disk.py COURSE CLASS BYTES...    prints a line of JSON for each number of free bytes
"""

import json
import os
import shutil
import sys
from pathlib import Path

from click.testing import CliRunner

from autograder.__main__ import main
from autograder.common.course import Course
from autograder.gradebook import books

LESSON = "attention"


def grade(course: Path) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["grade", LESSON, "--course", str(course)])
    return done.exit_code, done.output if done.exception is None or done.exit_code == 1 else repr(done.exception)


def grade_with(free: int, course: Path, submitted: Path) -> dict:
    """Grade in an emptied course: first with so many free bytes, then with all; return the results of both."""
    for path in course.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    shutil.copytree(submitted, course / "submitted")
    disk = os.statvfs(course)
    (course / "filler").write_bytes(b"\0" * (disk.f_bavail * disk.f_bsize - free))
    code, text = grade(course)
    (course / "filler").unlink()
    again, _ = grade(course)
    pages = sorted(path.parent.parent.name for path in course.glob("feedback/*/*/*.html"))
    return {"code": code, "text": text, "again": again, "marks": books.marks(Course(course), LESSON), "pages": pages}


if __name__ == "__main__":
    for number in sys.argv[3:]:
        print(json.dumps(grade_with(int(number), Path(sys.argv[1]), Path(sys.argv[2]))))
