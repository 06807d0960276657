"""Point at a position of a sequence and see where it looks: the explorer of the lesson `attention`.

The temperature divides the scores of the layer's own queries and keys; the network's prediction is computed again with
the new weights. The new weights are computed from the old ones, so the layer needs no change.
"""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import TensorDataset

from utils.common import explorer
from utils.common.devices import device_of
from utils.common.errors import WorkbookError
from utils.common.explorer import sharpened
from utils.common.figures import BLUE, ORANGE, PINK, label
from utils.common.messages import N_, Message

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

SEQUENCES = 20  # from which the user can choose
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0)
CONTROLS = (N_("network"), N_("sequence"), N_("position"), N_("temperature"))  # the names of `draw`'s arguments


def explore(networks: Mapping[str, tuple[nn.Module, TensorDataset]]) -> None:
    """Explore networks with an attention layer, each with a test set (N, C, T), (N, 1, T) of its own."""
    inputs = {name: dataset[:SEQUENCES][0] for name, (_, dataset) in networks.items()}
    first = next(iter(inputs.values()))
    controls = {
        "network": list(networks),
        "sequence": range(len(first)),
        "position": range(first.shape[2]),
        "temperature": TEMPERATURES,
    }
    shown = [
        # The highest point: part of a shape, so that there is something to look for.
        {"network": name, "sequence": 0, "position": int(x[0, 0].argmax()), "temperature": 1.0}
        for name, x in inputs.items()
    ]
    explorer.explore(
        partial(draw, networks=networks),
        controls,
        shown,
        height=3.6,
        describes=Message(
            N_(
                "For a network and one position of a sequence: where the position looks, as blue bars over the grey "
                "sequence; below it the network's prediction beside the target; at the right the whole attention "
                "matrix with the position's row marked."
            )
        ),
    )


def looked(model: nn.Module, x: torch.Tensor, temperature: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the prediction (T,) and the attention weights (T, T) for one sequence (C, T) at a temperature."""
    layer: Any = next((m for m in model.modules() if all(hasattr(m, name) for name in ("query", "key", "value"))), None)
    if layer is None:
        raise WorkbookError(
            N_("This network has no attention layer with `query`, `key` and `value`: explore one that has.")
        )
    seen: list[torch.Tensor] = []

    def look(module: Any, inputs: tuple[torch.Tensor, ...], output: torch.Tensor) -> torch.Tensor:
        seen.append(sharpened(module.forward(inputs[0], return_attention=True)[1], temperature))
        values: torch.Tensor = module.value(inputs[0])
        return values @ seen[0].transpose(1, 2)

    hook = layer.register_forward_hook(look)
    try:
        with torch.no_grad():
            prediction = model.eval()(x[None].to(device_of(model)))
    finally:
        hook.remove()
    return prediction[0, 0].cpu(), seen[0][0].cpu()


def draw(
    figure: "FigureBase",
    *,
    networks: Mapping[str, tuple[nn.Module, TensorDataset]],
    network: str,
    sequence: int,
    position: int,
    temperature: float,
) -> None:
    """Left, the sequence with the weights of one position, and the prediction; right, the matrix with its row."""
    model, dataset = networks[network]
    x, target = dataset[sequence]  # (C, T), (1, T)
    prediction, weights = looked(model, x, temperature)
    places = np.arange(x.shape[1])
    figure.suptitle(label(network), fontsize="medium")
    # Fixed margins: matplotlib's automatic layout takes as long as all other drawing.
    margins = {"left": 0.07, "right": 0.98, "bottom": 0.14, "top": 0.84, "hspace": 0.45, "wspace": 0.42}
    axes = figure.subplot_mosaic([["looks", "matrix"], ["says", "matrix"]], width_ratios=[2, 1], gridspec_kw=margins)
    for name in ("looks", "says"):
        axes[name].fill_between(places, float(x[0].min()), x[0].numpy(), color="0.8", label=label("input"))
        axes[name].axvline(position, color=PINK, linestyle=":")
        axes[name].set_ylabel(label("height (st. dev.)"), fontsize="small")
    axes["looks"].set_title(label("where position {place} looks", place=position), fontsize="medium")
    beside = axes["looks"].twinx()
    beside.fill_between(places, 0, weights[position].numpy(), color=BLUE, step="mid")
    axes["looks"].tick_params(labelbottom=False)
    beside.set(ylim=(0, max(0.05, 1.1 * float(weights[position].max()))), ylabel=label("weight"))
    axes["says"].plot(target[0].numpy(), color=ORANGE, label=label("target"))
    axes["says"].plot(prediction.numpy(), color=BLUE, linestyle="--", label=label("prediction"))
    axes["says"].set_xlabel(label("position (points)"))
    axes["says"].legend(fontsize="x-small", ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.35), frameon=False)
    axes["matrix"].imshow(weights.sqrt().numpy(), cmap="viridis", vmin=0, interpolation="nearest")
    axes["matrix"].axhline(position, color=PINK, linestyle=":")
    axes["matrix"].set_title(label("all weights (root scale)"), fontsize="medium")
    axes["matrix"].set_xlabel(label("position looked at"))
    axes["matrix"].set_ylabel(label("position that looks"))
