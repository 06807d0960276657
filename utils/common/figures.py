"""One style for every figure: colour-blind-safe colours, labelled axes, readable sizes, and alternative text.

A screen reader reads the alternative text, one sentence, aloud. JupyterLab and Colab show a PNG without it, so a figure
is also sent as HTML; the PNG is what is printed, and what an instructor sees beside an essay.
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
    """Return our settings for `plt.rc_context`, where they differ from matplotlib's."""
    from cycler import cycler

    return {
        "axes.prop_cycle": cycler(color=PALETTE),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "font.size": 10,
        "font.family": families(notebook_language()),
    }


def L_(text: str) -> str:
    """Mark a text that a figure shows, and return it: as `N_`, and its letters are added to the shipped fonts."""
    return text


def label(text: str, **values: Any) -> str:
    """Return a figure's text in the notebook's language.

    A literal text in the call is marked for translation by the call, any other text by `L_`. Names that a lesson's
    cells give to curves are in the catalogue, too; a student's own name is returned unchanged.
    """
    return said(text, **values)


@dataclass(frozen=True)
class Picture:
    """A PNG and its alternative text, the sentence; IPython takes the form, HTML, PNG or text, that it can show."""

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
    """Return a PNG with its alternative text in the notebook's language."""
    language = notebook_language()
    return Picture(data, describes.render(language), language)


def show(describes: Message) -> None:
    """Show the current figure, in a notebook with its alternative text."""
    import matplotlib.pyplot as plt

    if "inline" not in plt.get_backend():  # a window, a widget, or nothing
        plt.show()
        return
    from IPython.display import display

    drawn = io.BytesIO()
    plt.savefig(drawn, format="png", dpi="figure", bbox_inches="tight")  # the settings of IPython
    plt.close()
    display(described(drawn.getvalue(), describes))  # type: ignore[no-untyped-call]  # IPython's


@contextmanager
def figure(
    rows: int = 1,
    columns: int = 1,
    *,
    describes: Message | str,
    width: float = 4.5,
    height: float = 3.0,
    **subplots: Any,
) -> Iterator[Any]:
    """Open a grid of axes in the project's style, `width` x `height` inches each, and show it at the end.

    describes: alternative text: what the figure shows, in one sentence.
    Yields the axes of `plt.subplots`: one `Axes`, or an array of them.
    """
    import matplotlib.pyplot as plt  # here, because loading takes half a second, and the grader needs the colours alone

    with plt.rc_context(style() | {"figure.constrained_layout.use": True}):
        _, axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), **subplots)
        yield axes
        show(Message(describes) if isinstance(describes, str) else describes)
