"""The keys of the result store: hashes of everything that an entry depends on.

    cells      environment · lesson · limits · every cell so far
    question   the same up to its test cell · the hidden call · exam · seed

Environment and `digest` are in `hashes.py`.
"""

import functools
import inspect
import types
from typing import Any

from autograder import mistakes
from autograder.examine.hashes import digest
from autograder.exams import reference
from autograder.exams.exam import exams_of
from autograder.lesson.text import Lesson


@functools.cache
def exam_hash(lesson: Lesson, question: str) -> str:
    """Return a hash of everything that decides a question: its exam with all that it calls, reference and mistakes."""
    exam = exams_of(lesson)[question]
    catalogue = mistakes.load(lesson)
    return digest(
        [_meaning(test.function) for test in exam.tests.values()],
        [[t.name, t.ask, t.weight, t.tolerance.rtol, t.tolerance.atol] for t in exam.tests.values()],
        exam.sizes,
        [cell.code for cell in lesson.of_role("given", "solution")],
        [[m, catalogue[m].replacements, catalogue[m].says] for m in reference.mistakes_of(lesson, question)],
        [[c.id, sorted(c.of), c.says] for c in mistakes.classes_of(lesson)],
    )


def _meaning(function: Any) -> list[str]:
    """Return the compiled code of a function, and the code or value of every module-level name that it uses,
    recursively.

    Compiled code lists the names that it uses, and needs no source file.
    """
    meanings: dict[str, str] = {}
    waiting = [function]
    while waiting:
        current = waiting.pop()
        codes = _codes(current.__code__)
        defaults = [current.__defaults__, current.__kwdefaults__]
        meanings[current.__qualname__] = repr([*defaults, *map(_instructions, codes)])
        for name in {name for code in codes for name in code.co_names}:
            value = current.__globals__.get(name)
            if inspect.isfunction(value) and value.__qualname__ not in meanings:
                waiting.append(value)
            elif isinstance(value, int | float | str | tuple):
                meanings[name] = repr(value)
    return [f"{name} {meaning}" for name, meaning in sorted(meanings.items())]


def _codes(code: types.CodeType) -> list[types.CodeType]:
    """Return a function's code and that of the functions written inside it."""
    return [code, *(nested for constant in code.co_consts if _is_code(constant) for nested in _codes(constant))]


def _instructions(code: types.CodeType) -> tuple[Any, ...]:
    constants = [sorted(c, key=repr) if isinstance(c, frozenset) else c for c in code.co_consts if not _is_code(c)]
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars)


def _is_code(constant: Any) -> bool:
    return isinstance(constant, types.CodeType)
