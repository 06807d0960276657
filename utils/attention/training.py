"""Training and measuring the networks of the lesson `attention`.

The recipe, and its reasons (measured in `benchmarks/punchline.md`):

* Many sequences, small batches: attention learns where to look from the error alone, which takes thousands of small
  corrections; a network memorises a small number of sequences earlier than that.
* Matrices are trained by Muon (`utils/common/muon.py`): a step has the same length in every direction. The directions
  that carry a shape's position or kind are weak in the gradient. Adam follows the strong ones first, and the softmax
  stays near uniform.
* The rate warms up, because a large early step could drive the softmax into saturation, where its gradient is zero. The
  rate then falls along a cosine to zero, so that the noise of small batches averages out.
"""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.utils.data import TensorDataset

from utils.common.curves import Losses, is_measured
from utils.common.devices import device_of, no_denormals, one_thread
from utils.common.kept import kept
from utils.common.messages import N_
from utils.common.muon import Muon
from utils.common.progress import progress
from utils.common.schedule import rate_factor

BATCH = 16  # sequences; larger batches take more time, smaller ones are too noisy
BIAS_RATE = 3e-3  # of Adam, which trains the biases
FOLLOWED = 200  # unseen sequences whose loss is measured now and then; takes a second in all


class Together:
    """Several optimisers, or several schedules, that are used as one."""

    def __init__(self, *parts: Any):
        self.parts = parts

    def step(self) -> None:
        for part in self.parts:
            part.step()

    def zero_grad(self, set_to_none: bool = True) -> None:
        for part in self.parts:
            part.zero_grad(set_to_none)

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        return [group for part in self.parts for group in part.param_groups]


Batches = Iterator[tuple[torch.Tensor, torch.Tensor]]
# Takes a model, its optimiser and the schedule, both as `Together`, and the batches; returns the loss on each batch.
Loop = Callable[[nn.Module, Any, Any, Batches], list[float]]


@kept(Losses)
@one_thread()
@no_denormals()
def train(
    model: nn.Module,
    dataset: TensorDataset,
    loop: Loop,
    steps: int,
    *,
    unseen: TensorDataset | None = None,
    batch: int = BATCH,
    seed: int = 0,
    description: str = N_("training"),
) -> Losses:
    """Train `model` on `dataset` with the notebook's loop.

    Returns the loss of every step, and about thirty mean squared errors on sequences of `unseen`. `dataset[indices]`
    gives inputs (N, C, T) and targets (N, 1, T), as a TensorDataset does. A step takes about 4 ms with the
    convolutional network and 9 ms with attention, on one core of 2023.
    """
    matrices = [p for p in model.parameters() if p.ndim > 1]
    biases = [p for p in model.parameters() if p.ndim <= 1]
    optimisers: list[torch.optim.Optimizer] = [Muon(matrices)]
    if biases:
        optimisers.append(torch.optim.Adam(biases, BIAS_RATE, betas=(0.9, 0.99)))
    schedules = [torch.optim.lr_scheduler.LambdaLR(each, lambda step: rate_factor(step, steps)) for each in optimisers]
    # A generator of its own, so that the training does not depend on what the notebook's cells have drawn before.
    generator = torch.Generator().manual_seed(seed)
    device = device_of(model)
    measured: list[tuple[int, float]] = []

    def batches() -> Batches:
        """Yield random batches; between two of them, now and then measure the error on `unseen`."""
        bar = progress(range(steps), description, total=steps)
        for step in bar:
            inputs, targets = dataset[torch.randint(len(dataset), (batch,), generator=generator)]
            yield inputs.to(device), targets.to(device)
            if unseen is not None and is_measured(step + 1, steps):
                inputs, targets = unseen[:FOLLOWED]
                measured.append((step + 1, float((predict(model, inputs) - targets).square().mean())))
                bar.set_postfix(**{N_("unseen"): f"{measured[-1][1]:.4f}"}, refresh=False)
                model.train()  # `predict` has switched to eval mode

    model.train()
    losses = loop(model, Together(*optimisers), Together(*schedules), batches())
    model.eval()
    return Losses(losses, measured)


@torch.no_grad()
def predict(model: nn.Module, inputs: torch.Tensor, batch: int = 50) -> torch.Tensor:
    """Return the outputs (N, 1, T) of `model` for inputs (N, C, T), computed in batches to spare memory."""
    model.eval()
    device = device_of(model)
    return torch.cat([model(part.to(device)).to(inputs.device) for part in inputs.split(batch)])


def mean_squared_error(model: nn.Module, dataset: TensorDataset) -> float:
    """Return the mean squared error of `model` on all of `dataset`, in squared units of the dataset."""
    inputs, targets = dataset[:]
    return float((predict(model, inputs) - targets).square().mean())
