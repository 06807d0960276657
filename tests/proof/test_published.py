"""The scoreboard beside published checks: its answers, its checkers, its counts; a few answers of each kind are run."""

from dataclasses import replace

import pytest
import torch

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.common.toml import read_toml
from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.proof.in_process import names_with
from benchmarks.published import board, held_out
from benchmarks.published.checkers import Checker, near, relative_error
from benchmarks.published.written import FOLDERS, answers, whole_cell

pytestmark = [pytest.mark.whole, pytest.mark.filterwarnings("ignore")]  # answers may warn

LESSONS = [Lesson.load(name, WORKBOOK) for name in list(WORKBOOK.lessons)]
WRITTEN = {f"{answer.gap}/{answer.name}": answer for lesson in LESSONS for answer in answers(lesson)}
FRESH = {f"{a.gap}/{a.name}": a for lesson in LESSONS for a in answers(lesson, FOLDERS["fresh"])}
CAPTIONING = "captioning/captioning_transformer"


def of_captioning(name: str) -> board.BoardAnswer:
    answer = WRITTEN[name]
    return board.BoardAnswer(answer.lesson, answer.question, answer.name, answer.code, board.WRITTEN, answer.right)


def test_there_are_as_many_answers_as_the_record_says():
    kinds = [answer.kind for answer in WRITTEN.values()]
    assert (kinds.count("right"), kinds.count("one"), kinds.count("two")) == (63, 120, 82)
    kinds = [answer.kind for answer in FRESH.values()]
    assert (kinds.count("right"), kinds.count("one"), kinds.count("two")) == (153, 137, 74)
    assert {answer.lesson for answer in FRESH.values()} == set(LESSONS)


def test_every_answer_is_a_cell_of_its_own():
    for lesson in LESSONS:
        codes = [answer.code for answer in answers(lesson)]
        assert len(set(codes)) == len(codes)
        assert not set(codes) & {cell.code for cell in lesson.solutions.values()}


def test_methods_take_the_place_of_the_classs_own():
    cell = "class A(B):\n    def one(self):\n        return 1\n\n    def two(self):\n        return 2\n"
    changed = whole_cell(cell, "def two(self):\n    x = 3\n\n    return x\n")
    assert changed == cell.replace("        return 2\n", "        x = 3\n\n        return x\n")
    assert whole_cell(cell, "def f(x):\n    return x\n") == "def f(x):\n    return x\n"


def test_every_judged_name_is_that_of_a_mistake_and_of_an_answer():
    for folder, known_answers in (("answers", WRITTEN), ("fresh", FRESH)):
        for gap, judged in read_toml(FOLDERS[folder] / "truths.toml").items():
            lesson = Lesson.load(gap.partition("/")[0], WORKBOOK)
            known = {*mistakes.load(lesson), *(found.id for found in mistakes.classes_of(lesson))}
            assert {f"{gap}/{name}" for name in judged} <= set(known_answers)
            assert {name for names in judged.values() for name in names} <= known


@pytest.mark.parametrize("name", ["dim_forgotten", "no_dropout_no_mask", "by_einsum"])
def test_what_check_and_exam_say_is_judged(name):
    told = held_out.tell(WRITTEN[f"captioning/multi_head_attention/{name}"])
    assert (told.lost, bool(told.check), told.false) == (name != "by_einsum", name != "by_einsum", set())


@pytest.mark.parametrize(
    "name",
    [
        "gpt/nucleus/at_least_top_p_each",
        "gpt/block/no_stream_order_exchanged",
        "captioning/decoder_layer/skip_from_the_start",
        "recall/window/hidden_early_pairs",
    ],
)
def test_what_was_said_falsely_of_fresh_answers_is_true_now(name):
    told = held_out.tell(FRESH[name])
    assert told.false == set() and told.lost != told.answer.right
    assert told.answer.right or (told.check & told.true and told.exam & told.true)


def test_a_name_that_nobody_has_judged_counts_as_false():
    answer = WRITTEN["captioning/multi_head_attention/dim_forgotten"]
    true, unjudged = (held_out.Told(answer, lost=True, check={name}) for name in ("softmax_over_heads", "unheard_of"))
    assert held_out.table([true, unjudged], "one")["all"] == {
        "wrong": 2, "passed": 0, "check": 1, "both": 0, "exam": 0, "false": 1, "words": 0
    }  # fmt: skip
    assert held_out.good([true])
    assert not held_out.good([true, unjudged])
    assert not held_out.good([replace(true, lost=False)])


def test_errors_are_those_of_the_courses():
    assert relative_error(torch.tensor([1.0, 0.0]), torch.tensor([3.0, 0.0])) == 0.5
    assert not relative_error(torch.tensor([float("nan")]), torch.tensor([1.0])) < 1
    near(torch.tensor([1.0]), torch.tensor([1.0 + 1e-7]), 0, 1e-6, "")
    with pytest.raises(AssertionError):
        near(torch.tensor([1.0]), torch.tensor([1.1]), 0, 1e-6, "")
    with pytest.raises(AssertionError):
        near(torch.ones(2, 1), torch.ones(2), 1, 1, "")


@pytest.mark.parametrize(
    ("checker", "question"),
    [
        (checker, question)
        for checker in board.CHECKERS
        if "as printed" not in checker.name  # its values hold on some machines only
        for question in checker.tests
    ],
    ids=lambda one: one.name if isinstance(one, Checker) else one,
)
def test_every_published_check_passes_the_reference_and_not_an_empty_answer(checker, question):
    lesson, _, cell = question.partition("/")
    right = reference.students_of(Lesson.load(lesson, WORKBOOK), cell)[0]
    assert checker.passes(question, right, right)
    assert not checker.passes(question, lambda *args, **names: None, right)


@pytest.mark.parametrize(("edition", "blind"), [("2021–24", True), ("2025", False), ("2026", False)])
def test_with_weights_in_even_steps_a_missing_mask_is_not_seen(edition, blind):
    answer = WRITTEN[f"{CAPTIONING}/nothing_hidden"]
    (checker,) = (one for one in board.CHECKERS if edition in one.name and CAPTIONING in one.tests)
    student = names_with(answer.lesson, answer.code, answer.name)["CaptioningTransformer"]
    right = reference.students_of(answer.lesson, answer.question)[0]
    assert checker.passes(CAPTIONING, student, right) == blind


def test_the_board_counts_by_source_and_question():
    wrong, right = of_captioning(f"{CAPTIONING}/nothing_hidden"), of_captioning(f"{CAPTIONING}/plain_steps")
    found = [
        board.Result(wrong, {"A": True, "B": False}),
        board.Result(replace(wrong, source=board.SLIPS), {"A": True, "B": True}),
        board.Result(right, {"A": False}),
    ]
    assert board.counts(found, "A", board.WRITTEN, right=False) == (1, 1)
    assert board.counts(found, "B", board.WRITTEN, right=False) == (0, 1)
    assert board.counts(found, "B", board.WRITTEN, right=False, question="seq2seq/attend") == (0, 0)
    assert board.counts(found, "A", board.WRITTEN, right=True) == (1, 1)
    assert board.counts(found, "B", board.WRITTEN, right=True) == (0, 0)
    assert board.counts(found, "B", board.SLIPS, right=False) == (1, 1)


def test_a_cell_that_stops_passes_nowhere():
    entry = replace(of_captioning(f"{CAPTIONING}/plain_steps"), code="raise ValueError", right=False)
    assert set(board.examine(entry).passed.values()) == {False}


def test_our_checks_and_a_published_one_judge_the_same_answer():
    passed = board.examine(of_captioning(f"{CAPTIONING}/nothing_hidden")).passed
    assert passed == {
        "our check": False,
        "our exam": False,
        "CS231n 2021–24, regenerated": True,
        "CS231n 2025, regenerated": False,
        "CS231n 2026": False,
    }
