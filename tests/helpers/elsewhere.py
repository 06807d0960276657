"""Runs a notebook without an installed workbook, see `colab_like.py`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy

RUNNER = Path(__file__).with_name("colab_like.py")


def run(notebook: Path, *answers: str, timeout: int = 300) -> dict:
    """Run a notebook without an installed workbook; return each code cell's error and output, by the cell's id."""
    report = notebook.with_suffix(".json")
    packages = {str(Path(numpy.__file__).parents[1])}
    environment = {key: os.environ[key] for key in ("PATH", "HOME") if key in os.environ}
    environment |= {
        "PYTHONPATH": os.pathsep.join(packages),
        "OMP_NUM_THREADS": "1",
        "ATTENTION_WORKBOOK_REHEARSAL": "1",
        "ATTENTION_WORKBOOK_DATA": str(notebook.parent / "data"),
        "IPYTHONDIR": str(notebook.parent / "ipython"),
    }
    command = [sys.executable, "-S", str(RUNNER), str(notebook), str(report), *answers]
    done = subprocess.run(
        command, env=environment, cwd=notebook.parent, timeout=timeout, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {cell["id"]: cell for cell in json.loads(report.read_text())["cells"]}
