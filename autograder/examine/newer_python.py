"""Cells that a newer Python than this one can read: the student's computer may have it."""

import re
import sys

HERE = ".".join(map(str, sys.version_info[:2]))
# Signs of newer syntax, and the version that brought it. They are searched only in a cell that this Python cannot
# parse.
SIGNS = (
    (r"^\s*(?:async\s+)?(?:def|class)\s+\w+\s*\[|^\s*type\s+\w+\s*(?:\[[^=]*\])?\s*=", (3, 12)),  # PEP 695
    (r"^\s*except\s+\w+\s*,\s*\w+", (3, 14)),  # PEP 758
    (r"(?<!\w)t[\"']", (3, 14)),  # PEP 750
)


def needed_python(source: str, exception: str, here: tuple[int, ...] = sys.version_info[:3]) -> str:
    """Return the version of Python that a cell most likely needs, as "3.12"; "" where this one is new enough.

    source: the cell's text. exception: the error that ended the cell.
    """
    if not exception.startswith("SyntaxError"):
        return ""
    # PEP 701: since 3.12 an f-string may have its own quotes inside.
    found = [(3, 12)] if "f-string" in exception else []
    found += [version for sign, version in SIGNS if re.search(sign, source, re.MULTILINE)]
    return ".".join(map(str, max(found))) if found and max(found) > here[:2] else ""
