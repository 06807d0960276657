"""A course of last term once more: settings, own lessons and rubrics are there, dates are moved, students are not."""

from datetime import datetime

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import CourseError
from autograder.course import new
from autograder.gradebook import again, opening
from autograder.gradebook.configuration import configuration
from autograder.lesson.text import Lesson
from tests.helpers.marked_class import waiting_class

QUESTION = "why_convolutions_fail"


def test_last_terms_course_is_copied_with_its_dates_moved(tmp_path, monkeypatch):
    monkeypatch.setattr(new, "_make_source", lambda folder: None)  # `open` makes it
    old = waiting_class(tmp_path / "old", Lesson.load("attention", WORKBOOK), QUESTION, {"ada": "x"})
    opening.set_due(old.url, "attention", datetime(2026, 10, 20, 21, 59))  # 23:59 in Paris, in summer time
    _, cards = old.cards()
    old.save("ada", cards["ada"].version, [], 0, "", "me")
    config = old.course / "nbgrader_config.py"
    config.write_text(config.read_text() + "c.Translate.language = 'fr'\nc.CourseDirectory.course_id = 'dl-26'\n")
    (old.course / "course.toml").write_text('timezone = "Europe/Paris"\n[attention]\nweight = 2  # heavy\n')
    (old.course / "students.csv").write_text("id\nada\n")
    written = again.copy(old.course, tmp_path / "new", "dl-27", "2w")
    made = Course(tmp_path / "new")
    assert made.settings.of_lesson("attention").due == "2026-11-03 23:59"  # in winter time
    assert made.settings.of_lesson("attention").weight == 2 and "# heavy" in (made / "course.toml").read_text()
    found = configuration(made)
    assert (found.CourseDirectory.course_id, found.Translate.language) == ("dl-27", "fr")
    assert (made / "students.csv").read_text() == new.STUDENTS and not (made / "gradebook.db").exists()
    assert (made / "marking/attention" / QUESTION / "rubric.json").is_file() and made / "students.csv" in written
    assert not list(made.folder.glob("marking/**/answers"))


def test_a_shift_that_cannot_be_read_makes_nothing(tmp_path):
    with pytest.raises(CourseError, match="write weeks or days, 52w or 364d"):
        again.copy(Course(tmp_path), tmp_path / "new", "dl", "a year")
    assert not (tmp_path / "new").exists()
