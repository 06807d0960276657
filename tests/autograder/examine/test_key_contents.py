"""What a key of the store contains: all that decides a result, and nothing besides."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.examine import hashes
from autograder.examine.work import Work
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.gradebook import state
from autograder.lesson.compose import compose
from autograder.lesson.text import Lesson
from autograder.sandbox.limits import Limits
from utils.checks.engine.observation import Tolerance

LESSON = "attention"
ATTENTION = Lesson.load(LESSON, WORKBOOK)
QUESTIONS = list(ATTENTION.tests)
FIRST, SECOND, *_, LAST = ATTENTION.solutions
LIMITS = Limits()
CONSTANT = 1.0


def stand_in_test(probe, student):
    """Stands in for a test of an exam: it uses a constant of its module, and a function that uses another."""
    return helper() + CONSTANT


def helper(number=2):
    return len(WORDS) + number


WORDS = ("a", "b")


def forget() -> None:
    """Compute hashes anew, which are kept while a process lives."""
    modules = [module for name, module in sys.modules.items() if name.startswith("autograder.examine")]
    for value in [value for module in modules for value in vars(module).values()]:
        if hasattr(value, "cache_clear"):
            value.cache_clear()


@pytest.fixture(autouse=True)
def forgotten():
    yield
    forget()


def work(notebook: NotebookNode | None = None, limits: Limits | None = LIMITS) -> Work:
    forget()
    return Work(notebook or compose(ATTENTION), Lesson.load(LESSON, WORKBOOK), limits)


def changed(one: Work, other: Work) -> list[str]:
    """The questions whose keys differ; "cells" for that of what the cells showed."""
    names = [name for name in one.questions if one.questions[name] != other.questions[name]]
    return (["cells"] if one.cells_key != other.cells_key else []) + names


def with_other_answer(name: str, before: Work) -> Work:
    """A submission with another answer in one cell, that draws the same seed."""
    answer = ATTENTION.solutions[name].code
    tries = (work(compose(ATTENTION, {name: f"{answer}\n# {number}"})) for number in range(100))
    return next(one for one in tries if one.seed == before.seed)


def test_what_cells_show_is_in_the_notebooks_language_and_what_exams_see_is_not():
    assert changed(work(), work(compose(ATTENTION, language="fr"))) == ["cells"]


def test_the_same_notebook_has_the_same_keys_one_for_each_question_and_one_for_its_cells():
    one = work()
    assert changed(one, work()) == []
    assert list(one.questions) == QUESTIONS
    assert one.keys == [one.cells_key, *one.questions.values()]
    assert len(set(one.keys)) == len(QUESTIONS) + 1


def test_an_answer_is_in_the_keys_of_its_own_question_and_of_those_after_it():
    before = work()
    assert changed(before, with_other_answer(FIRST, before)) == ["cells", *QUESTIONS]
    assert changed(before, with_other_answer(SECOND, before)) == ["cells", *QUESTIONS[QUESTIONS.index(SECOND) :]]
    assert changed(before, with_other_answer(LAST, before)) == ["cells", *QUESTIONS[QUESTIONS.index(LAST) :]]


def test_what_is_read_only_or_not_run_while_grading_is_in_no_key():
    notebook = compose(ATTENTION)
    before = work(notebook)
    shown = ATTENTION.shown_only
    for cell in notebook.cells:
        if cell.cell_type == "markdown" or cell.metadata.get("nbgrader", {}).get("grade_id") in shown:
            cell.source += "\nmore"
    assert changed(before, work(notebook)) == []


def test_the_order_of_cells_is_in_the_keys():
    notebook = compose(ATTENTION)
    before = work(notebook)
    given = next(i for i, c in enumerate(notebook.cells) if c.metadata.get("nbgrader", {}).get("grade_id") == "imports")
    solution = next(i for i, c in enumerate(notebook.cells) if c.metadata.get("nbgrader", {}).get("grade_id") == FIRST)
    cells = notebook.cells
    cells[given], cells[solution] = cells[solution], cells[given]
    assert changed(before, work(notebook)) == ["cells", *QUESTIONS]


def test_cells_that_were_moved_or_split_meet_the_same_inputs(monkeypatch):
    monkeypatch.setattr("autograder.examine.work.SEEDS", 1009)
    notebook = compose(ATTENTION)
    before, own = work(notebook).seed, nbformat.v4.new_code_cell("x = 1\n\nprint(x)")
    notebook.cells.insert(9, own)
    with_own = work(notebook).seed
    notebook.cells = [
        *notebook.cells[:9],
        *notebook.cells[10:],
        *map(nbformat.v4.new_code_cell, ("print(x)\n# a remark", "x = 1")),
    ]
    assert work(notebook).seed == with_own != before
    notebook.cells.append(nbformat.v4.new_code_cell("import torch"))  # a line of ours, which an editor has copied
    assert work(notebook).seed == with_own
    guess = next(cell for cell in notebook.cells if cell.source.startswith("guesses["))  # nobody has written a guess
    notebook.cells.remove(guess)
    assert work(notebook).seed == with_own


def test_the_seed_is_in_the_keys_of_questions_alone(monkeypatch):
    before = work()
    monkeypatch.setattr("autograder.examine.work.SEEDS", 1009)  # so that another number is drawn
    other = work()
    assert other.seed != before.seed
    assert changed(before, other) == QUESTIONS


@pytest.mark.parametrize(
    "change",
    [
        {"weight": 7.0},
        {"ask": "asks otherwise"},
        {"tolerance": Tolerance(1e-3, 1e-5)},
        {"tolerance": Tolerance(1e-4, 1e-4)},
        {"name": "other"},
        {"function": stand_in_test},
    ],
    ids=["weight", "ask", "rtol", "atol", "name", "function"],
)
def test_every_part_of_an_exams_test_is_in_the_key_of_its_question(monkeypatch, change):
    before = work()
    tests = exams_of(ATTENTION)[SECOND].tests
    name, test = next(iter(tests.items()))
    assert test.tolerance == Tolerance(1e-4, 1e-5)
    monkeypatch.setitem(tests, name, replace(test, **change))
    assert changed(before, work()) == [SECOND]


@pytest.mark.parametrize(
    ("name", "value"), [("CONSTANT", 2.0), ("WORDS", ("a", "c")), ("helper", lambda: 3), ("helper", lambda: 4)]
)
def test_what_an_exam_uses_of_its_module_is_in_the_key_of_its_question(monkeypatch, name, value):
    tests = exams_of(ATTENTION)[SECOND].tests
    first, test = next(iter(tests.items()))
    monkeypatch.setitem(tests, first, replace(test, function=stand_in_test))
    before = work()
    monkeypatch.setitem(globals(), name, value)
    assert changed(before, work()) == [SECOND]


def test_a_default_of_what_an_exam_calls_is_in_the_key_of_its_question(monkeypatch):
    tests = exams_of(ATTENTION)[SECOND].tests
    first, test = next(iter(tests.items()))
    monkeypatch.setitem(tests, first, replace(test, function=stand_in_test))
    before = work()
    monkeypatch.setattr(helper, "__defaults__", (3,))
    assert changed(before, work()) == [SECOND]


def test_an_exams_sizes_are_in_the_key_of_its_question(monkeypatch):
    before = work()
    exam = exams_of(ATTENTION)[SECOND]
    monkeypatch.setattr(exam, "sizes", exam.sizes | {"T": 1 + exam.sizes.get("T", 1)})
    assert changed(before, work()) == [SECOND]


@pytest.mark.parametrize("change", [{"says": "another sentence"}, {"replacements": (("a", "b"),)}])
def test_the_known_mistakes_are_in_the_keys_of_the_questions_that_notice_them(monkeypatch, change):
    before = work()
    name = reference.mistakes_of(ATTENTION, LAST)[0]
    noticing = [question for question in QUESTIONS if name in reference.mistakes_of(ATTENTION, question)]
    monkeypatch.setitem(mistakes.load(ATTENTION), name, replace(mistakes.load(ATTENTION)[name], **change))
    assert changed(before, work()) == noticing


def with_other_cell(role: str, monkeypatch, **change) -> None:
    """Have the lesson's text another last cell of this role."""
    text = ATTENTION
    last = text.of_role(role)[-1]
    other = replace(last, **{name: new(last) for name, new in change.items()})
    cells = tuple(other if cell is last else cell for cell in text.cells)
    monkeypatch.setattr(Lesson, "load", classmethod(lambda cls, name, course=None: replace(text, cells=cells)))


@pytest.mark.parametrize("role", ["given", "solution"])
def test_the_reference_is_in_the_key_of_every_question(monkeypatch, role):
    notebook = compose(ATTENTION)
    before = work(notebook)
    with_other_cell(role, monkeypatch, source=lambda cell: cell.source + "\nmore = 1")
    assert changed(before, work(notebook)) == QUESTIONS


def test_the_hidden_call_is_in_the_key_of_its_question(monkeypatch):
    notebook = compose(ATTENTION)
    before = work(notebook)
    with_other_cell("test", monkeypatch, source=lambda cell: cell.source.replace("exam.", "exam . "))
    assert changed(before, work(notebook)) == [QUESTIONS[-1]]


# ---- files --------------------------------------------------------------------------------------------------


@pytest.fixture
def copy(tmp_path, monkeypatch) -> Path:
    """A copy of the files whose text is hashed."""
    for name in ("utils", "autograder", "source"):
        ignore = shutil.ignore_patterns("__pycache__", "*.npz", "*.ipynb", "locale", "made")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignore)
    monkeypatch.setattr(hashes, "ROOT", tmp_path)
    monkeypatch.setattr(hashes, "HERE", tmp_path / "autograder")
    return tmp_path


def edit(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8") + "\n# edited\n", encoding="utf-8")


def test_the_modules_that_students_call_are_in_every_key(copy):
    before = work()
    assert changed(before, work()) == []
    edit(copy / "utils" / "attention" / "sequences.py")
    assert changed(before, work()) == ["cells", *QUESTIONS]


def test_the_engine_is_where_it_is_looked_for():
    assert hashes.ROOT == ROOT and hashes.HERE == ROOT / "autograder"
    assert all((hashes.HERE / place).exists() for place in hashes.ENGINE)


@pytest.mark.parametrize("place", [*hashes.ENGINE, "common/paths.py", "lesson/text.py", "examine/result.py"])
def test_every_part_of_the_engine_is_in_every_key(copy, place):
    before = work()
    path = copy / "autograder" / place
    edit(next(path.rglob("*.py")) if path.is_dir() else path)
    assert changed(before, work()) == ["cells", *QUESTIONS]


@pytest.mark.parametrize("package", ["torch", "numpy", "ipython"])
def test_the_versions_of_what_runs_are_in_every_key(monkeypatch, package):
    before = work()
    version = hashes.importlib.metadata.version
    monkeypatch.setattr(hashes.importlib.metadata, "version", lambda name: version(name) + "+other" * (name == package))
    assert changed(before, work()) == ["cells", *QUESTIONS]


def test_pythons_version_is_in_every_key(monkeypatch):
    before = work()
    monkeypatch.setattr(hashes.platform, "python_version", lambda: "3.0.0")
    assert changed(before, work()) == ["cells", *QUESTIONS]


@pytest.mark.parametrize(
    "path",
    [
        f"source/{LESSON}/lesson.py",
        "utils/attention/sequences.py",
        "autograder/sandbox/states.py",
        f"source/{LESSON}/exam.py",
        f"source/{LESSON}/mistakes.toml",
    ],
)
def test_a_class_is_graded_again_when_a_file_of_the_course_changes(copy, path):
    forget()
    before = state.course_hash(LESSON, WORKBOOK)
    forget()
    assert state.course_hash(LESSON, WORKBOOK) == before
    edit(copy / path)
    forget()
    assert state.course_hash(LESSON, WORKBOOK) != before


def test_another_lessons_text_grades_nobody_again(copy):
    forget()
    before = state.course_hash(LESSON, WORKBOOK)
    edit(copy / "source" / "captioning" / "lesson.py")
    forget()
    assert state.course_hash(LESSON, WORKBOOK) == before
