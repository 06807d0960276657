"""The notebook that runs this kernel, as it was last saved: its language, and what a student wrote into it.

No kernel is told its notebook's file. Jupyter names it when the kernel starts (`JPY_SESSION_NAME`), VS Code in a name
of the notebook's own, Colab answers when it is asked. Where a program runs the notebook (`nbconvert --execute`), or the
file was renamed since, the lessons that lie in the kernel's folder are looked at.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

# Of the kernel's folder at most so many notebooks are read, none of them larger than this (bytes).
MOST = 50
LARGEST = 50 * 2**20


def running_shell() -> Any:
    """Return the IPython that runs the cells; None, without loading it, where no kernel has."""
    return sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None


def session() -> str:
    """Return the name that a front end gave the notebook, "" where none did."""
    name = os.environ.get("JPY_SESSION_NAME", "")
    if not name and (shell := running_shell()):
        name = shell.user_ns.get("__vsc_ipynb_file__", "")
    return str(name)


def is_open() -> bool:
    """Return whether a person has the notebook open in a front end; False where a program runs it."""
    return bool(session()) or "google.colab" in sys.modules


def candidates() -> list[dict[str, Any]]:
    """Return the notebook that runs this kernel; where that is not known, all lessons in its folder."""
    if "google.colab" in sys.modules:
        from google.colab import _message

        answer = _message.blocking_request("get_ipynb", timeout_sec=5)
        return [answer["ipynb"]] if answer else []
    name = session()
    # Jupyter's name is relative to the server's root, the kernel's folder is the notebook's own.
    for path in (Path(name), Path.cwd() / Path(name).name):
        if name and path.is_file():
            return [_read(path)]
    found = [_read(path) for path in sorted(Path.cwd().glob("*.ipynb"))[:MOST] if path.stat().st_size <= LARGEST]
    return [notebook for notebook in found if workbook(notebook)]


def workbook(notebook: dict[str, Any]) -> dict[str, Any]:
    """Return what the build wrote into a notebook's metadata: its lesson and its language."""
    metadata = notebook.get("metadata")
    found = metadata.get("workbook") if isinstance(metadata, dict) else None
    return found if isinstance(found, dict) else {}


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
