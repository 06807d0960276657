"""The instructor's tables: every number is computed here by hand, from marks and reasons that are made up."""

import json
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from autograder.common.course import WORKBOOK, Course
from autograder.common.errors import GradingError
from autograder.examine.result import Graded, Result
from autograder.gradebook import roll
from autograder.gradebook.books import StudentMarks
from autograder.gradebook.collecting import Collected
from autograder.lesson.text import Cell, Lesson
from autograder.reports import terminal
from autograder.reports.status import Status
from utils.checks.engine.outcome import Verdict
from utils.common.messages import Message

NAN = Message("values that are NaN: {count} of {total}; 0 · ∞, ∞ − ∞ or 0 / 0 give them", {"count": 2, "total": 7})


@pytest.fixture
def shown(monkeypatch) -> StringIO:
    """What is printed, without colours and wide enough that nothing is folded."""
    text = StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=text, width=250, soft_wrap=False))
    return text


def rows(text: StringIO) -> dict[str, list[str]]:
    """The rows of a printed table by their first cell."""
    cells = [[cell.strip() for cell in re.split("[│┃]", line)[1:-1]] for line in text.getvalue().splitlines()]
    return {row[0]: row[1:] for row in cells if row and row[0]}


def test_what_was_collected_is_told_with_at_most_twelve_names(shown):
    new, unknown = [f"s{number}" for number in range(13)], ["x", "[bold]y"]
    terminal.print_collected(
        "tiny", Collected(["the exchange", "moodle.zip"], new, [], ["eve.zip is damaged."], unknown, 20)
    )
    assert shown.getvalue().splitlines() == [
        f"tiny, from the exchange and moodle.zip: 13 new, 0 newer ({', '.join(new[:12])}, …); 20 in all.",
        "eve.zip is damaged.",
        "Not in students.csv (2), and not graded until they are: x, [bold]y.",
        "Next: workbook grade tiny",
    ]
    shown.truncate(0)
    terminal.print_collected("tiny", Collected(["moodle.zip"], ["ada"], ["bob"], students=2))
    assert "1 new, 1 newer (ada, bob); 2 in all." in shown.getvalue()


# ---- one notebook -------------------------------------------------------------------------------------------


def test_one_notebooks_points_and_reasons_are_shown(shown):
    verdicts = [Verdict("a", "it asks", 0.5, "passed"), Verdict("b", "it asks more", 0.5, "wrong", NAN)]
    questions = [Graded("test_x", "auto", 5, verdicts), Graded("essay", "manual", 3)]
    mended = [Message("The cell {cell} was there twice.", {"cell": "[bold]x"})]
    terminal.print_result(Result("attention", questions, {}, mended, ["odd [bold]x"], 3, 12.34, 5.67), "fr")
    assert shown.getvalue().splitlines() == [
        "test_x  2.5 of 5",
        "  ✓ it asks",
        "  ✗ it asks more",
        f"      {NAN.render('fr')}",
        "essay  graded by hand of 3",
        f"Repaired: {mended[0].render('fr')}",
        "Flag: odd [bold]x",
        "12.3 s, 5.7 CPU-s",
    ]


def test_a_bar_for_every_stage_counts_what_is_done(shown):
    with terminal.bar() as on_step:
        on_step("examined", "ada", 1, 3)
        on_step("examined", "[bold]bob", 2, 3)
        on_step("written", "ada", 3, 3)
    last = shown.getvalue().splitlines()[-2:]
    assert re.fullmatch(r"examined +\S+ +2/3 +0:00:0\d +\S+ +\[bold\]bob *", last[0])
    assert re.fullmatch(r"written +\S+ +3/3 +0:00:0\d +\S+ +ada *", last[1])


# ---- a class ------------------------------------------------------------------------------------------------

TESTS = (Cell("test", "one", 4.0, "code", ""), Cell("test", "two", 2.0, "code", ""))
ESSAYS = (Cell("essay", "essay", 3.0, "markdown", ""), Cell("essay", "late", 1.0, "markdown", ""))
TINY = Lesson("tiny", (*TESTS, *ESSAYS), WORKBOOK, ())
MARKS = {
    "eve": {"test_one": 4.0, "test_two": 2.0, "essay": 1.5, "late": None},
    "ada": {"test_one": 2.5, "test_two": 2.0, "essay": None, "late": None},
    "bob": {"test_one": 0.0, "test_two": 2.0, "essay": 0.5, "late": None},
    "cyd": {"test_one": 4.0, "test_two": 2.0, "essay": 2.0, "late": None},
}


def hold(monkeypatch: pytest.MonkeyPatch, marks: dict[str, dict[str, float | None]]) -> None:
    """Have the gradebook hold these marks; None where a person has yet to grade."""
    standings = {
        student: StudentMarks(
            {name: score or 0.0 for name, score in scores.items()},
            {name for name, score in scores.items() if score is None},
        )
        for student, scores in marks.items()
    }
    monkeypatch.setattr(roll, "standings", lambda course, lesson: standings)


def question(name: str, points: float, most: float, *tests: tuple[bool, str, str | None]) -> dict:
    return {
        "id": name,
        "points": points,
        "max_points": most,
        "tests": [{"passed": passed, "reason": reason, "mistake": mistake} for passed, reason, mistake in tests],
    }


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    hold(monkeypatch, MARKS)
    logs = tmp_path / ".grading" / "logs" / "tiny"
    logs.mkdir(parents=True)
    twice = [(False, "one seed", "by_width"), (False, "other seed", "by_width"), (True, "", None)]
    lost = [question(f"test_q{number}", 1, 2, (False, f"reason {number}", None)) for number in range(6)]
    contents = {
        "ada": {"questions": [question("test_one", 2.5, 4, *twice), question("test_two", 2, 2, (True, "", None))]},
        "bob": {
            "questions": [question("test_one", 0, 4, (False, "r" * 200, "no_root"), (False, "x", "by_width"))],
            "flags": ["f" * 200, "second", "third"],
            "mended": ["m" * 200, "again", "thrice"],
        },
        "cyd": {"questions": lost},
    }
    for student, log in contents.items():
        (logs / f"{student}.json").write_text(json.dumps(log))
    (logs / "eve.json").write_text("{")
    return tmp_path


def test_a_bar_shows_of_a_wide_name_its_beginning(shown):
    with terminal.bar() as on_step:
        on_step("examined", "x" * 190 + "\n", 1, 3)
    assert shown.getvalue().splitlines()[-1].endswith(f" {'x' * terminal.NAME_WIDTH}")


def test_each_question_has_its_mean_its_shares_and_its_mistakes(shown, course):
    """Of question one: points 4, 2.5, 0, 4; of all others 3.5, 2, 2.5, 4 (an essay that nobody graded counts 0)."""
    terminal.print_questions(Course(course), TINY)
    table = rows(shown)
    assert "tiny, submissions: 4" in shown.getvalue()
    assert table["question"] == ["mean", "full", "none", "rest", "commonest mistakes"]  # its last line
    # about their means, 2.625 and 3: products 3.5, squares 10.6875 and 2.5
    agrees = f"{3.5 / (10.6875 * 2.5) ** 0.5:.2f}"
    assert table["one"] == ["2.6/4", "50%", "25%", agrees, "by_width (2), no_root (1)"]
    assert table["two"] == ["2.0/2", "100%", "0%", "–", "[same marks for all: shows nothing]"]
    assert table["essay"][:3] == ["1.3/3", "0%", "0%"] and table["essay"][4] == "of 3 graded; 1 to be graded by hand"
    assert table["late"] == ["–", "–", "–", "–", "to be graded by hand"]


def test_a_questions_name_is_whole_in_a_terminal_of_80_columns(monkeypatch, course):
    text = StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=text, width=80))
    longest = Cell("essay", "why_convolutions_fail", 4.0, "markdown", "")
    terminal.print_questions(Course(course), Lesson("tiny", (*TESTS, longest), WORKBOOK, ()))
    assert longest.name in rows(text)
    assert max(map(len, text.getvalue().splitlines())) <= 80


def test_the_essay_agrees_with_the_rest_of_those_whose_essay_is_graded(shown, course):
    terminal.print_questions(Course(course), TINY)
    # eve 1.5 and 6, bob 0.5 and 2, cyd 2 and 6: about their means, 1.333 and 4.667
    products = (1 / 6) * (4 / 3) + (-5 / 6) * (-8 / 3) + (2 / 3) * (4 / 3)
    agrees = products / (((1 / 6) ** 2 + (5 / 6) ** 2 + (2 / 3) ** 2) * (2 * (4 / 3) ** 2 + (8 / 3) ** 2)) ** 0.5
    assert rows(shown)["essay"][3] == f"{agrees:.2f}"


def test_three_mistakes_are_named_the_commonest_first(shown, course):
    logs = course / ".grading" / "logs" / "tiny"
    for number, student in enumerate(MARKS):
        made = [(False, "x", f"mistake_{kind}") for kind in range(number + 1)]
        (logs / f"{student}.json").write_text(json.dumps({"questions": [question("test_one", 0, 4, *made)]}))
    terminal.print_questions(Course(course), TINY)
    assert rows(shown)["one"][4] == "mistake_0 (4), mistake_1 (3), mistake_2 (2)"


def test_a_class_of_one_has_no_agreement(shown, course, monkeypatch):
    hold(monkeypatch, {"ada": MARKS["ada"]})
    terminal.print_questions(Course(course), TINY)
    assert rows(shown)["one"][:4] == ["2.5/4", "0%", "0%", "–"]


def test_an_excused_students_marks_do_not_count(shown, course, monkeypatch):
    terminal.print_questions(Course(course), TINY)
    before = rows(shown)
    standings = roll.standings(course, "tiny")
    ill = StudentMarks({"test_one": 0.0, "test_two": 0.0, "essay": 0.0, "late": 0.0}, excused=True)
    monkeypatch.setattr(roll, "standings", lambda course, lesson: standings | {"ill": ill})
    monkeypatch.setattr(roll, "excused", lambda course, lesson: {"ill"})
    shown.truncate(0)
    terminal.print_questions(Course(course), TINY)
    assert rows(shown) == before


def test_before_grading_there_is_nothing_to_show(course, monkeypatch):
    hold(monkeypatch, {})
    with pytest.raises(GradingError, match="Nothing is graded yet; run: workbook grade tiny"):
        terminal.print_questions(Course(course), TINY)


def test_where_the_lessons_stand_is_read_in_80_columns(monkeypatch):
    text = StringIO()
    monkeypatch.setattr(terminal, "console", Console(file=text, width=80, soft_wrap=False))
    first, *others = WORKBOOK.lessons
    terminal.print_status([Status(first, True, *range(2, 12)), *(Status(name, False, *[10] * 10) for name in others)])
    table = rows(text)
    assert table["released"] == ["yes", *["no"] * len(others)]
    numbers = {name: int(cells[0]) for name, cells in table.items() if cells[0].isdigit()}
    assert numbers == {
        "collected": 2,
        "graded": 3,
        "to grade": 4,
        "wait for a person": 5,
        "feedback written": 6,
        "feedback returned": 7,
        "cannot be graded": 8,
        "excused": 9,
        "not handed in": 10,
        "not in students.csv": 11,
    }
    assert all(name in text.getvalue() for name in others) and "…" not in text.getvalue()


def test_80_columns_have_room_for_one_more_lesson_of_ten_letters(monkeypatch):
    """Which the page for maintainers promises."""
    text, names = StringIO(), [*WORKBOOK.lessons, "ofacourses"]
    monkeypatch.setattr(terminal, "console", Console(file=text, width=80, soft_wrap=False))
    terminal.print_status([Status(name, True, *[10] * 10) for name in names])
    assert all(name in text.getvalue() for name in names) and "…" not in text.getvalue()
