"""Labels of drawings: words with formulas between dollar signs, measured without a font.

Why: the reader's fonts are unknown when a drawing is laid out. So text is measured with Helvetica's widths, which are
also those of Arial and Liberation Sans, and layouts leave room for wider fonts. Formulas have the few forms that the
lessons' diagrams need, such as `$x_i^{2}$`; a single letter is a variable and slanted, several letters are a name.
"""

import re
import unicodedata
from dataclasses import dataclass

# Widths in thousandths of the font's size (Adobe's metrics of Helvetica); all other characters count 600.
HELVETICA = {
    char: width
    for width, chars in {
        191: "'",
        222: "ijl",
        260: "|",
        278: " !,./:;I[]ft·",
        333: "()-r`",
        389: "*",
        500: "cksvxyzJ",
        556: "abdeghnopqu0123456789L?#$_",
        584: "+<=>~×÷−",
        611: "FTZ",
        667: "ABEKPSVXY&",
        722: "CDHNRUw",
        778: "GOQ",
        833: "mM",
        889: "%",
        944: "W",
        1000: "…—∞√Σ→←↑↓",
        0: "\u2061",
        170: "\u2009",
    }.items()
    for char in chars
}
SMALLER = 0.7  # of a subscript or superscript
SHIFTS = {-1: 0.24, 0: 0.0, 1: -0.36}  # subscript, baseline, superscript: the shift downwards, in sizes of the font
# A token of a formula: a script, a name or a variable, anything else.
TOKEN = re.compile(r"([_^])(?:\{([^}]*)\}|(.))|([^\W\d_]+)|(.)")
WIDE = r"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"  # Chinese characters and their punctuation
# Pieces between which a line may break: a word, a formula with adjacent letters, a Chinese character with punctuation.
CHUNK = re.compile(rf"(?:\$[^$]*\$|[^\s${WIDE}])+[，。；：、）]*|[{WIDE}][，。；：、）]*|\s+")


@dataclass(frozen=True)
class Run:
    """Characters of one style: `script` is -1 for a subscript, 1 for a superscript; a `variable` is slanted."""

    text: str
    variable: bool = False
    script: int = 0

    @property
    def width(self) -> float:
        """The width in sizes of the font."""
        return sum(map(_width, self.text)) / 1000 * (SMALLER if self.script else 1)


def runs(label: str) -> list[Run]:
    """Cut a label into runs; text between two dollar signs is a formula."""
    cut: list[Run] = []
    for i, part in enumerate(label.split("$")):
        cut += _formula(part) if i % 2 else [Run(part)] if part else []
    return cut


def width(label: str) -> float:
    """Return the width of a label, in sizes of its font."""
    return sum(run.width for run in runs(label))


def wrapped(label: str, room: float | None) -> list[str]:
    """Break a label into lines: at line breaks, and so that no line is wider than `room`, in sizes of the font."""
    return [line for paragraph in label.split("\n") for line in _lines(paragraph, room)]


def _lines(label: str, room: float | None) -> list[str]:
    if room is None:
        return [label]
    lines = [""]
    for chunk in CHUNK.findall(label):
        if lines[-1] and width((lines[-1] + chunk).rstrip()) > room:
            lines.append("")
        lines[-1] += chunk if lines[-1] else chunk.lstrip()
    return [line.rstrip() for line in lines]


def _formula(text: str, script: int = 0) -> list[Run]:
    cut: list[Run] = []
    for sign, group, single, name, other in TOKEN.findall(text):
        if sign:
            cut += _formula(group or single, -1 if sign == "_" else 1)
        elif name:
            cut.append(Run(name, variable=len(name) == 1 and name != "Σ", script=script))
        else:
            cut.append(Run("\u2009" if other == " " else other, script=script))
    return cut


def _width(char: str) -> int:
    if unicodedata.east_asian_width(char) in "WF":
        return 1000
    return HELVETICA.get(unicodedata.normalize("NFD", char)[0], 600)
