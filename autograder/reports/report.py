"""A class's marks question by question: as plain data, and written as a page, as CSV and as JSON."""

import json
import statistics
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from autograder import mistakes
from autograder.common.course import Course
from autograder.common.nodes import grade_id, read_notebook
from autograder.common.paths import write_whole
from autograder.common.sentences import in_language
from autograder.essays.likeness import groups_of_copies
from autograder.gradebook.books import StudentMarks
from autograder.gradebook.configuration import course_language
from autograder.gradebook.first_screen import title_of, titles_of
from autograder.gradebook.log import Log, read_log
from autograder.gradebook.roll import Roll, graded_roll
from autograder.intake import attempts
from autograder.intake.places import places_of
from autograder.lesson.release import release_notebook
from autograder.lesson.text import TEST_PREFIX, Cell, Lesson
from autograder.reports.similarity import similar
from autograder.reports.spreadsheet import spreadsheet
from autograder.reports.words import page
from utils.common.messages import N_, translate
from utils.common.printable import printable

BARS = 10  # the number of bars in the distribution of totals
NOTHING = "–"  # in place of a number that is not defined
WAITING = N_("waiting")


def _share(key: str) -> Callable[[dict[str, Any]], str]:
    """Return a column's function: the share of the graded answers that `key` counts."""
    return lambda numbers: f"{numbers[key] / numbers['graded']:.0%}" if numbers["graded"] else NOTHING


# The table of questions, on the page and in the terminal: a column's heading -> the text for a question's numbers.
COLUMNS: dict[str, Callable[[dict[str, Any]], str]] = {
    N_("question"): lambda numbers: str(numbers.get("title") or numbers["question"]),
    N_("mean"): lambda numbers: f"{numbers['mean']:.1f}/{numbers['points']:g}" if numbers["graded"] else NOTHING,
    N_("full points"): _share("full"),
    N_("no point"): _share("none"),
    N_("agrees with the rest"): lambda numbers: (
        NOTHING if numbers["discrimination"] is None else f"{numbers['discrimination']:.2f}"
    ),
    WAITING: lambda numbers: str(numbers["waiting"]),
}


def class_marks(course: Course, lesson: Lesson) -> dict[str, StudentMarks]:
    """Return the marks of the lesson's class, see `gradebook/roll.py`. Raises: GradingError if there are none."""
    return graded_roll(course, lesson.name).marks()


def facts(course: Course, lesson: Lesson, language: str = "en") -> dict[str, Any]:
    """Return the content of the report, its titles and sentences in a language.

    `mean`, `median` and `distribution` are of the students' totals when no answer waits for a person; before, they are
    of the points in the `examined` questions, those that are examined for all who have them, at most
    `examined_points`; `mean` and `median` are None without such a question.

    Raises: GradingError when nothing is graded.
    """
    roll = graded_roll(course, lesson.name)
    by_student = roll.marks()
    logs = {student: read_log(course, lesson.name, student) for student in by_student}
    written = {student: _written(course, lesson, student) for student in by_student}
    answers = {s: {name: cells[name] for name in cells if name in lesson.solutions} for s, cells in written.items()}
    alone = _one_of_each_group(course, lesson, by_student)  # members of a group share their answers
    essays = {(s, name): text for s in alone for name, text in written[s].items() if name in lesson.essays}
    # Code that everybody was given does not count as alike: the release's text and the reference.
    given = [cell.source for cell in release_notebook(lesson).cells] + [cell.code for cell in lesson.cells]
    titles = titles_of(lesson, language)
    questions = [
        {"title": titles.get(cell.grade_id, cell.name)} | question_numbers(cell, by_student)
        for cell in lesson.of_role("test", "essay")
    ]
    waiting = sum(len(marks.waiting) for marks in by_student.values())
    examined = [cell for cell in lesson.of_role("test", "essay") if _examined(cell, by_student)]
    own = {student: roll.members[student].most(examined) for student in by_student}
    most = max(own.values(), default=0.0)
    # A penalty for lateness is taken from the total, so it cannot be taken from a part. Students of another track have
    # other questions, so their points are brought to one scale.
    totals = [
        (sum(marks.scores.get(cell.grade_id, 0.0) for cell in examined) if waiting else marks.total)
        * (most / own[student] if own[student] else 1.0)
        for student, marks in by_student.items()
    ]
    release = course / "release" / lesson.name / f"{lesson.name}.ipynb"
    released_at = datetime.fromtimestamp(release.stat().st_mtime, timezone.utc) if release.is_file() else None
    return {
        "lesson": lesson.name,
        "versions": dict(Counter(str(log.get("version", "")) for log in logs.values())),
        "time": f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M}",
        "title": title_of(lesson, language),
        "submissions": len(by_student),
        "final": sum(not marks.waiting for marks in by_student.values()),
        "max_points": roll.most(lesson),
        "one_scale": len(set(own.values())) > 1,
        "examined": len(examined),
        "examined_points": most,
        "mean": statistics.mean(totals) if examined else None,
        "median": statistics.median(totals) if examined else None,
        "states": dict(Counter(member.state for member in roll.members.values())),
        "strangers": [printable(student) for student in roll.strangers],
        "distribution": distribution(totals, most) if examined else [],
        "days_since_release": (datetime.now(timezone.utc) - released_at).days if released_at else None,
        "waiting": waiting,
        "late": sum(marks.seconds_late > 0 for marks in by_student.values()),
        "seconds": sum(float(log.get("seconds", 0)) for log in logs.values()),
        "cpu_seconds": sum(float(log.get("cpu_seconds", 0)) for log in logs.values()),
        "mended": sum(bool(log.get("mended")) for log in logs.values()),
        "flags": [[printable(s), printable(flag)] for s, log in sorted(logs.items()) for flag in log.get("flags", [])],
        "questions": questions,
        "first_full": _first_full(course, lesson, roll),
        "mistakes": _mistakes(lesson, logs, answers, language),
        "losses": _losses(logs),
        "near_copies": [[[printable(s), name] for s, name in group] for group in groups_of_copies(essays)],
        "similar": [
            {
                "students": [printable(pair.first), printable(pair.second)],
                "share": round(pair.share, 2),
                "runs": pair.common,
                "cells": [
                    [name, *(answers[s].get(name, "") for s in (pair.first, pair.second))] for name in pair.cells
                ],
            }
            for pair in similar({student: answers[student] for student in alone}, given)[:50]
        ],
    }


def _first_full(course: Course, lesson: Lesson, roll: Roll) -> dict[str, dict[int, int]]:
    """Return `Attempts.first_full` of each question that has tests; {} where the course does not keep all attempts."""
    if not attempts.kept(course, lesson.name):
        return {}
    kept = attempts.read(course, lesson.name)
    counts = {}
    for cell in lesson.of_role("test"):
        asked = [student for student, member in roll.members.items() if cell.name not in member.not_asked]
        counts[cell.name] = kept.first_full(cell.grade_id, asked)
    return {name: of for name, of in counts.items() if of}


def _one_of_each_group(course: Course, lesson: Lesson, students: Iterable[str]) -> list[str]:
    places = places_of(course, lesson.name)
    first: dict[tuple[str, str], str] = {}
    for student in students:
        group = places[student].group if student in places else ""
        first.setdefault((group, "" if group else student), student)
    return list(first.values())


def _written(course: Course, lesson: Lesson, student: str) -> dict[str, str]:
    """Return the text of each cell of a student's graded notebook; {} without one."""
    path = course / "autograded" / student / lesson.name / f"{lesson.name}.ipynb"
    return {grade_id(cell): cell.source for cell in read_notebook(path).cells} if path.is_file() else {}


def _examined(question: Cell, by_student: dict[str, StudentMarks]) -> bool:
    """Return whether a question is examined for all students whose submission has it, and for at least one."""
    name = question.grade_id
    waits = any(name in marks.waiting for marks in by_student.values())
    return not waits and any(name in marks.scores for marks in by_student.values())


def distribution(totals: list[float], most: float) -> list[dict[str, Any]]:
    """Return how many totals are in each of BARS equal steps from 0 to `most`; full marks are in the last."""
    counts = Counter(min(BARS - 1, int(BARS * total / most)) if most else 0 for total in totals)
    return [
        {"from": round(most * i / BARS, 1), "to": round(most * (i + 1) / BARS, 1), "students": counts[i]}
        for i in range(BARS)
    ]


def bars(steps: list[dict[str, Any]], language: str) -> str:
    """Return a distribution as words in a language: "0–4: 2, 4–8: 1"; steps without students are left out."""
    shown = (in_language(bar, language) for bar in steps if bar["students"])
    return ", ".join(f"{bar['from']:g}–{bar['to']:g}: {bar['students']}" for bar in shown)


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


def _mistakes(
    lesson: Lesson, logs: dict[str, Log], answers: dict[str, dict[str, str]], language: str
) -> list[dict[str, Any]]:
    """Return the named mistakes, the commonest first, each with one student's code, without the student's name.

    Mistakes that look alike share a sentence; such mistakes of a question are one here.
    """
    known = mistakes.load(lesson)
    students, first = dict[tuple[str, str], set[str]](), dict[tuple[str, str], tuple[str, str]]()
    for student, log in sorted(logs.items()):
        for question, mistake in mistakes_made(log):
            if mistake in known:
                sentence = (question.removeprefix(TEST_PREFIX), known[mistake].says)
                students.setdefault(sentence, set()).add(student)
                first.setdefault(sentence, (mistake, answers[student].get(known[mistake].cell, "")))
    return [
        {
            "question": question,
            "mistake": first[question, says][0],
            "says": translate(says, language),
            "students": len(names),
            "example": first[question, says][1],
        }
        for (question, says), names in sorted(students.items(), key=lambda made: -len(made[1]))
    ]


def _losses(logs: dict[str, Log]) -> dict[str, dict[str, float]]:
    """Return for each question the points that tests took from the class, and how many of them with a named mistake."""
    losses: dict[str, dict[str, float]] = {}
    for question in (question for log in logs.values() for question in log.get("questions", [])):
        loss = losses.setdefault(question["id"].removeprefix(TEST_PREFIX), {"lost": 0.0, "named": 0.0})
        for test in question["tests"]:
            lost = test.get("max_points", 0.0) - test.get("points", 0.0)
            loss["lost"] += lost
            loss["named"] += lost if test["mistake"] else 0.0
    return losses


def questions_csv(report: dict[str, Any], language: str = "en") -> str:
    """Return the questions' numbers as a table for a spreadsheet in a language."""
    rows = [["" if field is None else str(field) for field in row.values()] for row in report["questions"]]
    return spreadsheet([list(report["questions"][0]), *rows], language, 1)


def write_report(course: Course, lesson: Lesson) -> list[Path]:
    """Write the report as a page (a single file), as CSV and as JSON. Raises: GradingError."""
    language = course_language(course)
    report = facts(course, lesson, language)
    shown = [in_language(numbers, language) for numbers in report["questions"]]
    content = {"questions": shown, "columns": COLUMNS, "bars": bars(report["distribution"], language)}
    texts = {
        "html": page("report.html.j2", language, report | content),
        "csv": questions_csv(report, language),
        "json": json.dumps(report, indent=1, ensure_ascii=False),
    }
    paths = [course / "report" / f"{lesson.name}.{ending}" for ending in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_whole(path, text)
    return paths
