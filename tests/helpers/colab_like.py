"""Runs a notebook as on a computer that has the packages of Colab, without the workbook.

    python -S colab_like.py NOTEBOOK REPORT [NAME=FILE…]    with the folder of installed packages in PYTHONPATH

`-S` ignores the paths that installed packages add, and so an editable install of the workbook. Packages that Colab
lacks are hidden. The report is JSON with an entry for each code cell: its id, the error that it raised, and its output.
NAME=FILE puts code into the cell with that grade id.
"""

import contextlib
import io
import json
import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path

HIDDEN = (
    "babel", "click", "dask", "distributed", "einops", "hypothesis", "ipykernel", "ipywidgets", "jupyter_core",
    "jupytext", "nbconvert", "nbformat", "nbgrader", "platformdirs", "polib", "pooch", "psutil", "pytest", "rich",
    "sacrebleu", "safetensors", "scipy", "sklearn", "autograder",
)  # fmt: skip


class Hide(PathFinder):
    """Finds modules as Python does, except for those of hidden packages."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            return None
        return super().find_spec(name, path, target)


def main(notebook: Path, report: Path, *answers: str) -> None:
    sys.meta_path[sys.meta_path.index(PathFinder)] = Hide
    sys.path.remove(str(Path(__file__).parent))  # Python adds a script's folder; a notebook has no such path
    sys.path.insert(0, "")
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    config = Config()
    config.HistoryManager.enabled = False
    shell = InteractiveShell.instance(config=config)
    codes = dict(answer.split("=", 1) for answer in answers)
    os.chdir(notebook.parent)
    entries = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", cell["id"])
        source = "".join(cell["source"])
        if grade_id in codes:
            source = Path(codes[grade_id]).read_text(encoding="utf-8")
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            result = shell.run_cell(source)
        error = result.error_before_exec or result.error_in_exec
        kind = type(error).__name__ if error else ""
        entries.append({"id": grade_id, "error": kind, "says": str(error or ""), "output": output.getvalue()})
    modules = {name for name in sys.modules if "." not in name}
    report.write_text(json.dumps({"cells": entries, "modules": sorted(modules)}), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]), *sys.argv[3:])
