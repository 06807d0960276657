"""Notebooks and their cells as nbformat's nodes: functions with types, which nbformat's own functions lack."""

import hashlib
import json
from pathlib import Path
from typing import Any, cast

import nbformat
from nbformat import NotebookNode


def as_node(content: dict[str, Any]) -> NotebookNode:
    """Return a notebook, cell or output, given as plain data or as a node, as a new node: a deep copy."""
    return cast(NotebookNode, nbformat.from_dict(content))


def read_notebook(path: Path) -> NotebookNode:
    """Return the notebook in a file. Raises: nbformat's errors if the file is not a notebook."""
    notebook: NotebookNode = nbformat.read(path, as_version=4)
    return notebook


def code_by_id(notebook: NotebookNode) -> dict[str, str]:
    """Return the code of each code cell by its grade id."""
    return {grade_id(cell): cell.source for cell in notebook.cells if cell.cell_type == "code"}


def grade_id(cell: NotebookNode) -> str:
    """Return nbgrader's id of a cell, "" for a cell without nbgrader's metadata."""
    return str(cell.metadata.get("nbgrader", {}).get("grade_id") or "")


def answer_hash(cell: NotebookNode) -> str:
    """Return a hash of what a student wrote into a cell: its text and its pictures."""
    return hashlib.sha256(json.dumps([cell.source, cell.get("attachments")]).encode()).hexdigest()
