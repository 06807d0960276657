"""The folders of a lesson's package: `utils/LESSON/`, and in it `made/`, which the instructors' build writes.

A course may have its own folder `utils`, with lessons, or with questions for a lesson of the workbook. The students'
wheel has the files of both folders in one. On the instructors' side, `add_course_modules` adds the course's folder to
this package; if both folders have a file of one name, the course's file is used.
"""

import importlib
import json
from collections.abc import Iterable
from pathlib import Path

import utils

HERE = Path(utils.__path__[0])
# The folder of a lesson's generated files.
MADE = "made"
# The order in which students take the lessons; a course's wheel has the course's order. Others come after, by name.
ORDER: tuple[str, ...] = tuple(json.loads((HERE / "common" / "order.json").read_text(encoding="utf-8")))
# The course's folder `utils`, after `add_course_modules`.
_of_course: list[Path] = []


def in_order(names: Iterable[str]) -> list[str]:
    """Return lessons' names in the order in which students take them."""
    return sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def names() -> list[str]:
    """Return the names of all lessons in their order; a lesson is a folder with an outline."""
    return in_order({path.parts[-3] for folder in folders() for path in folder.glob(f"*/{MADE}/outline.json")})


def folders(lesson: str = "") -> list[Path]:
    """Return the folders of a lesson's package, or of `utils`: the workbook's, then the course's."""
    return [folder / lesson for folder in (HERE, *_of_course) if (folder / lesson).is_dir()]


def file(lesson: str, name: str) -> Path:
    """Return the path of a lesson's file, the course's if both folders have it; if neither has it, the workbook's."""
    paths = [folder / name for folder in folders(lesson) if (folder / name).is_file()]
    return paths[-1] if paths else HERE / lesson / name


def made(lesson: str, name: str) -> Path:
    """Return the path of a file that the build writes for a lesson."""
    return file(lesson, f"{MADE}/{name}")


def add_course_modules(folder: Path | None) -> None:
    """Add a course's modules to this package, until the process ends.

    folder: the course's `utils`; None for the workbook alone. A lesson that both have gets the modules of both.
    Raises: RuntimeError if the process has the modules of another course.
    """
    if _of_course == [folder] or (folder is None and not _of_course):
        return
    if _of_course:
        # Modules that are imported cannot be exchanged, so that a second course would get those of the first.
        raise RuntimeError(f"This process has the modules of {_of_course[0].parent}")
    if folder is None or not folder.is_dir():
        return
    _of_course.append(folder)
    utils.__path__.append(str(folder))
    for lesson in folder.iterdir():
        if (HERE / lesson.name / "__init__.py").is_file():
            importlib.import_module(f"utils.{lesson.name}").__path__.append(str(lesson))
