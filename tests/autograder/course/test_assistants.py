"""What the bundle tells students' coding assistants, by the course's setting."""

import pytest

from autograder.common.course import Course
from autograder.common.errors import CourseError
from autograder.course.bundle import FOR_ASSISTANTS, for_assistants
from autograder.site import private


@pytest.mark.parametrize(("setting", "says"), [("", "be a tutor"), ("explain", "be a tutor"), ("none", "without you")])
def test_assistants_find_the_same_rules_under_each_name_that_they_look_for(tmp_path, setting, says):
    if setting:
        (tmp_path / "course.toml").write_text(f'assistants = "{setting}"\n')
    files = for_assistants(Course(tmp_path))
    assert list(files) == list(FOR_ASSISTANTS) and len(set(files.values())) == 1
    text = files["AGENTS.md"].decode()
    assert says in text and "check.NAME.hint()" in text
    assert not any(line in text for line in private.lines())


def test_a_course_that_allows_all_has_no_rules_and_another_word_is_refused(tmp_path):
    (tmp_path / "course.toml").write_text('assistants = "any"\n')
    assert for_assistants(Course(tmp_path)) == {}
    other = tmp_path / "other"
    other.mkdir()
    (other / "course.toml").write_text('assistants = "some"\n')
    with pytest.raises(CourseError, match='assistants must be "explain" or "none" or "any"'):
        for_assistants(Course(other))
