"""A notebook that carries its modules in itself: one file that works wherever Python has what Colab preinstalls.

The modules travel in a code cell of their own, compressed, folded under a title. It unpacks them where the first cell
of every notebook then finds them. Only what the lesson needs is carried: its checks' answers and its outline, the
catalogue of its language, the scenes' features where it uses them. While grading the cell's content is dropped
(`autograder.lesson.setup.is_carrier`): a student's copy of the modules is not trusted.
"""

import base64
import io
import lzma
import textwrap
import zipfile
from pathlib import PurePosixPath
from typing import Any

from nbformat import NotebookNode

from autograder.common.nodes import as_node
from autograder.lesson.setup import CARRIER_ID, CARRIER_TITLE
from autograder.lesson.translation import message
from utils.common.messages import N_

# Characters of a line of data; editors are slow with lines of a million.
WIDTH = 118
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
carried = tempfile.TemporaryDirectory()  # goes when the kernel stops
zipfile.ZipFile(io.BytesIO(lzma.decompress(base64.b64decode(MODULES)))).extractall(carried.name)
sys.path.insert(0, carried.name)"""
TITLE = N_("The workbook's modules: run this cell and go on, there is nothing to read in it")


def self_contained(notebook: NotebookNode, wheel: bytes) -> NotebookNode:
    """Return a released notebook with the modules of a wheel in a cell before its first one."""
    carrying = as_node(notebook)
    workbook = carrying.metadata["workbook"]
    packed = lzma.compress(_needed(wheel, workbook["lesson"], workbook["language"]), preset=9)
    data = "\n".join(textwrap.wrap(base64.b64encode(packed).decode(), WIDTH))
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


def _needed(wheel: bytes, lesson: str, language: str) -> bytes:
    """Return a zip, not compressed, of the modules that a lesson needs in a language."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(wheel)) as whole, zipfile.ZipFile(content, "w") as part:
        for name in sorted(whole.namelist()):
            if _is_needed(PurePosixPath(name), lesson, language):
                part.writestr(zipfile.ZipInfo(name), whole.read(name))
    return content.getvalue()


def _is_needed(path: PurePosixPath, lesson: str, language: str) -> bool:
    if path.parts[0] != "utils":
        return False
    if path.suffix == ".json" and path.parent.name in ("answers", "outlines"):
        return path.stem == lesson
    if path.suffix == ".mo":
        return language in path.parts
    if path.parent.name == "fonts":
        return path.stem in (language, "OFL")
    return path.suffix != ".npz" or lesson == "captioning"
