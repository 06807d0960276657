"""The packages that conda gets are those of pyproject.toml, by conda's names; what conda lacks comes by pip."""

import re

import pytest

from autograder.common.paths import ROOT
from autograder.common.toml import read_toml
from autograder.course import build, requirements


@pytest.fixture
def of_conda() -> set[str]:
    """The names in environment.yml, pip's for those that conda names otherwise."""
    lines = (ROOT / "environment.yml").read_text(encoding="utf-8").partition("dependencies:\n")[2].splitlines()
    names = [re.match(r" +- ([\w-]+)", line)[1] for line in lines if not line.lstrip().startswith("#")]
    pips = {conda: pip for pip, conda in requirements.CONDA_NAMES.items()}
    return {pips.get(name, name) for name in names}


def test_conda_gets_every_package_that_pip_gets(of_conda):
    project = read_toml(ROOT / "pyproject.toml")["project"]
    extras = project["optional-dependencies"]
    needed = [one for one in [*project["dependencies"], *extras["lab"], *extras["grading"]] if "< '3.11'" not in one]
    assert of_conda - {"python", "pip"} == {re.match(r"[\w-]+", one)[0] for one in needed}
    assert {"einops", "nbgrader", "torch", "latex2mathml"} <= of_conda


def test_a_version_is_kept_and_a_requirement_of_an_older_python_is_left_out(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nrequires-python = ">=3.10"\ndependencies = ["torch>=2.0"]\n[project.optional-dependencies]\n'
        'lab = ["jupyterlab>=4"]\ngrading = ["nbgrader>=1,<2; python_version >= \'3.11\'", '
        '"nbgrader>=0.5,<1; python_version < \'3.11\'", "latex2mathml>=3"]\n'
    )
    monkeypatch.setattr(requirements, "ROOT", tmp_path)
    lines = requirements.for_workbook().splitlines()
    assert lines[-8:] == [
        f"  - python {requirements.PYTHON}",
        "  - pytorch >=2.0",
        "  - jupyterlab >=4",
        "  # instructors:",
        "  - nbgrader >=1,<2",
        "  - pip",
        "  - pip:",
        "      - latex2mathml>=3",
    ]
    assert requirements.for_students()[0] == "torch>=2.0\njupyterlab>=4\n"


def test_an_environment_that_differs_from_the_project_is_noticed_by_the_build(monkeypatch):
    monkeypatch.setattr(build, "for_workbook", lambda: "other packages\n")
    assert build.build([], check=True) == [ROOT / "environment.yml"]
