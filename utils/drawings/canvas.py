"""A canvas for the lessons' diagrams: boxes, arrows, grids of cells and labels, shown as SVG.

What: `Canvas` collects shapes and writes them as one SVG without scripts, ids, fonts or addresses.
Why: a notebook must show its diagrams offline, in any language, on light and dark pages. Each drawing has a white card
as its background; on a dark page, light and dark are exchanged while the hues stay (`AT_NIGHT`).

Lengths are in CSS pixels, y points down. All texts, boxes and lines are recorded (`texts`, `boxes`, `lines`), so that
tests can check that nothing overlaps.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.etree import ElementTree

from utils.common.embedded import as_image, themed
from utils.common.figures import BLACK, BLUE, GREEN, ORANGE, PINK, RED, SKY
from utils.drawings.label import SHIFTS, SMALLER, Run, runs, width, wrapped

# Each thing has one colour in all drawings of all lessons.
QUERY, KEY, VALUE, WEIGHT, CONTEXT, WRONG = BLUE, ORANGE, GREEN, PINK, SKY, RED
NEUTRAL = "#8A8A8A"
INK = "#1A1A1A"
QUIET = "#555555"  # for remarks; its contrast with the card is 7 to 1
CARD, EDGE = "#FFFFFF", "#D0D0D0"
AT_NIGHT = "filter:invert(93%) hue-rotate(180deg)"  # makes the card #111111, JupyterLab's dark background

LARGE, NORMAL, SMALL = 16, 14, 12.5  # sizes of letters
LINE = 1.25  # the distance of two lines of text, in sizes of the letters
PADDING = 6  # between a box and its text
HEAD = 8  # the length of an arrow's head
NARROWEST = 420  # px, the width of outputs in a window of 600; on a phone the drawing scrolls and letters stay readable
SANS = "Helvetica, Arial, 'Liberation Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"
SERIF = "'Times New Roman', Times, 'Liberation Serif', serif"

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A rectangle on the canvas, and the points where arrows meet it; `part` is a share of a side's length."""

    x: float
    y: float
    width: float
    height: float
    text: str = ""

    @property
    def end(self) -> float:
        return self.x + self.width

    @property
    def foot(self) -> float:
        return self.y + self.height

    def left(self, part: float = 0.5) -> Point:
        return self.x, self.y + part * self.height

    def right(self, part: float = 0.5) -> Point:
        return self.end, self.y + part * self.height

    def top(self, part: float = 0.5) -> Point:
        return self.x + part * self.width, self.y

    def bottom(self, part: float = 0.5) -> Point:
        return self.x + part * self.width, self.foot


def tint(colour: str, share: float, ground: str = CARD) -> str:
    """Return `share` of a colour mixed with `ground`."""
    pairs = ((int(c[i : i + 2], 16) for c in (colour, ground)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in pairs)


def stroke(colour: str) -> str:
    """Return a colour darkened until its lines stand out from the card."""
    return tint(colour, 0.75, BLACK)


def ink(colour: str) -> str:
    """Return a colour darkened until small letters can be read on the card (4.5 to 1, WCAG 2, 1.4.3)."""
    return tint(colour, 0.62, BLACK)


class Canvas:
    """A drawing, which IPython shows; `description` says in words all that it shows."""

    def __init__(self, width: float, height: float, title: str, description: str):
        self.width, self.height, self.title, self.description = width, height, title, description
        self.texts: list[Box] = []
        self.boxes: list[Box] = []
        self.lines: list[tuple[Point, ...]] = []
        self._root = ElementTree.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "viewBox": f"0 0 {width:g} {height:g}",
                "width": f"{width:g}",
                "height": f"{height:g}",
                "role": "img",
                "aria-label": description,
                "font-family": SANS,
                "style": "max-width:100%;height:auto",
            },
        )
        self._add("title").text = title
        self._add("desc").text = description
        self._add("rect", x=0.5, y=0.5, width=width - 1, height=height - 1, rx=8, fill=CARD, stroke=EDGE)

    def text(
        self,
        x: float,
        y: float,
        label: str,
        *,
        size: float = NORMAL,
        anchor: str = "middle",
        colour: str = INK,
        room: float | None = None,
        bold: bool = False,
    ) -> Box:
        """Write a label.

        x: the label's start, middle or end, as `anchor` says. y: the height of its middle. room: the width at which its
        lines are broken.
        """
        lines = wrapped(label, room and room / size)
        wide = size * max(map(width, lines)) * (1.08 if bold else 1)
        high = size * LINE * len(lines)
        box = Box(x - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor], y - high / 2, wide, high, label)
        self.texts.append(box)
        for i, line in enumerate(lines):
            baseline = box.y + size * (LINE * (i + 0.5) + 0.35)
            element = self._add("text", x=x, y=baseline, fill=colour)
            element.set("font-size", f"{size:g}")
            if anchor != "start":
                element.set("text-anchor", anchor)
            if bold:
                element.set("font-weight", "bold")
            _write(element, line, size)
        return box

    def remark(self, x: float, y: float, label: str, *, anchor: str = "middle", room: float | None = None) -> None:
        """Write a label in small grey letters."""
        self.text(x, y, label, size=SMALL, colour=QUIET, anchor=anchor, room=room)

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        label: str = "",
        *,
        colour: str = NEUTRAL,
        size: float = NORMAL,
        dashed: bool = False,
        strength: float = 0.22,
    ) -> Box:
        """Draw a rounded box with a label in its middle; `strength` is the share of `colour` in the filling."""
        box = Box(x, y, width, height, label)
        fill = tint(colour, strength)
        element = self._add("rect", x=x, y=y, width=width, height=height, rx=6, fill=fill, stroke=stroke(colour))
        element.set("stroke-width", "1.5")
        if dashed:
            element.set("stroke-dasharray", "5 4")
        self.boxes.append(box)
        if label:
            self.text(x + width / 2, y + height / 2, label, size=size, room=width - 2 * PADDING)
        return box

    def frame(self, x: float, y: float, width: float, height: float) -> Box:
        """Draw a dashed outline around a group."""
        element = self._add("rect", x=x, y=y, width=width, height=height, rx=10, fill="none", stroke=NEUTRAL)
        element.set("stroke-dasharray", "6 5")
        return Box(x, y, width, height)

    def node(self, x: float, y: float, sign: str, radius: float = 12) -> Box:
        """Draw a circle with a sign, such as a sum's +."""
        self._add("circle", cx=x, cy=y, r=radius, fill=CARD, stroke=INK)
        self.text(x, y, sign, size=LARGE)
        half = radius * 0.85  # recorded as a square, whose corners are a little outside of the circle
        self.boxes.append(Box(x - half, y - half, 2 * half, 2 * half, sign))
        return Box(x - radius, y - radius, 2 * radius, 2 * radius, sign)

    def arrow(
        self, *points: Point, colour: str = INK, head: bool = True, dashed: bool = False, thick: float = 1.5
    ) -> None:
        """Draw a line through the points, with an arrow's head at the last."""
        self.lines.append(points)
        drawn = list(points)
        if head:
            (x0, y0), (x1, y1) = points[-2:]
            length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
            dx, dy = (x1 - x0) / length, (y1 - y0) / length
            x, y, half = x1 - HEAD * dx, y1 - HEAD * dy, HEAD * 0.45 + thick * 0.4
            self.polygon([(x1, y1), (x - half * dy, y + half * dx), (x + half * dy, y - half * dx)], fill=colour)
            drawn[-1] = (x + dx, y + dy)  # the line ends inside the head, whose tip would be blunt otherwise
        path = "M" + "L".join(f"{x:.5g} {y:.5g}" for x, y in drawn)
        element = self._add("path", d=path, fill="none", stroke=colour)
        element.set("stroke-width", f"{thick:g}")
        element.set("stroke-linejoin", "round")
        if dashed:
            element.set("stroke-dasharray", "5 4")

    def grid(
        self,
        x: float,
        y: float,
        fills: Sequence[Sequence[str]],
        *,
        cell: float = 13,
        high: float | None = None,
        labels: Sequence[Sequence[str]] | None = None,
        size: float = SMALL,
        line: str = NEUTRAL,
    ) -> Box:
        """Draw a matrix of coloured cells, each `cell` wide and `high` high, with labels if given."""
        high = high or cell
        rows, columns = len(fills), len(fills[0])
        for i, row in enumerate(fills):
            j = 0
            for fill, same in groupby(row):  # neighbours of one colour are one rectangle
                count = len(list(same))
                self._add("rect", x=x + j * cell, y=y + i * high, width=count * cell, height=high, fill=fill)
                j += count
        across = "".join(f"M{x:.5g} {y + i * high:.5g}h{columns * cell:.5g}" for i in range(rows + 1))
        down = "".join(f"M{x + j * cell:.5g} {y:.5g}v{rows * high:.5g}" for j in range(columns + 1))
        self._add("path", d=across + down, fill="none", stroke=line).set("stroke-width", "0.8")
        for i, row in enumerate(labels or []):
            for j, label in enumerate(row):
                if label:
                    self.text(x + (j + 0.5) * cell, y + (i + 0.5) * high, label, size=size)
        box = Box(x, y, columns * cell, rows * high)
        self.boxes.append(box)
        return box

    def outline(self, x: float, y: float, width: float, height: float) -> None:
        """Draw a strong frame around some cells of a grid."""
        element = self._add("rect", x=x, y=y, width=width, height=height, fill="none", stroke=INK)
        element.set("stroke-width", "2")

    def brace(self, x0: float, x1: float, y: float, label: str, *, size: float = SMALL) -> None:
        """Draw a brace over x0 to x1, its point up, with a label above."""
        middle, low, mid, top = (x0 + x1) / 2, y, y - 5, y - 10
        path = f"M{x0:g} {low:g}Q{x0:g} {mid:g} {x0 + 6:g} {mid:g}H{middle - 6:g}Q{middle:g} {mid:g} {middle:g} {top:g}"
        path += f"Q{middle:g} {mid:g} {middle + 6:g} {mid:g}H{x1 - 6:g}Q{x1:g} {mid:g} {x1:g} {low:g}"
        self._add("path", d=path, fill="none", stroke=QUIET)
        self.text(middle, top - size * LINE / 2 - 1, label, size=size)

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        """Draw a filled circle."""
        self._add("circle", cx=x, cy=y, r=radius, fill=fill)

    def polygon(self, points: Sequence[Point], *, fill: str) -> None:
        """Draw a filled polygon."""
        self._add("polygon", points=" ".join(f"{x:.4g},{y:.4g}" for x, y in points), fill=fill)

    def svg(self) -> str:
        """Return the drawing as SVG."""
        return ElementTree.tostring(self._root, encoding="unicode")

    def __repr__(self) -> str:
        return f"{self.title}: {self.description}"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return for IPython a picture with alternative text, and the description.

        The type image/svg+xml is not used: JupyterLab shows it without alternative text, and not at all in a notebook
        that it does not trust.
        """
        size = f"width:{self.width:g}px;max-width:100%;min-width:{min(NARROWEST, self.width):g}px;height:auto"
        picture = as_image(themed(self.svg(), "", AT_NIGHT), self.description, style=size)
        return {"text/html": f'<div style="overflow-x:auto">{picture}</div>', "text/plain": repr(self)}

    def _add(self, tag: str, **attributes: str | float) -> ElementTree.Element:
        values = {k: f"{v:.5g}" if isinstance(v, int | float) else v for k, v in attributes.items()}
        return ElementTree.SubElement(self._root, tag, values)


def _write(element: ElementTree.Element, label: str, size: float) -> None:
    """Write a line into a text element; subscripts and superscripts are spans, shifted relative to the span before."""
    height = 0.0
    for run in runs(label):
        if run == Run(run.text) and not len(element) and not element.text:  # plain words at the beginning need no span
            element.text = run.text
            continue
        span = ElementTree.SubElement(element, "tspan")
        span.text = run.text
        new_height = SHIFTS[run.script] * size
        if new_height != height:
            span.set("dy", f"{new_height - height:.3g}")
        height = new_height
        if run.script:
            span.set("font-size", f"{size * SMALLER:.4g}")
        if run.variable:
            span.set("font-family", SERIF)
            span.set("font-style", "italic")
