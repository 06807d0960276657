"""Notebooks and their cells as nbformat's nodes, with types: nbformat's own functions promise none."""

import hashlib
import json
from pathlib import Path
from typing import Any, cast

import nbformat
from nbformat import NotebookNode


def as_node(content: dict[str, Any]) -> NotebookNode:
    """Return a notebook, cell or output made of plain data, or a copy of one that shares nothing with it."""
    return cast(NotebookNode, nbformat.from_dict(content))


def read_notebook(path: Path) -> NotebookNode:
    """Return the notebook in a file. Raises: whatever nbformat makes of a file that is none."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    return notebook


def code_by_id(notebook: NotebookNode) -> dict[str, str]:
    """Return the code of each code cell by its grade id."""
    return {grade_id(cell): cell.source for cell in notebook.cells if cell.cell_type == "code"}


def grade_id(cell: NotebookNode) -> str:
    """Return the id by which nbgrader knows a cell, "" where it knows none."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id") or "")


def answer_hash(cell: NotebookNode) -> str:
    """Return a hash of what a student wrote into a cell: its text and its pictures."""
    return hashlib.sha256(json.dumps([cell.source, cell.get("attachments")]).encode()).hexdigest()
