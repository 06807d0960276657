"""Runs a lesson's notebook as a student's computer would; a script, because nothing of the workbook may be loaded.

    python -S as_a_student.py REQUEST ANSWER      in the folder of the notebook's wheel

REQUEST is JSON: `cells`, pairs of a name and a source in the notebook's order; `mistakes`, of each its id, the cell,
the wrong source and the names of the test cells to run after it; `hidden`, packages that students do not have; `paths`,
folders of packages. ANSWER gets a line of JSON for each cell before it runs, and for each error.
"""

import contextlib
import io
import json
import os
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, TextIO


def main(request: Path, answer: Path) -> None:
    wanted = json.loads(request.read_text(encoding="utf-8"))
    hidden = set(wanted["hidden"])

    class Hide(PathFinder):
        @classmethod
        def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> Any:
            return None if fullname.partition(".")[0] in hidden else super().find_spec(fullname, path, target)

    sys.meta_path[sys.meta_path.index(PathFinder)] = Hide
    sys.path[:1] = ["", *wanted["paths"]]  # in place of this script's folder
    os.environ["MPLBACKEND"] = "agg"
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    with answer.open("w", encoding="utf-8") as lines:
        for name, source in wanted["cells"]:
            run(shell, lines, name, source, "")
        sources = dict(wanted["cells"])
        for mistake in wanted["mistakes"]:
            run(shell, lines, mistake["cell"], mistake["source"], mistake["id"])
            for name in mistake["tests"]:
                run(shell, lines, name, sources[name], mistake["id"])
            run(shell, lines, mistake["cell"], sources[mistake["cell"]], "")
    os._exit(0)  # threads that the lesson has left cannot hold it up


def run(shell: Any, lines: TextIO, cell: str, source: str, mistake: str) -> None:
    """Run one cell, and report its error."""

    def report(kind: str, text: str) -> None:
        lines.write(json.dumps({"cell": cell, "mistake": mistake, "kind": kind, "text": text}) + "\n")
        lines.flush()

    report("", "")
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        result = shell.run_cell(source)
    if error := result.error_before_exec or result.error_in_exec:
        report(type(error).__name__, " ".join(str(error).split())[:500])


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
