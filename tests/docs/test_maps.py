"""The maps of all packages: each docstring of an `__init__.py` names the package's modules, and none that is gone.

And what a module says of its imports is true. `tests/utils/test_maps.py` asks more of the maps of `utils`.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.common.paths import ROOT

PACKAGES = [path.parent for name in ("autograder", "utils") for path in sorted((ROOT / name).rglob("__init__.py"))]
# A line of a map: names in its first column, and what they are in the next; or a row of a table.
LINE = re.compile(r"(?m)^(?: *|\| (?=`))(\S+(?:, \S+)*)(?: {2,}| \| )\S")
NAME = re.compile(r"[a-z][a-z0-9_/]+(?:\.py)?")
FILE = re.compile(r"[\w/]+\.py\b")
HEAVY = ("torch", "numpy", "nbformat", "nbgrader", "nbconvert", "jupytext", "sqlalchemy", "IPython", "matplotlib")
SAYS = re.compile(r"imports\s+nothing\s+heavy", re.IGNORECASE)
IMPORTED = "import sys, {module}\nprint(*[name for name in {heavy} if name in sys.modules])"


def doc_of(path: Path) -> str:
    return ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""


def present(folder: Path) -> set[str]:
    """The modules and packages that there are."""
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
    return modules | {path.parent.name for path in folder.glob("*/__init__.py")}


def missing(folder: Path, doc: str) -> set[str]:
    """Return the modules and packages that a map does not name."""
    return {name for name in present(folder) if not re.search(rf"(?<![\w-]){name}(?![\w-])", doc)}


def gone(folder: Path, doc: str) -> set[str]:
    """Return the names of files, and of a map's lines, that are neither a file nor defined in the package itself."""
    names = {name for name in FILE.findall(doc) if name.islower()}
    for column in LINE.findall(doc):
        names |= {name for name in column.replace("`", "").split(", ") if NAME.fullmatch(name)}
    places = (folder, *folder.glob("*/"), ROOT / "autograder", ROOT / "utils", ROOT)
    files = {name for name in names for place in places if (place / name).exists() or (place / f"{name}.py").exists()}
    own = folder / "__init__.py"
    defined = {name for name in names if own.is_file() and f"\ndef {name}(" in own.read_text(encoding="utf-8")}
    return names - files - defined


@pytest.mark.parametrize("folder", PACKAGES, ids=lambda folder: folder.relative_to(ROOT).as_posix())
def test_a_map_names_every_module_and_none_that_is_gone(folder):
    doc = doc_of(folder / "__init__.py")
    assert (missing(folder, doc), gone(folder, doc)) == (set(), set())


def test_a_module_that_is_missing_or_gone_is_noticed(tmp_path):
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("")
    assert missing(tmp_path, "    one    what it is") == {"two"}
    assert gone(tmp_path, "    one, three    what they are\n    four.py    gone, see five.py") == {
        "three",
        "four.py",
        "five.py",
    }
    assert gone(tmp_path, "    one, two    what they are") == set()


LIGHT = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for name in ("autograder", "utils")
    for path in sorted((ROOT / name).rglob("*.py"))
    if path.name != "__init__.py" and SAYS.search(path.read_text(encoding="utf-8")) and SAYS.search(doc_of(path))
]


def test_modules_say_that_they_import_nothing_heavy():
    assert len(LIGHT) >= 12


@pytest.mark.parametrize("module", LIGHT)
def test_a_module_that_says_so_imports_nothing_heavy(module):
    code = IMPORTED.format(module=module, heavy=HEAVY)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
