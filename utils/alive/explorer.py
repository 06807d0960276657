"""The object that a lesson's `explore(...)` returns: a live page over a picture, and `save`, which writes a file.

A notebook shows the richest form that it may: the page in a sandboxed frame, which can neither change the notebook nor
reach the network; the picture if frames are forbidden; in a terminal the sentence.
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
from utils.common.embedded import DARK_PAGES
from utils.common.errors import DataError
from utils.common.figures import INK, style
from utils.common.messages import N_, Message, notebook_language, said
from utils.common.progress import rehearsing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The frame's height is set here, because a frame cannot have its content's height. In a column narrower than NARROW
# pixels the page's parts are one below the other: each missing pixel of width adds MORE pixels of height.
NARROW, MORE = 720, 1.5
COLOURS = 128  # in the picture's palette
BOTH = "#767676"  # the picture's ink, legible on white (contrast 4.5 to 1) and on JupyterLab's dark #111 (4.2 to 1)
# A sandboxed frame cannot see the notebook's theme, so the frame's width tells it: a multiple of 8 px on a light page,
# 4 px less on a dark page (`themed` in js/page.js). In a browser without `round` the page has the system's theme.
CLASS = "workbook-explorer"
LIGHT, DARK = "round(down,100%,8px)", "calc(round(down,100%,8px) - 4px)"
STYLE = f".{CLASS}{{width:100%;width:{LIGHT}}}{','.join(f'{page} .{CLASS}' for page in DARK_PAGES)}{{width:{DARK}}}"
# The frame covers the picture, in the same cell of a grid. It may run scripts and nothing else.
FRAME = """\
<style>{style}</style><div style="display:grid;container-type:inline-size;min-width:0"><img alt="{sentence}" \
lang="{language}" src="data:image/png;base64,{picture}" style="grid-area:1/1;max-width:100%"><iframe \
sandbox="allow-scripts" title="{title}" srcdoc="{page}" class="{name}" style="grid-area:1/1;height:calc({height}px \
+ max(0px, {narrow}px - 100cqw) * {more});border:0"></iframe></div>"""


@dataclass(frozen=True)
class Explorer:
    """An explorer of trained networks.

    lesson: the lesson's name; the page's modules are in `utils/LESSON/page`.
    title: the title of the page, and of the frame for a screen reader.
    export: returns the networks as data for the page; raises CannotExport for a network that the page cannot compute.
    words: the page's texts in English, by key; the message has them in the notebook's language.
    draw: draws the picture into a figure of `size` inches; `describes` is its alternative text.
    height: the frame's height in pixels, in a column that is not narrow.
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

        Raises: CannotExport for a network that the page cannot compute; DataError if the file cannot be written.
        """
        page = self.page()
        try:
            Path(path).write_text(page, encoding="utf-8")
        except OSError as error:
            text = N_("{path} cannot be written ({error}): choose a file in a folder that you may write to.")
            raise DataError(text, path=str(path), error=str(error.strerror)) from None

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
        values = {"sentence": html.escape(sentence), "language": notebook_language(), "picture": picture}
        frame = {"title": html.escape(said(self.title)), "height": self.height, "narrow": NARROW, "more": MORE}
        frame |= {"style": STYLE, "name": CLASS}
        bundle = {"image/png": picture, "text/plain": sentence}
        try:
            live = FRAME.format(**values, **frame, page=html.escape(self.page()))
        except CannotExport as error:
            live = '<p>{why}</p><img alt="{sentence}" lang="{language}" src="data:image/png;base64,{picture}">'.format(
                why=html.escape(str(error)), **values
            )
        return {"text/html": live, **bundle}


def _smaller(png: bytes) -> bytes:
    """Return a picture with a palette of 128 colours, a third of the size: a notebook contains each picture twice."""
    from PIL import Image  # see scenes/scene.py

    written = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        # Of Pillow's methods, only this one keeps transparency.
        few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        few.save(written, "PNG", optimize=True)
    return written.getvalue()
