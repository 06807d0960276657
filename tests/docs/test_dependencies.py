"""What a module imports is declared in pyproject.toml: nothing comes only because another package brings it."""

import ast
import functools
import importlib.metadata
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from autograder.common.paths import ROOT
from autograder.common.toml import read_toml

OURS = {"autograder", "utils"}
# The extras whose packages a part may import besides the dependencies; the longest matching part counts.
EXTRAS = {
    "utils": (),
    "autograder": ("grading",),
    "autograder/gradebook/cluster.py": ("grading", "cluster"),
    "autograder/lti": ("grading", "lti"),
    "autograder/reports/own_attempts.py": ("grading", "hub"),
    "autograder/site": ("grading", "site"),
}
# Imported only where it is: in a notebook, and in Colab.
ONLY_THERE = {"utils": {"ipython", "google"}}
# Packages whose internals we replace, and where. A new version has to be read first, so each has an upper bound, but
# for torch: students have the torch that they have.
PATCHED = {
    "ipython": "autograder/sandbox/inside/shell.py",
    "nbgrader": "autograder/common/compat.py",
    "sqlalchemy": "autograder/speed/gradebook.py",
    "torch": "autograder/sandbox/inside/light_torch.py",
}
UNBOUNDED = {"torch"}


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@functools.cache
def declared() -> dict[str, dict[str, str]]:
    """The versions wanted of each package, by extra; the dependencies of all are under ""."""
    project = read_toml(ROOT / "pyproject.toml")["project"]
    parts = {"": project["dependencies"]} | project["optional-dependencies"]
    found: dict[str, dict[str, str]] = {}
    for extra, requirements in parts.items():
        for requirement in requirements:
            name, versions = re.match(r"([\w-]+)(?:\[\w+\])?([^;]*)", requirement).groups()
            found.setdefault(extra, {})[normalised(name)] = versions.strip()
    return found


@functools.cache
def installed() -> Mapping[str, list[str]]:
    """The packages that are installed, by the name that is imported."""
    return importlib.metadata.packages_distributions()


def imported(path: Path) -> Iterator[str]:
    """Yield the packages outside of Python that a module imports, wherever in its text."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module]
        for module in {name.partition(".")[0] for name in names} - OURS - set(sys.stdlib_module_names):
            yield normalised(installed().get(module, [module])[0])


def undeclared(path: Path, name: str) -> set[str]:
    """Return the imports of a module, which is `name` below the workbook, that its part does not declare."""
    part = max((part for part in EXTRAS if name == part or name.startswith(f"{part}/")), key=len)
    known = {one for extra in ("", *EXTRAS[part]) for one in declared()[extra]} | ONLY_THERE.get(part, set())
    return {package for package in imported(path) if package not in known and package != "tomllib"}


@pytest.mark.parametrize("package", sorted(OURS))
def test_every_import_is_declared_where_its_module_needs_it(package):
    paths = sorted((ROOT / package).rglob("*.py"))
    names = {path.relative_to(ROOT).as_posix(): path for path in paths}
    assert len(names) > 100
    assert {name: missing for name, path in names.items() if (missing := undeclared(path, name))} == {}


def test_an_import_that_is_not_declared_is_noticed(tmp_path):
    module = tmp_path / "module.py"
    module.write_text(
        "import os\nimport torch\ndef later():\n    from nbgrader.api import Gradebook\n    import dask\n"
    )
    assert undeclared(module, "utils/module.py") == {"nbgrader", "dask"}
    assert undeclared(module, "autograder/module.py") == {"dask"}
    assert undeclared(module, "autograder/gradebook/cluster.py") == set()


@pytest.mark.parametrize("package", PATCHED)
def test_a_package_whose_internals_we_replace_has_an_upper_bound(package):
    assert package in set(imported(ROOT / PATCHED[package]))
    (versions,) = (found[package] for found in declared().values() if package in found)
    assert ("<" in versions) == (package not in UNBOUNDED)


def test_every_declared_package_has_a_version_in_our_own_runs():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {normalised(name) for line in lines for name in re.findall(r"^([\w.-]+)==", line)}
    needed = {name for extra, found in declared().items() if extra != "mutation" for name in found}
    assert needed - pinned == {"setuptools", "tomli"}  # pip's own, and Python 3.10's alone
