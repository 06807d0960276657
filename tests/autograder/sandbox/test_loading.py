"""What a command loads quickly is all there when it is asked for: `sandbox/loading.py`, and what it reaches into.

Each in a process of its own, since what is loaded cannot be unloaded.
"""

import gc
import inspect
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell

from autograder.common import compat
from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson
from autograder.sandbox import loading
from autograder.sandbox.inside import light_torch

GRADES = (
    "import sys\n"
    "from autograder.sandbox import loading\n"
    "with loading.quickly():\n"
    "    from autograder.gradebook import converters\n"
    "    from autograder.reports import terminal\n"
)
SELDOM = {"IPython", "bs4", "jupyter_server", "latex2mathml", "markdown_it", "matplotlib", "requests", "setuptools"}


def fresh(code: str) -> str:
    """What a fresh Python prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_what_a_grader_seldom_needs_is_not_loaded():
    assert fresh(GRADES + f"print(sorted({SELDOM!r} & set(sys.modules)))") == "[]"


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("from nbgrader.auth import jupyterhub\nprint(jupyterhub.requests.codes.ok)", "200"),
        ("from nbgrader.auth import jupyterhub\nprint(jupyterhub.requests.__version__[0])", "2"),
        ("with loading.quickly():\n    import requests.cookies\nprint(requests.cookies.__name__)", "requests.cookies"),
        ("from nbconvert.exporters import html\nprint(html.BeautifulSoup('<i>a</i>', 'html.parser').i)", "<i>a</i>"),
        ("from nbconvert.filters import markdown_mistune\nprint(markdown_mistune.bs4.Tag.__name__)", "Tag"),
        ("import nbgrader\nfrom nbgrader.server_extensions import formgrader\nprint(formgrader.__name__)",
         "nbgrader.server_extensions.formgrader"),
        ("import nbgrader\ntry:\n    nbgrader.load_formgrader(None)\n"
         "except AttributeError:\n    print('nbgrader.server_extensions.formgrader' in sys.modules)", "True"),
        ("from nbgrader import utils\ntry:\n    utils.unpack_archive('none.zip', '.')\n"
         "except Exception as error:\n    print(type(error).__name__)", "FileNotFoundError"),
        ("import markdown_it\nprint(markdown_it.MarkdownIt().render('*a*').strip())", "<p><em>a</em></p>"),
        ("import jupytext\nprint(jupytext.reads('# %%\\n1', fmt='py:percent').cells[0].source)", "1"),
    ],
)  # fmt: skip
def test_it_is_loaded_when_it_is_used(asked, answer):
    assert fresh(GRADES + asked) == answer


def test_what_is_loaded_already_stays(monkeypatch):
    monkeypatch.delitem(sys.modules, "jupyter_server", raising=False)
    names = [*compat.EXTRAS, *compat.SELDOM]
    before = {name: sys.modules.get(name) for name in names}
    with compat.without_extras():
        assert all(sys.modules[name] is module for name, module in before.items() if module is not None)
        assert set(names) <= set(sys.modules)
    assert {name: sys.modules.get(name) for name in names} == before


def test_in_jupyters_server_all_of_it_is_there():
    code = "import jupyter_server\n" + GRADES + "import jupytext, nbgrader\n"
    code += "print(isinstance(jupytext.TextFileContentsManager, type), nbgrader.load_formgrader.__module__)"
    assert fresh(code) == "True nbgrader.server_extensions.formgrader.formgrader"


THREADS = """\
import os, threadpoolctl
os.environ["MKL_NUM_THREADS"] = "2"
os.environ.pop("OPENBLAS_NUM_THREADS", None)
before = dict(os.environ)
{grades}
print({{found["num_threads"] for found in threadpoolctl.threadpool_info() if found["user_api"] == "blas"}})
print(dict(os.environ) == before)
"""


def test_a_grader_has_one_thread_and_who_it_starts_as_many_as_before():
    assert fresh(THREADS.format(grades=GRADES)) == "{1}\nTrue"


def test_loading_looks_for_no_garbage_and_leaves_python_as_it_was():
    kept, functions = gc.get_freeze_count(), (inspect.getmodule, inspect.getframeinfo)
    try:
        with loading.quickly():
            assert not gc.isenabled()
        assert gc.isenabled()
        assert gc.get_freeze_count() > kept
        with pytest.raises(ImportError), loading.quickly():
            raise ImportError
        assert gc.isenabled()
        assert (inspect.getmodule, inspect.getframeinfo) == functions
    finally:
        gc.unfreeze()


# ---- torch ----------------------------------------------------------------------------------------------

SOURCES = """\
import contextlib
from autograder.sandbox.inside import light_torch
with {context}:
    import torch
from torch._library.simple_registry import singleton
found = {{name: entry.fake_impl.kernel for name, entry in singleton._data.items()}}
print(len(found), {{name: kernel and kernel.source for name, kernel in found.items()}})
"""


def test_torch_knows_the_same_places_of_its_operations():
    pytest.importorskip("torch._library.simple_registry", reason="this torch keeps no such places")
    plain = fresh(SOURCES.format(context="contextlib.nullcontext()"))
    assert ".py:" in plain
    assert fresh(SOURCES.format(context="light_torch.loaded_quickly()")) == plain


def test_while_torch_is_loaded_a_frames_module_is_known_by_its_name():
    frame = inspect.currentframe()
    with light_torch.loaded_quickly():
        assert inspect.getmodule(frame) is sys.modules[__name__]
        assert inspect.getmodule(fresh) is sys.modules[__name__]
        assert inspect.getframeinfo(frame).lineno == frame.f_lineno
        assert inspect.getframeinfo(frame).code_context is None
    assert inspect.getframeinfo(frame).code_context is not None


# ---- jsonschema and nbformat ----------------------------------------------------------------------------


def test_jsonschema_does_without_its_formats_of_strings():
    code = "import autograder, jsonschema; print(sorted(jsonschema.FormatChecker.checkers))"
    checkers = fresh(code)
    assert "'email'" in checkers
    for left_out in ("'iri'", "'uri'", "'duration'", "'color'", "'uri-template'", "'json-pointer'"):
        assert left_out not in checkers, f"jsonschema loads something else for {left_out} by now"


def test_a_format_that_is_loaded_already_stays(monkeypatch):
    monkeypatch.setitem(sys.modules, compat.FORMATS[0], pytest)
    compat.leave_out_formats()
    assert sys.modules[compat.FORMATS[0]] is pytest


def test_cells_of_a_text_are_made_unchecked_and_others_as_ever():
    with compat.cells_unchecked():
        assert new_code_cell(source=3).source == 3
    with pytest.raises(nbformat.ValidationError):
        new_code_cell(source=3)


def test_the_notebook_of_a_text_is_valid_all_the_same():
    nbformat.validate(Lesson.parse("small", "# %% [markdown]\n# # Small\n\n# %%\n1 + 1\n").to_notebook())
