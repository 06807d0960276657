"""The lessons' explorers as pages of the site. In a lesson's outputs, an explorer is the whole text of a frame.

On the site, the explorer is a file of its own and the frame has its address, so that a lesson's page stays small, and a
reader can open the explorer alone: `lessons/explore/attention.html`, or with a mistake switched on,
`attention.html#softmax_missing`.
"""

import html
from collections.abc import Sequence
from html.parser import HTMLParser

from nbformat import NotebookNode

FOLDER = "explore"
# Sphinx copies the content of this folder of sources as it is.
EXTRA = "extra"


class _Frames(HTMLParser):
    """The page's text (`srcdoc`), the title and the height of the frame in an output."""

    def __init__(self, output: str):
        super().__init__()
        self.page, self.title, self.style = "", "", ""
        self.feed(output)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "iframe":
            values = {name: value or "" for name, value in attrs}
            self.page, self.title, self.style = (values.get(name, "") for name in ("srcdoc", "title", "style"))


def framed(output: str) -> str:
    """Return the page that an output shows in a frame; "" for an output without one."""
    return _Frames(output).page


def frame(output: str, address: str) -> str:
    """Return an output's frame with an address in place of its text, in a box whose width decides its height."""
    parts = _Frames(output)
    title, style = html.escape(parts.title), html.escape(parts.style)
    return (
        '<div class="explorer" style="container-type:inline-size"><iframe sandbox="allow-scripts" loading="lazy" '
        f'title="{title}" src="{html.escape(address)}" style="width:100%;{style}"></iframe></div>'
    )


def opened(front: bytes, lesson: str, outputs: Sequence[NotebookNode]) -> bytes:
    """Return a front page with a lesson's explorer below its heading; unchanged if the outputs have no explorer."""
    shown = [text for output in outputs if framed(text := output.get("data", {}).get("text/html", ""))]
    heading, _, rest = front.decode().partition("\n")
    frames = [f"```{{raw}} html\n{frame(text, f'lessons/{FOLDER}/{lesson}.html')}\n```" for text in shown]
    return "\n\n".join([heading, *frames, rest.strip("\n"), ""]).encode() if frames else front
