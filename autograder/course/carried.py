"""A notebook that carries its modules in itself: one file that works wherever Python has what Colab preinstalls.

A code cell holds the modules, compressed, folded under a title; when run, the cell unpacks them into a folder and puts
that folder on Python's path. A notebook carries neither the folders of other lessons nor texts and fonts of other
languages. Grading drops the cell's content (`autograder.lesson.setup.is_carrier`), because a student's copy of the
modules is not trusted.
"""

import base64
import io
import lzma
import zipfile
from collections.abc import Collection
from pathlib import PurePosixPath
from typing import Any

from nbformat import NotebookNode

from autograder.common.course import Course
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
carried = tempfile.TemporaryDirectory()  # deleted when the kernel stops
zipfile.ZipFile(io.BytesIO(lzma.decompress(base64.b64decode(MODULES)))).extractall(carried.name)
sys.path.insert(0, carried.name)"""
TITLE = N_("The workbook's modules: run this cell and go on, there is nothing to read in it")


def self_contained(notebook: NotebookNode, wheel: bytes, course: Course) -> NotebookNode:
    """Return a released notebook with the modules of a wheel in a cell before its first one."""
    carrying = as_node(notebook)
    workbook = carrying.metadata["workbook"]
    others = course.lessons.keys() - {workbook["lesson"]}
    packed = lzma.compress(_needed(wheel, workbook["language"], others))
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


def _needed(wheel: bytes, language: str, others: Collection[str]) -> bytes:
    """Return an uncompressed zip of the files of a wheel that a lesson needs in a language: none of other lessons."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(wheel)) as whole, zipfile.ZipFile(content, "w") as part:
        for name in sorted(whole.namelist()):
            if _is_needed(PurePosixPath(name), language, others):
                part.writestr(zipfile.ZipInfo(name), whole.read(name))
    return content.getvalue()


def _is_needed(path: PurePosixPath, language: str, others: Collection[str]) -> bool:
    if path.parts[0] != "utils" or path.parts[1] in others:
        return False
    if path.suffix == ".mo":
        return language in (*path.parts, path.stem)
    return path.parent.name != "fonts" or path.stem in (language, "OFL")
