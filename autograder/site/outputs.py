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
from autograder.common.paths import ROOT, write_whole
from autograder.lesson.setup import STANDING_NAME
from autograder.lesson.text import Lesson
from utils.checks.answer_key import ANSWERS
from utils.common.messages import LANGUAGE_VARIABLE, LOCALE

KEPT = ROOT / ".site"
# Of one cell, in seconds; the longest training takes two minutes.
TIMEOUT = 1800
# Cells for the students' own trials, and the table of what a student has done.
NOT_RUN = ("", STANDING_NAME)
# Run behind the lesson: the modules of ours that it has loaded.
USED = """\
import json as _json, sys as _sys
_files = {getattr(module, "__file__", None) or "" for module in list(_sys.modules.values())}
print(_json.dumps(sorted(_files)))"""
# A cell's outputs as nbformat has them, by the cell's id.
Outputs = dict[str, list[NotebookNode]]


def outputs_of(lesson: Lesson, language: str, *, run: bool = True) -> Outputs:
    """Return what each code cell shows, from an earlier run where that still holds.

    Without `run`, what was kept is taken as it is, and nothing where nothing was kept.
    Raises: BuildError, naming the cell, when the lesson does not run.
    """
    path = KEPT / f"{language}-{lesson.name}.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if run and (not kept or kept["made_from"] != made_from(lesson, kept["made_from"])):
        outputs, files = executed(lesson, language)
        kept = {"made_from": made_from(lesson, files), "outputs": outputs}
        write_whole(path, json.dumps(kept, indent=1, ensure_ascii=False))
    return {name: [NotebookNode(one) for one in shown] for name, shown in kept.get("outputs", {}).items()}


def made_from(lesson: Lesson, files: Iterable[str]) -> dict[str, str]:
    """Return a hash of the lesson's code under the lesson's name, and of each file; "" of one that is gone."""
    code = json.dumps([cell.code for cell in lesson.cells if cell.kind == "code"])
    paths = {name: ROOT / name for name in files if name != lesson.name}
    hashes = {name: _hash(path.read_bytes()) if path.is_file() else "" for name, path in paths.items()}
    return {lesson.name: _hash(code.encode())} | hashes


def executed(lesson: Lesson, language: str) -> tuple[dict[str, Any], list[str]]:
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
        client = NotebookClient(notebook, timeout=TIMEOUT, coalesce_streams=True, kernel_name="python3")
        try:
            client.execute(cwd=folder, env=environment)
        except CellExecutionError as error:
            raise BuildError(f"The lesson {lesson.name} does not run with the reference in its gaps: {error}") from None
    used = json.loads(notebook.cells.pop().outputs[0].text)
    files = [Path(name) for name in used if Path(name).is_relative_to(ROOT / "utils")]
    files += [*ANSWERS.glob(f"{lesson.name}.json"), *(LOCALE / language).rglob("*.mo")]
    return {cell.id: cell.outputs for cell in notebook.cells}, sorted(str(path.relative_to(ROOT)) for path in files)


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:20]
