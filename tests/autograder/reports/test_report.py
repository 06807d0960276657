"""The report: numbers that agree with a hand count, similarity that sees through renaming, and a page that is safe."""

import io
import json
import os
import re
import time

import markupsafe
import pytest
from rich.console import Console

from autograder import mistakes
from autograder.common.course import WORKBOOK, Course
from autograder.gradebook import books, grade, roll
from autograder.gradebook.books import StudentMarks
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Cell, Lesson
from autograder.reports import report, similarity, terminal

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
LAST = list(ATTENTION.solutions)[-1]
OWN = """
def own_way(sequence, width):
    total = [0.0] * len(sequence)
    for start in range(0, len(sequence) - width, 2):
        part = sequence[start : start + width]
        total[start] = (max(part) - min(part)) / (abs(sum(part)) + 1e-3)
    while total and total[-1] == 0.0:
        total.pop()
    return [value ** 2 if value > 0.5 else -value for value in total][::-1]
"""
RENAMED = re.sub(r"\btotal\b", "acc", OWN).replace("own_way", "mine").replace("    for", "    # step by step\n    for")
OTHER = """
def other_way(items):
    import math
    seen = {}
    for index, item in enumerate(items):
        seen.setdefault(round(item, 3), []).append(index)
    best = sorted(seen.items(), key=lambda pair: (-len(pair[1]), pair[0]))[:7]
    return {key: math.log1p(len(places)) * sum(places) for key, places in best}
"""


def test_renamed_code_is_found_and_honest_code_is_not():
    solution = {name: cell.code for name, cell in ATTENTION.solutions.items()}
    given = [cell.source for cell in release_notebook(ATTENTION).cells] + [cell.code for cell in ATTENTION.cells]
    answers = {
        "ada": solution | {LAST: solution[LAST] + OWN},
        "bob": solution | {LAST: solution[LAST] + RENAMED},
        "cyd": solution | {LAST: solution[LAST] + OTHER},
        "dan": solution,
    }
    (pair,) = similarity.similar(answers, given)
    assert (pair.first, pair.second, pair.cells) == ("ada", "bob", (LAST,))
    assert pair.share == 1.0
    everybody = {f"s{number}": solution | {LAST: OWN} for number in range(7)}
    assert similarity.similar(everybody, given) == []


@pytest.mark.parametrize("code", ["'''unclosed", "(((", "\x00", "if x:\n  a\n b", "", "£$%"])
def test_broken_code_is_compared_as_far_as_it_goes(code):
    assert similarity.similar({"ada": {LAST: code}, "bob": {LAST: code}}, [code]) == []


def test_totals_are_counted_in_ten_equal_steps():
    bars = report.distribution([0, 0.9, 1, 5, 5.5, 9.99, 10, 11], 10)
    assert [bar["students"] for bar in bars] == [2, 1, 0, 0, 0, 2, 0, 0, 0, 3]
    assert [(bar["from"], bar["to"]) for bar in report.distribution([], 4)[:3]] == [(0, 0.4), (0.4, 0.8), (0.8, 1.2)]
    assert [bar["students"] for bar in report.distribution([0, 0], 0)] == [2] + [0] * 9


def test_a_questions_numbers_are_those_of_the_graded_answers():
    """Full marks, a quarter, none, one that waits, and one submission without this question."""
    question = Cell("essay", "asked", 4.0, "markdown", "")
    found = {str(number): StudentMarks({"asked": points}) for number, points in enumerate((4.0, 1.0, 0.0))}
    found |= {"waits": StudentMarks({"asked": 0.0}, {"asked"}), "other": StudentMarks({"else": 3.0})}
    assert report.question_numbers(question, found) == {
        "question": "asked",
        "points": 4.0,
        "graded": 3,
        "waiting": 1,
        "mean": 1.67,
        "difficulty": 0.42,
        "discrimination": None,  # all have nothing else
        "full": 1,
        "none": 1,
    }
    free = report.question_numbers(Cell("essay", "asked", 0.0, "markdown", ""), found)
    assert (free["mean"], free["difficulty"]) == (1.67, None)
    nobody = report.question_numbers(question, {"waits": found["waits"]})
    assert (nobody["graded"], nobody["waiting"], nobody["mean"], nobody["difficulty"]) == (0, 1, None, None)


def test_a_class_is_summed_up(tmp_path, monkeypatch):
    first, second = (cell.grade_id for cell in ATTENTION.of_role("test")[:2])
    found = {
        "ada": StudentMarks({first: 2.0, second: 1.0}, {"one", "two"}, penalty=0.5, seconds_late=1),
        "bob": StudentMarks({first: 1.0}, {"one"}),
        "cyd": StudentMarks({first: 0.0}, set()),
        "ill": StudentMarks({first: 4.0}, {"one"}, seconds_late=9, excused=True),
    }
    monkeypatch.setattr(roll, "standings", lambda course, lesson_name: found)
    monkeypatch.setattr(roll, "excused", lambda course, lesson_name: {"ill"})
    logs = tmp_path / ".grading" / "logs" / LESSON
    logs.mkdir(parents=True)
    (logs / "ada.json").write_text(
        json.dumps({"version": "1", "seconds": 2.5, "cpu_seconds": 1.5, "flags": ["odd", "b"]})
    )
    (logs / "bob.json").write_text(json.dumps({"version": "1", "seconds": 4, "mended": ["x", "y"], "flags": ["a"]}))
    made = tmp_path / "release" / LESSON / f"{LESSON}.ipynb"
    made.parent.mkdir(parents=True)
    made.touch()
    two_days_and_a_half_ago = time.time() - 2.5 * 86_400
    os.utime(made, (two_days_and_a_half_ago,) * 2)
    told = report.facts(Course(tmp_path), ATTENTION)
    assert (told["submissions"], told["mean"], told["median"]) == (3, 4 / 3, 1.0)  # of the first two questions
    assert (told["waiting"], told["late"], told["mended"]) == (3, 1, 1)
    assert (told["seconds"], told["cpu_seconds"], told["days_since_release"]) == (6.5, 1.5, 2)
    assert told["versions"] == {"1": 2, "": 1}
    assert told["flags"] == [["ada", "odd"], ["ada", "b"], ["bob", "a"]]
    made.unlink()
    assert report.facts(Course(tmp_path), ATTENTION)["days_since_release"] is None


def test_each_mistake_is_counted_once_a_student_and_shown_with_one_students_code(tmp_path):
    one, other = list(mistakes.load(ATTENTION).values())[:2]
    graded = f"test_{one.cell}"

    def log(*made: str) -> dict:
        return {"questions": [{"id": graded, "tests": [{"mistake": name} for name in made]}]}

    logs = {"cyd": log(one.id, other.id), "bob": log(other.id, other.id, "no_longer_known", ""), "ada": {}}
    answers = {student: {one.cell: f"code of {student}", other.cell: f"code of {student}"} for student in logs}
    told = report._mistakes(ATTENTION, logs, answers, "en")
    assert [(row["mistake"], row["students"], row["example"]) for row in told] == [
        (other.id, 2, "code of bob"),
        (one.id, 1, "code of cyd"),
    ]
    assert {row["question"] for row in told} == {one.cell} and told[1]["says"] == one.says


def html_escaped(text: str) -> str:
    """A text as the page's template writes it."""
    return str(markupsafe.escape(text))


def cells(html: str) -> list[list[str]]:
    """The rows of a page's table of questions."""
    table = html.partition("<h2>Questions</h2>")[2].partition("</table>")[0]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in table.split("<tr>")[1:]]


def test_the_page_tells_what_the_gradebook_holds_and_runs_nothing(tmp_path, store, monkeypatch):
    mistake = next(m for m in mistakes.load(ATTENTION).values() if m.cell == LAST)
    wrong = mistakes.code_of(ATTENTION, mistake) + "\nevil = '<script>alert(1)</script>'\n"
    hand_in(compose(ATTENTION), Course(tmp_path), "right", LESSON)
    hand_in(compose(ATTENTION, blank=True), Course(tmp_path), "blank", LESSON)
    hand_in(compose(ATTENTION, {LAST: wrong}), Course(tmp_path), "wrong<b>", LESSON)
    grade.grade(LESSON, course=Course(tmp_path))
    paths = report.write_report(Course(tmp_path), ATTENTION)
    assert [path.suffix for path in paths] == [".html", ".csv", ".json"]
    told = json.loads(paths[2].read_text())
    automatic = sum(cell.points for cell in ATTENTION.of_role("test"))
    marks = books.standings(Course(tmp_path), LESSON)
    earned = [sum(one.scores[f"test_{name}"] for name in ATTENTION.solutions) for one in marks.values()]
    assert told["mean"] == pytest.approx(sum(earned) / 3)  # of the questions without a person
    assert (told["examined_points"], told["final"]) == (automatic, 1)
    assert sum(bar["students"] for bar in told["distribution"]) == 3
    assert (told["submissions"], told["states"]) == (3, {"graded": 1, "waits": 2})
    question = next(one for one in told["questions"] if one["question"] == LAST)
    none = sum(one.scores[f"test_{LAST}"] == 0 for one in marks.values())
    assert (question["graded"], question["waiting"], question["full"], question["none"]) == (3, 0, 1, none)
    essay = next(one for one in told["questions"] if one["question"] in ATTENTION.essays)
    assert (essay["graded"], essay["waiting"]) == (1, 2)
    assert mistake.id in {one["mistake"] for one in told["mistakes"]}
    html = paths[0].read_text()
    assert '<html lang="en" dir="ltr">' in html
    assert "<script" not in html and "&lt;script&gt;alert(1)" in html
    assert "http" not in html.replace("http-equiv", "")
    assert len(paths[1].read_text().splitlines()) == 1 + len(told["questions"])
    assert len(told["distribution"]) == report.BARS
    head, *lines = cells(html)
    assert head == ["question", "mean", "full points", "no point", "agrees with the rest", "waiting"]
    by_question = {line[0]: line[1:] for line in lines}
    assert list(by_question) == [html_escaped(one["title"]) for one in told["questions"]]
    points = question["points"]
    assert by_question[html_escaped(question["title"])][:3] == [
        f"{question['mean']:.1f}/{points:g}",
        "33%",
        f"{none / 3:.0%}",
    ]
    assert by_question[html_escaped(essay["title"])] == [f"0.0/{essay['points']:g}", "0%", "100%", "–", "2"]
    text = io.StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=text, width=250))
    terminal.print_questions(Course(tmp_path), ATTENTION)
    for line, one in zip(lines, told["questions"], strict=True):
        assert "".join(f"│ {cell} " for cell in (one["question"], *line[1:5])) in re.sub(" +", " ", text.getvalue())
