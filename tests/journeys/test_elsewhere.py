"""A gradebook that lies elsewhere, in a file or on a PostgreSQL server, is the course's gradebook as well."""

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.gradebook import books, converters, grade
from autograder.gradebook.copies import LEDGER
from autograder.gradebook.state import Done
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson
from tests.autograder.gradebook.test_cells import DROPPED, changed
from tests.helpers.courses import configure

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server of our own, less the database's name."""
    if importlib.util.find_spec("psycopg") is None or shutil.which("initdb") is None or shutil.which("pg_ctl") is None:
        pytest.skip("needs PostgreSQL's server programs and psycopg")
    user = "nobody" if os.getuid() == 0 else None  # the server refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    if user:
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
    for command in (
        ["initdb", "-D", folder / "data", "-A", "trust", "-U", "grader"],
        ["pg_ctl", "-D", folder / "data", "-o", options, "-l", folder / "log", "-w", "start"],
    ):
        subprocess.run(command, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=60)
    yield f"postgresql://grader@127.0.0.1:{port}"
    stop = ["pg_ctl", "-D", folder / "data", "-m", "immediate", "stop"]
    subprocess.run(stop, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=60)
    shutil.rmtree(folder)


def empty(url: str) -> None:
    """Make a database anew: whatever was in it is lost."""
    if url.startswith("sqlite"):
        Path(url.removeprefix("sqlite:///")).unlink(missing_ok=True)
        return
    address, _, name = url.rpartition("/")
    engine = create_engine(f"{address}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"drop database if exists {name} with (force)"))
        connection.execute(text(f"create database {name}"))
    engine.dispose()


@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")
@pytest.mark.parametrize("kind", ["file", "server"])
def test_it_is_asked_and_a_lost_one_is_noticed(tmp_path, store, kind, request):
    url = f"sqlite:///{tmp_path / 'elsewhere.db'}" if kind == "file" else f"{request.getfixturevalue('server')}/marks"
    course = tmp_path / "course"
    course.mkdir()
    empty(url)
    configure(course, f"c.CourseDirectory.db_url = {url!r}")
    hand_in(compose(ATTENTION), Course(course), "ada", LESSON)
    hand_in(compose(ATTENTION, blank=True), Course(course), "bob", LESSON)

    def run() -> tuple[list[str], list[str]]:
        summary = grade.grade(LESSON, course=Course(course))
        converters.settle(Course(course), Done(Course(course), LESSON), feedback=True)
        return summary.graded, summary.unchanged

    assert run() == (["ada", "bob"], [])
    marks = books.marks(Course(course), LESSON)
    assert marks["ada"] != marks["bob"] and not (course / "gradebook.db").exists()
    assert grade.all_unchanged(Course(course), LESSON) == 0  # only the gradebook itself knows
    assert run() == ([], ["ada", "bob"])
    empty(url)
    if kind == "file":
        with pytest.raises(GradingError, match=r"gone: .*elsewhere\.db.*workbook restore"):
            run()
        (course / LEDGER).unlink()  # as the sentence says, to begin anew
    assert run() == (["ada", "bob"], [])
    assert books.marks(Course(course), LESSON) == marks
    news = converters.prepare(Course(course), changed(course))
    assert news[0] == "New in the gradebook: brand_new."
    assert set(books.marks(Course(course), LESSON)["ada"]) == set(marks["ada"]) - {DROPPED} | {"brand_new"}
