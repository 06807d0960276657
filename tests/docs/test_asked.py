"""`source/LESSON/asked.md` quotes what a lesson asks, in the lesson's words, beside tests that exist."""

import re

import pytest

from autograder.common.course import WORKBOOK
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson

ROW = re.compile(r"\| (?P<asked>.*) \| `(?P<question>\w+)` \| (?P<by>.*) \|")
TEXTS = {
    name: (part.source / "asked.md").read_text(encoding="utf-8")
    for name, part in WORKBOOK.own.items()
    if part.has("asked.md")
}
SECTIONS = {name: [row.groups() for row in map(ROW.fullmatch, text.split("\n")) if row] for name, text in TEXTS.items()}
# The paragraph after the table, on tests that have no sentence.
AFTER = {name: text.rpartition("|\n")[2] for name, text in TEXTS.items()}


def prose(lesson: Lesson) -> str:
    """Return a lesson's text and docstrings on one line, markers of lists aside."""
    lines = (line.removeprefix("#").strip() for cell in lesson.cells for line in cell.source.split("\n"))
    return " ".join(" ".join(lines).split())


def test_every_question_is_there():
    assert set(WORKBOOK.lessons) <= SECTIONS.keys()
    for name, rows in SECTIONS.items():
        assert {question for _, question, _ in rows} == set(Lesson.load(name, WORKBOOK).tests)


@pytest.mark.parametrize("name", SECTIONS)
def test_what_is_asked_stands_in_the_lesson(name):
    text = prose(Lesson.load(name, WORKBOOK))
    assert [asked for asked, _, _ in SECTIONS[name] if asked not in text] == []


@pytest.mark.parametrize("name", SECTIONS)
def test_what_examines_it_is_a_test_of_that_question(name):
    lesson = Lesson.load(name, WORKBOOK)
    for asked, question, by in SECTIONS[name]:
        exam = exams_of(lesson)[question]
        named = re.findall(r"`(\w+)`", by.partition(";")[0])
        assert named or by.startswith("not examined: "), asked
        assert set(named) <= set(exam.tests), asked


@pytest.mark.parametrize("name", SECTIONS)
def test_no_test_examines_what_is_nowhere_asked(name):
    rows, after = SECTIONS[name], AFTER[name]
    listed = {(question, test) for _, question, by in rows for test in re.findall(r"`(\w+)`", by)}
    question = ""
    for before, test in re.findall(r"`(\w*)\.(\w+)`", after):
        question = before or question
        listed.add((question, test))
    assert {
        (exam.name, test) for exam in exams_of(Lesson.load(name, WORKBOOK)).values() for test in exam.tests
    } <= listed
