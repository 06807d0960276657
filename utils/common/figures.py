"""One look for every figure: colour-blind-safe colours, labelled axes, readable sizes, and a sentence that says it.

Who cannot see a figure hears its sentence. JupyterLab and Colab show a PNG without any alternative text, so that the
picture travels as HTML too; the PNG itself is what is printed, and what an instructor sees beside an essay.
"""

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from utils.common.fonts import families
from utils.common.messages import Message, notebook_language, said

# Okabe and Ito's palette (https://jfly.uni-koeln.de/color/), safe for the common colour deficiencies.
BLUE, ORANGE, GREEN, PINK, SKY, RED, YELLOW, BLACK = (
    "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000",
)  # fmt: skip
PALETTE = (BLUE, ORANGE, GREEN, PINK, SKY, RED)


def style() -> dict[Any, Any]:
    """Return what sets our figures apart from matplotlib's own, for `plt.rc_context`."""
    from cycler import cycler

    return {
        "axes.prop_cycle": cycler(color=PALETTE),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "font.size": 10,
        "font.family": families(notebook_language()),
    }


def L_(text: str) -> str:
    """Mark a text that a figure shows, as `N_` does, and return it as it is: its letters go into the shipped fonts."""
    return text


def label(text: str, **values: Any) -> str:
    """Return what a figure shows in the notebook's language: a text written here, marked by it, or marked with `L_`.

    A name that a lesson's cell gives to a curve is in the catalogue, too; a student's own stays as it is.
    """
    return said(text, **values)


@dataclass(frozen=True)
class Picture:
    """A PNG and the sentence that says what is to be seen; IPython asks for whichever form it can show."""

    data: bytes
    sentence: str
    language: str

    def __repr__(self) -> str:
        return self.sentence

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        png = base64.b64encode(self.data).decode()
        source = {"src": f"data:image/png;base64,{png}", "alt": self.sentence, "lang": self.language}
        html = ElementTree.tostring(ElementTree.Element("img", source), encoding="unicode")
        return {"text/html": html, "image/png": png, "text/plain": self.sentence}


def described(data: bytes, describes: Message) -> Picture:
    """Return a PNG with its sentence in the notebook's language."""
    language = notebook_language()
    return Picture(data, describes.render(language), language)


def show(describes: Message) -> None:
    """Show the current figure, in a notebook with its sentence."""
    import matplotlib.pyplot as plt

    if "inline" not in plt.get_backend():  # a window, a widget, or nothing
        plt.show()
        return
    from IPython.display import display

    drawn = io.BytesIO()
    plt.savefig(drawn, format="png", dpi="figure", bbox_inches="tight")  # as IPython itself would
    plt.close()
    display(described(drawn.getvalue(), describes))  # type: ignore[no-untyped-call]  # IPython's


@contextmanager
def figure(
    rows: int = 1, columns: int = 1, *, describes: Message, width: float = 4.5, height: float = 3.0, **subplots: Any
) -> Iterator[Any]:
    """Open a grid of axes in the project's style, `width` x `height` inches each, and show it at the end.

    describes: what is to be seen, in one sentence, for those who cannot see it.
    Yields what `plt.subplots` gives: one `Axes`, or an array of them.
    """
    import matplotlib.pyplot as plt  # here, since it takes half a second, and who grades needs the colours alone

    with plt.rc_context(style() | {"figure.constrained_layout.use": True}):
        _, axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), **subplots)
        yield axes
        show(describes)
