"""Lines of a fixed number of columns; a wide character, such as a Han character, takes two and may end a line."""

import re
import unicodedata

# A part of a line that is not broken: a wide character with closing punctuation, or a word. A no-break space is part of
# a word.
_PIECE = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff][，。；：！？、）】》」”’]*|[^ \t\r\n\u2e80-\u9fff\uf900-\ufaff]+")


def columns(text: str) -> int:
    """Return how many columns a text takes in a monospaced font."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def wrap(text: str, width: int, indent: str = "") -> list[str]:
    """Break a text into lines of at most `width` columns, the indent included; a longer word gets its own line."""
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
