"""The outputs of a lesson whose gaps the reference fills: run once, kept until anything the run depends on changes.

A run takes minutes, so its outputs are kept in `.site/LANGUAGE-LESSON.json`, with a hash of the code of the cells and
of each file that the run used: the modules of `utils` that were loaded, the checks' answers, the messages. Prose and
all other files are left out, so that a corrected sentence starts no run.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_code_cell, new_notebook

from autograder.common.errors import BuildError
from autograder.common.paths import ROOT, write_whole
from autograder.lesson.setup import SETUP_NAME, STANDING_NAME
from autograder.lesson.text import Lesson
from utils.checks.engine.answer_key import ANSWERS
from utils.common import lessons
from utils.common.messages import LANGUAGE_VARIABLE, LOCALE

KEPT = ROOT / ".site"
# The time limit of one cell, in seconds. The longest training takes two minutes.
TIMEOUT = 1800
# Names of cells that are not run: the students' own trials (which lack a name), the first cell, which finds the
# modules, the one that asks about the student's code, here the reference's, and the last, a table of the progress.
NOT_RUN = ("", SETUP_NAME, "ask", STANDING_NAME)
# A cell that is run after the lesson, and prints the files of all modules that are loaded.
USED = """\
import json as _json, sys as _sys
print(_json.dumps([getattr(module, "__file__", None) or "" for module in list(_sys.modules.values())]))"""
# Outputs, in nbformat's form, by the id of their cell.
Outputs = dict[str, list[NotebookNode]]


def kept(lesson: Lesson, language: str) -> Outputs:
    """Return the outputs of each code cell in the kept run; empty if no run was kept."""
    by_cell = _read(lesson, language)["outputs"]
    return {name: [from_dict(output) for output in outputs] for name, outputs in by_cell.items()}


def is_fresh(lesson: Lesson, language: str) -> bool:
    """Return whether a run is kept, and nothing that it depends on has changed."""
    files = _read(lesson, language)["made_from"]
    return bool(files) and files == made_from(lesson, files)


async def keep(lesson: Lesson, language: str) -> None:
    """Run a lesson and keep its outputs. Raises: BuildError, naming the cell, when a cell fails."""
    outputs, files = await executed(lesson, language)
    content = {"made_from": made_from(lesson, files), "outputs": outputs}
    write_whole(_path(lesson, language), json.dumps(content, indent=1, ensure_ascii=False))


def _path(lesson: Lesson, language: str) -> Path:
    return KEPT / f"{language}-{lesson.name}.json"


def _read(lesson: Lesson, language: str) -> dict[str, Any]:
    path = _path(lesson, language)
    content: dict[str, Any] = {"made_from": {}, "outputs": {}}
    return content | json.loads(path.read_text(encoding="utf-8")) if path.is_file() else content


def made_from(lesson: Lesson, files: Iterable[str]) -> dict[str, str]:
    """Return hashes of everything that a run depends on: the lesson's code, under the lesson's name, and each file.

    files: paths relative to the workbook, or the keys of an earlier result, of which the lesson's name is skipped.
    The hash of a missing file is "".
    """
    code = json.dumps([cell.code for cell in lesson.cells if cell.kind == "code"])
    paths = {name: ROOT / name for name in files if name != lesson.name}
    hashes = {name: _hash(path.read_bytes()) if path.is_file() else "" for name, path in paths.items()}
    return {lesson.name: _hash(code.encode())} | hashes


def codes_of(lesson: Lesson) -> dict[str, str]:
    """Return the code of the cells that are run, by their ids; the pages show optional parts, too."""
    codes = {cell.grade_id: cell.code for cell in lesson.cells if cell.kind == "code" and cell.name not in NOT_RUN}
    return {"optional": "OPTIONAL = True"} | codes


async def executed(lesson: Lesson, language: str) -> tuple[dict[str, Any], list[str]]:
    """Run a lesson with the reference in its gaps; return its cells' outputs, and the files that the run used.

    Raises: BuildError, naming the cell, when a cell fails.
    """
    codes = codes_of(lesson) | {"used": USED}
    notebook = new_notebook(cells=[new_code_cell(code, id=name) for name, code in codes.items()])
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "OMP_NUM_THREADS": "1",  # With one thread a sum has one order, so that a second run shows the same numbers.
            "IPYTHONDIR": str(Path(folder, "ipython")),
            LANGUAGE_VARIABLE: language,
        }
        # Without this, the kernel warns that its connection on this computer is not encrypted.
        quiet = ["--IPKernelApp.log_level=ERROR"]
        client = NotebookClient(
            notebook, timeout=TIMEOUT, coalesce_streams=True, kernel_name="python3", extra_arguments=quiet
        )
        try:
            await client.async_execute(cwd=folder, env=environment)
        except CellExecutionError as error:
            raise BuildError(f"The lesson {lesson.name} does not run with the reference in its gaps: {error}") from None
    used = map(Path, json.loads(notebook.cells.pop().outputs[0].text))
    files = {path for path in used if path.is_relative_to(ROOT / "utils")}
    # `USED` prints modules only; a run depends on the checks' answers and the messages as well.
    files |= {lessons.file(lesson.name, ANSWERS), *(LOCALE / language).rglob("*.mo")}
    return {cell.id: cell.outputs for cell in notebook.cells}, sorted(str(path.relative_to(ROOT)) for path in files)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]
