"""Training the small language model.

The recipe, and its reasons (measured in `benchmarks/gpt.md`):

* Rows of tales that have just begun, so that a name is told for the first time and again within one row.
* Matrices are trained by Muon (`utils/common/muon.py`), because looking is learned from weak directions of the
  gradient; vectors, the embedding and the output by Adam.
* The rate warms up and falls along a cosine to zero (`utils/common/schedule.py`).
* Some rows are trained without the attention of the last layer, so that the plain words are learned without it. Else
  its heads copy words as well as names, and without them the words' losses rise, too.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from utils.common.devices import device_of, no_denormals, one_thread
from utils.common.kept import kept
from utils.common.messages import N_
from utils.common.muon import Muon
from utils.common.progress import progress, rehearsing
from utils.common.schedule import rate_factor
from utils.gpt.looking import KindLosses
from utils.gpt.tales.letters import Rows

STEPS = 1000
BATCH = 10  # rows
MATRIX_RATE = 0.015  # of Muon, which trains the matrices of the blocks
OTHER_RATE = 3e-3  # of Adam, which trains all else
LONGEST = 1.0  # length to which the gradient is clipped
LEFT_OUT = 0.07  # share of the rows that are trained without the last layer's attention
MEASUREMENTS = 20  # of the three losses, in one training

Nats = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


@contextmanager
def last_attention_left_out(model: Any, generator: torch.Generator) -> Iterator[None]:
    """Within this context, in training, the last layer's attention adds nothing to some rows, drawn at each call.

    A model of one layer keeps its attention in all rows.
    Source: LayerDrop, Fan et al. 2020, https://arxiv.org/abs/1909.11556; there whole layers are left out.
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


@kept(KindLosses)
@one_thread()
@no_denormals()
def train(
    model: Any,
    rows: Rows,
    nats: Nats,
    *,
    steps: int = STEPS,
    measure: Callable[[Any], Any] | None = None,
    seed: int = 0,
    description: str = N_("training"),
) -> list[tuple[int, Any]]:
    """Train `model` on `rows`; return what `measure(model)` says now and then, with the steps made.

    nats(logits (N, S, V), letters (N, S)) -> the loss of each letter from the second on (N, S - 1). A step takes about
    50 ms with two layers on one core of 2023.
    """
    inner = [p for name, p in model.named_parameters() if p.ndim > 1 and name.startswith("blocks")]
    kept = {id(p) for p in inner}
    others = [p for p in model.parameters() if id(p) not in kept]
    optimisers: list[torch.optim.Optimizer] = [
        Muon(inner, MATRIX_RATE),
        torch.optim.Adam(others, OTHER_RATE, betas=(0.9, 0.98)),
    ]
    schedules = [torch.optim.lr_scheduler.LambdaLR(each, lambda step: rate_factor(step, steps)) for each in optimisers]
    # A generator of its own, so that the training does not depend on what the notebook's cells have drawn before.
    generator = torch.Generator().manual_seed(seed)
    device = device_of(model)
    measurements: list[tuple[int, Any]] = []
    model.train()
    bar = progress(range(steps), description, total=steps)
    for step in bar:
        letters = rows.letters[torch.randint(len(rows), (BATCH,), generator=generator)].to(device)
        with last_attention_left_out(model, generator):
            loss = nats(model(letters), letters).mean()
        for optimiser in optimisers:
            optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), LONGEST)
        for optimiser in optimisers:
            optimiser.step()
        for schedule in schedules:
            schedule.step()
        # A rehearsal has two steps; each is measured, because the cells below need a curve to draw.
        measured = (step + 1) % max(1, steps // MEASUREMENTS) == 0 or step + 1 == steps or rehearsing()
        if measure is not None and measured:
            model.eval()
            measurements.append((step + 1, measure(model)))
            model.train()
            bar.set_postfix(loss=f"{loss.item():.3f}", refresh=False)
    model.eval()
    return measurements
