"""What students must not see is covered wherever it lies, and the first sandbox looks whether it is."""

from pathlib import Path

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.sandbox import bubblewrap
from autograder.sandbox.inside import look


@pytest.fixture
def prefix(tmp_path, monkeypatch) -> Path:
    """A Python that is shown to students, with a course in its folder."""
    prefix = tmp_path / "prefix"
    (prefix / "src" / "course").mkdir(parents=True)
    (prefix / "lib" / "python3.11").mkdir(parents=True)
    monkeypatch.setattr(bubblewrap, "shown_places", lambda: [prefix])
    return prefix


def pairs(command: list[str]) -> set[tuple[str, str]]:
    return {(command[n], command[n + 1]) for n in range(len(command) - 1)}


def test_a_course_below_the_interpreters_prefix_is_covered(prefix):
    course = prefix / "src" / "course"
    assert course in bubblewrap.hidden_places(Course(course))
    command = bubblewrap.bwrap_command(0, Course(course))
    assert {("--ro-bind", str(prefix)), ("--tmpfs", str(course)), ("--remount-ro", str(course))} <= pairs(command)
    assert command.index(str(prefix)) < command.index(str(course)), "what is mounted later lies on top"


def test_it_is_covered_as_well_where_the_prefix_is_reached_through_a_link(prefix, tmp_path, monkeypatch):
    link = tmp_path / "link"
    link.symlink_to(prefix)
    monkeypatch.setattr(bubblewrap, "shown_places", lambda: [link])
    assert link / "src" / "course" in bubblewrap.hidden_places(Course(prefix / "src" / "course"))


def test_a_course_elsewhere_needs_no_cover(prefix, tmp_path):
    assert tmp_path not in bubblewrap.hidden_places(Course(tmp_path))


def test_a_folder_of_settings_below_the_prefix_is_covered(prefix, monkeypatch):
    settings = prefix / "etc" / "jupyter"
    settings.mkdir(parents=True)
    monkeypatch.setattr(bubblewrap, "jupyter_config_path", lambda: [str(settings)])
    assert settings in bubblewrap.hidden_places(WORKBOOK)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("src/course/gradebook.db", ""),
        ("etc/nbgrader_config.py", "c.CourseDirectory.db_url = 'postgresql://grader:secret@here/db'"),
        ("src/course/lesson.py", "### BEGIN HIDDEN TESTS"),
        ("share/lesson.ipynb", '["### BEGIN HIDDEN TESTS"]'),
    ],
)
def test_the_look_finds_by_name_and_by_content(prefix, name, text):
    path = prefix / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert look.found([], [], [str(prefix)]) == [str(path)]


@pytest.mark.parametrize("folder", ["site-packages", "dist-packages", "include"])
def test_installed_packages_and_headers_are_not_searched(prefix, folder):
    packages = prefix / "lib" / "python3.11" / folder
    packages.mkdir()
    (packages / "nbgrader_config.py").touch()
    assert look.found([], [], [str(prefix)]) == []


def test_what_is_covered_must_be_empty_but_for_what_is_shown_below_it(prefix):
    (prefix / "lib" / "python3.11" / "os.py").write_text("x = 1")
    hidden, allowed = [str(prefix)], [str(prefix / "lib")]
    assert look.found(hidden, allowed, [str(prefix)]) == []
    (prefix / "src" / "notes.txt").write_text("marks")
    assert look.found(hidden, allowed, [str(prefix)]) == [str(prefix / "src" / "notes.txt")]
