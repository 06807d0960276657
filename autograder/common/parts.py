"""Where the parts of a lesson lie: in the workbook, and in the folder `lessons/` of the course of this process.

    part            the workbook's                    a course's, in lessons/NAME/
    text            source/NAME.py                    lesson.py
    checks          utils/checks/NAME.py              check.py
    exams           autograder/exams/NAME.py          exam.py
    small cases     utils/checks/cases/NAME.py        cases.py
    mistakes        autograder/mistakes/NAME.toml     mistakes.toml
    translations    notebooks/LANGUAGE/NAME.po        LANGUAGE.po

Where both exist, the course's part continues the workbook's: the course adds questions to that lesson. Python imports
a course's modules under the names of the first column (`OwnModules`). Imports nothing heavy.
"""

import hashlib
import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from autograder.common import paths
from autograder.common.course_file import NAME as COURSE_FILE
from autograder.common.errors import CourseError
from autograder.common.paths import OWN_TEXT, ROOT, own_lessons
from autograder.common.settings import COURSE_FOLDER
from utils.version import __version__

# Python's package of a part, and the part's name in a course.
MODULES = {"utils.checks": "check.py", "utils.checks.cases": "cases.py", "autograder.exams": "exam.py"}


def texts(name: str) -> list[Path]:
    """Return the texts of a lesson: the workbook's, the course's, or both."""
    return _existing(paths.SOURCE / f"{name}.py", name, OWN_TEXT)


def mistakes(name: str) -> list[Path]:
    """Return the catalogues of a lesson's mistakes."""
    return _existing(ROOT / "autograder" / "mistakes" / f"{name}.toml", name, "mistakes.toml")


def translations(workbooks: Path, language: str, name: str) -> list[Path]:
    """Return the translators' catalogues of a lesson; `workbooks`: the one that the workbook would have."""
    return _existing(workbooks, name, f"{language}.po")


def _existing(workbooks: Path, name: str, own: str) -> list[Path]:
    folder = own_lessons().get(name)
    found = [workbooks, *([folder / own] if folder else [])]
    return [path for path in found if path.is_file()]


def own_files(name: str) -> list[Path]:
    """Return the files of a lesson in the course of this process; none for one of the workbook alone."""
    folder = own_lessons().get(name)
    return sorted(path for path in folder.glob("*.*") if path.is_file()) if folder else []


def version(name: str) -> str:
    """Return the version of a lesson's modules: the workbook's, and for a lesson with parts of a course their hash."""
    if not (files := own_files(name)):
        return __version__
    content = [f"{path.name}\0".encode() + path.read_bytes() for path in files]
    return f"{__version__}+{hashlib.sha256(b'|'.join(content)).hexdigest()[:8]}"


# ---- the students' modules ------------------------------------------------------------------------------


def modules() -> Path:
    """Return the folder `utils` as students have it: the workbook's, or a copy with the course's lessons in it.

    `course/modules.py` makes the copy.
    """
    own = own_lessons()
    return Path(os.environ[COURSE_FOLDER], ".grading", "modules", "utils") if own else ROOT / "utils"


def made_from() -> str:
    """Return a hash of what the copy is made from: the workbook's modules, the course's lessons and settings."""
    found = hashlib.sha256()
    for path in sorted((ROOT / "utils").rglob("*")):
        if "__pycache__" not in path.parts:
            status = path.stat()
            found.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    for name in own_lessons():
        found.update(f"{name} {version(name)}\n".encode())
    settings = Path(os.environ[COURSE_FOLDER], COURSE_FILE)
    found.update(settings.read_bytes() if settings.is_file() else b"")
    return found.hexdigest()


def are_current() -> bool:
    """Return whether `modules()` may be used: it is the workbook's folder, or a copy that is up to date."""
    if not own_lessons():
        return True
    note = modules().with_name("made_from")
    return note.is_file() and note.read_text(encoding="utf-8") == made_from()


# ---- Python's modules of a course -----------------------------------------------------------------------


class OwnModules(MetaPathFinder):
    """Finds the checks, cases and exams of the course of this process under the names of the workbook's packages."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.rpartition(".")
        if package not in MODULES or name not in (own := own_lessons()):
            return None
        part = own[name] / MODULES[package]
        # A wheel's `utils` has the course's lessons in it already.
        in_a_copy = package.startswith("utils") and Path(sys.modules["utils"].__path__[0]) != ROOT / "utils"
        if in_a_copy or not part.is_file():
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is None or spec.loader is None:
            return spec_from_file_location(fullname, part)
        spec.loader = _Continued(spec.loader, part)
        return spec


class _Continued(Loader):
    """Runs one of the workbook's modules, and then a course's file in the same module."""

    def __init__(self, workbooks: Loader, part: Path):
        self.workbooks, self.part = workbooks, part

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.workbooks.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Raises: CourseError where the course's file gives a name of the workbook's another meaning."""
        self.workbooks.exec_module(module)
        before = dict(vars(module))
        exec(compile(self.part.read_bytes(), str(self.part), "exec"), vars(module))
        changed = [name for name, value in before.items() if vars(module)[name] is not value]
        if changed := [name for name in changed if not name.startswith("__")]:
            raise CourseError(
                f"{self.part} gives {', '.join(changed)} another meaning; choose another name, because the "
                "lesson uses this one."
            )


def find_own_modules() -> None:
    """Have Python find a course's modules, from now on in this process."""
    if not any(isinstance(finder, OwnModules) for finder in sys.meta_path):
        sys.meta_path.insert(0, OwnModules())
