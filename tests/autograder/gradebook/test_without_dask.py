"""Dask is needed for `--scheduler` alone: everything else works without it, and that option says what to install."""

import pkgutil
import subprocess
import sys

import pytest

import autograder
from autograder.common.errors import GradingError
from autograder.common.paths import ROOT
from autograder.gradebook import cluster

# Not imported: what needs another extra (Sphinx, a hub), and modules that run when they are imported.
ELSEWHERE = (
    "autograder.site",
    "autograder.reports.own_attempts",
    "autograder.sandbox.inside.__main__",
    "autograder.__main__",
)
IMPORTED = """
import importlib, sys
sys.modules |= {"dask": None, "distributed": None}  # importing them fails, as where they are not installed
for name in sys.argv[1:]:
    importlib.import_module(name)
"""


def test_a_scheduler_without_dask_is_one_sentence_that_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    monkeypatch.setitem(sys.modules, "dask.distributed", None)
    sentence = r"needs Dask, which is not installed here; .* python -m pip install --editable \"\.\[cluster\]\"$"
    with pytest.raises(GradingError, match=sentence), cluster.connected("tcp://127.0.0.1:9", "attention"):
        pass


@pytest.mark.whole
def test_no_module_of_the_grader_needs_dask():
    modules = [module.name for module in pkgutil.walk_packages(autograder.__path__, "autograder.")]
    names = [name for name in modules if not name.startswith(ELSEWHERE)]
    assert {"autograder.gradebook.grade", "autograder.gradebook.cluster"} <= {*names}
    done = subprocess.run([sys.executable, "-c", IMPORTED, *names], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
