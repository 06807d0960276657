"""What a lesson's cells show when the reference stands in the gaps: run once, kept until what it was made from changes.

A run takes minutes, so each is kept in `.site/LANGUAGE-LESSON.json` with a hash of every file that it used: the code
of the cells, the modules that were loaded, the checks' answers, the messages. Prose is no part of it, and neither is
the rest of the workbook: a mended sentence runs nothing.
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
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook

from autograder.common.errors import BuildError
from autograder.common.nodes import as_node
from autograder.common.paths import ROOT, write_whole
from autograder.lesson.setup import SETUP_NAME, STANDING_NAME
from autograder.lesson.text import Lesson
from utils.checks.engine.answer_key import ANSWERS
from utils.common.messages import LANGUAGE_VARIABLE, LOCALE

KEPT = ROOT / ".site"
# Of one cell, in seconds; the longest training takes two minutes.
TIMEOUT = 1800
# Cells for the students' own trials, what finds the modules, and the table of what a student has done.
NOT_RUN = ("", SETUP_NAME, STANDING_NAME)
# Run behind the lesson: the modules of ours that it has loaded.
USED = """\
import json as _json, sys as _sys
_files = {getattr(module, "__file__", None) or "" for module in list(_sys.modules.values())}
print(_json.dumps(sorted(_files)))"""
# A cell's outputs as nbformat has them, by the cell's id.
Outputs = dict[str, list[NotebookNode]]


def kept(lesson: Lesson, language: str) -> Outputs:
    """Return what each code cell has shown in the run that was kept, nothing where none was."""
    outputs = _read(lesson, language).get("outputs", {})
    return {name: [as_node(one) for one in shown] for name, shown in outputs.items()}


def is_fresh(lesson: Lesson, language: str) -> bool:
    """Return whether a run was kept, of the lesson and the modules as they are now."""
    files: dict[str, str] = _read(lesson, language).get("made_from", {})
    return bool(files) and files == made_from(lesson, files)


async def keep(lesson: Lesson, language: str) -> None:
    """Run a lesson, and keep what its cells show. Raises: BuildError, naming the cell, when it does not run."""
    outputs, files = await executed(lesson, language)
    content = {"made_from": made_from(lesson, files), "outputs": outputs}
    write_whole(_path(lesson, language), json.dumps(content, indent=1, ensure_ascii=False))


def _path(lesson: Lesson, language: str) -> Path:
    return KEPT / f"{language}-{lesson.name}.json"


def _read(lesson: Lesson, language: str) -> dict[str, Any]:
    path = _path(lesson, language)
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return content


def made_from(lesson: Lesson, files: Iterable[str]) -> dict[str, str]:
    """Return a hash of the lesson's code under the lesson's name, and of each file; "" of one that is gone."""
    code = json.dumps([cell.code for cell in lesson.cells if cell.kind == "code"])
    paths = {name: ROOT / name for name in files if name != lesson.name}
    hashes = {name: _hash(path.read_bytes()) if path.is_file() else "" for name, path in paths.items()}
    return {lesson.name: _hash(code.encode())} | hashes


async def executed(lesson: Lesson, language: str) -> tuple[dict[str, Any], list[str]]:
    """Run a lesson with the reference in its gaps; return what its cells show, and the files that this came from."""
    codes = {cell.grade_id: cell.code for cell in lesson.cells if cell.kind == "code" and cell.name not in NOT_RUN}
    notebook = new_notebook(cells=[new_code_cell(code, id=name) for name, code in codes.items()])
    notebook.cells.append(new_code_cell(USED, id="used"))
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "OMP_NUM_THREADS": "1",  # sums in one order, so that a run can be repeated
            "IPYTHONDIR": str(Path(folder, "ipython")),
            LANGUAGE_VARIABLE: language,
        }
        quiet = ["--IPKernelApp.log_level=ERROR"]  # it would warn that it speaks to this computer unencrypted
        client = NotebookClient(
            notebook, timeout=TIMEOUT, coalesce_streams=True, kernel_name="python3", extra_arguments=quiet
        )
        try:
            await client.async_execute(cwd=folder, env=environment)
        except CellExecutionError as error:
            raise BuildError(f"The lesson {lesson.name} does not run with the reference in its gaps: {error}") from None
    used = json.loads(notebook.cells.pop().outputs[0].text)
    files = [Path(name) for name in used if Path(name).is_relative_to(ROOT / "utils")]
    files += [*ANSWERS.glob(f"{lesson.name}.json"), *(LOCALE / language).rglob("*.mo")]
    return {cell.id: cell.outputs for cell in notebook.cells}, sorted(str(path.relative_to(ROOT)) for path in files)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]
