"""The losses of a training, on what a model learns from and on what it has never seen, and their curves.

Why both: a loss that falls on the first alone says that something is learned by heart, not that it is understood.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from utils.common.figures import PALETTE, label

if TYPE_CHECKING:  # loading matplotlib takes half a second, which who draws nothing is spared
    from matplotlib.axes import Axes

MEASURED = 30  # times in a training: enough for a curve, few enough to cost little
MARKERS = "os^DvP"  # one for each colour; only on curves of so few points that each can be seen


class Losses(NamedTuple):
    """What one training left: a number for every step, and now and then one on what is not learned from."""

    training: list[float]
    unseen: list[tuple[int, float]]  # (steps made, loss)


def is_measured(made: int, steps: int) -> bool:
    """Say whether the loss on what is unseen is taken after so many of all steps; after the last one it is."""
    return made % max(1, steps // MEASURED) == 0 or made == steps


def draw_losses(ax: "Axes", histories: Mapping[str, Losses | Sequence[float]], window: int = 1) -> None:
    """Draw a solid line per model, the mean of `window` training losses, and a dashed one for what it has not seen.

    The scale is logarithmic; a plain list of numbers is a training without the second line.
    """
    for (name, history), color, marker in zip(histories.items(), PALETTE, MARKERS, strict=False):
        losses = history if isinstance(history, Losses) else Losses(list(history), [])
        width = max(1, min(window, len(losses.training)))
        smooth = np.convolve(losses.training, np.ones(width) / width, mode="valid")
        name = label(name)
        ends = np.arange(width, width + len(smooth))
        style: dict[str, Any] = {"color": color, "marker": marker, "markersize": 3.5}
        shown = label("{name}: training", name=name) if losses.unseen else name
        ax.semilogy(ends, smooth, label=shown, **style | ({} if len(smooth) <= MEASURED else {"marker": ""}))
        if losses.unseen:
            made, unseen = zip(*losses.unseen, strict=True)
            ax.semilogy(made, unseen, linestyle="--", alpha=0.8, label=label("{name}: unseen", name=name), **style)
    ax.legend(fontsize="small")
