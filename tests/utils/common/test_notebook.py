"""Which notebook runs this kernel, where no front end says so."""

import json

import pytest

from utils.common import notebook

LESSON = {"metadata": {"workbook": {"lesson": "attention"}}}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_notebooks_that_are_no_lessons_are_no_candidates(folder):
    for name, content in {"a": LESSON, "b": {"metadata": {}}, "c": {"metadata": {"workbook": 3}}, "d": [1]}.items():
        (folder / f"{name}.ipynb").write_text(json.dumps(content))
    assert notebook.candidates() == [LESSON]


def test_no_more_and_no_larger_notebooks_are_read_than_is_bearable(folder, monkeypatch):
    monkeypatch.setattr(notebook, "MOST", 2)
    monkeypatch.setattr(notebook, "LARGEST", len(json.dumps(LESSON)))
    for name in "abc":
        (folder / f"{name}.ipynb").write_text(json.dumps(LESSON))
    assert len(notebook.candidates()) == 2
    (folder / "a.ipynb").write_text(json.dumps(LESSON) + " ")
    assert len(notebook.candidates()) == 1


def test_a_person_has_it_open_where_a_front_end_named_it(folder, monkeypatch):
    assert not notebook.is_open()
    monkeypatch.setenv("JPY_SESSION_NAME", "some/where/lesson.ipynb")
    assert notebook.is_open() and notebook.session() == "some/where/lesson.ipynb"
