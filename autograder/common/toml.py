"""Reading TOML files: with Python's own tomllib since 3.11, before that with tomli."""

import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


TOMLDecodeError = tomllib.TOMLDecodeError


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file. Raises: OSError, tomllib.TOMLDecodeError."""
    content: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    return content
