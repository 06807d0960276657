"""Feedback's pages are made quickly, and like those of nbconvert's own exporter."""

import nbformat
from bs4 import BeautifulSoup
from jinja2 import DictLoader
from nbconvert.exporters import HTMLExporter

from autograder.speed import pages
from autograder.speed.pages import QuickPage

TEMPLATES = {"one.html.j2": "{{ nb.cells[0].source | highlight_code }} {{ 1 < 2 }}"}
NOTEBOOK = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x = 'a & b'")])


def made_by(kind: type[HTMLExporter], templates: dict[str, str] = TEMPLATES) -> str:
    return kind(template_file="one.html.j2", extra_loaders=[DictLoader(templates)]).from_notebook_node(NOTEBOOK)[0]


def test_a_page_is_as_nbconvert_makes_it():
    page = made_by(QuickPage)
    assert "highlight" in page and str(BeautifulSoup(page, "html.parser")) == made_by(HTMLExporter)


def test_a_template_is_compiled_once_and_again_when_it_changes(monkeypatch):
    known = pages.CompiledTemplates()
    monkeypatch.setattr(pages, "_compiled", known)
    first = made_by(QuickPage)
    compiled = dict(known.known)
    assert len(compiled) == 1 and made_by(QuickPage) == first and known.known == compiled
    assert made_by(QuickPage, {"one.html.j2": "another"}) == "another"
    assert known.known.keys() == compiled.keys() and known.known != compiled


def test_code_is_coloured_once_and_each_code_for_itself(monkeypatch):
    coloured, colour = [], pages.Highlight2HTML.__call__
    pages._coloured.cache_clear()
    monkeypatch.setattr(
        pages.Highlight2HTML, "__call__", lambda self, code: coloured.append(code) or colour(self, code)
    )
    assert made_by(QuickPage) == made_by(QuickPage) and coloured == ["x = 'a & b'"]
    assert pages._coloured("y") != pages._coloured("x") and coloured[1:] == ["y", "x"]
