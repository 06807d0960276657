"""The recipe by which the small language model is trained; the loop itself is a cell of the lesson `gpt`.

The recipe's parts, and their reasons (measured in `benchmarks/gpt.md`):

* Rows of tales that have just begun, so that a name is told for the first time and again within one row.
* Matrices are trained by Muon (`utils/common/muon.py`), because looking is learned from weak directions of the
  gradient; vectors, the embedding and the output by Adam.
* The rate warms up and falls along a cosine to zero (`utils/common/schedule.py`).
* Some rows are trained without the attention of the last layer, so that the plain words are learned without it.
Otherwise its heads copy words as well as names, and the words' losses rise, too, when the heads are off.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import torch
from torch import nn

from utils.common.devices import no_denormals, one_thread
from utils.common.kept import kept
from utils.common.muon import Muon
from utils.common.progress import rehearsing
from utils.common.schedule import rate_factor
from utils.gpt.looking import KindLosses

MATRIX_RATE = 0.015  # of Muon, which trains the matrices of the blocks
OTHER_RATE = 3e-3  # of Adam, which trains all else
LEFT_OUT = 0.07  # share of the rows that are trained without the last layer's attention
MEASUREMENTS = 20  # of the three losses, in one training

Train = TypeVar("Train", bound=Callable[..., Any])


def optimisers(model: Any) -> list[torch.optim.Optimizer]:
    """Return the two optimizers of a model: Muon for the matrices of its blocks, Adam for all other weights."""
    inner = [p for name, p in model.named_parameters() if p.ndim > 1 and name.startswith("blocks")]
    matrices = {id(p) for p in inner}
    others = [p for p in model.parameters() if id(p) not in matrices]
    return [Muon(inner, MATRIX_RATE), torch.optim.Adam(others, OTHER_RATE, betas=(0.9, 0.98))]


def schedule(optimiser: torch.optim.Optimizer, steps: int) -> torch.optim.lr_scheduler.LambdaLR:
    """Return what lets the rate of an optimiser rise, and then fall to zero."""
    return torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: rate_factor(step, steps))


@contextmanager
def last_attention_left_out(model: Any, generator: torch.Generator) -> Iterator[None]:
    """Within this context, in training, the last layer's attention adds nothing to some rows, drawn at each call.

    A model of one layer keeps its attention in all rows.
    Source: stochastic depth, Huang et al. 2016, https://arxiv.org/abs/1603.09382.
    """

    def leave_out(layer: nn.Module, inputs: object, result: torch.Tensor) -> torch.Tensor:
        if not layer.training:
            return result
        kept = torch.rand(len(result), 1, 1, generator=generator) >= LEFT_OUT
        return result * kept.to(result)

    *below, last = model.blocks
    hook = last.attention.register_forward_hook(leave_out) if below else None
    try:
        yield
    finally:
        if hook is not None:
            hook.remove()


def is_measured(step: int, steps: int) -> bool:
    """Return whether a model is measured after `step` of `steps`: `MEASUREMENTS` times, and at the end."""
    # A rehearsal has two steps; each is measured, because the cells below need a curve to draw.
    return step % max(1, steps // MEASUREMENTS) == 0 or step == steps or rehearsing()


def kept_for_next_time(train: Train) -> Train:
    """Decorate the lesson's training loop: a trained model is kept on this computer; it is trained on one thread."""
    return kept(KindLosses)(one_thread()(no_denormals()(train)))
