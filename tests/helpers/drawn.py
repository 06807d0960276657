"""Reads from a matplotlib figure what it shows."""

from matplotlib.axes import Axes
from numpy import asarray, ndarray


def image(ax: Axes, number: int = 0) -> ndarray:
    """Return the numbers of an image; assert that its first row is on top and its first column on the left."""
    drawn = ax.images[number]
    left, right, bottom, top = drawn.get_extent()
    assert (left < right) == (ax.get_xlim()[0] < ax.get_xlim()[1])
    # imshow puts the first row on top if the origin is "upper" and the vertical axis runs downwards.
    assert drawn.origin == "upper" and bottom > top and ax.get_ylim()[0] > ax.get_ylim()[1]
    return asarray(drawn.get_array())


def lines(ax: Axes) -> dict[str, tuple[list[float], list[float]]]:
    """Return the x and the y values of each line, by its label."""
    return {str(line.get_label()): (list(line.get_xdata()), list(line.get_ydata())) for line in ax.lines}


def bars(ax: Axes) -> list[tuple[float, float]]:
    """Return the middle and the height of each upright bar, in the order in which the bars were drawn."""
    return [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in ax.patches]


def ticks(axis) -> dict[float, str]:
    """Return the text at each tick of an axis, by the tick's position."""
    return dict(zip(map(float, axis.get_ticklocs()), [t.get_text() for t in axis.get_ticklabels()], strict=True))


def labels(ax: Axes) -> tuple[str, str, str]:
    """Return the label of the x axis, the label of the y axis, and the title."""
    return ax.get_xlabel(), ax.get_ylabel(), ax.get_title()


def limits(ax: Axes) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the limits of the x axis and of the y axis."""
    return ax.get_xlim(), ax.get_ylim()
