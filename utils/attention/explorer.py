"""The explorer of the lesson `attention`: shapes to drag and raise, and the answers of the student's own networks.

The page is `utils/attention/page`. The picture, which is shown where a page cannot run, has a row for each network with
attention: where one position looks.
"""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import TensorDataset

from utils.alive.explorer import Explorer
from utils.alive.weights import CannotExport
from utils.attention.exporting import Scale, attends, exported, scale_of, task_of
from utils.attention.plots import HEIGHT, STANDARD_HEIGHT
from utils.common.devices import device_of
from utils.common.figures import BLUE, ORANGE, PINK, label
from utils.common.messages import N_, Message

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

WORDS = {
    "hint": N_("Drag a shape, or raise it. Then point at a position and see where it looks."),
    "keys": N_(
        "Keyboard: Tab to a shape or to the pink position; arrow keys move and raise it, with Shift by five; T turns a "
        "triangle into a rectangle and back."
    ),
    "input": N_("input"),
    "target": N_("target"),
    "prediction": N_("prediction"),
    "turn": N_("Triangle ↔ rectangle"),
    "shuffle": N_("New sequence"),
    "triangle": N_("triangle"),
    "rectangle": N_("rectangle"),
    "ground": N_("ground"),
    "own": N_("its own shape"),
    "span": N_("{kind} ({a}–{b})"),
    "shape": N_("{kind} at {p}, height {h}"),
    "position": N_("position {p}"),
    "looks": N_("where position {p} looks"),
    "sees": N_("all that position {p} sees"),
    "at": N_("Position {p} ({what}) looks at"),
    "nowhere": N_("Position {p} sees positions {a} to {b} and nothing else: convolutions reach no farther."),
    "networks": N_("All networks answer at once. Choose one to look inside"),
    "off": N_("off by {e}"),
    "matrix": N_("all weights (root scale)"),
    "row": N_("position that looks"),
    "column": N_("position looked at"),
    "no_matrix": N_("Convolutions have no matrix: each point always sees its {reach} neighbours on either side."),
    "unfold": N_("One number: position {i} looks at {j} with {weight}"),
    "query": N_("query"),
    "key": N_("key"),
    "product": N_("product"),
    "component": N_("component {c}: {q} × {k} = {product}"),
    "dot": N_("The products add up to the score of {i} for {j}: {sum}"),
    "scaled": N_("divided by √d: {score}"),
    "raw": N_("and the score itself is used as the weight: {weight}"),
    "row_sum": N_("divided by the sum over the row, {all}: the weight is {weight}"),
    "column_sum": N_("divided by the sum over the column, {all}: the weight is {weight}"),
    "mistake_softmax_over_queries": N_("softmax over the other axis"),
    "mistake_softmax_missing": N_("no softmax"),
    "mistake_attention_transposed_in_output": N_("A instead of its transpose"),
    "mistake_scaled_by_key_dim": N_("scores divided by √d"),
    "mistake_masked_future": N_("later positions masked"),
    "mistake_encoding_constant": N_("same code everywhere"),
    "why_softmax_over_queries": N_(
        "Now columns sum to 1, and rows do not: the bars do not add up to 100%, so what a position hears depends on "
        "how many others look at the same place, and heights come out too large or too small."
    ),
    "why_softmax_missing": N_(
        "Raw scores are not weights: they are large, some are negative, and they do not add up to 1. The sums of the "
        "values explode."
    ),
    "why_attention_transposed_in_output": N_(
        "The matrix looks right, but its columns are used where its rows should be: a position gets what "
        "the positions that look at it want to know. It uses the weights of its column, not those of the "
        "pink row."
    ),
    "why_scaled_by_key_dim": N_(
        "All scores become eight times smaller (√64), so the weights become flat: each position looks a little at "
        "everything. The network was trained without the division; trained with it, it would have learned "
        "larger scores."
    ),
    "why_masked_future": N_(
        "Everything above the diagonal is dark: a shape sees partners only on its left. A model that "
        "writes word by word needs that; here it hides half of the answer."
    ),
    "why_encoding_constant": N_(
        "Each position has the code of position 0. Networks without positions do not notice; with them, left and "
        "right can no longer be told apart."
    ),
    "try_far": N_("Partner at the far end"),
    "ask_far": N_(
        "Two triangles, 90 points apart; the rectangles between them. Which networks will be right, that is, off by "
        "less than 1?"
    ),
    "tell_far": N_("Distance is nothing to attention, and everything to a convolution."),
    "try_three": N_("Three triangles"),
    "ask_three": N_(
        "Three triangles and one rectangle, which no network has met in training; in task 1 the triangles should take "
        "the mean of all three. Which networks will be right?"
    ),
    "tell_three": N_(
        "Nothing is promised for what was never seen in training: now raise one of the triangles, and watch."
    ),
    "try_touching": N_("Shapes that touch"),
    "ask_touching": N_(
        "Both triangles are side by side on the left, both rectangles on the right, so both tasks want "
        "the same. Which networks will be right?"
    ),
    "tell_touching": N_(
        "Here part of the partner is within 8 points: look at what the convolutions do, then move the partner away."
    ),
    "guide_stage": N_("Four shapes are the input. Drag one: the orange line is what the networks should answer."),
    "guide_networks": N_("Your networks, with your weights, answer at each move. Choose one with attention."),
    "guide_arcs": N_(
        "Point at a shape: an arc goes to each place where this position looks; the larger the weight, the "
        "thicker the arc."
    ),
    "guide_matrix": N_("The same for all positions: row i shows where position i looks. The pink row is yours."),
    "guide_number": N_("Open this line: one weight, from the products of query and key to its percentage."),
    "guide_mistakes": N_("Each switch is a mistake that the check knows. Switch one on, and watch what changes."),
    "guide_trials": N_("And three situations to guess, before you see what your networks do."),
}
FAR_HIGH = 3.6  # inches of a network's row in the picture


def explore(networks: Mapping[str, tuple[nn.Module, TensorDataset]]) -> Explorer:
    """Explore networks, each with a standardised test set (N, C, T), (N, 1, T); a name begins with its task.

    The result is shown as a live page; its method `save("mine.html")` writes the page as a file.
    """
    attending = {name: network for name, network in networks.items() if any(map(attends, network[0].modules()))}
    return Explorer(
        lesson="attention",
        title=N_("Explore your networks: attention"),
        export=partial(_export, networks),
        words=WORDS,
        draw=partial(draw_all, networks=attending),
        size=(9.0, FAR_HIGH * max(1, len(attending))),
        describes=Message(
            N_(
                "For a network and one position of a sequence: where the position looks, as blue bars over the grey "
                "sequence; below it the network's prediction beside the target; at the right the whole attention "
                "matrix with the position's row marked."
            )
        ),
        height=1130,
    )


def _export(networks: Mapping[str, tuple[nn.Module, TensorDataset]]) -> dict[str, Any]:
    return {"networks": [exported(name, model, dataset) for name, (model, dataset) in networks.items()]}


def looked(model: nn.Module, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the prediction (T,) and the attention weights (T, T) of a network with attention for a sequence (C, T)."""
    layer = next(filter(attends, model.modules()))
    layer_inputs: list[torch.Tensor] = []
    # The layer returns its weights only if it is asked, so it is called once more, with the input that it got.
    hook = layer.register_forward_pre_hook(lambda _, inputs: layer_inputs.append(inputs[0]))
    try:
        with torch.no_grad():
            prediction = model.eval()(x[None].to(device_of(model)))
            weights = layer(layer_inputs[0], return_attention=True)[1]
    finally:
        hook.remove()
    return prediction[0, 0].cpu(), weights[0].cpu()


def draw_all(figure: "FigureBase", *, networks: Mapping[str, tuple[nn.Module, TensorDataset]]) -> None:
    """Draw a row for each network: where the highest point of the first sequence looks."""
    rows = figure.subfigures(len(networks), 1, squeeze=False)[:, 0] if networks else ()
    for row, (name, (model, dataset)) in zip(rows, networks.items(), strict=True):
        x, target = dataset[0]
        scale = _scale(name, dataset)
        draw(row, name=name, model=model, x=x, target=target, position=int(x[0].argmax()), scale=scale)


def _scale(name: str, dataset: TensorDataset) -> Scale | None:
    """Return the scale that turns a data set's numbers back into heights; None if the data are not the lesson's."""
    try:
        return scale_of(dataset, task_of(name))
    except CannotExport:
        return None


def draw(
    figure: "FigureBase",
    *,
    name: str,
    model: nn.Module,
    x: torch.Tensor,
    target: torch.Tensor,
    position: int,
    scale: Scale | None = None,
) -> None:
    """Draw the sequence (C, T) with one position's weights, below it the prediction, and at the right the matrix.

    scale: turns inputs and targets back into heights; without it they are drawn in standard deviations.
    """
    prediction, weights = looked(model, x)
    shape, target, unit = x[0], target[0], STANDARD_HEIGHT
    if scale is not None:
        shape, unit = _in_heights(shape, scale["x"]), HEIGHT
        target, prediction = _in_heights(target, scale["y"]), _in_heights(prediction, scale["y"])
    positions = np.arange(x.shape[1])
    figure.suptitle(label(name), fontsize="medium")
    # Fixed margins: matplotlib's automatic layout takes as long as all other drawing.
    margins = {"left": 0.07, "right": 0.98, "bottom": 0.14, "top": 0.84, "hspace": 0.45, "wspace": 0.42}
    axes = figure.subplot_mosaic([["looks", "matrix"], ["says", "matrix"]], width_ratios=[2, 1], gridspec_kw=margins)
    for part in ("looks", "says"):
        axes[part].fill_between(positions, float(shape.min()), shape.numpy(), color="0.8", label=label("input"))
        axes[part].axvline(position, color=PINK, linestyle=":")
        axes[part].set_ylabel(label(unit), fontsize="small")
    axes["looks"].set_title(label("where position {place} looks", place=position), fontsize="medium")
    weight_axis = axes["looks"].twinx()
    weight_axis.fill_between(positions, 0, weights[position].numpy(), color=BLUE, step="mid")
    axes["looks"].tick_params(labelbottom=False)
    weight_axis.set(ylim=(0, max(0.05, 1.1 * float(weights[position].max()))), ylabel=label("weight"))
    axes["says"].plot(target.numpy(), color=ORANGE, label=label("target"))
    axes["says"].plot(prediction.numpy(), color=BLUE, linestyle="--", label=label("prediction"))
    axes["says"].set_xlabel(label("position (points)"))
    axes["says"].legend(fontsize="x-small", ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.35), frameon=False)
    axes["matrix"].imshow(weights.sqrt().numpy(), cmap="viridis", vmin=0, interpolation="nearest")
    axes["matrix"].axhline(position, color=PINK, linestyle=":")
    axes["matrix"].set_title(label("all weights (root scale)"), fontsize="medium")
    axes["matrix"].set_xlabel(label("position looked at"))
    axes["matrix"].set_ylabel(label("position that looks"))


def _in_heights(standardised: torch.Tensor, scale: Mapping[str, float]) -> torch.Tensor:
    return standardised * scale["std"] + scale["mean"]
