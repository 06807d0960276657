"""Line breaks in prose: evenly filled lines in a lesson's text, one line per paragraph in the translators' catalogues.

A line break inside a paragraph means nothing in Markdown. So `python -m autograder format` refills paragraphs, and
nothing else: headings, tables, displayed formulas, code and the solution markers stay byte for byte, and a paragraph
looks the same. The catalogues' keys have no breaks, so that no translation is lost by new line breaks.

mdformat (0.7.22) was tried on all lessons: it renumbers lists, pads tables and breaks displayed formulas over lines;
its plugins for tables and formulas exclude mdformat 1. Here markdown-it, which jupytext depends on, finds paragraphs.
"""

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from autograder.lesson.text import Lesson, to_text

if TYPE_CHECKING:  # not imported here, because grading needs no Markdown
    from markdown_it import MarkdownIt

# A line of `source/<lesson>.py` has 120 characters, of which "# " takes two.
WIDTH = 118
# No line may end inside one of these: code, formulas, a link's address, a tag or bare address.
WHOLE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)|\$\$.+?\$\$|\$[^$]+\$|\]\([^)]*\)|<[^<>]+>", re.DOTALL)
# A word that would begin a block (list, heading, quotation, rule, table) at a line's start stays on the line before.
BLOCK = re.compile(r"([-+*=]+|#+|\d+[.)]|[>|:~].*|```.*|<.*)\Z")
# Not \s, because French prose has many no-break spaces, at which no line may break.
SPACE = re.compile(r"[ \t\n]+")
# Replaces spaces inside a match of `WHOLE` while words are separated; no text contains this character.
HELD = "\0"


@cache
def markdown() -> "MarkdownIt":
    """Return a parser of the Markdown that notebooks allow: CommonMark, tables and formulas."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    return MarkdownIt("commonmark").enable("table").use(dollarmath_plugin, allow_labels=False)


@lru_cache(maxsize=4096)  # a build fills each cell several times
def wrapped(source: str, width: int = WIDTH) -> str:
    """Return a cell's text with its paragraphs' lines filled up to `width` characters; 0 for one line per paragraph."""
    lines = source.split("\n")
    tokens = markdown().parse(source)
    # From the last paragraph to the first, so that the line numbers of those above stay true.
    for token, inline in reversed(list(pairwise(tokens))):
        hard_break = any(child.type == "hardbreak" for child in inline.children or ())
        if token.type != "paragraph_open" or token.map is None or hard_break:
            continue
        first, end = token.map
        start = inline.content.split("\n")[0]
        before = lines[first][: lines[first].index(start)]  # indentation, the list's mark
        lines[first:end] = _fill(_words(inline.content), before, width)
    return "\n".join(lines)


def unwrapped(source: str) -> str:
    """Return a cell's text with one line per paragraph, which is the same however the paragraph was filled."""
    return wrapped(source, 0)


def tidy(lesson: Lesson) -> str:
    """Return a lesson's text with its prose filled; a text that is filled already stays as it is."""
    notebook = lesson.to_notebook()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = wrapped(cell.source)
    return to_text(notebook)


def _words(text: str) -> list[str]:
    """Return the words of a paragraph; a match of `WHOLE` belongs to one word, with the spaces inside it."""
    held = WHOLE.sub(lambda whole: re.sub(r"[ \t]*\n[ \t]*| ", HELD, whole[0]), text)
    return [word.replace(HELD, " ") for word in SPACE.split(held)]


def _fill(words: list[str], before: str, width: int) -> list[str]:
    """Return the lines of a paragraph: the first begins with `before`, the others are indented like it."""
    indent = re.sub(r"[^>]", " ", before)
    lines = [before + words[0]]
    for word in words[1:]:
        if not width or len(lines[-1]) + 1 + len(word) <= width or BLOCK.match(word):
            lines[-1] += " " + word
        else:
            lines.append(indent + word)
    return lines
