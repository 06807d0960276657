"""Training a porter, and the share of its right answers (the recipe is measured in `benchmarks/recall.md`).

The number of pairs is drawn anew for each batch, so that one training shows all lengths. The rate warms up and falls
along a cosine to zero; gradients are clipped, because a batch of many pairs has large ones.
"""

from collections.abc import Mapping, Sequence

import torch
from torch import nn
from torch.nn import functional as F

from utils.common.devices import device_of, no_denormals, one_thread
from utils.common.kept import kept
from utils.common.messages import N_
from utils.common.progress import progress
from utils.common.schedule import rate_factor
from utils.recall.hotel import days
from utils.recall.model import Porter

STEPS = 600
BATCH = 32  # days
MOST = 64  # pairs told in one day of training
RATE = 1e-2  # of Adam
LONGEST = 1.0  # length to which the gradient is clipped
LENGTHS = (2, 4, 8, 16, 32, 64, 128, 256)  # pairs, at which a porter is measured
QUESTIONS = 4000  # at each length, about

Curve = Mapping[int, float]  # the share of right answers by the number of pairs


@kept()
@one_thread()
@no_denormals()
def train(
    porter: Porter,
    *,
    steps: int = STEPS,
    most: int = MOST,
    moved: bool = False,
    seed: int = 0,
    description: str = N_("training"),
) -> None:
    """Train a porter on days of 1 to `most` guests; with `moved`, half of them move and are asked for."""
    optimiser = torch.optim.Adam(porter.parameters(), RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda step: rate_factor(step, steps))
    # A generator of its own, so that the training does not depend on what the notebook's cells have drawn before.
    generator = torch.Generator().manual_seed(seed)
    device = device_of(porter)
    porter.train()
    bar = progress(range(steps), description, total=steps)
    sum_of_losses = 0.0  # of the last hundred steps: batches differ in how hard they are
    for step in bar:
        pairs = int(torch.randint(1, most + 1, (1,), generator=generator))
        guests, rooms, asked, right = (part.to(device) for part in days(pairs, BATCH, generator, moved=moved))
        loss = F.cross_entropy(porter(guests, rooms, asked).flatten(0, 1), right.flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(porter.parameters(), LONGEST)
        optimiser.step()
        schedule.step()
        sum_of_losses += loss.item()
        if step % 100 == 99:
            bar.set_postfix(loss=f"{sum_of_losses / 100:.2f}", refresh=False)
            sum_of_losses = 0.0
    porter.eval()


@one_thread()
@torch.no_grad()
def shares(porter: Porter, lengths: Sequence[int] = LENGTHS, *, moved: bool = False, seed: int = 10_000) -> Curve:
    """Return the share of right answers at each number of pairs, on days that the training has not seen."""
    generator = torch.Generator().manual_seed(seed)
    device = device_of(porter)
    porter.eval()
    found = {}
    for pairs in lengths:
        count = max(16, QUESTIONS // pairs)
        guests, rooms, asked, right = (part.to(device) for part in days(pairs, count, generator, moved=moved))
        found[pairs] = float((porter(guests, rooms, asked).argmax(-1) == right).float().mean())
    return found
