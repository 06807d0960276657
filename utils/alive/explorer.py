"""What a lesson's `explore(...)` returns: the explorer as a live page over a picture, and `save` for a file of its own.

A notebook takes the richest form that it may show: the page in a sandboxed frame, which can neither touch the notebook
nor reach the network; where frames are forbidden, the picture; for a program, the sentence.
"""

import base64
import html
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from utils.alive.page import page
from utils.alive.weights import CannotExport
from utils.alive.words import COMMON
from utils.common.figures import INK, style
from utils.common.messages import Message, notebook_language, said
from utils.common.progress import rehearsing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The frame's height in pixels is set here, because a frame cannot take its content's. In a narrow column the page's
# parts are below each other, so each pixel below NARROW adds MORE pixels; in a wider one they are side by side.
NARROW, MORE = 720, 1.5
COLOURS = 128  # of the picture's palette
BOTH = "#767676"  # ink of the picture without a background: 4.5 to 1 on white, 4.2 to 1 on JupyterLab's dark #111
# The frame covers the picture, in the same cell of a grid. It may run scripts and nothing else.
FRAME = """\
<div style="display:grid;container-type:inline-size;min-width:0"><img alt="{sentence}" lang="{language}" \
src="data:image/png;base64,{picture}" style="grid-area:1/1;max-width:100%"><iframe sandbox="allow-scripts" \
title="{title}" srcdoc="{page}" style="grid-area:1/1;width:100%;height:calc({height}px + max(0px, {narrow}px - 100cqw) \
* {more});border:0"></iframe></div>"""


@dataclass(frozen=True)
class Explorer:
    """An explorer of trained networks.

    lesson: the folder of its modules in `js/`.
    title: of the page, and of the frame for a screen reader.
    export: returns what the page explores, without its words; raises CannotExport for what the page cannot compute.
    words: what the page says, by key, in English; the message has them in the notebook's language.
    draw: draws the picture into a figure of `size` inches; `describes` is its alternative text.
    height: of the frame, in pixels, where there is room beside each other.
    """

    lesson: str
    title: str
    export: Callable[[], Mapping[str, Any]]
    words: Mapping[str, str]
    draw: Callable[["Figure"], None]
    size: tuple[float, float]
    describes: Message
    height: int

    def __repr__(self) -> str:
        return self.describes.render(notebook_language())

    def page(self) -> str:
        """Return the explorer as one HTML page. Raises: CannotExport."""
        words = {key: said(text) for key, text in {**COMMON, **self.words}.items()}
        common = {"language": notebook_language(), "title": said(self.title), "words": words}
        return page(self.lesson, {**self.export(), **common})

    def save(self, path: str | Path) -> None:
        """Write the explorer with your own weights as one HTML file, which needs no notebook and no network.

        Raises: CannotExport for a network that the page cannot compute.
        """
        Path(path).write_text(self.page(), encoding="utf-8")

    def picture(self) -> bytes:
        """Return the picture as a PNG without a background, in an ink that is legible on light and dark pages."""
        import matplotlib.pyplot as plt  # here, because loading takes half a second
        from matplotlib.figure import Figure

        drawn = io.BytesIO()
        inked = {setting: BOTH if value == INK else value for setting, value in style().items()}
        with plt.rc_context(inked | {"savefig.facecolor": "none"}):
            figure = Figure(figsize=self.size)  # not pyplot's, which would show it a second time
            self.draw(figure)
            figure.savefig(drawn, format="png", dpi=100)
        return _smaller(drawn.getvalue())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        if rehearsing():  # networks of two training steps are nothing to look at
            return {"text/plain": repr(self)}
        picture, sentence = base64.b64encode(self.picture()).decode(), repr(self)
        picture_values = {"sentence": html.escape(sentence), "language": notebook_language(), "picture": picture}
        frame = {"title": html.escape(said(self.title)), "height": self.height, "narrow": NARROW, "more": MORE}
        bundle = {"image/png": picture, "text/plain": sentence}
        try:
            live = FRAME.format(**picture_values, **frame, page=html.escape(self.page()))
        except CannotExport as error:
            live = '<p>{why}</p><img alt="{sentence}" lang="{language}" src="data:image/png;base64,{picture}">'.format(
                why=html.escape(str(error)), **picture_values
            )
        return {"text/html": live, **bundle}


def _smaller(png: bytes) -> bytes:
    """Return a picture with a palette of 128 colours, a third of the size: a notebook holds each picture twice."""
    from PIL import Image  # see scenes/scene.py

    written = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        # Of Pillow's methods, this one keeps what is transparent.
        few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(written, "PNG", optimize=True)
    return written.getvalue()
