"""The figures of the lesson `attention`: sequences, losses, encodings, attention matrices, comparisons."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from utils.attention.readings import read_bits, read_looks, read_sequences
from utils.attention.sequences import HIGHEST, LOWEST
from utils.common.curves import Losses, draw_losses, read_losses
from utils.common.figures import L_, PALETTE, figure, label
from utils.common.messages import N_, Message, listed
from utils.common.printing import print_table

if TYPE_CHECKING:  # loading matplotlib takes half a second, which only a program that draws should spend
    from matplotlib.axes import Axes

POSITION = L_("position (points)")
HEIGHT = L_("height")
STANDARD_HEIGHT = L_("height (st. dev.)")
TARGET = L_("target")
MEAN = (LOWEST + HIGHEST) / 2  # of all shapes' heights


def plot_sequences(inputs: torch.Tensor, targets: torch.Tensor, number: int = 4, unit: str = HEIGHT) -> None:
    """Draw the first sequences (N, C, T), channel 0, as areas, and their targets (N, 1, T) as lines."""
    columns = 2
    rows = -(-number // columns)
    grid = {"height": 2.0, "sharex": True, "sharey": True, "squeeze": False}
    description = N_(
        "Each sequence is a grey area whose triangles and rectangles rise above the ground; its target is "
        "an orange line over the same positions."
    )
    reads = read_sequences(inputs[:number], {TARGET: targets})
    with figure(rows, columns, **grid, describes=description, reads=reads) as axes:
        for ax, x, y in zip(axes.flat, inputs, targets, strict=False):
            _draw_input(ax, x[0])
            ax.plot(y[0].numpy(), color=PALETTE[1], label=label(TARGET))
        _label(axes, unit)


def plot_predictions(
    inputs: torch.Tensor,
    targets: torch.Tensor,
    predictions: Mapping[str, torch.Tensor],
    number: int = 3,
    heights: tuple[torch.Tensor, torch.Tensor] | None = None,
) -> None:
    """Draw sequences, targets and each model's prediction (N, 1, T): a row per sequence, a column per model.

    heights: the same inputs and targets before they were standardised. With them, all three are drawn in heights, with
        a line at the mean height; otherwise in standard deviations, which are not the same for inputs and targets.
    """
    unit = STANDARD_HEIGHT
    if heights is not None:
        predictions = {
            name: _in_heights(standardised, targets, heights[1]) for name, standardised in predictions.items()
        }
        (inputs, targets), unit = heights, HEIGHT
    grid = {"height": 1.9, "sharex": True, "sharey": True, "squeeze": False}
    description = Message(
        N_(
            "Each row is a sequence, each column a network ({names}): the input as a grey area, the target as an "
            "orange line, and the network's prediction as a dashed blue line."
        ),
        {"names": listed(map(label, predictions))},
    )
    reads = read_sequences(inputs[:number], {TARGET: targets, **predictions})
    with figure(number, len(predictions), **grid, describes=description, reads=reads) as axes:
        for column, (name, prediction) in enumerate(predictions.items()):
            axes[0, column].set_title(label(name))
            for ax, x, y, guess in zip(axes[:, column], inputs, targets, prediction, strict=False):
                _draw_input(ax, x[0])
                if heights is not None:
                    ax.axhline(MEAN, color="0.5", linewidth=0.8, label=label("mean height ({height:g})", height=MEAN))
                ax.plot(y[0].numpy(), color=PALETTE[1], label=label(TARGET))
                ax.plot(guess[0].numpy(), color=PALETTE[0], linestyle="--", label=label("prediction"))
        _label(axes, unit)


def _in_heights(standardised: torch.Tensor, targets: torch.Tensor, heights: torch.Tensor) -> torch.Tensor:
    """Turn standardised targets into heights, by the linear map from lowest to lowest and highest to highest."""
    low, high = targets.min(), targets.max()
    return heights.min() + (standardised - low) / (high - low) * (heights.max() - heights.min())


def _draw_input(ax: "Axes", x: torch.Tensor) -> None:
    positions, ground = np.arange(len(x)), float(x.min())
    # Half transparent: pale on a light page, dim on a dark one.
    ax.fill_between(positions, ground, x.numpy(), color="0.5", alpha=0.4, linewidth=0, label=label("input"))


def _label(axes: np.ndarray, unit: str) -> None:
    for ax in axes[-1]:
        ax.set_xlabel(label(POSITION))
    for ax in axes[:, 0]:
        ax.set_ylabel(label(unit), fontsize="small")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    # The legend is above the axes, where it covers no shape.
    axes[0, 0].figure.legend(handles, labels, loc="outside upper center", ncols=len(labels), fontsize="small")


def plot_losses(losses: Mapping[str, Losses | Sequence[float]], window: int = 50) -> None:
    """Draw each model's training losses, the means of `window` steps, and unseen losses, on a logarithmic scale."""
    description = Message(
        N_(
            "Curves of the loss over the training steps, on a logarithmic scale, for {names}: in training, and on "
            "unseen sequences."
        ),
        {"names": listed(map(label, losses))},
    )
    with figure(width=6.5, describes=description, reads=read_losses(losses, window)) as ax:
        draw_losses(ax, losses, window)
        ax.set_xlabel(label("training step (batches)"))
        ax.set_ylabel(label("mean squared error (variances),\nmean of {window} steps (log scale)", window=window))


def plot_attention(attention: torch.Tensor, x: torch.Tensor, title: str = L_("Attention matrix A")) -> None:
    """Draw an attention matrix (T, T), whose row i holds where position i looks, beside its sequence (C, T)."""
    from matplotlib.colors import PowerNorm

    signal, positions = x[0].numpy(), np.arange(x.shape[-1])
    ratios = {"width_ratios": [1, 5], "height_ratios": [1, 5]}
    description = N_(
        "An attention matrix as a square of colours: row i shows, bright, which positions position i looks "
        "at; the sequence itself is drawn above the columns and beside the rows."
    )
    reads = read_looks(attention.detach(), x[0])
    with figure(2, 2, width=3.4, height=3.1, gridspec_kw=ratios, describes=description, reads=reads) as axes:
        (corner, top), (left, main) = axes
        corner.axis("off")
        base = float(signal.min())
        top.fill_between(positions, base, signal, color="0.6")
        left.fill_betweenx(positions, base, signal, color="0.6")
        left.invert_xaxis()
        top.set_title(label(title))
        top.set_xlim(-0.5, len(positions) - 0.5)
        left.set_ylim(len(positions) - 0.5, -0.5)
        for ax in (top, left):
            ax.tick_params(labelbottom=False, labelleft=False, length=0)
        # A square-root scale: on a linear one, a single weight near 1 would leave all others dark.
        scale = PowerNorm(0.5, vmin=0)
        weights = attention.detach().numpy()
        shown = main.imshow(weights, cmap="viridis", norm=scale, aspect="auto")
        main.set_xlabel(label("j: position looked at (points)"))
        left.set_ylabel(label("i: position that looks (points)"))
        main.figure.colorbar(shown, ax=main, label=label("weight Aᵢⱼ (root scale)"))


def plot_encoding(encoding: torch.Tensor) -> None:
    """Draw a positional encoding (B, T): a row per channel, white for 0 and black for 1, bit 0 on top.

    The student chooses whether the lowest or the highest bit comes first, so the rows are sorted here: bit k is 1 for
    the first time at position 2^k.
    """
    encoding = encoding[encoding.argmax(dim=1).argsort()]
    description = N_(
        "The positional encoding as stripes over the positions, a row for each bit, white where the bit is 0 "
        "and black where it is 1, the bit that changes soonest on top."
    )
    with figure(width=8, height=2.2, describes=description, reads=read_bits(encoding)) as ax:
        ax.imshow(encoding.numpy(), cmap="Greys", aspect="auto", vmin=0, vmax=1)
        ax.set_yticks(range(len(encoding)), [label("bit {number}", number=bit) for bit in range(len(encoding))])
        ax.set_xlabel(label(POSITION))
        ax.set_ylabel(label("channel"))


def plot_errors(errors: Mapping[str, float]) -> None:
    """Draw the models' test errors as dots on a logarithmic scale, each with its number.

    The colours begin again with each task, so that a model has the colour of its curve in the task's losses.
    """
    names = [label(name) for name in errors]
    tasks = [_task(name) for name in errors]
    colours = [PALETTE[tasks[:row].count(task) % len(PALETTE)] for row, task in enumerate(tasks)]
    description = Message(
        N_("Dots that mark the errors on new sequences, on a logarithmic scale: {numbers}."),
        {"numbers": listed(f"{label(name)} {error:.3g}" for name, error in errors.items())},
    )
    with figure(width=7, height=0.42 * len(names) + 0.9, describes=description) as ax:
        for row, (error, colour) in enumerate(zip(errors.values(), colours, strict=True)):
            ax.plot(error, row, "o", color=colour, markersize=9)
            ax.annotate(f"{error:.3g}", (error, row), xytext=(9, 0), textcoords="offset points", va="center")
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_xscale("log")
        ax.set_xlim(min(errors.values()) / 2, max(errors.values()) * 2.5)
        ax.grid(axis="y", color="0.5", alpha=0.3)
        ax.set_axisbelow(True)
        ax.set_xlabel(label("mean squared error on new sequences (squared height, log scale)"))


def print_errors(errors: Mapping[str, float], guesses: Mapping[str, Any] | None = None) -> None:
    """Print a table of test errors, each beside the student's guess and as a multiple of the smallest of its task.

    A model's name begins with its task and a colon; errors of different tasks cannot be compared. guesses: the
    student's, by the same names (see `utils.common.guesses`); without a guess the table lacks their column.
    """
    best: dict[str, float] = {}
    for name, error in errors.items():
        best[_task(name)] = min(error, best.get(_task(name), error))
    heads = (N_("model"), N_("error"), N_("times the best of its task"))
    rows = [(name, f"{error:.4f}", f"{error / best[_task(name)]:.1f}") for name, error in errors.items()]
    print_table(rows, heads, guesses)


def _task(name: str) -> str:
    return name.partition(":")[0] if ":" in name else ""


# The layout of figures with one picture for each sequence, side by side.
KEYHOLES = {"width": 3.0, "height": 2.0, "sharex": True, "sharey": True, "squeeze": False}


def plot_keyholes(inputs: torch.Tensor, radius: int = 8) -> None:
    """Draw, of each sequence (N, C, T), channel 0, only the points up to `radius` from the highest point."""
    description = N_("One grey shape of each sequence, with eight points on either side; the rest is hidden.")
    shown = torch.stack([torch.where(_is_visible(x, radius), x, x.min()) for x in inputs[:, 0]])
    with figure(1, len(inputs), **KEYHOLES, describes=description, reads=read_sequences(shown[:, None], {})) as axes:
        for ax, x in zip(axes.flat, inputs[:, 0], strict=True):
            visible = _keyhole(ax, x, radius)
            ax.fill_between(visible, float(x.min()), x.numpy()[visible], color="0.8")
        axes[0, 0].set_ylabel(label(HEIGHT))


def open_keyholes(inputs: torch.Tensor, targets: torch.Tensor, radius: int = 8) -> None:
    """Draw whole sequences (N, C, T) with their targets (N, 1, T), and lines at the ends of the parts shown before."""
    description = N_(
        "The same sequences as a whole: the part seen before is between two dashed lines, and the target is orange."
    )
    reads = read_sequences(inputs, {TARGET: targets})
    with figure(1, len(inputs), **KEYHOLES, describes=description, reads=reads) as axes:
        for ax, x, y in zip(axes.flat, inputs[:, 0], targets[:, 0], strict=True):
            _keyhole(ax, x, radius)
            _draw_input(ax, x)
            ax.plot(y.numpy(), color=PALETTE[1])
        axes[0, 0].set_ylabel(label(HEIGHT))


def _keyhole(ax: "Axes", x: torch.Tensor, radius: int) -> np.ndarray:
    """Draw lines at `radius` points from the highest point of a sequence (T,); return the positions between them."""
    visible = np.flatnonzero(_is_visible(x, radius))
    for edge in (visible[0], visible[-1]):
        ax.axvline(float(edge), color="0.2", linestyle="--", linewidth=0.8)
    ax.set(xlim=(0, len(x)), xlabel=label(POSITION))
    return visible


def _is_visible(x: torch.Tensor, radius: int) -> torch.Tensor:
    """Return, for each position of a sequence (T,), whether it is at most `radius` from the highest point."""
    return (torch.arange(len(x)) - x.argmax()).abs() <= radius
