"""Library calls that do a whole question's work, where a course does not allow them.

PyTorch has ready-made attention. A course that does not allow students to use it says so in its nbgrader_config.py; a
question whose answer names such a call then earns nothing, and the verdict says why:

    c.Examine.not_allowed = ["scaled_dot_product_attention", "MultiheadAttention", "multi_head_attention_forward"]

The workbook's own ready-made functions, meant for later in a lesson, are not allowed as an answer in any course: they
are `[[ready_made]]` in the lesson's `mistakes.toml`. Names are searched in the code's syntax tree, not in comments or
strings. A student can hide a call; only reading the answer helps then.
"""

import ast
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache

from autograder import mistakes
from autograder.examine.result import Result
from autograder.lesson.text import Lesson
from utils.checks.engine.outcome import WRONG
from utils.common.messages import N_, Message

NOT_ALLOWED = N_("this course asks for your own code here, and `{name}` does all the work")


def refuse_ready_made(result: Result, lesson: Lesson, answers: Mapping[str, str], not_allowed: Collection[str]) -> None:
    """Fail each question whose answer uses a name that is not allowed; `answers` maps grade ids to code."""
    sought = ours(lesson) | set(not_allowed)
    for name, question in lesson.tests.items():
        code = answers.get(name, "")
        used = _used(code, sought) | _used(code, by_hand(lesson).get(name, set()), inside=True)
        graded = result.question(question.grade_id)
        if used and graded:
            reason = Message(NOT_ALLOWED, {"name": min(used)})
            graded.verdicts = [
                replace(verdict, outcome=WRONG, reason=reason, mistake=None) for verdict in graded.verdicts
            ]
            result.flags.append(f"question {name} uses {', '.join(sorted(used))}, which this course does not allow")


@cache
def ours(lesson: Lesson) -> frozenset[str]:
    """Return the workbook's functions that do the whole work of one of the lesson's questions."""
    return frozenset(entry["name"] for entry in mistakes.entries(lesson, "ready_made"))


@cache
def by_hand(lesson: Lesson) -> dict[str, set[str]]:
    """Return, for each question whose text asks for the student's own code, the names that torch has ready made."""
    return {entry["question"]: set(entry["names"]) for entry in mistakes.entries(lesson, "by_hand")}


def _used(code: str, sought: Collection[str], *, inside: bool = False) -> set[str]:
    """Return which names code uses; most code has none of their letters, and is not parsed."""
    if code.isascii() and not any(name.rpartition(".")[2] in code for name in sought):
        return set()
    return named_in(code, inside=inside) & set(sought)


def named_in(code: str, *, inside: bool = False) -> set[str]:
    """Return the names that code uses or imports and does not define itself; none if it does not parse.

    Of `torch.nn.RMSNorm` these are `torch`, `nn`, `RMSNorm` and `nn.RMSNorm`. inside: only those in the bodies of
    functions and classes, because a student may compare the own result with torch's below.
    """
    try:
        tree = ast.parse(code)
        tops = [top for top in tree.body if not inside or isinstance(top, ast.FunctionDef | ast.ClassDef)]
        nodes = [node for top in tops for node in ast.walk(top)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names -= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in nodes:
        if isinstance(node, ast.Attribute):
            owner = getattr(node.value, "attr", None) or getattr(node.value, "id", "")
            names |= {node.attr, f"{owner}.{node.attr}"}
    return names | {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
