"""Questions on a student's own code: their keys are right, a guess gets little, and only values are an answer."""

import pytest

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson
from benchmarks.proof.in_process import exam_verdicts, names_with
from benchmarks.proof.own_code import examine_keys
from utils.checks.engine.own_code import OUTCOMES
from utils.checks.engine.source import bare, changes, definitions, source_of
from utils.checks.own_code import is_plain
from utils.common.errors import WorkbookError

ALL = [Lesson.load(name, WORKBOOK) for name in WORKBOOK.lessons]
LESSONS = [lesson for lesson in ALL if "own_code" in lesson.tests]
GPT = Lesson.load("gpt", WORKBOOK)
CHECK = reference.checks_of(GPT)["own_code"]
CODE = GPT.solutions["self_attention"].code
lessons = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)


def answered(body: str, lesson: Lesson = GPT) -> tuple:
    """What a student hands to the check and the exam, whose answers are these."""
    return reference.exam_call(lesson, "own_code", names_with(lesson, f"def own_code():\n    {body}\n", "answers"))


def lost(body: str) -> dict[str, str]:
    """The exam's tests that an answer does not pass, and why."""
    verdicts = exam_verdicts(GPT, "own_code", answered(body), 1)
    return {verdict.name: verdict.reason.render() for verdict in verdicts if not verdict.passed}


@lessons
def test_the_reference_s_answers_are_right(lesson):
    check, students = reference.checks_of(lesson)["own_code"], reference.students_of(lesson, "own_code")
    verdicts = exam_verdicts(lesson, "own_code", students, 1) + check.verdicts(students)
    assert [verdict.name for verdict in verdicts] == ["other_rows", "other_outcome", "not_formed"]
    key = reference.key_of(lesson, exams_of(lesson)["own_code"], 1)
    assert not any(any(key.expected(test).values()) for test in key.question.tests.values())


def test_cells_of_one_name_in_two_lessons_keep_their_texts():
    names = [reference.reference_names(lesson)["own_code"] for lesson in LESSONS]
    assert [source_of(name).strip() for name in names] == [lesson.solutions["own_code"].code for lesson in LESSONS]


@lessons
def test_a_sample_of_keys_is_right_in_two_precisions(lesson):
    keys = examine_keys(lesson, salts=1, every=4)
    assert keys.number >= 8 and keys.wrong == []
    assert set(keys.outcomes) <= set(OUTCOMES)


def test_a_wrong_answer_loses_its_half_and_an_answer_of_another_form_is_seen_at_once():
    right, word = reference.students_of(GPT, "own_code")[0]()
    assert lost(f"return {right}, {word!r}") == {}
    assert list(lost(f"return {right[1:]}, {word!r}")) == ["other_rows"]
    assert list(lost(f"return {right}, 'same'")) == ["other_outcome"]
    for body in (f"return {right}, 'maybe'", f"return [0, 1], {word!r}", f"return 7, {word!r}", f"return {right}"):
        assert not CHECK.verdicts(answered(body))[0].passed, body
    assert CHECK.verdicts(answered("return [(0, 0)], 'same'"))[0].passed, "the check tells which answer is right"


def test_answers_are_values_and_no_program_that_finds_them():
    right, word = reference.students_of(GPT, "own_code")[0]()
    assert is_plain(f'def own_code():\n    """Two."""\n    rows = {right}\n    return rows, {word!r}', "own_code")
    for body in (f"return list({right}), {word!r}", f"return [row for row in {right}], {word!r}"):
        assert set(lost(body)) == {"other_rows", "other_outcome"} and "as values" in lost(body)["other_rows"]
    for source in ("def own_code():\n    return ROWS", "own_code = lambda: 3", "def other():\n    return 3"):
        assert not is_plain(source, "own_code")


def asked_about(source: str) -> str:
    return bare(definitions(source, "SelfAttention"))


def test_comments_layout_and_other_code_of_the_cell_change_no_question_and_other_code_does():
    laid_out = CODE.replace("        scores = ", "        # their products\n\n        scores  =  ")
    assert laid_out != CODE and asked_about(laid_out) == asked_about(CODE)
    same = [f"{CODE}\nprint(SelfAttention)", f"def other(x):\n    return -x\n\n\n{CODE}"]
    same += [CODE.replace("\n", "  \n"), CODE.replace("    ", "\t"), CODE.replace("\n", "\r\n")]
    assert '"""' in CODE and {asked_about(source) for source in same} == {asked_about(CODE)}
    assert asked_about(CODE.replace("scores", "products")) != asked_about(CODE)


def test_what_the_code_uses_from_its_cell_is_part_of_it():
    code = "def half(x):\n    return x / 2\n\n\ndef unused(x):\n    return x\n\n\ndef f(x):\n    return half(x)"
    assert definitions(code, "f") == code.replace("def unused(x):\n    return x", "\n")
    assert definitions(code, "half") == code.split("\n\n\n")[0] + "\n" * 8


def test_the_questions_are_printed_as_text_with_the_student_s_own_lines(capsys):
    CHECK.ask(reference.reference_names(GPT)["SelfAttention"])
    printed = capsys.readouterr().out
    assert "x.shape = (2, 5, 12)" in printed and "y[n, s]" in printed
    assert sum(line.strip() in map(str.strip, CODE.split("\n")) for line in printed.split("\n") if line) == 1


def test_code_of_no_cell_is_not_asked_about():
    with pytest.raises(WorkbookError, match="cannot be asked about"):
        CHECK.ask(int)
    verdict = CHECK.verdicts((answered("return [], 'same'")[0], int))[0]
    assert not verdict.passed and "cannot be asked about" in verdict.reason.render()


def test_a_change_is_one_edit_of_one_line_in_the_student_s_own_layout():
    before = 'y = "é", x.sum(x, dim=1) @ x  # 2'
    source = f'def f(x, n=3):\n    """A 1."""\n    {before}\n    while n < 2:\n        n += 1\n    return -y\n'
    lines = {change.of(source)[:2] for change in changes(source)}
    assert {after for line, after in lines if line == before} == {
        'y = "é", x.sum(x, dim=2) @ x  # 2',
        'y = "é", x.sum(x, dim=0) @ x  # 2',
        'y = "é", x.sum(x) @ x  # 2',
        'y = "é", x @ x.sum(x, dim=1)  # 2',
        'y = "é", x @ x  # 2',
    }
    assert {after for line, after in lines if line != before} == {"return y"}
    for line in ("x + 1e9 * (1 - x)", "x.double()", "torch.softmax(x.to(kind), dtype=kind)"):
        after = {
            change.of(f"def f(x):\n    return {line}\n")[1] for change in changes(f"def f(x):\n    return {line}\n")
        }
        assert after <= {"return x.to(kind)"}, "the precision would decide what changes"
