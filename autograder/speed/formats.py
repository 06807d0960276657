"""Loading jsonschema without its optional checks of strings; saves 1 of 4 CPU seconds of `grade` for one submission."""

import sys
from types import ModuleType
from typing import cast

# If these packages are installed, jsonschema (4.26) uses them to check whether a string is an address, a time or a
# colour. `rfc3987_syntax` compiles a grammar on import.
FORMATS = (
    *("fqdn", "isoduration", "jsonpointer", "rfc3339_validator", "rfc3986_validator", "rfc3987", "rfc3987_syntax"),
    *("uri_template", "webcolors"),
)
# The value in `sys.modules` that makes an import fail.
ABSENT = cast(ModuleType, None)


def leave_out_formats() -> None:
    """Make these packages look as if they were not installed: nbformat loads jsonschema, and needs no such check.

    Call this before jsonschema is imported.
    """
    for name in FORMATS:
        sys.modules.setdefault(name, ABSENT)
