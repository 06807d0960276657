"""Lines in order: late and by letters; each order is run, so right ones pass and wrong ones get the usual sentence."""

import itertools
import json
from string import ascii_lowercase
from types import SimpleNamespace

import pytest

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.course.ordering import lines, shuffled, taken_apart
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.checks import order
from utils.checks.order import Shuffle
from utils.common.errors import CheckFailed, WorkbookError

LESSONS = {name: Lesson.load(name, WORKBOOK) for name in WORKBOOK.lessons}
HALF = {name: json.loads(lines(lesson, 0.5)) for name, lesson in LESSONS.items()}
GAPS = [(lesson, question) for lesson, gaps in HALF.items() for question in gaps]
each_gap = pytest.mark.parametrize(("lesson", "question"), GAPS)
# To run them all takes half a minute, so `make test` runs the shortest one of each lesson.
SHORTEST = [(lesson, min(gaps, key=lambda name: len(gaps[name]["lines"]))) for lesson, gaps in HALF.items()]
each_gap_run = pytest.mark.parametrize(
    ("lesson", "question"), [pytest.param(*gap, marks=[] if gap in SHORTEST else pytest.mark.whole) for gap in GAPS]
)


def right_lines(lesson: str, question: str) -> list:
    return taken_apart(LESSONS[lesson].solutions[question].source)[1]


def letters_of(lesson: str, question: str, *texts: str) -> str:
    """The letters of the lines that begin with these texts; without texts, those of the reference's order."""
    known = [tuple(line) for line in HALF[lesson][question]["lines"]]
    if not texts:
        return " ".join(ascii_lowercase[known.index(line)] for line in right_lines(lesson, question))
    return " ".join(ascii_lowercase[[line[2].startswith(text) for line in known].index(True)] for text in texts)


@pytest.fixture
def stuck(monkeypatch):
    """A check of a course with lines, for a student who had two hints and three failed tries."""

    def check_of(lesson: str, question: str):
        names = reference.reference_names(LESSONS[lesson])
        monkeypatch.setattr(Shuffle, "of", lambda lesson, name: Shuffle(**HALF[lesson][name]))
        monkeypatch.setattr(order, "running_shell", lambda: SimpleNamespace(user_ns=names))
        check = reference.checks_of(LESSONS[lesson])[question]
        monkeypatch.setattr(check, "_failed", 3)
        monkeypatch.setattr(check, "_hints_given", 2)
        return check

    return check_of


# ---- which lines there are -----------------------------------------------------------------------------------


def test_each_lesson_has_gaps_of_3_to_12_lines_and_none_about_the_student_s_own_things():
    assert {lesson for lesson, _ in GAPS} == set(LESSONS) and len(GAPS) == 33
    assert all(3 <= len(right_lines(*gap)) <= 12 for gap in GAPS)
    assert not {question for _, question in GAPS} & {"own_code", "heal"}


@each_gap
def test_the_reference_s_lines_are_shuffled_among_wrong_ones(lesson, question):
    right, gap = right_lines(lesson, question), HALF[lesson][question]
    mixed = [tuple(line) for line in gap["lines"]]
    wrong = [line for line in mixed if line not in right]
    assert len(wrong) == gap["wrong"] >= 2 and sorted(mixed) == sorted([*right, *wrong])
    assert [line for line in mixed if line in right] != right
    assert not any(text.startswith((" ", "#")) for _, _, text in mixed)


def test_lines_that_would_come_in_the_right_order_come_in_the_other():
    mixed = shuffled(lines := [(0, 4, "a"), (0, 4, "b"), (0, 4, "c")], [])
    assert shuffled(mixed, []) == mixed[::-1] and sorted(mixed) == lines


# ---- what an order gives -------------------------------------------------------------------------------------


@each_gap_run
def test_the_reference_s_order_passes_and_comes_back_as_a_cell_to_copy(stuck, capsys, lesson, question):
    letters = letters_of(lesson, question)
    stuck(lesson, question).order(letters)
    panel, _, cell = capsys.readouterr().out.partition("\n\n")
    comment, _, code = cell.partition("\n")
    assert "all tests pass" in panel and comment == f'# check.{question}.order("{letters}")'
    assert code.split() == LESSONS[lesson].solutions[question].code.split()
    compile(code, question, "exec")  # with its indents


def test_each_order_with_right_results_passes(stuck, capsys):
    check, (*first, last) = (
        stuck("attention", "positional_encoding"),
        letters_of("attention", "positional_encoding").split(),
    )
    passing = []
    for some in itertools.permutations(first):
        try:
            check.order(" ".join([*some, last]))
        except CheckFailed:
            continue
        passing.append(some)
    assert len(passing) == 3  # of six: the powers need the number of bits
    assert capsys.readouterr().out.count("Copy this") == 3


def test_a_wrong_line_gets_the_sentence_of_its_mistake(stuck, capsys):
    letters = letters_of("gpt", "block", "x = self.attention", "x = x + self.feed_forward", "return x")
    with pytest.raises(CheckFailed):
        stuck("gpt", "block").order(letters)
    shown = " ".join(capsys.readouterr().out.split())
    assert mistakes.load(LESSONS["gpt"])["block_attention_replaces"].says in shown
    assert "Copy this" not in shown


def test_indents_are_found_whatever_the_order(stuck, capsys):
    texts = "following = choose", "for _ in range", "logits = language_model", "letters = torch.cat", "return letters"
    letters = letters_of("gpt", "generate", *texts)
    with pytest.raises(CheckFailed):  # a line of the loop comes before the loop
        stuck("gpt", "generate").order(letters)
    code = Shuffle(**HALF["gpt"]["generate"]).code("generate", letters)
    assert "    following = choose(logits)\n    for _ in range(length):\n        logits = language_model" in code


@pytest.mark.parametrize(("letters", "says"), [(" ", "do not run: IndentationError"), ("a z", "from a to e")])
def test_what_cannot_be_run_is_said_in_a_sentence(stuck, letters, says):
    with pytest.raises(WorkbookError, match=says):
        stuck("gpt", "block").order(letters)


# ---- when, and at what cost ----------------------------------------------------------------------------------


def test_the_lines_have_letters_and_no_indents_and_their_cost_is_said(stuck, capsys):
    stuck("gpt", "generate").order()
    heading, *listed = capsys.readouterr().out.replace("\na) ", "\n\na) ", 1).split("\n\n")
    assert "Wrong lines: 3." in " ".join(heading.split()) and "at most 1.5 of 3." in " ".join(heading.split())
    assert [line[:3] for line in listed[0].splitlines()] == [f"{letter}) " for letter in "abcdefgh"]
    assert "at most" not in Shuffle(**HALF["gpt"]["generate"] | {"most": 3.0}).shown("generate")


def test_lines_come_after_the_second_hint_and_the_third_failed_try(stuck, monkeypatch, capsys):
    check = stuck("gpt", "block")
    for hints, tries in ((0, 0), (1, 9), (3, 2)):
        monkeypatch.setattr(check, "_hints_given", hints)
        monkeypatch.setattr(check, "_failed", tries)
        for letters in ("", "a b"):
            with pytest.raises(WorkbookError, match=f"Hints so far: {hints}; failed tries: {tries}"):
                check.order(letters)
    assert capsys.readouterr().out == ""
    wrong = reference.mutant_students(LESSONS["gpt"], "block", "block_attention_replaces")
    for hints in (1, 2):
        monkeypatch.setattr(check, "_hints_given", hints)
        with pytest.raises(CheckFailed):
            check(*wrong)
        assert ("check.block.order()" in capsys.readouterr().out) == (hints == 2)
    check.hint(1)  # to read it again closes nothing
    check.order()


def test_without_the_course_s_line_there_is_nothing_to_order():
    assert Shuffle.of("gpt", "block") is None
    with pytest.raises(WorkbookError, match="no lines"):
        reference.checks_of(LESSONS["gpt"])["block"].order()
