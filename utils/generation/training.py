"""Training the small language model.

The recipe, and its reasons (measured in `benchmarks/gpt.md`):

* Rows of tales that have just begun, so that a name is told for the first time and again within one row.
* Matrices are trained by Muon (`utils/common/muon.py`), because looking is learned from weak directions of the
  gradient; vectors, the embedding and the output by Adam.
* The rate warms up and falls along a cosine to zero (`utils/common/schedule.py`).
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from utils.common.devices import device_of, no_denormals, one_thread
from utils.common.messages import N_
from utils.common.muon import Muon
from utils.common.progress import progress, rehearsing
from utils.common.schedule import rate_factor
from utils.tales.letters import Rows

STEPS = 900
BATCH = 10  # rows
MATRIX_RATE = 0.015  # of Muon, which trains the matrices of the blocks
OTHER_RATE = 3e-3  # of Adam, which trains all else
LONGEST = 1.0  # length to which the gradient is clipped
MEASUREMENTS = 18  # of the three losses, in one training

Nats = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


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
    generator = torch.Generator().manual_seed(seed)
    device = device_of(model)
    found: list[tuple[int, Any]] = []
    model.train()
    bar = progress(range(steps), description, total=steps)
    for step in bar:
        letters = rows.letters[torch.randint(len(rows), (BATCH,), generator=generator)].to(device)
        loss = nats(model(letters), letters).mean()
        for optimiser in optimisers:
            optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), LONGEST)
        for optimiser in optimisers:
            optimiser.step()
        for schedule in schedules:
            schedule.step()
        measured = (step + 1) % max(1, steps // MEASUREMENTS) == 0 or step + 1 == steps or rehearsing()
        if measure is not None and measured:
            model.eval()
            found.append((step + 1, measure(model)))
            model.train()
            bar.set_postfix(loss=f"{loss.item():.3f}", refresh=False)
    model.eval()
    return found
