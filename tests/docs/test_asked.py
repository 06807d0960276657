"""docs/asked.md: what the lessons ask stands there in their words, beside tests that exist."""

import re

import pytest

from autograder.common.paths import ROOT, lesson_names
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson

ROW = re.compile(r"\| (?P<asked>.*) \| `(?P<question>\w+)` \| (?P<by>.*) \|")
_, *PARTS = (ROOT / "docs" / "asked.md").read_text(encoding="utf-8").split("\n## ")
SECTIONS = {
    part.partition("\n")[0]: [found.groups() for found in map(ROW.fullmatch, part.split("\n")) if found]
    for part in PARTS
}
# What is said after the table of tests that have no sentence.
AFTER = {part.partition("\n")[0]: part.rpartition("|\n")[2] for part in PARTS}


def prose(lesson: Lesson) -> str:
    """Return a lesson's text and docstrings on one line, markers of lists aside."""
    lines = (line.removeprefix("#").strip() for cell in lesson.cells for line in cell.source.split("\n"))
    return " ".join(" ".join(lines).split())


def test_every_lesson_and_every_question_is_there():
    assert list(SECTIONS) == list(lesson_names())
    for name, rows in SECTIONS.items():
        assert {question for _, question, _ in rows} == set(Lesson.load(name).tests)


@pytest.mark.parametrize("name", SECTIONS)
def test_what_is_asked_stands_in_the_lesson(name):
    text = prose(Lesson.load(name))
    assert [asked for asked, _, _ in SECTIONS[name] if asked not in text] == []


@pytest.mark.parametrize("name", SECTIONS)
def test_what_examines_it_is_a_test_of_that_question(name):
    lesson = Lesson.load(name)
    for asked, question, by in SECTIONS[name]:
        exam, check = exams_of(lesson)[question], reference.checks_of(lesson)[question]
        named = re.findall(r"`(\w+)`", by.partition(";")[0])
        assert named or by.startswith("not examined: "), asked
        assert set(named) <= set(exam.tests), asked
        assert {test for test in named if f"*`{test}`*" in by} == set(named) - set(check.tests), asked


@pytest.mark.parametrize("name", SECTIONS)
def test_no_test_examines_what_is_nowhere_asked(name):
    rows, after = SECTIONS[name], AFTER[name]
    listed = {(question, test) for _, question, by in rows for test in re.findall(r"`(\w+)`", by)}
    question = ""
    for before, test in re.findall(r"`(\w*)\.(\w+)`", after):
        question = before or question
        listed.add((question, test))
    assert {(exam.name, test) for exam in exams_of(Lesson.load(name)).values() for test in exam.tests} <= listed
