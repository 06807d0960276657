"""Where a captioning model looks: the weights of its attention layers, of any class.

What: `weights_of` returns the weights of one kind of attention, layer by layer. `cells_of` returns the places of a grid
where a thing is, so that the places at which a word looks can be compared with the places of the thing it names.
How: the weights are read where they enter the layer's `attn_drop`. A class without that call shows no weights.
"""

import numpy as np
import torch
from torch import nn

from utils.captioning.interface import Captioner
from utils.captioning.scenes.features import CELLS
from utils.captioning.scenes.scene import Drawn
from utils.common.errors import WorkbookError
from utils.common.messages import N_

# A thing is at a place if its box covers this share of the place.
COVERED = 0.1


class CannotBeShown(WorkbookError):
    """The attention weights of a class cannot be read."""


def weights_of(
    model: Captioner, features: torch.Tensor, captions: torch.Tensor, kind: str = "self_attn"
) -> list[torch.Tensor]:
    """Return the weights (N, H, S, T) of each layer's `kind` of attention, "self_attn" or "multihead_attn" (cross).

    features (N, D) or (N, T, D), captions (N, S). The model keeps its mode.
    Raises: CannotBeShown for a class whose weights do not pass through a layer `attn_drop`.
    """
    seen: list[torch.Tensor] = []
    drops = [getattr(getattr(layer, kind), "attn_drop", None) for layer in model.transformer.layers]
    if not all(isinstance(drop, nn.Module) for drop in drops):
        raise CannotBeShown(N_("These attention weights cannot be shown: the class has no layer attn_drop."))
    # The input of `attn_drop` is the weights before dropout, whatever the student's code calls them.
    hooks = [
        drop.register_forward_hook(lambda layer, inputs, output: seen.append(inputs[0].detach()))
        for drop in drops
        if isinstance(drop, nn.Module)
    ]
    mode = model.training
    try:
        with torch.no_grad():
            model.eval()(features, captions)
    finally:
        for hook in hooks:
            hook.remove()
        model.train(mode)
    if len(seen) != len(drops):
        raise CannotBeShown(N_("These attention weights cannot be shown: they do not pass through attn_drop."))
    return seen


def cells_of(thing: Drawn) -> np.ndarray:
    """Return the places of a grid where a thing is, (CELLS, CELLS) booleans."""
    edges = np.arange(CELLS) / CELLS

    def covered(centre: float) -> np.ndarray:
        inside = np.minimum(edges + 1 / CELLS, centre + thing.radius) - np.maximum(edges, centre - thing.radius)
        return inside.clip(min=0) * CELLS  # as shares of a place's side

    return np.asarray(np.outer(covered(thing.y), covered(thing.x)) > COVERED)
