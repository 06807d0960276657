"""Packages that the grader's Python has and a student's does not: importing them fails while grading, as at home.

They are the tools that grade, test and translate the workbook. Answers may import what PyTorch and JupyterLab bring,
and what Colab has besides (scikit-learn with SciPy, einops, and more where it is installed). This is not a safety
measure: code can get round it, and finds no secret there.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

TOOLS = frozenset(
    {
        *("alembic", "jupyterhub", "jupytext", "jwt", "latex2mathml", "mako", "nbgrader", "nh3", "polib"),  # grading
        *("execnet", "grimp", "hypothesis", "importlinter", "mypy", "playwright"),  # tests
        *("portalocker", "ruff", "sacrebleu", "xdist"),
        *("furo", "myst_parser", "sphinx"),  # the site
    }
)


class WithoutTools:
    """A finder of modules that does not find our tools, as if they were not installed."""

    def __init__(self, finder: Any):
        self.finder = finder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in TOOLS:
            return None
        spec: ModuleSpec | None = self.finder.find_spec(fullname, path, target)
        return spec

    def __getattr__(self, name: str) -> Any:
        return getattr(self.finder, name)


def hide_tools() -> None:
    """Make every later import of a tool fail, and every search for one find nothing."""
    sys.meta_path[:] = [WithoutTools(finder) for finder in sys.meta_path]
