"""What the bundle tells students' coding assistants, by the course's setting."""

import io
import json
import zipfile

import pytest

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import CourseError
from autograder.course import bundle
from autograder.course.bundle import FOR_ASSISTANTS, for_assistants
from autograder.exams import reference
from autograder.intake.pieces import stated_words
from autograder.lesson.setup import ON_TOP
from autograder.lesson.text import Lesson
from autograder.lesson.translation import message
from autograder.site import private
from utils.checks.engine.panel import Panel

_content = io.BytesIO()
zipfile.ZipFile(_content, "w").close()
EMPTY_WHEEL = _content.getvalue()


@pytest.mark.parametrize(("setting", "says"), [("", "be a tutor"), ("explain", "be a tutor"), ("none", "without you")])
def test_assistants_find_the_same_rules_under_each_name_that_they_look_for(tmp_path, setting, says):
    if setting:
        (tmp_path / "course.toml").write_text(f'assistants = "{setting}"\n')
    files = for_assistants(Course(tmp_path))
    assert list(files) == list(FOR_ASSISTANTS) and len(set(files.values())) == 1
    text = files["AGENTS.md"].decode()
    assert says in text and "check.NAME.hint()" in text
    assert not any(line in text for line in private.lines())


@pytest.mark.parametrize("setting", ["explain", "none", "any"])
def test_each_notebook_says_on_top_what_the_course_asks(tmp_path, monkeypatch, setting):
    (tmp_path / "course.toml").write_text(f'assistants = "{setting}"\n')
    monkeypatch.setattr(bundle, "build_wheel", lambda course: EMPTY_WHEEL)
    files = bundle.contents(Course(tmp_path), lessons=["attention"])
    for language in ("en", "fr", "zh"):
        said = f"*{message(ON_TOP[setting], language)}*"
        for name in (f"{language}/attention.ipynb", f"colab/{language}/attention.ipynb"):
            assert said in ["".join(cell["source"]) for cell in json.loads(files[name])["cells"][:3]]


def test_each_notebook_names_the_questions_of_other_tracks_and_intake_knows_the_line(tmp_path, monkeypatch):
    only = 'only = { update = "graduate", why_convolutions_fail = "MSc" }'
    (tmp_path / "course.toml").write_text(f"[attention]\n{only}\n")
    monkeypatch.setattr(bundle, "build_wheel", lambda course: EMPTY_WHEEL)
    files = bundle.contents(Course(tmp_path), lessons=["attention"])
    for language in ("en", "fr", "zh"):
        cells = json.loads(files[f"{language}/attention.ipynb"])["cells"]
        (line,) = ["".join(cell["source"]) for cell in cells if cell["id"] == "tracks"]
        assert "`update` (graduate); " in line and "(MSc)" in line and not stated_words(line)
    assert stated_words("Some questions count.")


def test_the_panel_as_data_holds_what_the_panel_shows_and_no_line_of_a_solution():
    lesson = Lesson.load("gpt", WORKBOOK)
    check = reference.checks_of(lesson)["rms_norm"]
    verdicts = check.verdicts(reference.mutant_students(lesson, "rms_norm", "norm_no_root"))
    panel = Panel.of(check, verdicts, "en")
    data = panel.to_json()
    assert [line["test"] for line in json.loads(data)["failed"]] == [line.ask for line in panel.shown]
    assert not any(line in data for line in private.lines())


def test_a_course_that_allows_all_has_no_rules_and_another_word_is_refused(tmp_path):
    (tmp_path / "course.toml").write_text('assistants = "any"\n')
    assert for_assistants(Course(tmp_path)) == {}
    other = tmp_path / "other"
    other.mkdir()
    (other / "course.toml").write_text('assistants = "some"\n')
    with pytest.raises(CourseError, match='assistants must be "explain" or "none" or "any"'):
        for_assistants(Course(other))
