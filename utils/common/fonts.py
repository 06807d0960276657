"""The letters that matplotlib's own font lacks: a small font for each language that needs one, in `utils/fonts`.

`python -m autograder build` takes out of a large font what the figures' labels need (`autograder/course/fonts.py`).
Matplotlib looks a letter up in one family after the other, so that only what is missing comes from the small one.
"""

from functools import cache
from pathlib import Path

FONTS = Path(__file__).parents[1] / "fonts"
PLAIN = "DejaVu Sans"  # comes with matplotlib


def font_path(language: str) -> Path:
    """Return where a language's font lies, if it needs one."""
    return FONTS / f"{language}.otf"


def family(language: str) -> str:
    """Return the name that the font of a language has."""
    return f"Attention Workbook {language}"


@cache
def families(language: str) -> list[str]:
    """Return the families in which figures of a language are written; the small font is made known to matplotlib."""
    path = font_path(language)
    if not path.is_file():
        return [PLAIN]
    from matplotlib import font_manager  # here, since it takes half a second

    font_manager.fontManager.addfont(path)
    return [PLAIN, family(language)]
