"""The last cell: what is done, what is open, what is written, and where else to go."""

import json
import shutil
import sys

import pytest

import utils.attention
from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.exams import reference
from autograder.lesson.release import release_notebook
from autograder.lesson.text import Lesson
from utils.checks import standing
from utils.common import notebook
from utils.common.errors import NotDone


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A kernel's folder with a French notebook of the lesson, one of whose essays is written."""
    here = tmp_path / "fr"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    content = release_notebook(Lesson.load("attention", WORKBOOK))
    content.metadata["workbook"]["language"] = "fr"
    for cell in content.cells:
        if cell.id == "why_position":
            cell.source = "Parce que."
    (here / "mon devoir.ipynb").write_text(json.dumps(content))
    for name in ("seq2seq", "attention"):
        (here / f"{name}.ipynb").write_text("{}")
    (tmp_path / "zh").mkdir()
    (tmp_path / "zh" / "attention.ipynb").write_text("{}")
    return here


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_states_points_and_links(folder):
    lesson = Lesson.load("attention", WORKBOOK)
    names = dict(reference.reference_names(lesson))
    del names["make_datasets"]
    exec("def conv_network(in_channels=1, channels=64):\n    raise NotImplementedError", names)
    exec("def update(model, optimizer, inputs, targets):\n    return 0.0", names)
    shown = standing.stand("attention", names)
    states = {row.entry.name: (row.sign, shown.cells(row)["state"]) for row in shown.rows}
    assert states["make_datasets"] == ("○", "sa cellule n'a pas été exécutée")
    assert states["conv_network"] == ("○", "pas commencé")
    assert states["update"][0] == "✗" and _plain(states["update"][1]) == "pas encore (tests réussis : 0 sur 3)"
    assert states["self_attention"] == ("✓", "fait")
    assert (states["why_position"], states["reading_the_matrix"]) == (("✓", "rédigé"), ("○", "vide"))
    assert "27 sur 35" in shown.sentences[0] and "points\u00a0: 10" in shown.sentences[0]
    assert shown.links == {"seq2seq": "seq2seq.ipynb", "中文": "../zh/attention.ipynb"}
    page = shown._repr_html_()
    assert '<div lang="fr" dir="ltr">' in page and 'href="#2.-Jeux-de-données-(environ-15-minutes)"' in page
    assert "Jeux de données" in repr(shown)


def test_a_courses_own_questions_are_among_a_lessons_checks(tmp_path, monkeypatch):
    """The last cell of `attention` could not run in a course that adds questions to it."""
    shutil.copy(ROOT / "docs/course/utils/attention/more.py", tmp_path)
    monkeypatch.setattr(utils.attention, "__path__", [*utils.attention.__path__, str(tmp_path)])
    try:
        assert {"tempered", "self_attention"} <= standing.checks_of("attention").keys()
    finally:
        sys.modules.pop("utils.attention.more", None)
        vars(utils.attention).pop("more", None)


def test_a_program_hears_of_open_questions_and_a_person_reads_of_them(folder, monkeypatch, capsys):
    with pytest.raises(NotDone, match="make_datasets, own_code, conv_network"):
        standing.show("attention", {})
    monkeypatch.setenv("JPY_SESSION_NAME", str(folder / "mon devoir.ipynb"))
    standing.show("attention", {})
    standing_names = reference.reference_names(Lesson.load("attention", WORKBOOK))
    monkeypatch.delenv("JPY_SESSION_NAME")
    standing.show("attention", standing_names)


def test_which_notebook_it_is(folder, monkeypatch):
    def language():
        return {notebook.workbook(one).get("language") for one in notebook.candidates()}

    assert language() == {"fr"}
    (folder / "other.ipynb").write_text('{"metadata": {"workbook": {"language": "zh"}}}')
    (folder / "broken.ipynb").write_text("{")
    assert language() == {"fr", "zh"}
    monkeypatch.setenv("JPY_SESSION_NAME", "server/root/other.ipynb")
    assert language() == {"zh"} and notebook.is_open()


def test_under_nbgrader_open_questions_are_no_error(folder, monkeypatch, capsys):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    standing.show("attention", {})


def test_of_two_notebooks_of_the_lesson_no_essay_is_judged(folder):
    (folder / "copy.ipynb").write_text((folder / "mon devoir.ipynb").read_text())
    signs = {row.entry.name: row.sign for row in standing.stand("attention", {}).rows}
    assert (signs["why_position"], signs["reading_the_matrix"]) == ("?", "?")
