"""A course's lessons are found by their names; a course's module continues the workbook's."""

from importlib.util import module_from_spec

import pytest

from autograder.common import parts
from autograder.common.errors import CourseError, LessonError
from autograder.common.paths import ROOT, lesson_names, own_lessons, require_lesson
from autograder.common.settings import COURSE_FOLDER
from utils import checks
from utils.version import __version__


@pytest.fixture
def lessons(tmp_path, monkeypatch):
    monkeypatch.setenv(COURSE_FOLDER, str(tmp_path))
    return tmp_path / "lessons"


def add(lessons, name, **files):
    (lessons / name).mkdir(parents=True)
    for part, text in ({"lesson": "# %% after loss\n"} | files).items():
        (lessons / name / f"{part}.py").write_text(text)


def test_without_lessons_of_its_own_a_course_has_the_workbooks(lessons):
    assert own_lessons() == {} and parts.modules() == ROOT / "utils" and parts.are_current()
    assert parts.version("attention") == __version__


def test_a_lesson_of_the_course_is_a_lesson_and_has_a_version_of_its_own(lessons):
    add(lessons, "clusters")
    assert "clusters" in lesson_names() and parts.texts("clusters") == [lessons / "clusters" / "lesson.py"]
    before = parts.version("clusters")
    assert before.startswith(f"{__version__}+") and parts.version("attention") == __version__
    (lessons / "clusters" / "check.py").write_text("")
    assert parts.version("clusters") != before
    assert not parts.are_current()  # nobody has made the copy yet
    note = parts.modules().with_name("made_from")
    note.parent.mkdir(parents=True)
    note.write_text(parts.made_from())
    assert parts.are_current()
    (lessons / "clusters" / "check.py").write_text("ours = 1\n")
    assert not parts.are_current()  # it is older than the lesson


def test_questions_for_a_lesson_of_the_workbook_come_after_its_own_parts(lessons):
    add(lessons, "attention")
    assert [path.name for path in parts.texts("attention")] == ["attention.py", "lesson.py"]


@pytest.mark.parametrize("name", ["standing", "engine", "exam", "My lesson", "2nd"])
def test_a_name_that_the_modules_need_or_python_cannot_read_is_refused(lessons, name):
    add(lessons, name)
    with pytest.raises(CourseError, match="cannot be a lesson's name; choose another"):
        lesson_names()


def test_a_lesson_that_is_not_there_is_named(lessons):
    with pytest.raises(LessonError, match="There is no lesson 'clusters'"):
        require_lesson("clusters")


def test_a_course_s_module_continues_the_workbooks(lessons):
    add(lessons, "attention", check="from typing import Any\nOURS = loss.title\n")
    spec = parts.OwnModules().find_spec("utils.checks.attention", checks.__path__)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.loss.title == module.OURS


def test_a_course_s_module_gives_no_name_another_meaning(lessons):
    add(lessons, "attention", check="def fill_in_order(probe, network):\n    return network\n")
    spec = parts.OwnModules().find_spec("utils.checks.attention", checks.__path__)
    module = module_from_spec(spec)
    with pytest.raises(CourseError, match="gives fill_in_order another meaning"):
        spec.loader.exec_module(module)


def test_other_modules_are_left_to_python(lessons):
    add(lessons, "attention")
    finder = parts.OwnModules()
    assert finder.find_spec("utils.checks.gpt") is finder.find_spec("json") is None
    assert finder.find_spec("autograder.exams.attention") is None  # the course has no exam.py
