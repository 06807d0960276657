"""What the grader's Python has and a student's has not: an import of it fails while grading, as it does at home.

These are our tools: what grades, tests and translates the workbook. What PyTorch and JupyterLab bring may be imported,
and what Colab has besides (scikit-learn with SciPy, einops, and more where it is installed). No promise of safety: a
process that wants to can get round it, and finds nothing there that is hidden.
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
    """Says of our tools what Python says of a package that is not installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in TOOLS:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)
        return None


def hide_tools() -> None:
    """From now on an import of a tool fails."""
    sys.meta_path.insert(0, Absent())
