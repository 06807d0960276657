"""The losses of a training, on training data and on unseen data, and their curves.

Why both: if only the training loss falls, the model memorises its data and does not generalise.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from utils.common.figures import PALETTE, label

if TYPE_CHECKING:  # loading matplotlib takes half a second, which only a program that draws should spend
    from matplotlib.axes import Axes

MEASURED = 30  # how often the loss on unseen data is measured in a training: enough for a curve, at little cost
MARKERS = "os^DvP"  # one for each colour; a curve of more than `MEASURED` points is drawn without markers


class Losses(NamedTuple):
    """The losses of one training: one for every step, and some on unseen data."""

    training: list[float]
    unseen: list[tuple[int, float]]  # (steps made, loss)


def is_measured(made: int, steps: int) -> bool:
    """Return whether the loss on unseen data is measured after `made` of `steps` steps; it always is after the last."""
    return made % max(1, steps // MEASURED) == 0 or made == steps


def draw_losses(ax: "Axes", histories: Mapping[str, Losses | Sequence[float]], window: int = 1) -> None:
    """Draw for each model a solid line, the mean of `window` training losses, and a dashed one, on unseen data.

    The scale is logarithmic. A plain list of numbers is a training without losses on unseen data.
    """
    for (name, history), color, marker in zip(histories.items(), PALETTE, MARKERS, strict=False):
        losses = history if isinstance(history, Losses) else Losses(list(history), [])
        width = max(1, min(window, len(losses.training)))
        smooth = np.convolve(losses.training, np.ones(width) / width, mode="valid")
        name = label(name)
        ends = np.arange(width, width + len(smooth))
        style: dict[str, Any] = {"color": color, "marker": marker, "markersize": 3.5}
        legend = label("{name}: training", name=name) if losses.unseen else name
        ax.semilogy(ends, smooth, label=legend, **style | ({} if len(smooth) <= MEASURED else {"marker": ""}))
        if losses.unseen:
            made, unseen = zip(*losses.unseen, strict=True)
            ax.semilogy(made, unseen, linestyle="--", alpha=0.8, label=label("{name}: unseen", name=name), **style)
    ax.legend(fontsize="small")
