"""The result store: what was computed once is not computed again.

Entries are JSON files named by the hash of everything they depend on, written beside their place and
renamed into it, so that a kill at any moment leaves the old state or the new one, never half a file.
"""

import functools
import hashlib
import importlib.metadata
import inspect
import json
import os
import platform
import types
from pathlib import Path
from typing import Any

from autograder.common.paths import ROOT, write_whole
from utils.common.errors import WorkbookError

# Where results are kept, beside the gradebook; the folder can be deleted at any time.
FOLDER_VARIABLE = "ATTENTION_WORKBOOK_STORE"
# Raised when the engine changes what it does with the same inputs.
ENGINE = 1


class StoreError(WorkbookError):
    """The store cannot be written; the sentence says where and why."""


class Store:
    """A folder of JSON files by key."""

    def __init__(self, folder: Path | None = None):
        self.folder = Path(folder or os.environ.get(FOLDER_VARIABLE) or ROOT / ".grading" / "results")

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> Any | None:
        """Return the entry, or None where there is none that can be read."""
        try:
            return json.loads(self._path(key).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None

    def put(self, key: str, entry: Any) -> None:
        """Write an entry, whole or not at all. Raises: StoreError."""
        path = self._path(key)
        try:
            write_whole(path, json.dumps(entry, ensure_ascii=False))
        except OSError as error:
            raise StoreError(
                f"The result cannot be written to {path.parent} ({error.strerror}); nothing that was graded before "
                f"is lost. Make room or set {FOLDER_VARIABLE} to another folder, then run the same command again."
            ) from None


def digest(*parts: Any) -> str:
    """Return a hash of JSON-able parts."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:40]


@functools.cache
def environment() -> str:
    """Return a hash of what runs the code: versions, and the modules that students' code calls."""
    sources = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "utils").rglob("*.py"))]
    versions = [importlib.metadata.version(package) for package in ("torch", "numpy", "ipython")]
    return digest(ENGINE, platform.python_version(), versions, sources)


@functools.cache
def course_hash(lesson: str) -> str:
    """Return a hash of every file on which marks of this lesson depend; cheap, since nothing is imported."""
    files = [ROOT / "source" / f"{lesson}.py", *sorted((ROOT / "autograder").rglob("*.py"))]
    files += sorted((ROOT / "autograder" / "mistakes").glob("*.toml"))
    return digest(environment(), [path.read_text(encoding="utf-8") for path in files if path.is_file()])


@functools.cache
def exam_hash(lesson: str, question: str) -> str:
    """Return a hash of what decides a question: its exam, what the exam calls, the reference, the mistakes."""
    from autograder import mistakes
    from autograder.exams import reference
    from autograder.lesson.text import Lesson

    text = Lesson.load(lesson)
    exam = reference.exams(lesson)[question]
    catalogue = mistakes.load(lesson)
    return digest(
        [_meaning(test.function) for test in exam.tests.values()],
        [[t.name, t.ask, t.weight, t.tolerance.rtol, t.tolerance.atol] for t in exam.tests.values()],
        exam.sizes,
        [cell.code for cell in text.of_role("given", "solution")],
        [[m, catalogue[m].replacements, catalogue[m].says] for m in reference.mistakes_of(lesson, question)],
    )


def _meaning(function: Any) -> list[str]:
    """Return what a function does, and every module-level name that it uses, directly or not: code and constants.

    Of the compiled code, which comes with the names and, unlike the text, need not be found and parsed.
    """
    found: dict[str, str] = {}
    waiting = [function]
    while waiting:
        current = waiting.pop()
        codes = _codes(current.__code__)
        found[current.__qualname__] = repr([current.__defaults__, current.__kwdefaults__, *map(_instructions, codes)])
        for name in {name for code in codes for name in code.co_names}:
            value = current.__globals__.get(name)
            if inspect.isfunction(value) and value.__qualname__ not in found:
                waiting.append(value)
            elif isinstance(value, int | float | str | tuple):
                found[name] = repr(value)
    return [f"{name} {meaning}" for name, meaning in sorted(found.items())]


def _codes(code: types.CodeType) -> list[types.CodeType]:
    """Return a function's code and that of the functions written inside it."""
    return [code, *(nested for constant in code.co_consts if _is_code(constant) for nested in _codes(constant))]


def _instructions(code: types.CodeType) -> tuple:
    constants = [sorted(c, key=repr) if isinstance(c, frozenset) else c for c in code.co_consts if not _is_code(c)]
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars)


def _is_code(constant: Any) -> bool:
    return isinstance(constant, types.CodeType)
