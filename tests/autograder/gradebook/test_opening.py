"""`workbook open`: one command before students begin; typed again, it changes what has changed, and loses no module."""

import shutil
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.common.paths import ROOT
from autograder.course import new
from autograder.gradebook.opening import open_lesson, set_points
from autograder.lesson.setup import wheel_name
from autograder.lesson.text import Lesson
from tests.helpers.typed import nbgrader

LESSON = "attention"


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """A French course with an exchange, opened once."""
    folder = tmp_path_factory.mktemp("opening")
    course = folder / "term"
    new.make(course, "dl", "fr", exchange=folder / "exchange")
    (course / "course.toml").write_text('timezone = "Europe/Paris"\n')
    (course / "students.csv").write_bytes("id;first_name\nada;Zoé\nbob;\n".encode("cp1252"))
    (course / "extensions.csv").write_text("id,lesson,due,excused\nbob,,,oui\n")
    said = list(open_lesson(Course(course), Lesson.load(LESSON, Course(course)), "2030-01-31 23:59"))
    assert said[0] == "Students: 2 in students.csv, 1 of them excused."
    assert said[1] == "Due: 2030-01-31 23:59 Europe/Paris."
    assert said[2].startswith("Notebook: made; ") and said[2].endswith(" points, language fr.")
    assert said[3].endswith("attention-workbook.zip, with attention.") and said[4].startswith("Exchange: released in ")
    return course


def wheel_of(course: Path) -> str:
    return wheel_name(Course(course).version)


def outbound(course: Path) -> set[str]:
    return {path.name for path in (course.parent / "exchange" / "dl" / "outbound" / LESSON).iterdir()}


def test_students_date_and_notebook_are_where_nbgrader_looks(course):
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        assert str(gradebook.find_assignment(LESSON).duedate) == "2030-01-31 22:59:00"
        assert {(one.id, one.first_name) for one in gradebook.students} == {("ada", "Zoé"), ("bob", None)}
    released = nbformat.read(course / "release" / LESSON / f"{LESSON}.ipynb", as_version=4)
    assert released.metadata.workbook.language == "fr"
    assert outbound(course) == {f"{LESSON}.ipynb", wheel_of(course)}
    bundled = {path.relative_to(course / "bundle").as_posix() for path in (course / "bundle").rglob("*.ipynb")}
    assert {Path(name).stem for name in bundled} == {LESSON}  # of what is open so far


def test_again_it_says_what_is_as_before_and_moves_the_date(course):
    said = list(open_lesson(Course(course), Lesson.load(LESSON, Course(course)), "2030-02-07"))
    assert said[1] == "Due: 2030-02-07 23:59 Europe/Paris." and said[2].startswith("Notebook: as before; ")
    assert list(open_lesson(Course(course), Lesson.load(LESSON, Course(course))))[1] == said[1]


@pytest.mark.parametrize("due", ["demain", "2030-13-40", "01/02/2030", "2030-01-31 23:59 Paris"])
def test_a_date_that_cannot_be_read_is_one_sentence_and_nothing_is_done(course, due):
    with pytest.raises(CourseError, match=r"is not a time; write|There is no time zone 'Paris'"):
        list(open_lesson(Course(course), Lesson.load(LESSON, Course(course)), due))


def test_nbgraders_own_commands_never_lose_the_modules(course):
    for command in ("generate_assignment", "release_assignment"):
        done = nbgrader(course, command, LESSON)
        assert done.returncode == 0, done.stderr
        if command == "generate_assignment":
            assert not (course / "release" / LESSON / wheel_of(course)).exists()  # nbgrader empties the folder
    assert outbound(course) == {f"{LESSON}.ipynb", wheel_of(course)}


PRIVATE = ("exam.py", "exam_old.py", "mistakes.toml", "fr.po", "variants/right.py", "notes.md")


def names_below(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_nothing_beside_the_instructors_notebook_is_released_but_a_folder_files(tmp_path):
    """By each way: `workbook open`, nbgrader's command, the exchange, the bundle with its wheel and Colab files."""
    course = tmp_path / "term"
    new.make(course, "dl", "en", exchange=tmp_path / "exchange")
    for name in (*PRIVATE, "files/data.csv"):
        path = course / "source" / LESSON / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("SECRET OF THE INSTRUCTOR\n")
    list(open_lesson(Course(course), Lesson.load(LESSON, Course(course))))
    notebook, data = f"{LESSON}.ipynb", "files/data.csv"
    outbound = tmp_path / "exchange" / "dl" / "outbound" / LESSON
    assert names_below(course / "release" / LESSON) == {notebook, wheel_of(course), data}
    assert names_below(outbound) == {notebook, wheel_of(course), data}
    for path in (course / "bundle").rglob("*"):
        assert not path.is_file() or b"SECRET OF THE INSTRUCTOR" not in path.read_bytes()
    assert nbgrader(course, "generate_assignment", LESSON).returncode == 0
    assert names_below(course / "release" / LESSON) == {notebook, data}
    for name in (*PRIVATE, "lesson.py"):  # as a version of the workbook without this rule has left them
        path = course / "release" / LESSON / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("SECRET OF THE INSTRUCTOR\n")
    assert nbgrader(course, "release_assignment", LESSON).returncode == 0
    assert names_below(outbound) == {notebook, wheel_of(course), data}


def test_an_assignment_that_is_no_lesson_is_released_with_the_files_beside_it(tmp_path):
    course = tmp_path / "term"
    new.make(course, "dl", "en")
    own = course / "source" / "warmup"
    own.mkdir(parents=True)
    nbformat.write(nbformat.v4.new_notebook(), own / "warmup.ipynb")
    (own / "data.csv").write_text("1\n")
    assert nbgrader(course, "generate_assignment", "warmup").returncode == 0
    assert names_below(course / "release" / "warmup") == {"warmup.ipynb", "data.csv"}


def test_a_moved_course_generates(course, tmp_path):
    moved = tmp_path / "elsewhere"
    shutil.copytree(course, moved)
    assert nbgrader(moved, "generate_assignment", LESSON).returncode == 0
    said = list(open_lesson(Course(moved), Lesson.load(LESSON, Course(moved))))
    assert said[2].startswith("Notebook: as before; ")
    assert (moved / "source" / LESSON / f"{LESSON}.ipynb").is_file()


def test_the_source_of_a_course_follows_the_workbook_and_an_edit_of_it_is_refused(course):
    path = course / "source" / LESSON / f"{LESSON}.ipynb"
    workbooks = (ROOT / "source" / LESSON / f"{LESSON}.ipynb").read_bytes()
    assert path.read_bytes() == workbooks
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[0].source += " My own words."
    nbformat.write(notebook, path)
    done = nbgrader(course, "generate_assignment", LESSON)
    assert done.returncode != 0 and "set points and questions in course.toml" in done.stderr
    path.unlink()
    list(open_lesson(Course(course), Lesson.load(LESSON, Course(course))))
    assert path.read_bytes() == workbooks


def test_points_are_set_in_the_course_and_a_wrong_name_leaves_its_file_alone(tmp_path):
    assert set_points(Course(tmp_path), LESSON, ["self_attention=8", "update=1.5"]).startswith(
        "Points: self_attention 8, update 1.5"
    )
    assert Lesson.load(LESSON, Course(tmp_path)).tests["update"].points == 1.5
    before = (tmp_path / "course.toml").read_text()
    for wanted, said in (("updat=2", "no question 'updat'"), ("update", "write QUESTION=NUMBER")):
        with pytest.raises(CourseError, match=said):
            set_points(Course(tmp_path), LESSON, [wanted])
        assert (tmp_path / "course.toml").read_text() == before
