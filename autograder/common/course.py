"""A course: a folder with lessons. The workbook is a course without students; other courses have its lessons as well.

    source/LESSON/   lesson.py, exam.py, mistakes.toml, LANGUAGE.po, variants/, ...   what stays with the instructors
    utils/LESSON/    check.py, cases.py, drawings.py, explorer.py, ..., made/         what students get

The build writes `source/LESSON/LESSON.ipynb` and `utils/LESSON/made/`; an author writes everything else. If the
workbook and the course both have a lesson of one name, the lesson consists of the workbook's part followed by the
course's part, which adds questions. The checks of the added questions are in `more.py`: `check.py` is the workbook's.

A `Course` is handed on from the command line to whatever needs it. Imports nothing heavy.
"""

import hashlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType

from autograder.common.course_file import NAME as COURSE_FILE
from autograder.common.course_file import CourseFile
from autograder.common.errors import CourseError, LessonError
from autograder.common.paths import CONFIG_NAME, ROOT
from utils.common.lessons import MADE, add_course_modules, in_order
from utils.version import __version__

TEXT, EXAM, MISTAKES = "lesson.py", "exam.py", "mistakes.toml"
# Files that make a folder below `source/` a lesson's, and must never reach a student.
PRIVATE = (TEXT, "exam*.py", "mistakes*.toml", "*.po")
# The module of a lesson's checks, and the module of the checks of questions that a course adds to a workbook's lesson.
CHECK, MORE = "check", "more"
NAME = re.compile(r"[a-z][a-z0-9_]*")
# The line of a course's configuration that names its language.
LANGUAGE = re.compile(r"^c\.Translate\.language *= *[\"'](\w+)[\"']", re.MULTILINE)


@dataclass(frozen=True)
class Part:
    """A lesson's two folders in one course, and the name of the module with its checks."""

    source: Path
    utils: Path
    check: str

    @property
    def text(self) -> Path:
        return self.source / TEXT

    @property
    def made(self) -> Path:
        """The folder of the files that the build writes for students."""
        return self.utils / MADE

    def module(self, name: str) -> ModuleType | None:
        """Run the author's module or package `source/LESSON/NAME`; return it, None if there is none."""
        paths = (self.source / f"{name}.py", self.source / name / "__init__.py")
        path = next((path for path in paths if path.is_file()), None)
        owner = "workbook" if path and path.is_relative_to(ROOT / "source") else "course"
        return _module(path, f"{owner}_{self.source.name}_{name}") if path else None

    def has(self, name: str) -> bool:
        """Return whether the author has written this file of `source/LESSON/`."""
        return (self.source / name).is_file()

    def files(self) -> Iterator[Path]:
        """Yield the files that an author has written, in a fixed order."""
        for folder in (self.source, self.utils):
            for path in sorted(folder.rglob("*")):
                generated = path.suffix in (".ipynb", ".pyc") or MADE in path.relative_to(folder).parts
                if path.is_file() and not generated:
                    yield path


@cache
def _module(path: Path, name: str) -> ModuleType:
    folders = [str(path.parent)] if path.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=folders)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # so that the modules of a package can import each other
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Course:
    """A folder with lessons: the workbook's (`ROOT`), or one that an instructor has made."""

    folder: Path

    def __post_init__(self) -> None:
        # Courses are compared by their folders. nbgrader's converters call the course's folder ".", so it is resolved.
        object.__setattr__(self, "folder", self.folder.resolve())

    @classmethod
    def around(cls, folder: Path) -> "Course":
        """Return the course that contains a folder; the workbook if none does."""
        folders = (above for above in (folder, *folder.parents) if (above / CONFIG_NAME).is_file())
        return cls(next(folders, ROOT))

    def __str__(self) -> str:
        return str(self.folder)

    def __truediv__(self, name: str | Path) -> Path:
        """Return a path in the course's folder: `course / "gradebook.db"`."""
        return self.folder / name

    @property
    def is_workbook(self) -> bool:
        return self.folder == ROOT.resolve()

    @property
    def language(self) -> str:
        """The language in which commands speak, as a line of the configuration names it, which is not run for that."""
        path = self / CONFIG_NAME
        lines = LANGUAGE.findall(path.read_text(encoding="utf-8", errors="replace")) if path.is_file() else []
        return os.environ.get("COURSE_LANGUAGE") or (lines[-1] if lines else "en")

    @property
    def settings(self) -> CourseFile:
        """What `course.toml` sets. Raises: CourseError, for a table that is named as no lesson is, too."""
        settings = CourseFile.of(self.folder)
        if unknown := sorted(settings.by_lesson.keys() - self.lessons):
            raise CourseError(
                "{file}: [{name}] is not the name of a lesson; the lessons are: {lessons}.",
                file=self / COURSE_FILE,
                name=unknown[0],
                lessons=", ".join(self.lessons),
            )
        return settings

    @property
    def utils(self) -> Path:
        return self.folder / "utils"

    @cached_property
    def own(self) -> dict[str, Part]:
        """The lessons, and questions for lessons of the workbook, whose folders are in this course.

        Raises: CourseError for a name that cannot be used.
        """
        return _parts(self.folder)

    @cached_property
    def lessons(self) -> dict[str, tuple[Part, ...]]:
        """The parts of each lesson, the workbook's first; lessons in the order in which students take them."""
        parts: dict[str, tuple[Part, ...]] = {name: (part,) for name, part in WORKBOOK.own.items()}
        if not self.is_workbook:
            parts |= {name: (*parts.get(name, ()), part) for name, part in self.own.items()}
        return parts

    @property
    def adds(self) -> bool:
        """Whether the course has lessons or questions that the workbook lacks."""
        return not self.is_workbook and bool(self.own)

    def parts_of(self, name: str) -> tuple[Part, ...]:
        """Return a lesson's parts. Raises: LessonError, which lists the lessons, for an unknown one."""
        if name not in self.lessons:
            raise LessonError(
                "There is no lesson {name!r}; the lessons are: {lessons}.", name=name, lessons=", ".join(self.lessons)
            )
        return self.lessons[name]

    def in_order(self) -> list[str]:
        """Return the lessons that `course.toml` names, in its order; all of them if it names none.

        Raises: LessonError for a name that no lesson has.
        """
        for name in self.settings.lessons:
            self.parts_of(name)
        return list(self.settings.lessons or self.lessons)

    def source_of(self, name: str) -> Path:
        """Return the folder of an assignment's instructor notebook."""
        return self.folder / "source" / name

    def is_lesson(self, folder: Path) -> bool:
        """Return whether a folder below `source/` is a lesson's: by its name, or by what is in it."""
        return folder.name in self.lessons or any(next(folder.glob(pattern), None) for pattern in PRIVATE)

    def add_modules(self) -> None:
        """Add the course's modules to the package `utils` of this process.

        Raises: CourseError if the process has the modules of another course already.
        """
        try:
            add_course_modules(self.utils if self.adds else None)
        except RuntimeError as error:
            raise CourseError(f"{error}; start another process for {self.folder}.") from None

    @property
    def version(self) -> str:
        """The version of the modules that students get: the workbook's, and a hash of all files that students get."""
        own = [path for part in self.own.values() for path in part.files()] if self.adds else []
        settings = [self / COURSE_FILE] if (self / COURSE_FILE).is_file() else []
        return f"{__version__}+{_hash([*modules(), *own, *settings])}"

    def made_from(self, part: Part) -> str:
        """Return a hash of the files that a part's generated files depend on, without the course's settings."""
        return _hash([*modules(), *part.files()])


def modules() -> list[Path]:
    """Return the workbook's files that students get."""
    paths = sorted((ROOT / "utils").rglob("*.*"))
    return [path for path in paths if path.is_file() and path.suffix != ".pyc" and path.name[0] != "."]


def _hash(files: list[Path]) -> str:
    """Return a hash of the files' names and contents, which does not depend on where the course's folder is."""
    content = hashlib.sha256()
    for path in files:
        # The folder of `course.toml` is the course's, which may be renamed.
        folder = "" if path.name == COURSE_FILE else path.parent.name
        content.update(f"{folder}/{path.name}\0".encode() + path.read_bytes())
    return content.hexdigest()[:8]


def _parts(folder: Path) -> dict[str, Part]:
    """Return a folder's lessons by name. Raises: CourseError for a name that cannot be used."""
    parts = {}
    for text in sorted((folder / "source").glob(f"*/{TEXT}")):
        name = text.parent.name
        in_workbook = (ROOT / "source" / name / TEXT).is_file()
        # A new lesson called `checks` or `download` would hide the workbook's module of that name.
        modules_there = (ROOT / "utils" / f"{name}.py", ROOT / "utils" / name)
        taken = not in_workbook and any(path.exists() for path in modules_there)
        if taken or not NAME.fullmatch(name):
            raise CourseError(
                "{name} cannot be a lesson's name; use lower case, digits and underscores.", name=text.parent
            )
        parts[name] = Part(text.parent, folder / "utils" / name, MORE if in_workbook and folder != ROOT else CHECK)
    return {name: parts[name] for name in in_order(parts)}


WORKBOOK = Course(ROOT)
