"""A progress bar moves where somebody watches, and is a single line on a page made of a notebook."""

import html
import io
import re

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from utils.common import notebook, progress

LOOP = """\
import time
from utils.common.progress import progress
for _ in progress(range(10), "training"):
    time.sleep(0.1)
"""


def test_a_page_made_of_a_notebook_shows_one_line_for_a_bar():
    ran = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(LOOP)])
    NotebookClient(ran, timeout=120, kernel_name="python3").execute()
    page, _ = HTMLExporter().from_notebook_node(ran)
    shown = html.unescape(re.sub(r"<[^>]*>", "", page[page.index("<main") :]))
    assert LOOP.splitlines()[0] in shown
    shown = shown.replace('"training"', "")  # in the code
    [bar] = [line for line in shown.splitlines() if "training" in line]
    assert "10/10" in bar and "100%" in bar


def test_a_bar_moves_where_a_person_may_be_watching(monkeypatch):
    for watched, drawn in ((True, 2), (False, 1)):
        monkeypatch.setattr(notebook, "is_watched", lambda answer=watched: answer)
        monkeypatch.setattr(progress.sys, "stdout", said := io.StringIO())
        assert list(progress.progress(range(3), "training")) == [0, 1, 2]
        monkeypatch.undo()
        assert said.getvalue().count("training") == drawn  # empty and full; only full


def test_a_program_that_runs_a_notebook_watches_nothing(monkeypatch):
    class Shell:
        class kernel:
            _allow_stdin = False

    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    assert notebook.is_watched()  # a plain Python session
    monkeypatch.setattr(notebook, "running_shell", lambda: Shell)
    monkeypatch.setattr(notebook, "session", lambda: "")
    assert not notebook.is_watched()
    Shell.kernel._allow_stdin = True
    assert notebook.is_watched()


def test_what_a_rehearsal_writes_is_as_short_as_its_loops(monkeypatch):
    monkeypatch.delenv(progress.REHEARSAL_VARIABLE, raising=False)
    assert progress.rehearsed(40) == 40
    monkeypatch.setenv(progress.REHEARSAL_VARIABLE, "1")
    assert progress.rehearsed(40) == len(list(progress.progress(range(40), "training", silent=True)))
    assert progress.rehearsed(1) == 1
