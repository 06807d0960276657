"""The losses of a training, on training data and on unseen data, and their curves, drawn and in words.

Why both: if only the training loss falls, the model memorises its data and does not generalise.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from utils.common.figures import PALETTE, label
from utils.common.messages import listed, named

if TYPE_CHECKING:  # loading matplotlib takes half a second, which only a program that draws should spend
    from matplotlib.axes import Axes

MEASURED = 30  # how often the loss on unseen data is measured in a training: enough for a curve, at little cost
READ, MOST_READ = 9, 12  # points of a long curve that are read out; a curve of so few points is read out whole
MARKERS = "os^DvP"  # one for each colour; a curve of more than `MEASURED` points is drawn without markers


class Losses(NamedTuple):
    """The losses of one training: one for every step, and some on unseen data."""

    training: list[float]
    unseen: list[tuple[int, float]]  # (steps made, loss)


def is_measured(made: int, steps: int) -> bool:
    """Return whether the loss on unseen data is measured after `made` of `steps` steps; it always is after the last."""
    return made % max(1, steps // MEASURED) == 0 or made == steps


def read_curve(name: str, points: Sequence[tuple[float, float]], form: str = ".3g") -> str:
    """Return a curve in words: all points of a short one, of a long one `READ` points, its lowest and its highest."""
    count, heights = len(points), [height for _, height in points]
    evenly = {round(number * (count - 1) / (READ - 1)) for number in range(READ)} if count > MOST_READ else range(count)
    chosen = sorted({*evenly, heights.index(min(heights)), heights.index(max(heights))})
    return named(label(name), listed(f"{points[i][0]:g} → {points[i][1]:{form}}" for i in chosen))


def read_losses(histories: Mapping[str, Losses | Sequence[float]], window: int = 1) -> list[str]:
    """Return the curves of `draw_losses` in words."""
    read = []
    for name, history in histories.items():
        losses = history if isinstance(history, Losses) else Losses(list(history), [])
        training = label("{name}: training", name=label(name)) if losses.unseen else name
        read.append(read_curve(training, _smooth(losses, window)))
        if losses.unseen:
            read.append(read_curve(label("{name}: unseen", name=label(name)), losses.unseen))
    return read


def _smooth(losses: Losses, window: int) -> list[tuple[float, float]]:
    """Return the means of `window` training losses, each with the step at which the window ends."""
    width = max(1, min(window, len(losses.training)))
    means = np.convolve(losses.training, np.ones(width) / width, mode="valid")
    return list(zip(range(width, width + len(means)), means.tolist(), strict=True))


def draw_losses(ax: "Axes", histories: Mapping[str, Losses | Sequence[float]], window: int = 1) -> None:
    """Draw for each model a solid line, the mean of `window` training losses, and a dashed one, on unseen data.

    The scale is logarithmic. A plain list of numbers is a training without losses on unseen data.
    """
    for (name, history), color, marker in zip(histories.items(), PALETTE, MARKERS, strict=False):
        losses = history if isinstance(history, Losses) else Losses(list(history), [])
        ends, smooth = zip(*_smooth(losses, window), strict=True)
        name = label(name)
        style: dict[str, Any] = {"color": color, "marker": marker, "markersize": 3.5}
        legend = label("{name}: training", name=name) if losses.unseen else name
        ax.semilogy(ends, smooth, label=legend, **style | ({} if len(smooth) <= MEASURED else {"marker": ""}))
        if losses.unseen:
            made, unseen = zip(*losses.unseen, strict=True)
            ax.semilogy(made, unseen, linestyle="--", alpha=0.8, label=label("{name}: unseen", name=name), **style)
    ax.legend(fontsize="small")
