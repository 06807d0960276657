"""Library calls that do a whole question's work, where a course does not allow them.

PyTorch has attention ready made, and a course may like that students find it. One that does not says so in its
nbgrader_config.py, and a question whose answer names such a call earns nothing and says why:

    c.Examine.not_allowed = ["scaled_dot_product_attention", "MultiheadAttention", "multi_head_attention_forward"]

What our own modules have ready made for later in a lesson is no answer in any course. The names are looked for in the
code's syntax, not in comments or texts. Who wants to hide a call can; what is left then is to read the answer.
"""

import ast
from collections.abc import Collection, Mapping
from dataclasses import replace

from autograder.examine.result import Result
from autograder.lesson.text import Lesson
from utils.checks.engine.verdict import WRONG
from utils.common.messages import N_, Message

# A beam of width 1 is the greedy search that `seq2seq` asks for. It refuses a check's stand-in, unless it is patched.
OURS = frozenset({"beam_decode"})
NOT_ALLOWED = N_("this course asks for your own code here, and `{name}` does the whole work")


def refuse_ready_made(result: Result, lesson: Lesson, answers: Mapping[str, str], not_allowed: Collection[str]) -> None:
    """Take the points from each question whose answer names what is not allowed; `answers` holds code by grade id."""
    sought = OURS | set(not_allowed)
    for name, question in lesson.tests.items():
        code = answers.get(name, "")
        if code.isascii() and not any(one in code for one in sought):  # Python knows other letters for the same name
            continue
        used = named_in(code) & sought
        graded = result.question(question.grade_id)
        if used and graded:
            reason = Message(NOT_ALLOWED, {"name": min(used)})
            graded.verdicts = [
                replace(verdict, outcome=WRONG, reason=reason, mistake=None) for verdict in graded.verdicts
            ]
            result.flags.append(f"question {name} uses {', '.join(sorted(used))}, which this course does not allow")


def named_in(code: str) -> set[str]:
    """Return the attributes and names that code uses or imports; no names of its own, none where it does not parse."""
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names -= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names | {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
