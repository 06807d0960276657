"""Letters that matplotlib's own font lacks: a small font for each language that needs one, in `utils/fonts`.

`python -m autograder build` copies the letters of figures' labels out of a large font (`autograder/course/fonts.py`).
matplotlib searches the families in order, so the small font is used only for letters that the first family lacks.
"""

from functools import cache
from pathlib import Path

FONTS = Path(__file__).parents[1] / "fonts"
PLAIN = "DejaVu Sans"  # comes with matplotlib


def font_path(language: str) -> Path:
    """Return the path of a language's font; the file does not exist if the language needs no font."""
    return FONTS / f"{language}.otf"


def family(language: str) -> str:
    """Return the family name of a language's font."""
    return f"Attention Workbook {language}"


@cache
def families(language: str) -> list[str]:
    """Return the font families for figures in a language; register the language's font with matplotlib."""
    path = font_path(language)
    if not path.is_file():
        return [PLAIN]
    from matplotlib import font_manager  # here, because loading takes half a second

    font_manager.fontManager.addfont(path)
    return [PLAIN, family(language)]
