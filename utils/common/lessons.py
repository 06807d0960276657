"""Where the files of a lesson's package are: `utils/LESSON/`, and in it `made/`, which the instructors' build writes.

A course may have lessons, or questions for a lesson of the workbook, in a folder `utils` of its own. Students' wheel
has the files of both folders in one. A process of the instructors' side lays the course's folder over this one
(`lay_over`); of a file that both have, the course's counts.
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
# A course's folder `utils`, once it has been laid over this one.
_over: list[Path] = []


def in_order(names: Iterable[str]) -> list[str]:
    """Return lessons' names in the order in which students take them."""
    return sorted(names, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))


def names() -> list[str]:
    """Return the names of all lessons in their order; each has an outline."""
    return in_order({path.parts[-3] for folder in folders() for path in folder.glob(f"*/{MADE}/outline.json")})


def folders(lesson: str = "") -> list[Path]:
    """Return the folders of a lesson's package, or of `utils`: the workbook's, then the course's."""
    return [folder / lesson for folder in (HERE, *_over) if (folder / lesson).is_dir()]


def file(lesson: str, name: str) -> Path:
    """Return the path of a lesson's file; where neither folder has the file, the path that it would have here."""
    there = [folder / name for folder in folders(lesson) if (folder / name).is_file()]
    return there[-1] if there else HERE / lesson / name


def made(lesson: str, name: str) -> Path:
    """Return the path of a file that the build writes for a lesson."""
    return file(lesson, f"{MADE}/{name}")


def lay_over(folder: Path | None) -> None:
    """Have this process find a course's modules as well; a process has one course until its end.

    folder: the course's `utils`; None for the workbook alone. A lesson that both have gets the modules of both.
    Raises: RuntimeError if the process has the modules of another course.
    """
    if _over == [folder] or (folder is None and not _over):
        return
    if _over:
        raise RuntimeError(f"This process has the modules of {_over[0].parent}")
    if folder is None or not folder.is_dir():
        return
    _over.append(folder)
    utils.__path__.append(str(folder))
    for lesson in folder.iterdir():
        if (HERE / lesson.name / "__init__.py").is_file():
            importlib.import_module(f"utils.{lesson.name}").__path__.append(str(lesson))
