"""Where a captioning model of any class looks, and what its words depend on.

What: `weights_of` returns the weights of one kind of attention, layer by layer. `cells_of` returns the places of a grid
where a thing is, so that the places at which a word looks can be compared with the places of the thing it names.
`WordScores` says how probable a caption's words are with any picture, for experiments on what they depend on.
How: the weights are read where they enter the layer's `attn_drop`. A class without that call shows no weights.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import torch
from torch import nn

from utils.captioning.data import caption_text
from utils.captioning.interface import Captioner
from utils.captioning.scenes.features import CELLS, features_of, grid_of
from utils.captioning.scenes.scene import Drawn
from utils.common.errors import WorkbookError
from utils.common.messages import N_

Score = Callable[[torch.Tensor], torch.Tensor]
# score, picture (height, width, 3), (top, left, size) of a patch, colour (3,) -> the falls (S,) of S words
DependsOn = Callable[[Score, torch.Tensor, tuple[int, int, int], torch.Tensor], torch.Tensor]

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


class WordScores:
    """The log-probabilities of the words of one caption: a picture (64, 64, 3), numbers from 0 to 255 -> (S,).

    The caption is what the model, in `eval()` mode, writes about `picture`; its S words are `words`. Features are those
    of a grid's cells with `grid`, else one vector; they are padded with zeros to the model's width.
    """

    def __init__(
        self,
        model: Captioner,
        picture: torch.Tensor,
        idx_to_word: Sequence[str],
        word_to_idx: Mapping[str, int],
        *,
        grid: bool = False,
    ):
        self._model = model
        self._features_of = grid_of if grid else features_of
        written = caption_text(model.sample(self.features(picture), max_length=16)[0], idx_to_word).split()
        self.words = [word for word in written if word not in ("<START>", "<END>", "<NULL>")]
        indices = torch.tensor([word_to_idx[word] for word in ["<START>", *self.words]])
        self.seen = indices[None, :-1].to(model.output.weight.device)  # (1, S)
        self._wanted = indices[1:, None]  # (S, 1)

    def features(self, picture: torch.Tensor) -> torch.Tensor:
        """(64, 64, 3) -> (1, D), or with a grid (1, T, D)."""
        points = picture.round().clamp(0, 255).cpu().numpy().astype(np.uint8)
        found = torch.from_numpy(self._features_of(points[None])).to(self._model.output.weight.device)
        return nn.functional.pad(found, (0, self._model.visual_projection.in_features - found.shape[-1]))

    @torch.no_grad()
    def __call__(self, picture: torch.Tensor) -> torch.Tensor:
        mode = self._model.training
        try:
            scores = self._model.eval()(self.features(picture), self.seen)[0]  # (S, V)
        finally:
            self._model.train(mode)
        log_shares: torch.Tensor = scores.log_softmax(dim=-1).cpu().gather(1, self._wanted)[:, 0]
        return log_shares
