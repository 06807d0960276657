"""Lines of so many columns: a Han character, and whatever is as wide, takes two of them and may end a line anywhere."""

import re
import unicodedata

# A wide character with the signs that must not begin a line; or a word, which a no-break space does not end.
_PIECE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff][，。；：！？、）】》」”’]*|[^ \t\r\n\u2e80-\u9fff\uf900-\ufaff]+")


def columns(text: str) -> int:
    """Return how many columns a text takes where letters have one width."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Break a text into lines of `width` columns at most, indent included; a longer word has a line of its own."""
    lines: list[str] = []
    end = 0
    for piece in _PIECE.finditer(text):
        space = " " if text[end : piece.start()] else ""
        end = piece.end()
        if lines and columns(lines[-1] + space + piece[0]) <= width:
            lines[-1] += space + piece[0]
        else:
            lines.append(indent + piece[0])
    return lines
