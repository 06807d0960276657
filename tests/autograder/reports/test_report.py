"""The report: numbers that agree with a hand count, similarity that sees through renaming, and a page that is safe."""

import io
import json
import re

import pytest
from rich.console import Console

from autograder import mistakes
from autograder.gradebook import books, grade
from autograder.lesson.compose import compose, hand_in
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson
from autograder.reports import report, similarity, terminal

LESSON = "attention"
ATTENTION = Lesson.load(LESSON)
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


def cells(html: str) -> list[list[str]]:
    """The rows of a page's table of questions."""
    table = html.partition("<h2>Questions</h2>")[2].partition("</table>")[0]
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in table.split("<tr>")[1:]]


def test_the_page_tells_what_the_gradebook_holds_and_runs_nothing(tmp_path, store, monkeypatch):
    mistake = next(m for m in mistakes.load(ATTENTION).values() if m.cell == LAST)
    wrong = mistakes.code_of(ATTENTION, mistake) + "\nevil = '<script>alert(1)</script>'\n"
    hand_in(compose(ATTENTION), tmp_path, "right", LESSON)
    hand_in(compose(ATTENTION, blank=True), tmp_path, "blank", LESSON)
    hand_in(compose(ATTENTION, {LAST: wrong}), tmp_path, "wrong<b>", LESSON)
    grade.grade(LESSON, course=tmp_path)
    paths = report.write_report(tmp_path, ATTENTION)
    assert [path.suffix for path in paths] == [".html", ".csv", ".json"]
    told = json.loads(paths[2].read_text())
    automatic = sum(cell.points for cell in ATTENTION.of_role("test"))
    marks = books.standings(tmp_path, LESSON)
    assert told["mean"] == pytest.approx((automatic + marks["wrong<b>"].total) / 3)
    assert sum(bar["students"] for bar in told["distribution"]) == told["submissions"] == 3
    question = next(one for one in told["questions"] if one["question"] == LAST)
    none = sum(one.scores[f"test_{LAST}"] == 0 for one in marks.values())
    assert (question["graded"], question["waiting"], question["full"], question["none"]) == (3, 0, 1, none)
    essay = next(one for one in told["questions"] if one["question"] in ATTENTION.essays)
    assert (essay["graded"], essay["waiting"]) == (1, 2)
    assert mistake.id in {one["mistake"] for one in told["mistakes"]}
    html = paths[0].read_text()
    assert html.startswith('<!DOCTYPE html>\n<html lang="en">')  # as all that instructors read
    assert "<script" not in html and "&lt;script&gt;alert(1)" in html
    assert "http" not in html.replace("http-equiv", "")
    assert len(paths[1].read_text().splitlines()) == 1 + len(told["questions"])
    assert len(told["distribution"]) == report.BARS
    head, *lines = cells(html)
    assert head == ["question", "mean", "full", "none", "agrees with the rest", "wait"]
    by_question = {line[0]: line[1:] for line in lines}
    assert list(by_question) == [one["question"] for one in told["questions"]]
    points = question["points"]
    assert by_question[LAST][:3] == [f"{question['mean']:.1f}/{points:g}", "33%", f"{none / 3:.0%}"]
    assert by_question[essay["question"]] == [f"0.0/{essay['points']:g}", "0%", "100%", "–", "2"]
    text = io.StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=text, width=250))
    terminal.print_questions(tmp_path, ATTENTION)
    for line in lines:
        assert "".join(f"│ {cell} " for cell in line[:5]) in re.sub(" +", " ", text.getvalue())
