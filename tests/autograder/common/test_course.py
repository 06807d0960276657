"""A course and its lessons: which folders they have, in which order, and what a process sees of them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.common.course import CHECK, MORE, WORKBOOK, Course
from autograder.common.errors import CourseError, LessonError
from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson

EXAMPLES = ROOT / "docs" / "course"


@pytest.fixture
def course(tmp_path) -> Course:
    """A course with a lesson of its own, `clusters`, and a question more in `attention`."""
    folder = tmp_path / "term"
    shutil.copytree(EXAMPLES, folder)
    (folder / "nbgrader_config.py").write_text("")
    return Course(folder)


def test_a_lesson_s_parts_are_the_workbook_s_then_the_course_s(course):
    (clusters,) = course.parts_of("clusters")
    assert (clusters.source, clusters.utils) == (course / "source/clusters", course / "utils/clusters")
    assert clusters.check == CHECK
    ours, theirs = course.parts_of("attention")
    assert (ours, theirs.check) == (*WORKBOOK.parts_of("attention"), MORE)
    assert course.parts_of("gpt") == WORKBOOK.parts_of("gpt")


def test_the_workbook_is_a_course_that_adds_nothing():
    assert WORKBOOK.is_workbook and not WORKBOOK.adds and Course(ROOT) == WORKBOOK
    assert list(WORKBOOK.lessons)[:4] == ["attention", "captioning", "seq2seq", "gpt"]


def test_an_own_lesson_comes_after_the_workbook_s(course):
    assert list(course.lessons) == [*WORKBOOK.lessons, "clusters"] and course.adds


def test_course_toml_names_the_lessons_and_their_order(course):
    (course / "course.toml").write_text('lessons = ["clusters", "gpt"]\n')
    assert course.in_order() == ["clusters", "gpt"]
    (course / "course.toml").write_text('lessons = ["clusters", "gpd"]\n')
    with pytest.raises(LessonError, match=r"There is no lesson 'gpd'; the lessons are: attention, .*, clusters\."):
        course.in_order()


@pytest.mark.parametrize("name", ["Clusters", "my-lesson", "common", "checks", "coco_utils", "2nd"])
def test_a_lesson_cannot_have_a_name_that_python_or_the_workbook_uses_otherwise(course, name):
    shutil.copytree(course / "source/clusters", course / "source" / name)
    with pytest.raises(CourseError, match="cannot be a lesson's name; use lower case"):
        Course(course.folder).lessons  # noqa: B018 - the property raises


def test_a_course_is_the_nearest_folder_with_a_configuration(course, tmp_path):
    assert Course.around(course / "source/clusters") == course
    assert Course.around(tmp_path) == WORKBOOK


def test_the_current_folder_is_the_same_course_as_its_whole_path(course, monkeypatch):
    monkeypatch.chdir(course.folder)
    assert Course(Path()) == course


def test_a_folder_is_a_lesson_by_its_name_or_by_the_files_in_it(course):
    for name, file, is_lesson in (("gpt", "x.csv", True), ("warmup", "x.csv", False), ("old", "exam_2024.py", True)):
        folder = course.source_of(name)
        folder.mkdir(parents=True)
        (folder / file).write_text("")
        assert course.is_lesson(folder) is is_lesson


def test_the_version_tells_the_modules_of_two_courses_and_of_two_days_apart(course):
    before = course.version
    assert before != WORKBOOK.version and before == Course(course.folder).version
    path = course / "utils/clusters/check.py"
    path.write_text(path.read_text() + "\n# changed\n")
    changed = Course(course.folder).version
    assert changed not in (before, WORKBOOK.version)
    (course / "course.toml").write_text("[attention]\npoints = { loss = 9 }\n")
    assert Course(course.folder).version not in (before, changed)


def test_a_course_that_moves_keeps_its_version(course):
    (course / "course.toml").write_text("[attention]\npoints = { loss = 9 }\n")
    before = course.version
    assert Course(course.folder.rename(course.folder.with_name("elsewhere"))).version == before


def test_what_the_build_writes_is_not_a_lesson_s_source(course):
    (part,) = course.parts_of("clusters")
    before = (course.made_from(part), course.version)
    for path in (part.made / "answers.json", part.source / "clusters.ipynb", part.utils / "__pycache__" / "x.pyc"):
        path.parent.mkdir(exist_ok=True)
        path.write_text("generated")
    assert (course.made_from(part), course.version) == before


def test_a_course_without_lessons_of_its_own_sees_the_workbook_s_modules(tmp_path):
    lesson = Lesson.load("attention", Course(tmp_path))
    assert lesson.own is None and lesson.parts == WORKBOOK.parts_of("attention")


TWO_COURSES = """
import sys
from pathlib import Path
from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import CourseError
first, second = (Course(Path(name)) for name in sys.argv[1:])
first.add_modules()
first.add_modules()
from utils.clusters import check
from utils.attention import more, check as ours
assert Path(check.__file__).is_relative_to(first.folder) and Path(more.__file__).is_relative_to(first.folder)
assert not Path(ours.__file__).is_relative_to(first.folder)
for other in (second, WORKBOOK):
    try:
        other.add_modules()
    except CourseError as error:
        print(error)
"""


def test_a_process_has_one_course_and_refuses_another(course, tmp_path):
    other = shutil.copytree(course.folder, tmp_path / "other")
    done = subprocess.run(
        [sys.executable, "-c", TWO_COURSES, course.folder, other], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert [line.partition(";")[0] for line in done.stdout.splitlines()] == 2 * [
        f"This process has the modules of {course.folder}"
    ]
