"""Loading jsonschema without its optional checks of strings; saves 1 of 4 CPU seconds of `grade` for one submission."""

import sys
from types import ModuleType
from typing import cast

# The packages by which jsonschema (4.26) checks whether a string is an address, a time or a colour, where they are
# installed. `rfc3987_syntax` compiles a grammar on import.
FORMATS = (
    *("fqdn", "isoduration", "jsonpointer", "rfc3339_validator", "rfc3986_validator", "rfc3987", "rfc3987_syntax"),
    *("uri_template", "webcolors"),
)
# What `sys.modules` holds for a module that cannot be imported.
ABSENT = cast(ModuleType, None)


def leave_out_formats() -> None:
    """Have jsonschema, which nbformat loads, treat these packages as not installed; no notebook needs such a check.

    Has to be called before jsonschema is imported.
    """
    for name in FORMATS:
        sys.modules.setdefault(name, ABSENT)
