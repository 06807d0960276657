"""The instructor's page, walked: its commands are typed, in its order, from an empty folder to a term's end."""

import getpass
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.paths import ROOT
from autograder.gradebook import books
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson, write_notebook
from tests.docs.test_docs import FENCED, text_of
from tests.helpers import typed

LESSON = "attention"

STUDENT = getpass.getuser()  # `collect` asks whose a submission is
INSTRUCTORS = text_of(ROOT / "docs" / "instructor.md")


class Terminal:
    """Types commands as the pages show them, from an empty folder on."""

    def __init__(self, folder: Path):
        self.folder = folder / "empty"
        self.folder.mkdir()

    def type(self, line: str) -> str:
        """Type a line where we stand; return what it prints."""
        if line.startswith("cd "):
            self.folder = self.folder / line.removeprefix("cd ")
            return ""
        tool, *words = shlex.split(line.replace("python -m autograder", "workbook"))
        kinds = {"workbook": typed.workbook, "nbgrader": typed.nbgrader}
        done = kinds[tool](self.folder, *words) if tool in kinds else typed.run(self.folder, tool, *words)
        return printed(done)


def printed(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, f"{shlex.join(done.args)}\n{done.stderr}"
    return done.stdout


def submit(home: Path, exchange: Path) -> None:
    """Fetch the lesson as a student, and hand in a right one."""
    home.mkdir()
    where = ["--course", "dl-26", f"--Exchange.root={exchange}", f"--Exchange.cache={home / 'cache'}"]
    as_student = [sys.executable, str(ROOT / "tests" / "helpers" / "as_student.py"), STUDENT]
    printed(typed.run(home, *as_student, "fetch_assignment", LESSON, *where))
    assert list((home / LESSON).glob("*.whl")), "the exchange brings the modules"
    path = home / LESSON / f"{LESSON}.ipynb"
    assert "### BEGIN SOLUTION" not in path.read_text(encoding="utf-8")
    path.write_text(write_notebook(compose(Lesson.load(LESSON, WORKBOOK))), encoding="utf-8")
    printed(typed.run(home, *as_student, "submit", LESSON, *where))


@pytest.fixture(scope="module")
def graded(tmp_path_factory, store) -> tuple[Terminal, str]:
    """The commands from an empty folder on, typed in the page's order; what the last one printed."""
    folder = tmp_path_factory.mktemp("instructor")
    terminal, said = Terminal(folder), ""
    (block,) = [block for _, block in FENCED.findall(INSTRUCTORS) if "workbook new" in block]
    assert len([line for line in block.splitlines() if not line.startswith("#")]) == 5
    for line in block.splitlines():
        if "students.csv, one line each" in line:
            text = f"id,first_name,last_name\n{STUDENT},Ada,Lovelace\n"
            (terminal.folder / "students.csv").write_text(text)
        elif line.startswith("# students fetch the lesson"):
            submit(folder / "home", folder / "empty" / "exchange")
        else:
            assert not line.startswith("#"), "a remark that this test does not follow"
            said = terminal.type(line)
    return terminal, said


def test_five_commands_lead_from_an_empty_folder_to_marks(graded):
    terminal, said = graded
    course = terminal.folder
    standing = books.standings(Course(course), LESSON)[STUDENT]
    assert (
        standing.total == sum(cell.points for cell in Lesson.load(LESSON, WORKBOOK).of_role("test"))
        and standing.waiting
    )
    assert f"{standing.total:g}+" in said and STUDENT in said
    assert (course / "bundle" / "attention-workbook.zip").is_file()
    assert (course / "feedback" / STUDENT / LESSON / f"{LESSON}.html").is_file()


def section(title: str) -> str:
    return INSTRUCTORS.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


# The commands that the walk to the first marks does not type; the rooms of `tests/autograder` hold each of them.
@pytest.mark.whole
def test_the_terms_commands_work_in_that_course(graded):
    terminal, _ = graded
    course = terminal.folder
    (course / "NOTEBOOK.ipynb").write_text(
        write_notebook(compose(Lesson.load(LESSON, WORKBOOK), blank=True)), encoding="utf-8"
    )
    typed = re.findall(r"\| `([^`]+)`(?:, [^|`]*)? \|$", section("A term"), flags=re.MULTILINE)
    for title in ("Grading by hand", "Export"):
        typed += [line for _, block in FENCED.findall(section(title)) for line in block.splitlines()]
    assert len(typed) == 14
    (student,) = (path.name for path in (course / "autograded").iterdir())
    said = {line: terminal.type(line.replace("STUDENT", student)) for line in typed}
    assert (
        "Marks that are not final, because an answer waits for a person: 1."
        in said["workbook export attention --to csv"]
    )
    for name in (
        "attention-csv.csv",
        "attention-moodle.csv",
        "attention-canvas.csv",
        "report/attention.html",
        "report/term.html",
    ):
        assert (course / name).is_file(), name
    (page,) = (course.parent / "exchange" / "dl-26" / "feedback").glob("*.html")
    assert "not graded yet" in page.read_text(encoding="utf-8")
