"""Run All comes to the end of a lesson with open gaps, and says in each cell what it waits for."""

import itertools
import os
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbgrader.validator import Validator

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.compose import compose
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson, write_notebook
from autograder.lesson.translation import translate_notebook
from tests.helpers.languages import LANGUAGES
from utils.attention import check as attention
from utils.checks import check, going_on
from utils.checks.going_on import GoingOn, failed_cell
from utils.checks.outline import digest, made_by, outlines
from utils.common.errors import CheckFailed
from utils.common.messages import Message

GAP = "This cell needs {gap}, which is not written yet: write it, run it, then run this cell again."


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    """A kernel that rehearses trainings, started by a program, with the modules of this checkout."""
    monkeypatch.setenv("ATTENTION_WORKBOOK_REHEARSAL", "1")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)


def run(notebook, folder: Path) -> tuple[dict[str, list], str]:
    """Run a notebook in a folder of its own; return each code cell's outputs by its id, and what stopped the run."""
    path = folder / "renamed by a student.ipynb"
    path.write_text(write_notebook(notebook))
    stopped = ""
    try:
        client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
        client.execute(env=dict(os.environ))
    except CellExecutionError as error:
        stopped = f"{error.ename}: {error.evalue}"
    return {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}, stopped


def text_of(outputs: list) -> str:
    return "\n".join(one.get("text", "") or one.get("data", {}).get("text/plain", "") for one in outputs)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "language"), list(zip(list(WORKBOOK.lessons), itertools.cycle(LANGUAGES), strict=False))
)
def test_a_blank_lesson_runs_to_its_end_in_its_language(name, language, tmp_path):
    lesson = Lesson.load(name, WORKBOOK)
    outputs, stopped = run(translate_notebook(release_notebook(lesson), language, lesson), tmp_path)
    assert stopped.startswith("NotDone: ") and all(question in stopped for question in lesson.tests)
    errors = {key: [one.ename for one in shown if one.output_type == "error"] for key, shown in outputs.items()}
    assert {key: found for key, found in errors.items() if found} == {"where_you_stand": ["NotDone"]}
    waiting = [Message(GAP, {"gap": gap}).render(language) for gap in lesson.solutions]
    waits = {key for key, shown in outputs.items() if any(sentence in text_of(shown) for sentence in waiting)}
    assert len(waits) > 3 and waits <= lesson.shown_only
    figures = [key for key in waits if any("image/png" in one.get("data", {}) for one in outputs[key])]
    assert not figures
    table = text_of(outputs["where_you_stand"])
    assert table.count("○") == len(lesson.tests) + len(lesson.essays)


@pytest.mark.whole
def test_what_was_not_trained_is_not_drawn(tmp_path):
    """Only the update is open: the network exists when its training stops, and no later cell may draw with it."""
    lesson = Lesson.load("attention", WORKBOOK)
    notebook = compose(lesson, {"update": lesson.solutions["update"].source.split("    ### BEGIN")[0] + STUB})
    outputs, stopped = run(notebook, tmp_path)
    assert stopped == "NotDone: Questions that are not done: update."
    sentence = Message(GAP, {"gap": "update"}).render()
    for cell in ("train_conv", "predict_conv", "train_attention", "attention_matrix", "attention_matrix_2", "compare"):
        assert sentence in text_of(outputs[cell]), cell
        assert not any("image/png" in one.get("data", {}) for one in outputs[cell]), cell
    assert "image/png" in outputs["draw_encoding"][0]["data"]


STUB = '    raise NotImplementedError("update: write the missing lines, then run again")\n'


@pytest.mark.whole
def test_wrong_code_stops_no_cell_below_and_own_cells_stop_a_run(tmp_path):
    lesson = Lesson.load("attention", WORKBOOK)
    wrong = "def make_datasets(inputs, targets, n_train):\n    inputs / 0\n"
    notebook = compose(lesson, {"make_datasets": wrong}, blank=True)
    outputs, stopped = run(notebook, tmp_path)
    assert stopped.startswith("NotDone")
    assert [one.ename for one in outputs["data_task_1"] if one.output_type == "error"] == ["TypeError"]
    assert text_of(outputs["predict_conv"]).startswith("○ This cell needs test_set, which a cell above could not make")
    own = next(cell for cell in notebook.cells if cell.id.startswith("scratch"))
    own.source = "1 / 0"
    notebook.cells = [cell for cell in notebook.cells if cell.id in ("setup", "imports", own.id)]
    _, stopped = run(notebook, tmp_path)
    assert stopped.startswith("ZeroDivisionError")


def test_a_check_does_not_judge_what_was_there_before_its_cell_failed(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr(going_on, "running_shell", lambda: shell)
    shell.going_on = GoingOn(shell)
    shell.run_cell("def f():\n    return 1\nclass K:\n    pass", silent=False)
    f, K = shell.user_ns["f"], shell.user_ns["K"]
    assert failed_cell([f, K]) is None
    shell.run_cell("def f(:\n    return 2")
    failed = failed_cell([K, f])
    assert (failed.values["name"], failed.values["error"][:11]) == ("f", "SyntaxError") and failed_cell([K]) is None
    shell.run_cell("import no_such_package\nclass K:\n    pass")
    assert failed_cell([K]).values["error"] == "ModuleNotFoundError: No module named 'no_such_package'"
    monkeypatch.setattr(check, "show", lambda panel: None)
    with pytest.raises(CheckFailed, match="the cell of `K` failed when it last ran"):
        attention.update(K, None, None)
    shell.run_cell("class K:\n    pass")
    assert failed_cell([K]) is None
    shell.run_cell("def f():\n    return 3\nf() / 0")  # it is defined anew, by a cell that fails below
    assert failed_cell([shell.user_ns["f"]]) is None and shell.user_ns["f"]() == 3


def test_a_check_in_the_cell_of_its_function_can_be_repeated(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr(going_on, "running_shell", lambda: shell)
    monkeypatch.setattr(check, "show", lambda panel: None)
    shell.going_on = GoingOn(shell)
    shell.user_ns["check"] = attention
    for _ in range(2):
        shell.run_cell("def update(model, optimizer, inputs, targets):\n    return 0\ncheck.update(update, None, None)")
        assert failed_cell([shell.user_ns["update"]]) is None


def test_a_name_that_is_there_is_not_explained_by_a_gap():
    shell = InteractiveShell()
    handler = GoingOn(shell)
    handler.missing |= {"model": "update", "test_set": ""}
    explained = {
        name: handler.explanation(NameError("x", name=name)) for name in ("model", "test_set", "of_the_student")
    }
    assert explained["model"] == Message(GAP, {"gap": "update"}) and explained["of_the_student"] is None
    assert explained["test_set"].values == {"name": "test_set"}
    shell.user_ns["model"] = 1
    assert handler.explanation(NameError("x", name="model")) is None


def test_it_is_installed_once_in_a_kernel_and_not_under_nbgrader(monkeypatch):
    shell = InteractiveShell()
    monkeypatch.setattr(going_on, "running_shell", lambda: shell)
    going_on.install()
    shell.kernel = "a kernel"
    monkeypatch.setenv(going_on.NBGRADER_VARIABLE, "1")
    going_on.install()
    assert not hasattr(shell, "going_on")
    monkeypatch.delenv(going_on.NBGRADER_VARIABLE)
    going_on.install()
    first = shell.going_on
    going_on.install()
    assert shell.going_on is first


@pytest.mark.whole
def test_nbgrader_s_validation_still_sees_every_failed_check(tmp_path):
    lesson = Lesson.load("attention", WORKBOOK)
    path = tmp_path / "attention.ipynb"
    path.write_text(write_notebook(compose(lesson, {}, blank=True)))
    found = Validator().validate(str(path))
    failed = "\n".join(cell["source"] for cell in found["failed"])
    assert all(f"check.{question}(" in failed for question in lesson.tests)


def test_a_cell_is_known_by_its_text_without_the_lines_around_it():
    assert digest("x = 1\n") == digest("\n x = 1") != digest("x = 2")
    assert len(digest("x = 1")) == 12


@pytest.fixture
def handler(monkeypatch):
    """The state of a kernel whose notices are collected in `handler.said`."""
    shell = InteractiveShell()
    monkeypatch.setattr(going_on, "running_shell", lambda: shell)
    shell.going_on = GoingOn(shell)
    shell.going_on.said = []
    monkeypatch.setattr(going_on, "notice", lambda message: shell.going_on.said.append(message.render()))
    return shell.going_on


def run_cell(handler: GoingOn, cell: str, source: str) -> None:
    """Run a cell of the lesson `attention` under its id."""
    handler.shell.run_cell(source, cell_id=cell)


def test_a_name_whose_cell_has_not_run_is_told_in_a_sentence(handler):
    told = handler.explanation(NameError("name 'test_set' is not defined", name="test_set"))
    assert "run the cells above first" in told.template and told.values == {"name": "test_set"}
    assert handler.explanation(UnboundLocalError("x", name="test_set")) is None


def test_a_cell_says_before_it_trains_which_checks_have_not_passed(handler):
    run_cell(handler, "train_conv", "1")
    assert not handler.said
    going_on.note_check("conv_network", 1, 3)
    run_cell(handler, "train_conv", "1")
    assert handler.said == ["Not passed yet: the check of conv_network (1/3). What this cell shows may be wrong."]
    going_on.note_check("conv_network", 3, 3)
    run_cell(handler, "train_conv", "1")
    assert len(handler.said) == 1


def test_a_training_that_is_stopped_is_one_line_and_the_next_cell_knows(handler):
    stop = "from tqdm import tqdm\nfrom torch import nn\nmodel = nn.Linear(1, 1)\n"
    stop += "def train(m):\n    bar = tqdm(range(9), disable=False)\n    for i in bar:\n        if i == 4:\n"
    stop += "            bar.n = 4\n            raise KeyboardInterrupt\ntrain(model)"
    run_cell(handler, "train_conv", stop)
    assert handler.said == ["Stopped at step 4 of 9. To train to the end, run the cell again."]
    run_cell(handler, "predict_conv", "model")
    assert handler.said[1:] == [
        "The training of model was stopped before its end: what this cell shows is not the trained model."
    ]
    run_cell(handler, "train_conv", "model")
    run_cell(handler, "predict_conv", "model")
    assert len(handler.said) == 2


def test_an_interruption_of_a_students_own_cell_has_its_traceback(handler, capsys):
    run_cell(handler, "my_own", "raise KeyboardInterrupt")
    assert not handler.said and "KeyboardInterrupt" in capsys.readouterr().out


def test_names_that_a_cell_makes():
    code = "import a.b as c\nfrom d import e\nx, (y, z[0]) = 1, 2\nfor i in x:\n    k = i\n"
    code += "def f():\n    g = 1\nclass H: pass"
    assert made_by(code) == {"c": False, "e": False, "x": True, "y": True, "i": True, "k": True, "f": False, "H": False}


@pytest.mark.parametrize("name", list(WORKBOOK.lessons))
def test_the_outline_is_the_lesson_s(name):
    lesson, outline = Lesson.load(name, WORKBOOK), outlines()[name]
    assert [(one.name, one.points) for one in outline.questions] == [
        (cell.name, cell.points) for cell in lesson.of_role("test", "essay")
    ]
    assert set(outline.shows) == lesson.shown_only
    assert outline.needs.keys() <= outline.shows.keys()
    assert {gap for gaps in outline.needs.values() for gap in gaps} <= set(lesson.tests)
    for one in outline.questions:
        assert one.is_essay == (one.name in lesson.essays)
        assert all(one.headings[language] for language in LANGUAGES)
        assert not one.is_essay or len({one.titles[language] for language in LANGUAGES}) == 3
