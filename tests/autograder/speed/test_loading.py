"""Loading modules in less time: without garbage collection, and without jsonschema's checks of strings."""

import gc
import subprocess
import sys

import nbformat
import pytest

from autograder.common.course import WORKBOOK
from autograder.common.paths import ROOT
from autograder.lesson.text import Lesson
from autograder.speed import formats, loading


def fresh(code: str) -> str:
    """What a fresh Python prints."""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_loading_looks_for_no_garbage_and_leaves_python_as_it_was():
    kept = gc.get_freeze_count()
    sys.modules.pop("this", None)
    try:
        with loading.quickly():
            assert not gc.isenabled()
        assert gc.isenabled()
        assert gc.get_freeze_count() == kept, "garbage of that moment would stay for ever"
        with loading.quickly():
            sys.modules["this"] = sys
        assert gc.get_freeze_count() > kept
        del sys.modules["this"]
        with pytest.raises(ImportError), loading.quickly():
            raise ImportError
        assert gc.isenabled()
    finally:
        gc.unfreeze()


def test_nbgraders_commands_the_jupyter_server_and_open_load_no_torch():
    """They load our modules whenever they start, and torch would take as long as the rest."""
    modules = ("autograder.gradebook.steps", "autograder.marking.extension", "autograder.gradebook.opening")
    assert fresh(f"import sys, {', '.join(modules)}; print('torch' in sys.modules)") == "False"


# ---- jsonschema ----------------------------------------------------------------------------


def test_jsonschema_does_without_its_formats_of_strings():
    code = "import autograder, jsonschema; print(sorted(jsonschema.FormatChecker.checkers))"
    checkers = fresh(code)
    assert "'email'" in checkers
    for left_out in ("'iri'", "'uri'", "'duration'", "'color'", "'uri-template'", "'json-pointer'"):
        assert left_out not in checkers, f"jsonschema loads something else for {left_out} by now"


def test_a_format_that_is_loaded_already_stays(monkeypatch):
    monkeypatch.setitem(sys.modules, formats.FORMATS[0], pytest)
    formats.leave_out_formats()
    assert sys.modules[formats.FORMATS[0]] is pytest


def test_the_notebook_of_a_text_is_valid_all_the_same():
    nbformat.validate(Lesson.parse("small", "# %% [markdown]\n# # Small\n\n# %%\n1 + 1\n", WORKBOOK).to_notebook())
