"""Which packages the workbook and its lessons need, for pip and for conda, read from pyproject.toml."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from autograder.common.paths import ROOT
from autograder.common.toml import read_toml

CONDA_NAMES = {"torch": "pytorch", "jupyter-core": "jupyter_core", "jupyter-server": "jupyter_server"}
# pip brings these into a conda environment, because conda-forge may lack them, or have older versions.
BY_PIP = ("latex2mathml",)
# The Pythons of the workbook's conda environment: no recent nbgrader runs before 3.11, see pyproject.toml.
PYTHON = ">=3.11,<3.14"
HEAD = """\
# Made from pyproject.toml by `make build`: change that file, not this one.
# conda env create -f environment.yml, for labs that use conda; `make` needs none of it.
"""


def for_students() -> tuple[str, str]:
    """Return requirements.txt and environment.yml: what `utils` needs, and JupyterLab to open the lessons."""
    project = _project()
    needed = [*project["dependencies"], *project["optional-dependencies"]["lab"]]
    return "\n".join(needed) + "\n", _conda(project["requires-python"], [needed])


def for_workbook() -> str:
    """Return the workbook's own environment.yml: what students need, and what instructors need to grade."""
    project = _project()
    extras = project["optional-dependencies"]
    return HEAD + _conda(PYTHON, [[*project["dependencies"], *extras["lab"]], extras["grading"]])


def _project() -> dict[str, Any]:
    project: dict[str, Any] = read_toml(ROOT / "pyproject.toml")["project"]
    return project


def _conda(python: str, parts: Sequence[Sequence[str]]) -> str:
    """Return an environment.yml of the students' requirements and, if there is a second part, the instructors'."""
    lines = ["name: attention-workbook", "channels:", "  - conda-forge", "dependencies:", f"  - python {python}"]
    by_pip: list[str] = []
    for number, requirements in enumerate(parts):
        lines += ["  # instructors:"] * number
        for name, version in _without_markers(requirements):
            if name in BY_PIP:
                by_pip.append(f"      - {name}{version}")
            else:
                lines.append(f"  - {CONDA_NAMES.get(name, name)} {version}".rstrip())
    if by_pip:
        lines += ["  - pip", "  - pip:", *by_pip]
    return "\n".join(lines) + "\n"


def _without_markers(requirements: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield names and versions, without the requirements that only an older Python has."""
    for requirement in requirements:
        needed, _, marker = requirement.partition(";")
        if "<" not in marker:
            name, version = re.fullmatch(r"([\w-]+)(.*)", needed.strip()).groups()  # type: ignore[union-attr]  # our file
            yield name, version
