"""What a figure draws, read from its artists."""

from matplotlib.axes import Axes
from numpy import asarray, ndarray


def image(ax: Axes, number: int = 0) -> ndarray:
    """The numbers of an image that is drawn upright: its first row on top, its first column on the left."""
    drawn = ax.images[number]
    left, right, bottom, top = drawn.get_extent()
    assert (left < right) == (ax.get_xlim()[0] < ax.get_xlim()[1])
    # imshow counts rows from the top, which an axis that runs downwards shows so.
    assert drawn.origin == "upper" and bottom > top and ax.get_ylim()[0] > ax.get_ylim()[1]
    return asarray(drawn.get_array())


def lines(ax: Axes) -> dict[str, tuple[list[float], list[float]]]:
    """The places and heights of every line by its label."""
    return {str(line.get_label()): (list(line.get_xdata()), list(line.get_ydata())) for line in ax.lines}


def bars(ax: Axes) -> list[tuple[float, float]]:
    """The middle and the height of every upright bar, in the order in which they were drawn."""
    return [(bar.get_x() + bar.get_width() / 2, bar.get_height()) for bar in ax.patches]


def ticks(axis) -> dict[float, str]:
    """The text at every place of an axis."""
    return dict(zip(map(float, axis.get_ticklocs()), [t.get_text() for t in axis.get_ticklabels()], strict=True))


def labels(ax: Axes) -> tuple[str, str, str]:
    """What stands below, on the left and above."""
    return ax.get_xlabel(), ax.get_ylabel(), ax.get_title()


def limits(ax: Axes) -> tuple[tuple[float, float], tuple[float, float]]:
    """From where to where the axes run."""
    return ax.get_xlim(), ax.get_ylim()
