"""One style for every figure: colour-blind-safe colours, labelled axes, readable sizes, and alternative text.

A screen reader reads the alternative text aloud: a sentence on what the figure shows, and the numbers that a sighted
reader takes from it. A notebook shows a figure as SVG in HTML, light or dark
like the page (`embedded.py`). The output also has a small PNG, for printed pages, and for graders beside an essay.
"""

import base64
import io
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from utils.common.embedded import as_image, themed
from utils.common.fonts import families
from utils.common.messages import FULL_STOP, Message, notebook_language, said
from utils.common.progress import rehearsing

# Okabe and Ito's palette (https://jfly.uni-koeln.de/color/), safe for the common colour deficiencies.
BLUE, ORANGE, GREEN, PINK, SKY, RED, YELLOW, BLACK = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000",
)  # fmt: skip
PALETTE = (BLUE, ORANGE, GREEN, PINK, SKY, RED)
INK = "#1a1a1a"  # the colour of texts and axes; on a dark page the SVG has a light one instead
SMALL_DPI, SMALL_COLOURS = 72, 64  # of the PNG: a quarter of the space, and still easy to read


def style() -> dict[Any, Any]:
    """Return the settings for `plt.rc_context` that differ from matplotlib's."""
    from cycler import cycler

    return {
        "axes.prop_cycle": cycler(color=PALETTE),
        "axes.spines.top": False,
        "axes.spines.right": False,
        **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
        "patch.edgecolor": INK,
        "axes.facecolor": "none",
        "savefig.facecolor": "white",
        "image.interpolation": "none",  # an SVG keeps a matrix cell by cell, sharp at any size
        "svg.fonttype": "path",  # the reader's computer may lack the font
        "path.simplify_threshold": 0.5,  # px; a curve of 5,000 losses takes a quarter of the space, and looks the same
        "font.size": 10,
        "font.family": families(notebook_language()),
    }


def L_(text: str) -> str:
    """Mark a text for the catalogues, like `N_`, and its letters for the shipped fonts; return it unchanged."""
    return text


def label(text: str, **values: Any) -> str:
    """Return a figure's text in the notebook's language.

    A literal text is marked for translation by this call, any other text by `L_`. Names that a lesson's cells give to
    curves are in the catalogue, too; a name that a student has chosen is returned unchanged.
    """
    return said(text, **values)


@dataclass(frozen=True)
class Picture:
    """A picture as PNG, perhaps also as SVG, and its alternative text; IPython takes the form that it can show."""

    data: bytes
    sentence: str
    language: str
    svg: str = ""

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        png = base64.b64encode(self.data).decode()
        html = as_image(self.svg or self.data, self.sentence, self.language)
        return {"text/html": html, "image/png": png, "text/plain": self.sentence}


def described(data: bytes, describes: Message, svg: str = "", reads: Iterable[str] = ()) -> Picture:
    """Return a picture with its alternative text in the notebook's language."""
    language = notebook_language()
    # Not as a value of a message, which would be shortened like a student's text.
    numbers = "".join(text + said(FULL_STOP) for text in reads)
    sentence = f"{describes.render(language)} {numbers}".rstrip()
    # A hyphen is not spoken; a minus is.
    return Picture(data, re.sub(r"(?<![\w\[(])-(?=\d)", "−", sentence), language, svg)


def show(describes: Message, reads: Iterable[str] = ()) -> None:
    """Show the current figure; in a notebook, with its alternative text."""
    import matplotlib.pyplot as plt

    if "inline" not in plt.get_backend():  # a window, a widget, or nothing
        plt.show()
        return
    from IPython.display import display

    svg = "" if rehearsing() else _as_svg()
    picture = described(_as_small_png(), describes, svg, reads)
    plt.close()
    display(picture)  # type: ignore[no-untyped-call]  # IPython's


def _as_svg() -> str:
    """Return the current figure as SVG without a background, with the page's colour for texts and axes."""
    import matplotlib.pyplot as plt

    drawn = io.StringIO()
    plain: dict[str, Any] = {"format": "svg", "facecolor": "none"}
    plain["metadata"] = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    plt.gcf().savefig(drawn, bbox_inches="tight", dpi=2 * SMALL_DPI, **plain)
    inked = _shortened(drawn.getvalue()).replace(INK, "currentColor")
    return themed(inked, f"color:{INK};background:#fff", "color:#e4e4e4;background:#111")


def _shortened(svg: str) -> str:
    """Return matplotlib's SVG without the parts that no browser needs: more than half of its characters.

    Removed are declarations, comments, line breaks, ids that nothing refers to, and spaces in paths and styles; other
    ids become short. Numbers above 1 keep two digits behind the point, above 10 one. Paths get relative commands.
    """
    svg = re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<!--.*?-->|\n *", " ", svg, flags=re.DOTALL).replace('"', "'")
    svg = re.sub(r"\b(\d*[1-9]\d*\.\d\d)\d+", r"\1", svg)
    svg = re.sub(r"\b(\d{2,}\.\d)\d+", r"\1", svg)
    svg = re.sub(r"(?<=\d)\.0+(?=[ '])|(?<=\.\d)0+(?=[ '])", "", svg)
    svg = re.sub(r" *\b([MLQCz])\b *(?=[-\d'MLQCz ])", r"\1", svg)
    referred = set(re.findall(r"(?:href='|url\()#([\w.-]+)", svg))
    svg = re.sub(r" id='([\w.-]+)'", lambda match: match[0] if match[1] in referred else "", svg)
    svg = re.sub(r"(?<=[a-z]): | ?; (?=[a-z-]+:)", lambda match: match[0].strip(), svg)
    svg = re.sub(r"(<use [^>]*)transform='translate\(([-\d.]+) 0\)'", r"\1x='\2'", svg).replace("xlink:href", "href")
    svg = re.sub(r"(?<= d=')[MLQCz\d .e-]+(?=')", lambda match: _in_steps(match[0]), svg)
    for number, name in enumerate(sorted(referred)):
        svg = re.sub(rf"(?<= id='){re.escape(name)}(?=')|(?<=#){re.escape(name)}(?=['\")])", f"i{number}", svg)
    return re.sub(" {2,}", " ", re.sub("> +<", "><", svg)).strip()


def _in_steps(path: str) -> str:
    """Return a path of points (commands M, L, Q, C, z) with relative commands, which need fewer digits."""
    parts, start, point = [], (0.0, 0.0), (0.0, 0.0)
    for command, text in re.findall(r"([MLQCz])([^MLQCz]*)", path):
        numbers = [float(number) for number in text.split()]
        point = start if command == "z" else point
        steps = " ".join(_short(number - point[index % 2]) for index, number in enumerate(numbers))  # x and y in turn
        parts.append(command.lower() + steps.replace(" -", "-"))
        point = (numbers[-2], numbers[-1]) if numbers else point
        start = point if command == "M" else start
    return "".join(parts)


def _short(number: float) -> str:
    """Return a number with at most two digits behind the point, without needless zeros: .5 for 0.50."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "0") else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _as_small_png() -> bytes:
    """Return the current figure as PNG, small in pixels and colours."""
    import matplotlib.pyplot as plt
    from PIL import Image

    drawn, small = io.BytesIO(), io.BytesIO()
    # Not `plt.savefig`, which draws the figure again after saving, for an interactive window that a notebook lacks.
    plt.gcf().savefig(drawn, format="png", dpi=SMALL_DPI, bbox_inches="tight")
    with Image.open(drawn) as picture:
        picture.convert("RGB").quantize(SMALL_COLOURS).save(small, "PNG", optimize=True)
    return small.getvalue()


@contextmanager
def figure(
    rows: int = 1,
    columns: int = 1,
    *,
    describes: Message | str,
    reads: Iterable[str] = (),
    width: float = 4.5,
    height: float = 3.0,
    **subplots: Any,
) -> Iterator[Any]:
    """Open a grid of axes in the project's style, `width` x `height` inches each, and show it at the end.

    describes: the alternative text, one sentence on what the figure shows.
    reads: what readers who see the figure take from it: its numbers, in sentences without a full stop, in the
        notebook's language. They follow `describes`.
    Yields the axes of `plt.subplots`: one `Axes`, or an array of them.
    """
    import matplotlib.pyplot as plt  # here, because loading takes half a second, and the grader needs the colours alone

    with plt.rc_context(style() | {"figure.constrained_layout.use": True}):
        _, axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), **subplots)
        yield axes
        show(Message(describes) if isinstance(describes, str) else describes, reads)
