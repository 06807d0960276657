"""Packages that the grader's Python has and a student's does not: importing them fails while grading, as at home.

They are the tools that grade, test and translate the workbook. Answers may import what PyTorch and JupyterLab bring,
and what Colab has besides (scikit-learn with SciPy, einops, and more where it is installed). This is no safety measure:
code can get round it, and finds no secret there.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

TOOLS = frozenset(
    {
        *("alembic", "jupytext", "latex2mathml", "mako", "nbgrader", "polib"),  # grading
        *("execnet", "grimp", "hypothesis", "importlinter", "mutmut", "mypy", "playwright"),  # tests
        *("portalocker", "ruff", "sacrebleu", "xdist"),
        *("furo", "myst_parser", "sphinx"),  # the site
    }
)


class Absent(MetaPathFinder):
    """Raises for our tools the error that Python raises for a package that is not installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in TOOLS:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


def hide_tools() -> None:
    """Make every later import of a tool fail."""
    sys.meta_path.insert(0, Absent())
