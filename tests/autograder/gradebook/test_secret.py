"""The course's secret: made once, read by nobody else, and made anew when it is lost."""

import stat

import pytest

from autograder.common.course import Course
from autograder.common.errors import GradingError
from autograder.gradebook.secret import FORM, course_secret


def test_a_course_has_one_secret_that_only_its_owner_may_read(tmp_path):
    secret = course_secret(Course(tmp_path))
    assert FORM.fullmatch(secret)
    assert course_secret(Course(tmp_path)) == secret
    [file] = (tmp_path / ".grading").iterdir()
    assert file.read_text() == secret
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_two_courses_have_two_secrets(tmp_path):
    assert course_secret(Course(tmp_path / "one")) != course_secret(Course(tmp_path / "two"))


@pytest.mark.parametrize("left", ["", "12ab", "0" * 63, "secret\n"])
def test_a_lost_or_halved_secret_is_made_anew(tmp_path, left):
    before = course_secret(Course(tmp_path))
    file = tmp_path / ".grading" / "secret"
    file.write_text(left)
    after = course_secret(Course(tmp_path))
    assert FORM.fullmatch(after) and after != before
    assert course_secret(Course(tmp_path)) == after
    file.unlink()
    assert course_secret(Course(tmp_path)) not in (before, after)


def test_where_another_grader_was_quicker_that_graders_secret_counts(tmp_path, monkeypatch):
    def slow(size):
        monkeypatch.undo()
        theirs.append(course_secret(Course(tmp_path)))
        return "0" * 2 * size

    theirs = []
    monkeypatch.setattr("autograder.gradebook.secret.secrets.token_hex", slow)
    assert [course_secret(Course(tmp_path))] == theirs


def test_a_place_where_no_secret_can_be_made_is_one_sentence(tmp_path):
    (tmp_path / ".grading").write_text("a file in its place")
    with pytest.raises(GradingError, match=r"can be neither read nor made"):
        course_secret(Course(tmp_path))
