"""The lessons' drawings as files for slides: an SVG each, in each language.

A drawing's SVG has plain colours and system fonts, which LibreOffice, PowerPoint, Keynote and Inkscape can read.
"""

import importlib.util
from pathlib import Path

from autograder.common.course import WORKBOOK
from autograder.lesson.translation import LANGUAGES


def write(folder: Path) -> list[Path]:
    """Write `LANGUAGE/LESSON-DRAWING.svg` into a folder for every drawing; return the files."""
    written = []
    for language in LANGUAGES:
        (folder / language).mkdir(parents=True, exist_ok=True)
        for lesson in WORKBOOK.lessons:
            module = f"utils.{lesson}.drawings"
            drawings = importlib.import_module(module) if importlib.util.find_spec(module) else None
            for name in getattr(drawings, "__all__", ()):
                written.append(folder / language / f"{lesson}-{name}.svg")
                written[-1].write_text(getattr(drawings, name)(language).svg(), encoding="utf-8")
    return written
