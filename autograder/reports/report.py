"""A class's marks question by question: as plain data, and written as a page, as CSV and as JSON."""

import csv
import io
import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from autograder import mistakes
from autograder.common.course import Course
from autograder.common.nodes import grade_id, read_notebook
from autograder.common.paths import write_whole
from autograder.essays.likeness import groups_of_copies
from autograder.gradebook.books import StudentMarks
from autograder.gradebook.first_screen import title_of, titles_of
from autograder.gradebook.log import Log, read_log
from autograder.gradebook.roll import graded_roll
from autograder.lesson.release import release_notebook
from autograder.lesson.text import TEST_PREFIX, Cell, Lesson
from autograder.reports.similarity import similar
from utils.common.printable import printable

BARS = 10  # the number of bars in the distribution of totals
NOTHING = "–"  # in place of a number that is not defined


def _share(key: str) -> Callable[[dict[str, Any]], str]:
    """Return a column's function: the share of the graded answers that `key` counts."""
    return lambda numbers: f"{numbers[key] / numbers['graded']:.0%}" if numbers["graded"] else NOTHING


# The table of questions, on the page and in the terminal: a column's heading -> the text for a question's numbers.
COLUMNS: dict[str, Callable[[dict[str, Any]], str]] = {
    "question": lambda numbers: str(numbers.get("title") or numbers["question"]),
    "mean": lambda numbers: f"{numbers['mean']:.1f}/{numbers['points']:g}" if numbers["graded"] else NOTHING,
    "full": _share("full"),
    "none": _share("none"),
    "agrees with the rest": lambda numbers: (
        NOTHING if numbers["discrimination"] is None else f"{numbers['discrimination']:.2f}"
    ),
    "wait": lambda numbers: str(numbers["waiting"]),
}


def class_marks(course: Course, lesson: Lesson) -> dict[str, StudentMarks]:
    """Return the marks of the lesson's class, see `gradebook/roll.py`. Raises: GradingError if there are none."""
    return graded_roll(course, lesson.name).marks()


def facts(course: Course, lesson: Lesson) -> dict[str, Any]:
    """Return the content of the report. Raises: GradingError when nothing is graded."""
    roll = graded_roll(course, lesson.name)
    by_student = roll.marks()
    logs = {student: read_log(course, lesson.name, student) for student in by_student}
    answers = {student: _answers(course, lesson, student) for student in by_student}
    # Code that all students were given is not compared: the release's text and the reference.
    given = [cell.source for cell in release_notebook(lesson).cells] + [cell.code for cell in lesson.cells]
    most = sum(cell.points for cell in lesson.of_role("test", "essay"))
    totals = [marks.total for marks in by_student.values() if not marks.waiting]  # final totals only
    titles = titles_of(lesson, "en")
    release = course / "release" / lesson.name / f"{lesson.name}.ipynb"
    released_at = datetime.fromtimestamp(release.stat().st_mtime, timezone.utc) if release.is_file() else None
    return {
        "lesson": lesson.name,
        "versions": dict(Counter(str(log.get("version", "")) for log in logs.values())),
        "time": f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M}",
        "title": title_of(lesson, "en"),
        "submissions": len(by_student),
        "final": len(totals),
        "max_points": most,
        "mean": statistics.mean(totals) if totals else None,
        "median": statistics.median(totals) if totals else None,
        "states": dict(Counter(member.state for member in roll.members.values())),
        "strangers": [printable(student) for student in roll.strangers],
        "distribution": _distribution(totals, most),
        "days_since_release": (datetime.now(timezone.utc) - released_at).days if released_at else None,
        "waiting": sum(len(marks.waiting) for marks in by_student.values()),
        "late": sum(marks.seconds_late > 0 for marks in by_student.values()),
        "seconds": sum(float(log.get("seconds", 0)) for log in logs.values()),
        "cpu_seconds": sum(float(log.get("cpu_seconds", 0)) for log in logs.values()),
        "mended": sum(bool(log.get("mended")) for log in logs.values()),
        "flags": [[printable(s), printable(flag)] for s, log in sorted(logs.items()) for flag in log.get("flags", [])],
        "questions": [
            {"title": titles.get(cell.grade_id, cell.name)} | question_numbers(cell, by_student)
            for cell in lesson.of_role("test", "essay")
        ],
        "mistakes": _mistakes(lesson, logs, answers),
        "near_copies": [
            [[printable(s), name] for s, name in group]
            for group in groups_of_copies(_essays(course, lesson, by_student))
        ],
        "similar": [
            {
                "students": [printable(pair.first), printable(pair.second)],
                "share": round(pair.share, 2),
                "runs": pair.common,
                "cells": [
                    [name, *(answers[s].get(name, "") for s in (pair.first, pair.second))] for name in pair.cells
                ],
            }
            for pair in similar(answers, given)[:50]
        ],
    }


def _answers(course: Course, lesson: Lesson, student: str) -> dict[str, str]:
    """Return the code of a student's answers, by cell."""
    path = course / "autograded" / student / lesson.name / f"{lesson.name}.ipynb"
    if not path.is_file():
        return {}
    return {grade_id(cell): cell.source for cell in read_notebook(path).cells if grade_id(cell) in lesson.solutions}


def _essays(course: Course, lesson: Lesson, students: Iterable[str]) -> dict[tuple[str, str], str]:
    """Return the answers to the questions that a person grades, by student and question."""
    answers = {}
    for student in students:
        path = course / "autograded" / student / lesson.name / f"{lesson.name}.ipynb"
        for cell in read_notebook(path).cells if path.is_file() else []:
            if grade_id(cell) in lesson.essays:
                answers[student, grade_id(cell)] = cell.source
    return answers


def _distribution(totals: list[float], most: float) -> list[dict[str, Any]]:
    """Return how many totals are in each of BARS equal intervals from 0 to `most`; the last includes full marks."""
    counts = Counter(min(BARS - 1, int(BARS * total / most)) if most else 0 for total in totals)
    return [
        {"from": round(most * i / BARS, 1), "to": round(most * (i + 1) / BARS, 1), "students": counts[i]}
        for i in range(BARS)
    ]


def question_numbers(question: Cell, by_student: dict[str, StudentMarks]) -> dict[str, Any]:
    """Return a question's numbers over all graded answers.

    `difficulty` is the share of the points that was earned, `discrimination` the correlation of the question's points
    with the sum of all others, None if it is not defined.
    """
    name, points = question.grade_id, question.points
    with_question = {student: marks for student, marks in by_student.items() if name in marks.scores}
    graded = {student: marks.scores[name] for student, marks in with_question.items() if name not in marks.waiting}
    # The question's own points are left out of the sum, because they would correlate with themselves.
    rest = [sum(by_student[student].scores.values()) - score for student, score in graded.items()]
    mean = statistics.mean(graded.values()) if graded else None
    try:
        discrimination = round(statistics.correlation(list(graded.values()), rest), 2)
    except statistics.StatisticsError:  # fewer than two answers, or all with the same points
        discrimination = None
    return {
        "question": question.name,
        "points": points,
        "graded": len(graded),
        "waiting": len(with_question) - len(graded),
        "mean": None if mean is None else round(mean, 2),
        "difficulty": None if mean is None or not points else round(mean / points, 2),
        "discrimination": discrimination,
        "full": sum(score == points for score in graded.values()),
        "none": sum(score == 0 for score in graded.values()),
    }


def mistakes_made(log: Log) -> list[tuple[str, str]]:
    """Return a student's named mistakes as pairs (question, mistake), each once even if several tests named it."""
    tests = [(question["id"], test) for question in log.get("questions", []) for test in question["tests"]]
    return sorted({(id_, str(made)) for id_, test in tests for made in (test["mistake"], test.get("also")) if made})


def _mistakes(lesson: Lesson, logs: dict[str, Log], answers: dict[str, dict[str, str]]) -> list[dict[str, Any]]:
    """Return the named mistakes, the commonest first, each with one student's code, without the student's name."""
    known, count, example = mistakes.load(lesson), Counter[tuple[str, str]](), dict[tuple[str, str], str]()
    for student, log in sorted(logs.items()):
        for question, mistake in mistakes_made(log):
            if mistake in known:
                count[question, mistake] += 1
                code = answers[student].get(known[mistake].cell, "")
                example.setdefault((question, mistake), code)
    return [
        {
            "question": question.removeprefix(TEST_PREFIX),
            "mistake": mistake,
            "says": known[mistake].says,
            "students": number,
            "example": example[question, mistake],
        }
        for (question, mistake), number in count.most_common()
    ]


def questions_csv(report: dict[str, Any]) -> str:
    """Return the questions' numbers as a table."""
    text = io.StringIO()
    table = csv.DictWriter(text, list(report["questions"][0]))
    table.writeheader()
    table.writerows(report["questions"])
    return text.getvalue()


def write_report(course: Course, lesson: Lesson) -> list[Path]:
    """Write the report as a page (a single file), as CSV and as JSON. Raises: GradingError."""
    report = facts(course, lesson)
    pages = Environment(loader=FileSystemLoader(Path(__file__).parent / "templates"), autoescape=True, trim_blocks=True)
    texts = {
        "html": pages.get_template("report.html.j2").render(report, columns=COLUMNS),
        "csv": questions_csv(report),
        "json": json.dumps(report, indent=1, ensure_ascii=False),
    }
    paths = [course / "report" / f"{lesson.name}.{ending}" for ending in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_whole(path, text)
    return paths
