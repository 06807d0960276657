"""A course made from nothing: what is typed works, and no student code runs beside us because a file was missing."""

import ast
import os
import re
import runpy
import sys
from hashlib import sha256
from pathlib import Path

import nbformat
import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.course_file import CourseFile
from autograder.common.errors import CourseError, GradingError
from autograder.common.paths import ROOT, course_above
from autograder.common.version import workbook_version
from autograder.course import new
from autograder.gradebook import books, converters
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.text import Lesson, write_notebook
from tests.helpers.languages import LANGUAGES
from tests.helpers.typed import nbgrader, run, workbook

LESSON = "attention"


def fingerprint(folder: Path) -> str:
    """A hash of what the workbook's folders for lessons hold."""
    found = sha256()
    for part in ("source", "release", "notebooks", "utils/checks"):
        for path in sorted((folder / part).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                found.update(str(path).encode() + path.read_bytes())
    return found.hexdigest()


def submission(course: Path, student: str, planted: Path) -> None:
    """Hand in a right notebook whose code also writes a file, where it can."""
    lesson = Lesson.load(LESSON, WORKBOOK)
    notebook = compose(lesson)
    writes = nbformat.v4.new_code_cell(f"open({str(planted)!r}, 'w').close()")
    notebook.cells.insert(1, writes)
    hand_in(write_notebook(notebook), Course(course), student, LESSON)


def test_what_is_typed_in_a_new_course_releases_its_language_every_time(tmp_path):
    before = fingerprint(ROOT)
    course, exchange = tmp_path / "term", tmp_path / "exchange"
    exchange.mkdir()
    exchange.chmod(0o777)
    made = workbook(tmp_path, "new", str(course), "--name", "dl-26", "--language", "fr", "--exchange", str(exchange))
    assert made.returncode == 0, made.stderr
    assert course.stat().st_mode & 0o777 == 0o700, "who has an account here can look in"
    # A hub starts nbgrader in the user's home, where a configuration names the course: docs/administrator.md.
    home = tmp_path / "home"
    home.mkdir()
    (home / "nbgrader_config.py").write_text(f"c = get_config()\nc.CourseDirectory.root = {str(course)!r}\n")
    readme = (course / "README.md").read_text(encoding="utf-8")
    assert "Tapez les commandes" in readme and "workbook open LESSON" in readme and "{" not in readme
    released = exchange / "dl-26" / "outbound" / LESSON / f"{LESSON}.ipynb"
    lies = course / "release" / LESSON / f"{LESSON}.ipynb"
    for place, command, written in (
        (course, "generate_assignment", lies),
        (home, "generate_assignment", lies),
        (home, "release_assignment", released),
    ):
        done = nbgrader(place, command, LESSON, **({"JUPYTER_CONFIG_DIR": str(home)} if place == home else {}))
        assert done.returncode == 0 and "is not the lesson as it is now" not in done.stderr, done.stderr
        notebook = nbformat.read(written, as_version=4)
        assert notebook.metadata.workbook == {"language": "fr", "lesson": LESSON, "version": workbook_version()}
        assert "qui dois-je regarder" in notebook.cells[0].source.replace("\u202f", " ")
    assert (course / "gradebook.db").is_file()
    assert fingerprint(ROOT) == before
    # What another hand, or the workbook's own build, wrote into release/ is not handed out.
    kept = released.read_bytes()
    lies.chmod(0o644)
    lies.write_bytes((ROOT / "release" / LESSON / f"{LESSON}.ipynb").read_bytes())
    done = nbgrader(course, "release_assignment", LESSON)
    assert done.returncode != 0 and "is in en, and the course's language is fr; type `nbgrader generate" in done.stderr
    assert released.read_bytes() == kept
    notebook.cells[0].source += " As it was a year ago."
    lies.write_text(write_notebook(notebook))
    done = nbgrader(course, "release_assignment", LESSON)
    assert done.returncode == 0 and "is not the lesson as it is now" in done.stderr


def test_a_folder_without_configuration_gets_one_before_anything_is_graded(tmp_path, store):
    planted = tmp_path / "planted"
    course = tmp_path / "my course"
    submission(course, "ada", planted)
    done = workbook(course, "grade", LESSON, "--course", str(course), "--no-feedback")
    assert done.returncode == 0, done.stderr
    assert "nbgrader_config.py: with it" in done.stdout.replace("\n", " ")
    marks = books.marks(Course(course), LESSON)
    assert marks["ada"] and not planted.exists()
    # The guard that `install` puts into the environment serves folders that have lost theirs.
    (course / "nbgrader_config.py").unlink()
    new.install(tmp_path / "environment")
    guarded = {"JUPYTER_CONFIG_DIR": str(tmp_path / "environment" / "etc" / "jupyter")}
    done = nbgrader(course, "autograde", LESSON, "--force", "--course-dir", str(course), **guarded)
    assert done.returncode == 0, done.stderr
    assert not planted.exists()
    script = run(
        course / "submitted", sys.executable, str(tmp_path / "environment" / "bin" / "workbook"), "report", LESSON
    )
    assert "There is no course in" in script.stderr
    # What the worker processes of `grade --jobs` do with the file that their parent was started from.
    runpy.run_path(str(tmp_path / "environment" / "bin" / "workbook"), run_name="__mp_main__")


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda text: text + "\nc.CourseDirectory.groupshared = yes\n", "name 'yes' is not defined"),
        (lambda text: text + "\nc.Autograde.autograde_preprocessors = []\n", "without the sandbox"),
        (lambda text: text.replace(str(ROOT), "/gone"), "The workbook is not at /gone"),
    ],
)
def test_a_configuration_that_cannot_be_used_grades_nothing(tmp_path, edit, says):
    planted = tmp_path / "planted"
    course = tmp_path / "course"
    new.make(course, "dl", "en")
    submission(course, "ada", planted)
    path = course / "nbgrader_config.py"
    path.write_text(edit(path.read_text()))
    done = nbgrader(course, "autograde", LESSON)
    assert done.returncode != 0
    assert says in done.stderr
    assert not planted.exists() and not (course / "autograded").exists()


def test_a_configuration_of_plain_nbgrader_is_refused(tmp_path):
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    with pytest.raises(GradingError, match="does not load the workbook's steps"):
        converters.configuration(tmp_path)


def test_the_course_is_the_nearest_one_above(tmp_path):
    course = tmp_path / "course"
    new.make(course, "dl", "zh")
    deep = course / "submitted" / "ada"
    deep.mkdir(parents=True)
    assert course_above(deep) == course_above(course) == course
    assert converters.configuration(Course(course)).Translate.language == "zh"
    with pytest.raises(CourseError, match="go to a course's folder"):
        course_above(tmp_path)


@pytest.mark.parametrize(
    ("folder", "name", "language", "says"),
    [
        ("x", "a/b", "en", "cannot be called 'a/b'"),
        ("x", "-dl", "en", "cannot be called"),
        ("x", "dl", "eo", "no language 'eo'"),
        (str(ROOT / "term"), "dl", "en", "is in the workbook"),
        ("there", "dl", "en", "is a course already"),
    ],
)
def test_what_cannot_be_a_course_is_one_sentence(tmp_path, folder, name, language, says):
    new.make(tmp_path / "there", "dl", "en")
    with pytest.raises(CourseError, match=says):
        new.make(tmp_path / folder, name, language)
    assert not (ROOT / "term").exists()


def test_what_is_there_already_stays(tmp_path):
    (tmp_path / "students.csv").write_text("id\nada\n")
    (tmp_path / "source").mkdir()
    written = new.make(tmp_path, "dl", "en")
    assert (tmp_path / "students.csv").read_text() == "id\nada\n"
    assert {path.name for path in written} == {"README.md", "course.toml", "extensions.csv", "nbgrader_config.py"}
    assert (tmp_path / "source").is_dir() and not (tmp_path / "source").is_symlink()


def test_the_command_works_from_any_folder_and_another_configuration_is_kept(tmp_path):
    environment = tmp_path / "environment"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to(sys.executable)
    script, guard, *_ = new.install(environment)
    assert os.access(script, os.X_OK)
    done = run(tmp_path, sys.executable, str(script), "new", "term", "--name", "dl", PYTHONPATH="")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "term").iterdir()) == [
        "README.md",
        "course.toml",
        "extensions.csv",
        "nbgrader_config.py",
        "source",
        "students.csv",
    ]
    guard.write_text("c.CourseDirectory.db_url = 'postgresql://'")
    with pytest.raises(CourseError, match="another configuration"):
        new.install(environment)
    assert "postgresql" in guard.read_text()


def test_a_course_gets_the_copy_of_the_workbook_that_it_names(tmp_path):
    """Two copies on one computer: the environment was installed from this one, the course was made by the other."""
    environment, other, course = tmp_path / "environment", tmp_path / "other's copy", tmp_path / "term"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to(sys.executable)
    script, guard, *_ = new.install(environment)
    for name, text in {
        "autograder/gradebook/entry.py": "configure = lambda config: print(__file__)",
        "autograder/__main__.py": "main = lambda prog_name: print(__file__)",
    }.items():
        (other / name).parent.mkdir(parents=True, exist_ok=True)
        (other / name).write_text(text)
    new.make(course, "dl", "en")
    config = course / "nbgrader_config.py"
    as_nbgrader = f"get_config = lambda: None; exec(open({str(guard)!r}).read())"
    for inside in (course, course / "source"):
        config.write_text(config.read_text().replace(repr(str(ROOT)), repr(str(other))))
        for command in ([str(script)], ["-c", as_nbgrader]):
            done = run(inside, sys.executable, *command, PYTHONPATH="")
            assert done.stdout.startswith(str(other)), done.stderr
    if os.getuid() == 0:  # who may give files away
        os.chown(config, 12345, 12345)
        assert "Usage: workbook" in run(course, sys.executable, str(script), "--help", PYTHONPATH="").stdout
        os.chown(config, 0, 0)
    config.write_text(config.read_text().replace(repr(str(other)), repr(str(tmp_path / "gone"))))
    assert "Usage: workbook" in run(course, sys.executable, str(script), "--help", PYTHONPATH="").stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_course_file_of_a_new_course_sets_nothing_and_each_of_its_lines_can_be_set(tmp_path, language):
    new.make(tmp_path / "term", "dl", language)
    path = tmp_path / "term" / "course.toml"
    assert CourseFile.of(tmp_path / "term") == CourseFile()
    path.write_text(re.sub(r"(?m)^# (?=\w+ = |\[)", "", path.read_text(encoding="utf-8")), encoding="utf-8")
    told = CourseFile.of(tmp_path / "term")
    assert told.timezone == {"zh": "Asia/Shanghai"}.get(language, "Europe/Paris")
    assert told.lessons == tuple(WORKBOOK.lessons)
    assert told.of_lesson("attention").points == {"self_attention": 8} and told.of_lesson("attention").out_of == 20


def settings(folder: Path, language: str) -> list[str]:
    """The statements of a new course's configuration, less the words of its texts."""
    new.make(folder / language, "dl", language)
    tree = ast.parse((folder / language / "nbgrader_config.py").read_text(encoding="utf-8"))
    for text in [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]:
        text.values = [value for value in text.values if not isinstance(value, ast.Constant)]
    return [ast.unparse(node).replace(repr(language), "") for node in tree.body[1:]]


def test_the_configuration_says_the_same_in_every_language(tmp_path):
    found = {language: settings(tmp_path, language) for language in LANGUAGES}
    assert found["fr"] == found["en"] == found["zh"] and len(found["en"]) > 8
    for language, word in (("fr", "le code des étudiants"), ("zh", "学生的代码")):
        text = (tmp_path / language / "nbgrader_config.py").read_text(encoding="utf-8")
        assert word in text and "student code" not in text
