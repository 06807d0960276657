"""A command speaks its course's language, in its errors too; without a course it speaks English."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from autograder.__main__ import main
from autograder.common import sentences
from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.common.sentences import T_, speak
from autograder.examine import flags
from autograder.examine.result import Graded
from autograder.gradebook.late_rule import described
from autograder.gradebook.steps import verdict_outputs
from utils.checks.engine.outcome import Verdict


def course_in(folder: Path, configuration: str) -> Path:
    (folder / "nbgrader_config.py").write_text(configuration, encoding="utf-8")
    return folder


def typed(*words: object) -> str:
    return CliRunner().invoke(main, [str(word) for word in words]).output.replace("\u00a0", " ")


def test_an_error_is_in_the_language_of_its_course(tmp_path):
    french = course_in(tmp_path, 'c.Translate.language = "fr"\n')
    assert typed("collect", "x", "--course", french).startswith("Erreur : Il n'y a pas de leçon 'x' ; les leçons sont")
    assert typed("collect", "x", "--course", tmp_path / "nowhere").startswith("Error: There is no lesson 'x'; the")


@pytest.mark.parametrize(
    ("configuration", "language"),
    [
        ("c = get_config()\n", "en"),
        ("c.Translate.language = 'zh'\n", "zh"),
        ('# c.Translate.language = "fr"\n', "en"),
        ('c.Translate.language = "en"\nc.Translate.language = "fr"\n', "fr"),
    ],
)
def test_the_last_line_that_names_a_language_counts(tmp_path, configuration, language):
    assert Course(course_in(tmp_path, configuration)).language == language


def test_the_variable_wins_and_an_unknown_language_is_english(monkeypatch):
    monkeypatch.setenv("COURSE_LANGUAGE", "xx")
    assert WORKBOOK.language == "xx"
    speak(WORKBOOK.language)
    assert sentences.spoken() == "en"


def test_numbers_have_the_decimal_sign_of_the_course():
    assert T_("{points:g} of {most:g}", points=2.5, most=40) == "2.5 of 40"
    speak("fr")
    assert T_("{points:g} of {most:g}", points=2.5, most=40) == "2,5 sur 40"
    assert f"{sentences.number(0.25):.1f} {sentences.joined('ab')}" == "0,2 a, b"


def test_a_student_s_points_and_hours_have_the_sign_of_the_student_s_language():
    verdicts = [Verdict("a", "x", 0.125, "passed"), Verdict("b", "x", 0.875, "not attempted")]
    said = verdict_outputs(Graded("test_x", "auto", 2.0, verdicts), "fr", {})[0].text
    assert "points\u00a0: 0,25 sur 2\n" in said
    assert (
        described("0.5 points an hour, none after 1.5 h", "fr")
        == "0,5 points par heure entamée, aucun point après 1,5 h"
    )


def test_an_error_speaks_when_it_is_shown_not_when_it_is_raised():
    error = GradingError("Nothing is graded yet; run: {command}", command="x")
    assert str(error) == "Nothing is graded yet; run: x"
    speak("zh")
    assert str(error) == "还没有评分；请输入：x"


@pytest.mark.parametrize(
    ("flag", "french"),
    [
        ("cell w3 uses the network: urlopen('a: b')", "la cellule w3 utilise le réseau : urlopen('a: b')"),
        ("question loss could not be examined: x", "la question loss n'a pas pu être examinée : x"),
        (
            "cell w3: your notebook was stopped: all its cells together ran too long",
            "cellule w3 : votre notebook a été",
        ),
        ("cell w3 does what nobody has a phrase for", "cell w3 does what nobody has a phrase for"),
        ("another text", "another text"),
    ],
)
def test_a_flag_is_shown_in_the_course_s_language(flag, french):
    assert flags.shown(flag, "en") == flag
    assert flags.shown(flag, "fr").replace("\u00a0", " ").startswith(french)
