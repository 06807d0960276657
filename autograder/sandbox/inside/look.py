"""A search, from inside the first sandbox, for files that students must not see, by name and by content."""

import os
from collections.abc import Iterable, Iterator

# Names of instructors' files: a gradebook, a configuration that may hold a password.
NAMES = {"gradebook.db", "nbgrader_config.py", "jupyter_nbgrader_config.py"}
# A text that occurs in lessons' sources and nowhere else.
SECRET = b"BEGIN HIDDEN TESTS"
TEXTS = (".py", ".ipynb")
# Folders of installed packages and headers are not searched: a whole Python has 50,000 files.
PASSED_OVER = {"site-packages", "dist-packages", "include", "man", "doc", "locale", "terminfo", "zoneinfo"}
# Larger texts are not read (bytes).
LARGEST = 2**20


def found(hidden: Iterable[str], allowed: Iterable[str], searched: Iterable[str]) -> list[str]:
    """Return up to five files that can be seen and should not be, for the error's sentence.

    hidden: folders of which nothing may be seen. allowed: folders below hidden ones that may be. searched: folders in
    which files are instructors' by their name or content.
    """
    seen = [path for place in hidden for path in _files(place, set(allowed))]
    seen += [path for place in searched for path in _files(place, PASSED_OVER) if _gives_away(path)]
    return sorted(set(seen))[:5]


def _files(place: str, passed_over: set[str]) -> Iterator[str]:
    """Yield the files below a folder; folders are passed over by their name or their whole path."""
    for folder, folders, names in os.walk(place):
        folders[:] = [name for name in folders if not {name, os.path.join(folder, name)} & passed_over]
        yield from (os.path.join(folder, name) for name in names)


def _gives_away(path: str) -> bool:
    if os.path.basename(path) in NAMES:
        return True
    if not path.endswith(TEXTS):
        return False
    try:
        with open(path, "rb") as file:
            return os.fstat(file.fileno()).st_size <= LARGEST and SECRET in file.read()
    except OSError:
        return False
