"""Finds the notebook that runs this kernel: its content as last saved, in Colab as it is at the moment.

A kernel does not know its notebook's file. Jupyter writes the file's name into an environment variable
(`JPY_SESSION_NAME`), VS Code into a variable of the notebook, and Colab answers a request. If a program runs the
notebook (`nbconvert --execute`), or the file was renamed since, all lessons in the kernel's folder are candidates.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

# At most this many notebooks in the kernel's folder are read, and only notebooks of at most this many bytes.
MOST = 50
LARGEST = 50 * 2**20


def running_shell() -> Any:
    """Return the IPython shell that runs the cells; None outside of a notebook. Does not import IPython."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def session() -> str:
    """Return the notebook's path or name as the front end (JupyterLab, VS Code) gives it; "" without a front end."""
    name = os.environ.get("JPY_SESSION_NAME", "")
    if not name and (shell := running_shell()):
        name = shell.user_ns.get("__vsc_ipynb_file__", "")
    return str(name)


def is_open() -> bool:
    """Return whether the notebook is open in a front end, and not run by a program."""
    return bool(session()) or "google.colab" in sys.modules


def is_watched() -> bool:
    """Return whether a person may be watching what a cell prints.

    A program that runs a notebook (nbclient, nbconvert) tells the kernel that it accepts no requests for input.
    """
    kernel = getattr(running_shell(), "kernel", None)
    return is_open() or bool(getattr(kernel, "_allow_stdin", True))


def candidates() -> list[dict[str, Any]]:
    """Return the notebook that runs this kernel; if it is not known, all lessons in the kernel's folder."""
    if "google.colab" in sys.modules:
        from google.colab import _message

        answer = _message.blocking_request("get_ipynb", timeout_sec=5)
        return [answer["ipynb"]] if answer else []
    name = session()
    # Jupyter's name is relative to the server's root; the kernel's folder is the notebook's folder.
    for path in (Path(name), Path.cwd() / Path(name).name):
        if path.is_file():
            return [_read(path)]
    notebooks = [_read(path) for path in sorted(Path.cwd().glob("*.ipynb"))[:MOST] if path.stat().st_size <= LARGEST]
    return [notebook for notebook in notebooks if workbook(notebook)]


def workbook(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata that the build wrote into a notebook: lesson and language; {} for any other notebook."""
    metadata = notebook.get("metadata")
    entry = metadata.get("workbook") if isinstance(metadata, dict) else None
    return entry if isinstance(entry, dict) else {}


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
