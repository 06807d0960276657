"""A sample of the term that `python -m benchmarks.proof term` plays: every way of handing in, with marks made up."""

import json

from autograder.common.course import WORKBOOK
from autograder.gradebook import roll
from autograder.gradebook.books import StudentMarks
from autograder.lesson.text import Lesson
from benchmarks.proof import term

ATTENTION = Lesson.load("attention", WORKBOOK)
MOST = sum(cell.points for cell in ATTENTION.of_role("test", "essay"))


def notebook(author: str) -> str:
    cells = [{"cell_type": "markdown", "id": "a", "metadata": {}, "source": f"{term.MARK}{author}."}]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, ensure_ascii=False)


def test_nobody_vanishes_in_a_class_that_hands_in_by_every_way(tmp_path, monkeypatch):
    def graded(course):
        for folder in (course / "submitted").iterdir():
            page = course / "feedback" / folder.name / "attention" / "attention.html"
            page.parent.mkdir(parents=True)
            page.write_text(f"<html><body>{'x' * 300} {folder.name} {'y' * 40}</body></html>", encoding="utf-8")
            marks[folder.name] = StudentMarks({"test_loss": 1.0}, max_score=MOST)

    marks: dict[str, StudentMarks] = {}
    monkeypatch.setattr(roll, "standings", lambda *asked: marks)
    played = term.play(tmp_path, 20, ATTENTION, notebook, graded)
    assert played.complaints == []
    assert played.number == len(played.collected.new) == sum(played.back.values()) >= 15
    assert set(played.back) == {"moodle", "canvas", "blackboard", "mail", "the exchange"}


def test_the_class_of_the_term_has_sixty_students_and_every_way():
    class_ = term.people(60)
    assert len(class_) == 60 and {person.way for person in class_} == set(term.WAYS)
    assert len({(person.first, person.last) for person in class_}) == 60
