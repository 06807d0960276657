"""A notebook that carries its modules in itself: one file that works wherever Python has what Colab preinstalls.

A code cell holds the modules, compressed, folded under a title; when run, the cell unpacks them into a folder and puts
that folder on Python's path. Of the data, the notebook carries only what its lesson needs: the checks' answers and
small cases, the outline, the catalogue of its language, and the arrays of packages that it imports. Grading drops the
cell's content (`autograder.lesson.setup.is_carrier`), because a student's copy of the modules is not trusted.
"""

import base64
import io
import lzma
import re
import zipfile
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from nbformat import NotebookNode

from autograder.common.nodes import as_node
from autograder.lesson.setup import CARRIER_ID, CARRIER_TITLE
from autograder.lesson.translation import message
from utils.common.messages import N_

# Characters of a line of data; editors are slow with lines of a million.
WIDTH = 118
IMPORT = re.compile(r"^ *(?:from|import) (utils[\w.]*)(?: import (\([^)]*\)|.*))?", re.MULTILINE)
CELL = """\
{title}
import base64
import io
import lzma
import os
import sys
import tempfile
import zipfile

os.environ["ATTENTION_WORKBOOK_LANGUAGE"] = "{language}"
MODULES = '''
{data}
'''
carried = tempfile.TemporaryDirectory()  # deleted when the kernel stops
zipfile.ZipFile(io.BytesIO(lzma.decompress(base64.b64decode(MODULES)))).extractall(carried.name)
sys.path.insert(0, carried.name)"""
TITLE = N_("The workbook's modules: run this cell and go on, there is nothing to read in it")


def self_contained(notebook: NotebookNode, wheel: bytes) -> NotebookNode:
    """Return a released notebook with the modules of a wheel in a cell before its first one."""
    carrying = as_node(notebook)
    workbook = carrying.metadata["workbook"]
    code = "\n".join(cell.source for cell in carrying.cells if cell.cell_type == "code")
    packed = lzma.compress(_needed(wheel, code, workbook["lesson"], workbook["language"]))
    text = base64.b64encode(packed).decode()
    data = "\n".join(text[start : start + WIDTH] for start in range(0, len(text), WIDTH))
    title = CARRIER_TITLE.format(title=message(TITLE, workbook["language"]))
    cell: dict[str, Any] = {
        "cell_type": "code",
        "execution_count": None,
        "id": CARRIER_ID,
        # Folded in JupyterLab and classic, in VS Code, and by its title in Colab.
        "metadata": {"cellView": "form", "collapsed": True, "jupyter": {"source_hidden": True}},
        "outputs": [],
        "source": CELL.format(title=title, language=workbook["language"], data=data),
    }
    first = next(i for i, other in enumerate(carrying.cells) if other.cell_type == "code")
    carrying.cells.insert(first, as_node(cell))
    return carrying


def _needed(wheel: bytes, code: str, lesson: str, language: str) -> bytes:
    """Return an uncompressed zip of the files of a wheel that a lesson with this code needs in a language."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(wheel)) as whole, zipfile.ZipFile(content, "w") as part:
        files = {name: whole.read(name) for name in sorted(whole.namelist())}
        imports = imported(code, {_dotted(name): text.decode() for name, text in files.items() if name.endswith(".py")})
        for name, data in files.items():
            if _is_needed(PurePosixPath(name), imports, lesson, language):
                part.writestr(zipfile.ZipInfo(name), data)
    return content.getvalue()


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imported(code: str, modules: Mapping[str, str]) -> set[str]:
    """Return those of `modules` (their code by dotted name) that code imports, directly or through another module."""
    found: set[str] = set()
    unread = [code]
    while unread:
        for module, names in IMPORT.findall(unread.pop()):
            new = {module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))} & modules.keys() - found
            found |= new
            unread += [modules[name] for name in new]
    return found


def _is_needed(path: PurePosixPath, imports: set[str], lesson: str, language: str) -> bool:
    """Return whether a lesson that imports these modules needs a file; modules are carried whether imported or not."""
    if path.parts[0] != "utils":
        return False
    if path.suffix == ".json" and path.parent.name in ("answers", "cases", "outlines"):
        return path.stem == lesson
    if path.suffix == ".mo":
        return language in path.parts
    if path.parent.name == "fonts":
        return path.stem in (language, "OFL")
    if path.parent.parent.name == "js":
        return path.parent.name == lesson
    package = _dotted(str(path.parent))
    return path.suffix != ".npz" or any(f"{name}.".startswith(f"{package}.") for name in imports)
