"""The small fonts of `utils/fonts`: for each language, the letters of its figures that matplotlib's own font lacks.

The letters come from Noto Sans CJK (SIL Open Font License: a part of the font may be shipped, with the licence beside
it). Noto Sans CJK has 20 MB and is not on every computer. A small font that has all its letters is therefore left
unchanged; only a new letter requires Noto Sans CJK.
"""

from io import BytesIO
from pathlib import Path
from typing import Any

from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont
from matplotlib import font_manager

from autograder.common.errors import BuildError
from autograder.course import catalogues
from autograder.lesson.translation import TRANSLATED
from utils.common.fonts import PLAIN, family, font_path
from utils.common.messages import without_context

SOURCE, FACE = "NotoSansCJK-Regular.ttc", "Noto Sans CJK SC"
PACKAGE = "fonts-noto-cjk"  # Debian's and Ubuntu's name
# Numbers of a font's names: family, style, unique id, full name, PostScript name; 13, 14: licence.
FAMILY, KIND, IDENTITY, WHOLE, POSTSCRIPT = 1, 2, 3, 4, 6


def fonts() -> dict[Path, bytes]:
    """Return new versions of the fonts that lack a letter. Raises: BuildError if Noto Sans CJK is not there."""
    made = {}
    for language in TRANSLATED:
        letters = needed(language)
        if missing := letters - letters_of(font_path(language)):
            made[font_path(language)] = small(language, letters, missing)
    return made


def needed(language: str) -> set[str]:
    """Return the letters of a language's figures that matplotlib's own font lacks."""
    plain = letters_of(Path(font_manager.findfont(PLAIN)))
    known = catalogues.translations_of(language)
    shown = (known.get(text) or without_context(text) for text in catalogues.labels())
    return set("".join(shown)) - plain - {"\n"}


def letters_of(path: Path) -> set[str]:
    """Return the letters that a font has; none if the file is missing."""
    if not path.is_file():
        return set()
    with TTFont(path) as font:
        return {chr(code) for code in font.getBestCmap()}


def small(language: str, letters: set[str], missing: set[str]) -> bytes:
    """Return a font of these letters alone; `missing` are those that the present font lacks, for the errors."""
    source = next((path for path in font_manager.findSystemFonts() if Path(path).name == SOURCE), None)
    if source is None:
        raise BuildError(
            f"Figures in {language} need {''.join(sorted(missing))}, which {font_path(language).name} "
            f"lacks; to make that font again, install {SOURCE} (on Debian and Ubuntu: apt-get install "
            f"{PACKAGE}) and build again."
        )
    with TTCollection(source, lazy=True) as faces:
        face = next(face for face in faces if face["name"].getDebugName(FAMILY) == FACE)
        if unknown := {letter for letter in missing if ord(letter) not in face.getBestCmap()}:
            raise BuildError(f"Figures in {language} need {''.join(sorted(unknown))}, which {FACE} lacks: use others.")
        options: Any = subset.Options()
        options.hinting = False
        options.layout_features = []
        options.name_IDs = [0, FAMILY, KIND, IDENTITY, WHOLE, POSTSCRIPT, 13, 14]  # with copyright and licence
        subsetter = subset.Subsetter(options)
        subsetter.populate(text="".join(sorted(letters)))
        subsetter.subset(face)
        name = family(language)
        for place, text in ((FAMILY, name), (IDENTITY, name), (WHOLE, name), (POSTSCRIPT, name.replace(" ", ""))):
            face["name"].setName(text, place, 3, 1, 0x409)
        if "CFF " in face:
            face["CFF "].cff.fontNames = [name.replace(" ", "")]
        face.recalcTimestamp = False
        made = BytesIO()
        face.save(made)
    return made.getvalue()
