"""Examining one notebook: without checkpoints where nothing must be stopped, with checkpoints where something must."""

from contextlib import nullcontext
from types import SimpleNamespace

import nbformat
import pytest
import torch

from autograder.common.course import WORKBOOK
from autograder.examine import examiner
from autograder.examine.exam_run import MAX_STOPS, NOT_RUN
from autograder.examine.examiner import examine, run
from autograder.examine.store import ResultStore
from autograder.examine.work import SEEDS, Work, has_code
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits
from autograder.sandbox.parent import Sandbox

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)


@pytest.fixture(scope="module")
def limits() -> Limits:
    return Limits(cell_cpu_seconds=2.0, cell_wall_seconds=10.0)


def work(cells: dict[str, str] | None = None) -> Work:
    return Work(compose(ATTENTION, cells or {}), ATTENTION, Limits())


def known(entries: dict) -> dict:
    """The entries without what they cost."""
    return {
        key: {name: entry[name] for name in ("outputs", "stopped")} if isinstance(entry, dict) else entry
        for key, entry in entries.items()
    }


def test_an_honest_notebook_is_run_once_and_gives_the_same_with_checkpoints(sandbox, monkeypatch):
    honest = work()
    opened = []
    session = sandbox.session
    monkeypatch.setattr(sandbox, "session", lambda language: opened.append(1) or session(language))
    found = run(honest, sandbox, set(honest.keys)).entries
    assert len(opened) == 1
    assert known(found) == known(examiner._run_once(honest, sandbox, set(honest.keys), checkpoints=True).entries)


def test_a_cell_that_must_be_stopped_costs_itself_alone(sandbox):
    name = "conv_network"  # nothing is asked about this code elsewhere, and no other answer needs it
    broken = work({name: "import os\nos._exit(0)"})
    result = broken.result(run(broken, sandbox, set(broken.keys)).entries)
    lost = [graded.id for graded in result.questions if graded.kind == "auto" and graded.points < graded.max_points]
    assert lost == [ATTENTION.tests[name].grade_id]
    assert any("ended Python itself" in flag for flag in result.flags)


def test_a_name_that_its_cell_did_not_come_to_define_is_told_by_the_cells_exception(sandbox):
    code = ATTENTION.solutions["update"].code
    unresolved, unparsed = f"import no_such_package\n{code}", f"{code}\n    return ("
    for cell, exception in ((unresolved, "ModuleNotFoundError: No module named"), (unparsed, "SyntaxError: ")):
        tried = work({"update": cell})
        result = tried.result(run(tried, sandbox, set(tried.keys)).entries)
        question = next(graded for graded in result.questions if graded.id == ATTENTION.tests["update"].grade_id)
        reasons = {verdict.reason.render() for verdict in question.verdicts}
        assert question.points == 0 and len(reasons) == 1
        assert reasons.pop().startswith(f"its cell did not run: {exception}")
        flagged = any("imports a missing package: ModuleNotFoundError" in flag for flag in result.flags)
        assert flagged == (cell == unresolved)


def test_an_answer_may_use_what_torch_loads_only_for_few():
    """The parts of torch that are loaded late, or whose want is seen late: the device `meta`, generators, shuffling."""
    code = ATTENTION.solutions["update"].code
    uses = (
        "sizes = torch.zeros(3, 4, device='meta').logsumexp(0)\n"
        "dice = torch.Generator().manual_seed(3)\n"
        "batches = list(torch.utils.data.DataLoader(range(5), batch_size=2, shuffle=True, generator=dice))\n"
    )
    tried = work({"update": uses + code})
    with Sandbox(WORKBOOK) as other:  # which has been asked for nothing yet
        result = tried.result(run(tried, other, set(tried.keys)).entries)
    assert not result.flags
    assert [graded.points for graded in result.questions if graded.kind == "auto"] == [
        graded.max_points for graded in result.questions if graded.kind == "auto"
    ]


def test_after_two_stops_a_questions_other_tests_are_not_run(sandbox):
    """Two, since each costs the run seconds; and the next question is examined as if nothing had been."""
    assert MAX_STOPS == 2
    names = list(ATTENTION.solutions)
    question = "self_attention"
    code = ATTENTION.solutions[question].code
    ending = code.replace("def __init__(", "def __init__(self, *args):\n        os._exit(0)\n\n    def old(")
    ending = f"import os\n{ending}"
    assert "def old(" in ending
    broken = work({question: ending})
    result = broken.result(run(broken, sandbox, set(broken.keys)).entries)
    said = [verdict.reason.render() for verdict in result.question(f"test_{question}").verdicts if verdict.reason]
    assert len(said) > MAX_STOPS + 1
    assert [text == NOT_RUN for text in said] == [False] * MAX_STOPS + [True] * (len(said) - MAX_STOPS)
    after = names[names.index(question) + 1 :]
    fine = [result.question(f"test_{name}") for name in after if name != "heal"]
    assert fine and all(graded.points == graded.max_points for graded in fine)


def test_a_last_question_that_must_be_stopped_costs_itself_alone(sandbox):
    """And what runs after it runs as if nothing had been."""
    broken = work({"heal": "import os\n\n\ndef heal(*_):\n    os._exit(0)"})
    last = list(broken.questions)[-1]
    assert last == "heal"
    result = broken.result(run(broken, sandbox, set(broken.keys)).entries)
    lost = [graded.id for graded in result.questions if graded.kind == "auto" and graded.points < graded.max_points]
    assert lost == [f"test_{last}"]
    said = [verdict.reason.render() for verdict in result.question(f"test_{last}").verdicts if verdict.reason]
    assert [text == NOT_RUN for text in said] == [False] * min(MAX_STOPS, len(said)) + [True] * (len(said) - MAX_STOPS)


def test_a_cell_of_comments_alone_is_not_run(sandbox):
    honest = work()
    empty = [cell.id for cell in honest.cells if not honest.question_of(cell) and not has_code(cell.source)]
    outputs = run(honest, sandbox, set(honest.keys)).entries[honest.cells_key]["outputs"]
    assert empty and not set(empty) & set(outputs)
    assert not any(map(has_code, ("", "# a\n\n  # b\n")))
    assert all(map(has_code, ("# a\n  b", "%magic", "'#'")))


def test_every_seed_is_drawn():
    name = next(iter(ATTENTION.solutions))
    assert len({work({name: f"x = {number}"}).seed for number in range(20 * SEEDS)}) == SEEDS


def test_an_examination_takes_one_thread_whoever_asks_for_it(monkeypatch):
    def attempt(*_given, **_named):
        return examiner.Attempt({"threads": torch.get_num_threads()}, frozenset(), complete=True, sure=True)

    monkeypatch.setattr(examiner, "_attempt", attempt)
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        assert run(work(), None, set()).entries == {"threads": 1}
    finally:
        torch.set_num_threads(before)


SECRETLY = "import random\nprint(random.SystemRandom().random())"  # which shows whose run it was


def test_outputs_stand_under_their_own_cells_whoever_had_the_same_code_before(sandbox, tmp_path):
    """The store gives to each student what the own cells show, also where others had the same code in other cells."""
    store, numbers = ResultStore(tmp_path), set()
    for names in (("one", "two", "three"), ("two", "one", "three"), ("one", "two", "a-new-name")):
        notebook = compose(ATTENTION)
        for name, code in zip(names, ("print('FIRST')", "print('SECOND')", SECRETLY), strict=True):
            notebook.cells.append(nbformat.v4.new_code_cell(code, id=name))
        outputs = examine(notebook, ATTENTION, sandbox, store).outputs
        assert [outputs[name][0]["text"] for name in names[:2]] == ["FIRST\n", "SECOND\n"]
        assert outputs.keys() <= {cell.id for cell in notebook.cells}
        numbers.add(outputs[names[2]][0]["text"])
    assert len(numbers) == 3


def test_modules_that_a_run_needed_are_kept_for_the_next_even_if_it_was_given_up(monkeypatch):
    session = SimpleNamespace(ended_from_outside=False, run_in_place=None)
    sandbox = SimpleNamespace(needs=["h5py"], session=lambda _: nullcontext(session))
    given_up = examiner.Attempt({}, frozenset({"a cell"}))
    monkeypatch.setattr(examiner.light_torch.Arrivals, "new", lambda _: ["sympy"])
    monkeypatch.setattr(examiner.NotebookRun, "run", lambda _: given_up)
    assert examiner._run_once(work(), sandbox, set(), checkpoints=False) is given_up
    assert sandbox.needs == ["h5py", "sympy"]


@pytest.mark.parametrize(
    ("source", "runs"),
    [
        ("check.self_attention.catch(query='x', x0=0)", False),
        ("check.update.hint()\n", False),
        ("check.update.show()  # the next one", False),
        ("check.update.hint()\nx = 1", True),
        ("check.update.show(x := 1)", True),
        ("check.other.hint()", True),  # a name of the student's own
        ("check.update.fit(data)", True),
        ("check.update.hint(", True),
    ],
)
def test_a_cell_that_only_asks_a_check_for_a_hint_is_not_run(source, runs):
    """What it prints would be shown to the student again, at the price of a second run."""
    assert work().is_run(nbformat.v4.new_code_cell(source)) is runs
