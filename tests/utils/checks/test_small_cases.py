"""The small cases of failed checks: true of every answer, found for nearly every mistake, drawn for everyone."""

import random
from functools import partial
from typing import Any

import pytest
import torch

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.proof.in_process import names_with, quiet
from utils.attention.cases import convolutions, read_backwards
from utils.checks.check import Check, case_book
from utils.checks.engine.case_picture import CasePicture
from utils.checks.engine.cases import CaseBook, CaseRun, Pool, StoredCase, differing_cells
from utils.checks.engine.small import Small, Table, called, literal
from utils.common.errors import CheckFailed

LESSONS = [name for name in list(WORKBOOK.lessons) if case_book(name)]


def pool_of(lesson: str, question: str) -> Pool:
    book = case_book(lesson)
    assert book is not None
    return Pool.read(book, lesson, question)


def picture(lesson: str, question: str, mistake: str, language: str = "en") -> CasePicture:
    """Return the first case that the check draws of an answer with this mistake."""
    students = reference.mutant_students(Lesson.load(lesson, WORKBOOK), question, mistake)
    return CasePicture(*next(pool_of(lesson, question).differing(students, [mistake])), language)


def variants() -> list[Any]:
    return [
        pytest.param(lesson, path, id=f"{lesson}-{path.stem}")
        for lesson in LESSONS
        for path in sorted((ROOT / "source" / lesson / "variants").glob("*.py"))
        if path.stem.partition("__")[0] in case_book(lesson).cases
    ]


@pytest.mark.parametrize("lesson, path", variants())
def test_a_right_answer_is_never_accused(lesson, path):
    loaded, question = Lesson.load(lesson, WORKBOOK), path.stem.partition("__")[0]
    with quiet():
        students = reference.exam_call(
            loaded, question, names_with(loaded, path.read_text(encoding="utf-8"), "variant")
        )
    assert not [stored.case for stored, _ in pool_of(lesson, question).differing(students)]


@pytest.mark.parametrize("lesson", LESSONS)
def test_the_reference_gives_what_is_stored_under_the_same_names(lesson):
    for question in case_book(lesson).cases:
        students = reference.students_of(Lesson.load(lesson, WORKBOOK), question)
        for stored in pool_of(lesson, question).cases:
            run = pool_of(lesson, question).run(stored, students)
            assert not run.failure, (question, stored.case)
            for mine, right in zip(run.small.results, stored.right[0], strict=True):
                assert (mine.name, mine.axes, mine.sums) == (right.name, right.axes, right.sums)
                assert differing_cells(mine.value, right.value, 1e-3) is None, (question, stored.case, mine.name)
            assert all(table.name and table.value is not None for table in run.small.given)


@pytest.mark.parametrize("lesson", LESSONS)
def test_nearly_every_mistake_has_a_case_and_differs_in_it(lesson):
    """At most one mistake in twenty may be without a case; devices are not counted, which show in no numbers."""
    loaded = Lesson.load(lesson, WORKBOOK)
    known = [(m.cell, m.id) for m in mistakes.load(loaded).values() if m.cell in case_book(lesson).cases]
    found = [one for one in known if one[1] in pool_of(lesson, one[0]).case_of_mistake]
    known = [one for one in known if not one[1].endswith(("_on_the_cpu", "_on_cpu"))]
    assert len(found) >= 0.95 * len(known), set(known) - set(found)
    for question, mistake in found[::10]:
        students = reference.mutant_students(loaded, question, mistake)
        shown, _ = next(pool_of(lesson, question).differing(students, [mistake]))
        assert shown is pool_of(lesson, question).cases[0] or shown.case in case_book(lesson).cases[question]


@pytest.mark.parametrize(
    ("lesson", "every"),
    [*((lesson, 10) for lesson in LESSONS), pytest.param("attention", 1, marks=pytest.mark.whole)],
)
@pytest.mark.filterwarnings("ignore")
def test_what_should_be_belongs_to_the_input_that_is_shown(lesson, every):
    """An answer whose code takes other choices, say a network of three layers, would get another input."""
    loaded = Lesson.load(lesson, WORKBOOK)
    for question in case_book(lesson).cases:
        pool, right = pool_of(lesson, question), reference.students_of(loaded, question)
        for mistake in list(pool.case_of_mistake)[::every]:
            if mistake not in mistakes.load(loaded):
                continue  # a class of look-alikes
            for stored, run in pool.differing(reference.mutant_students(loaded, question, mistake), [mistake]):
                given = pool.run(stored, right).small.given
                for mine, same in zip(run.small.given, given, strict=run.failure is None):
                    assert differing_cells(mine.value, same.value) is None, (question, mistake, stored.case, mine.name)


def test_a_case_whose_choices_are_left_over_is_not_shown():
    book = CaseBook({})

    @book.case("question")
    def one(small: Small, student: Any) -> None:
        small.show("the result", torch.tensor([float(student(small))]))

    stored = StoredCase("one", {}, (1, 2), ((Table("the result", torch.tensor([3.0])),),))
    pool = Pool(book, "question", [stored], {})
    takes_one, takes_both = (lambda small: small.take(4, 0)), (lambda small: small.take(4, 0) * small.take(4, 0))
    assert list(pool.differing([takes_one])) == []
    assert [one for one, _ in pool.differing([takes_both])] == [stored]


def test_networks_of_other_depths_get_the_same_input_and_a_true_comparison():
    def three(in_channels: int = 1, channels: int = 64) -> torch.nn.Sequential:
        convolution, relu = partial(torch.nn.Conv1d, kernel_size=5, padding=2), torch.nn.ReLU()
        return torch.nn.Sequential(
            convolution(in_channels, channels), relu, convolution(channels, channels), relu, convolution(channels, 1)
        )

    pool = pool_of("attention", "conv_network")
    shown = [(stored, run) for stored, run in pool.differing([three]) if stored.case == "network_output"]
    for stored, run in shown:
        assert sorted(run.small.tasks) == [f"convolution{number}" for number in (1, 2, 3, 4)]
        x = run.small.given[0].value
        for number, task in enumerate(run.small.tasks.values()):
            x = {"x": x, "2·x": 2 * x, "−x": -x, "x + 1": x + 1}[task]
            x = x.relu() if number < 3 else x
        assert torch.equal(stored.right[0][0].value, x)
    assert shown


def test_a_convolution_that_gets_too_few_positions_is_asked_for_its_length(capsys):
    check: Check = reference.checks_of(Lesson.load("attention", WORKBOOK))["conv_network"]

    def strided(in_channels: int = 1, channels: int = 64) -> torch.nn.Sequential:
        sizes = [(in_channels, channels), (channels, channels), (channels, channels), (channels, 1)]
        layers = [torch.nn.Conv1d(*size, 5, 2) for size in sizes]
        return torch.nn.Sequential(layers[0], torch.nn.ReLU(), layers[1], torch.nn.ReLU(), layers[2], layers[3])

    with pytest.raises(CheckFailed):
        check(strided)
    said = " ".join(capsys.readouterr().out.split())
    assert "a convolution gets an input of length 3, padding included, for a kernel of 5: does each layer" in said


def test_only_what_can_be_worked_out_by_hand_is_said_to_be():
    assert repr(picture("captioning", "captioning_transformer", "no_positions")).startswith("A small case:\n")
    assert repr(picture("attention", "update", "absolute_loss")).startswith("A small case, to work out by hand:\n")


def test_the_check_draws_the_case_of_the_named_mistake_below_the_first_failed_test(capsys):
    check: Check = reference.checks_of(Lesson.load("attention", WORKBOOK))["self_attention"]
    students = reference.mutant_students(Lesson.load("attention", WORKBOOK), "self_attention", "softmax_over_queries")
    with pytest.raises(CheckFailed):
        check(*students)
    said = capsys.readouterr().out
    assert said.count("A small case, to work out by hand") == 1
    assert "in yours each column does" in said and "query(x) = key(x) = value(x) = x" in said
    check.show()
    assert "A small case, to work out by hand" in capsys.readouterr().out
    for _ in range(50):
        check.show()
    assert "no other small case" in capsys.readouterr().out


def test_a_passed_check_draws_nothing_and_has_none_to_show(capsys):
    check: Check = reference.checks_of(Lesson.load("attention", WORKBOOK))["self_attention"]
    check(*reference.students_of(Lesson.load("attention", WORKBOOK), "self_attention"))
    check.show()
    said = capsys.readouterr().out
    assert "to work out by hand" not in said and "no other small case" in said


def test_results_of_another_shape_or_kind_are_drawn_beside_each_other():
    def drawn(mine: Any) -> str:
        right = Table("y", torch.tensor([[1.0, 2.0]]), ("row {number}", "column {number}"))
        stored = StoredCase("one", {}, (), ((right,),))
        small = Small("add_position", {}, {}, lambda high, zero: 0)
        small.show("y", mine, ("row {number}", "column {number}"))
        return repr(CasePicture(stored, CaseRun(small), "en"))

    assert "y: the shape is (1, 3), and should be (1, 2)" in drawn(torch.zeros(1, 3))
    assert "y: they differ" in drawn("floats")
    assert "y: cells that differ: 1 of 2" in drawn(torch.tensor([[1.0, 5.0]]))
    assert "y: a plain number, and should be a tensor" in drawn(0.5) and "0.50" in drawn(0.5)


def drawn_of(*values: tuple[str, Any, Any], named: int = 0) -> CasePicture:
    """The picture of a case with results (name, the student's, the right one)."""
    axes = ("place {number}", "component {number}")
    stored = StoredCase("one", {}, (), (tuple(Table(name, right, axes) for name, _, right in values),))
    small = Small("add_position", {}, {}, lambda high, zero: 0)
    for name, mine, _ in values:
        small.show(name, mine, axes)
    return CasePicture(stored, CaseRun(small), "en", named)


@pytest.mark.made_up_texts
def test_nothing_is_said_of_what_happens_to_be_right():
    results = ("y", torch.ones(1, 2), torch.zeros(1, 2)), ("attention", torch.ones(1, 2), torch.ones(1, 2))
    assert not any("attention" in repr(drawn_of(*results, named=named)) for named in (0, 1, 2))
    assert "more than one of the mistakes named above" in repr(drawn_of(*results, named=2))


@pytest.mark.made_up_texts
def test_columns_are_numbered_and_their_word_is_in_the_corner():
    drawn = drawn_of(("y", torch.ones(1, 3), torch.zeros(1, 3)))
    assert drawn.pairs[0].right.columns == ["0", "1", "2"] and drawn.pairs[0].right.corner == "component …"
    assert "component …" in repr(drawn) and "component …" in drawn._repr_html_()


def test_of_two_named_mistakes_the_first_is_shown_where_the_other_leaves_all_as_it_should_be():
    def add(small: Small, function: Any) -> None:
        small.show("sum", function(*(small.take(9, 0.0) for _ in range(2))))

    book = CaseBook({})
    book.case("sums", "")(add)
    stored = [StoredCase("add", {}, tape, ((Table("sum", sum(tape)),),)) for tape in ((1, 2), (3, 4))]
    pool = Pool(book, "sums", stored, {"one": 0, "two": 0}, [frozenset({"one", "two"}), frozenset({"one"})])
    wrong = [lambda a, b: a * b + 100]
    assert [one.tape for one, _ in pool.differing(wrong, ["one"])] == [(1, 2), (3, 4)]
    assert [one.tape for one, _ in pool.differing(wrong, ["one", "two"])] == [(3, 4), (1, 2)]
    assert pool.shows(stored[1]) == {"one"}


@pytest.mark.parametrize("mistake", ["softmax_over_queries", "scores_for_attention", "relu_after"])
def test_the_two_lines_give_in_a_cell_what_the_case_shows(mistake):
    lesson = Lesson.load("attention", WORKBOOK)
    names = reference.mutant_names(lesson, mistakes.load(lesson)[mistake])
    students = reference.mutant_students(lesson, "self_attention", mistake)
    _, run = next(pool_of("attention", "self_attention").differing(students, [mistake]))
    made, called = run.small.code
    exec(made, names)
    y, attention = eval(called, names)
    shown = [table.value for table in run.small.results]
    assert differing_cells(attention, shown[0], 1e-4) is None and differing_cells(y, shown[1], 1e-4) is None


def test_html_has_scopes_a_group_and_words_for_what_differs():
    page = picture("attention", "self_attention", "softmax_over_queries")._repr_html_()
    assert 'role="group"' in page and 'scope="col"' in page and 'scope="row"' in page
    assert 'aria-label="0.12, differs"' in page and "<details" in page


@pytest.mark.parametrize(
    "language, heading, colon",
    [("fr", "Un petit cas, à calculer à la main", "\u00a0:"), ("zh", "一个小例子，可以手算", "：")],
)
def test_the_case_is_in_the_notebooks_language(language, heading, colon):
    drawn = picture("attention", "self_attention", "softmax_over_queries", language)
    assert "yours" not in repr(drawn) and heading in drawn._repr_html_()
    lines = repr(drawn).splitlines()
    assert lines[0] == heading + colon
    code = next(number for number, line in enumerate(lines) if line.startswith("    layer = "))
    assert lines[code - 1].endswith(colon)


def test_code_that_raises_prints_and_draws_random_numbers_is_told_and_changes_nothing(capsys):
    names = {"torch": torch, "random": random}
    code = "def add_position(x, encoding):\n    print('<b>')\n    random.random(); torch.rand(1)\n    return x['<i>']"
    reference.run_cell(code, "noisy", names)
    random.seed(1), torch.manual_seed(1)
    before = random.getstate(), torch.random.get_rng_state()
    stored, run = next(pool_of("attention", "add_position").differing((names["add_position"],)))
    drawn = CasePicture(stored, run, "en")
    assert random.getstate() == before[0] and torch.equal(torch.random.get_rng_state(), before[1])
    assert not capsys.readouterr().out
    assert "On this input your code raises" in repr(drawn) and "return x['<i>']" in repr(drawn)
    assert "<i>" not in drawn._repr_html_()


def test_an_exception_of_the_case_function_itself_is_no_fault_of_the_students():
    def not_a_layer(*sizes):
        return torch.nn.Identity()

    assert not any(run.failure for _, run in pool_of("attention", "self_attention").differing((not_a_layer,)))


@pytest.mark.parametrize(
    "seen, right, cells",
    [
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.05]), None),
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.2]), 1),
        (torch.tensor([float("nan"), 2.0]), torch.tensor([1.0, 2.0]), 1),
        (torch.tensor([float("inf"), 2.0]), torch.tensor([float("inf"), 2.0]), None),
        (torch.tensor([True, False]), torch.tensor([True, True]), 1),
    ],
)
def test_cells_differ_where_two_digits_do(seen, right, cells):
    apart = differing_cells(seen, right)
    assert apart is None if cells is None else int(apart.sum()) == cells


def test_another_shape_or_another_kind_differs_as_a_whole():
    assert differing_cells(torch.zeros(2), torch.zeros(2, 1)) is True
    assert differing_cells("floats", torch.zeros(2)) is True and differing_cells(None, "floats") is True
    assert differing_cells("floats", "floats") is None


def test_a_stored_case_is_read_back_as_it_was_written():
    tables = (
        Table("A", torch.tensor([[0.5, float("nan")]], dtype=torch.float64), ("N", "T"), "rows"),
        Table("k", "floats"),
    )
    stored = StoredCase("one", {"N": 1}, (0, 3), (tables,), (tables[0],))
    again = StoredCase.from_json(stored.to_json())
    assert (again.case, again.sizes, again.tape) == ("one", {"N": 1}, (0, 3))
    assert differing_cells(again.right[0][0].value, tables[0].value) is None and again.right[0][1].value == "floats"


def test_a_mask_of_a_small_case_hides_no_whole_row():
    small = Small("q", {"N": 2, "T": 3}, {"N": "sentence {number}"}, lambda high, zero: high - 1)
    mask = small.truths("mask", "N T")
    assert mask.tolist() == [[True, False, False]] * 2
    assert small.given[0].axes == ("sentence {number}", "T")


@pytest.mark.parametrize(
    ("mistake", "own", "ours"),
    [
        ("softmax_over_queries", False, ["intermediate value, the same in yours and in our solution: scores"]),
        ("scale_missing", True, ["intermediate value in our solution: scores", "what goes into your softmax"]),
    ],
)
def test_values_on_the_way_say_whose_they_are(mistake, own, ours):
    drawn = picture("captioning", "multi_head_attention", mistake)
    titles = [grid.title for grid in drawn.inputs if grid.title.startswith(("intermediate value", "what"))]
    assert titles[: len(ours)] == ours and (own is ("what goes into your softmax" in repr(drawn)))


def test_values_on_the_way_of_code_without_that_function_are_ours_alone():
    def by_hand(x, start=0):
        return x

    drawn = CasePicture(*next(pool_of("gpt", "rotate").differing((by_hand, torch.nn))), "en")
    assert "intermediate value in our solution: angles, in radians" in repr(drawn) and "your cos" not in repr(drawn)


def test_the_layers_of_a_case_are_filled_in_the_order_of_use():
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.last, self.first = torch.nn.Conv1d(1, 1, 5, padding=2), torch.nn.Conv1d(1, 1, 5, padding=2)

        def forward(self, x):
            return self.last(self.first(x))

    assert convolutions(Net()) == ["first", "last"]


def test_a_question_without_stored_cases_shows_none():
    assert not list(Pool.read(CaseBook({}), "attention", "nothing").differing(()))


def test_the_check_says_before_an_exam_does_that_the_text_asks_for_code_of_ones_own(capsys):
    check: Check = reference.checks_of(Lesson.load("seq2seq", WORKBOOK))["cosine_similarity"]
    with pytest.raises(CheckFailed):
        check(lambda a, b: torch.nn.functional.cosine_similarity(a[:, None], b[None], dim=-1))
    said = " ".join(capsys.readouterr().out.split())
    assert "calls torch's `cosine_similarity`, but the text asks for your own code" in said
    check(*reference.students_of(Lesson.load("seq2seq", WORKBOOK), "cosine_similarity"))
    assert "of your own" not in capsys.readouterr().out


def test_in_the_models_cases_each_word_changes_its_own_scores_and_all_later_ones():
    """Else "should be" would say of an earlier word that it has no effect, where a softmax had saturated."""
    tables = [
        table.value
        for stored in pool_of("captioning", "captioning_transformer").cases
        for table in stored.right[0]
        if stored.case == "who_depends_on_whom" and table.name == "the scores change (yes, no)"
    ]
    assert tables
    for table in tables:
        assert torch.equal(table.bool(), torch.ones_like(table).triu().bool())


def test_a_mean_and_a_deviation_are_told_only_where_they_explain_both_sets():
    raw = torch.tensor([[1.0, 2.0], [0.0, 5.0]])
    wanted, own = raw[:1, None] - 3, (raw[1:, None] - 3) / 2
    small = Small("make_datasets", {}, {}, lambda high, zero: 0)
    read_backwards(small, raw, [wanted, own])
    assert small.remarks == []
    read_backwards(small, raw, [wanted / 2, own])
    (remark,) = small.remarks
    assert remark.values == {"mean": "3.00", "deviation": "2.00"}


def test_results_of_several_tensors_are_kept_without_their_gradients():
    small = Small("question", {}, {}, lambda high, zero: 0)
    small.show("both", (torch.ones(1, requires_grad=True) * 2, [torch.zeros(1, requires_grad=True)]))
    assert str(small.results[0].value) == "(tensor([2.]), [tensor([0.])])"


def test_code_of_a_case_calls_functions_and_classes_by_their_names():
    assert [called(thing) for thing in (abs, torch.nn.Linear, torch.nn.Linear(1, 1), partial(abs))] == [
        "abs",
        "Linear",
        "layer",
        "layer",
    ]


def test_numbers_are_code_as_one_would_write_them():
    assert literal(torch.tensor([[1.1, -2.0]])) == "torch.tensor([[1.1, -2.0]])"
    assert literal(torch.tensor([True, False])) == "torch.tensor([True, False])" and literal(3) == "3"
