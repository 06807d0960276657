"""Training and measuring the networks of the lesson `attention`.

The recipe, and why it is so (measured in `benchmarks/punchline.md`):

* Many sequences, small batches: attention has to find out *whom* to look at from the error alone,
  which takes thousands of small corrections; few sequences are learnt by heart before that.
* Matrices are trained by Muon (Keller Jordan, 2024, https://kellerjordan.github.io/posts/muon/): every
  direction of a step has the same length. Under Adam the few directions that carry position or
  the kind of a shape, weak in the gradient, wait for the strong ones, and the softmax stays near uniform.
* The rate warms up, so that no early step drives the softmax into saturation, where its gradient is
  zero, and falls along a cosine to zero, so that the noise of small batches averages out.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import nn
from torch.utils.data import Dataset

from utils.common.devices import device_of
from utils.common.progress import progress

BATCH = 16  # sequences; larger batches cost their price in time, smaller ones are too noisy
MATRIX_RATE = 3e-3  # length of a step of each direction of a matrix
BIAS_RATE = 3e-3  # Adam's, for the biases
WARM_UP = 0.1  # share of the steps
MOMENTUM = 0.95


class Orthogonal(torch.optim.Optimizer):
    """Muon: momentum whose matrix step is replaced by the nearest (semi-)orthogonal matrix.

    With G = U S Vᵀ the step is U Vᵀ, here by five rounds of X <- aX + b(XXᵀ)X + c(XXᵀ)²X, whose
    numbers a, b, c (Jordan's) push each singular value of G/|G| close to 1. All rounds are polynomials of
    one Gram matrix, so we multiply only those, all parameters with as many rows at once.
    """

    ROUNDS = 5
    A, B, C = 3.4445, -4.7750, 2.0315

    def __init__(self, parameters, lr: float = MATRIX_RATE, momentum: float = MOMENTUM):
        super().__init__(parameters, {"lr": lr, "momentum": momentum})

    @torch.no_grad()
    def step(self, closure: Callable | None = None) -> None:
        """Change every parameter that has a gradient; each is seen as a matrix (rows, everything else)."""
        for group in self.param_groups:
            same_rows: dict[int, list] = {}
            for parameter in group["params"]:
                if parameter.grad is not None:
                    state = self.state[parameter]
                    if "momentum" not in state:
                        state["momentum"] = torch.zeros_like(parameter)
                    memory = state["momentum"]
                    memory.mul_(group["momentum"]).add_(parameter.grad)
                    step = parameter.grad.add(memory, alpha=group["momentum"]).flatten(1)  # Nesterov's look ahead
                    same_rows.setdefault(len(step), []).append((parameter, step / (step.norm() + 1e-12)))
            for rows, members in same_rows.items():
                factors = self._factors(torch.stack([step @ step.T for _, step in members]))
                for (parameter, step), factor in zip(members, factors, strict=True):
                    longer = max(1.0, rows / step.shape[1]) ** 0.5
                    parameter.add_((factor @ step).view_as(parameter), alpha=-group["lr"] * longer)

    def _factors(self, gram: torch.Tensor) -> torch.Tensor:
        """Return P, (n, R, R), with P X close to orthogonal, for the Gram matrices X Xᵀ, (n, R, R)."""
        identity = torch.eye(gram.shape[-1], device=gram.device)
        product = identity
        for _ in range(self.ROUNDS):
            factor = self.A * identity + self.B * gram + self.C * gram @ gram
            product = factor @ product
            gram = factor @ gram @ factor
        return product


def train(
    model: nn.Module,
    dataset: Dataset,
    loss_function: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    steps: int,
    *,
    batch: int = BATCH,
    seed: int = 0,
    description: str = "training",
) -> list[float]:
    """Train `model` on `dataset` and return the loss of every step.

    `dataset[indices]` gives inputs (N, C, T) and targets (N, 1, T), as a TensorDataset does. About 4 ms
    a step for the convolutional network and 9 ms with attention, on one core of 2023.
    """
    matrices = [p for p in model.parameters() if p.ndim > 1]
    biases = [p for p in model.parameters() if p.ndim <= 1]
    optimisers = [Orthogonal(matrices, MATRIX_RATE)]
    if biases:
        optimisers.append(torch.optim.Adam(biases, BIAS_RATE, betas=(0.9, 0.99)))
    schedules = [torch.optim.lr_scheduler.LambdaLR(o, lambda step: rate_factor(step, steps)) for o in optimisers]
    generator = torch.Generator().manual_seed(seed)
    device = device_of(model)
    losses: list[float] = []
    model.train()
    bar = progress(range(steps), description, total=steps)
    with one_thread():
        for step in bar:
            chosen = dataset[torch.randint(len(dataset), (batch,), generator=generator)]
            inputs, targets = (part.to(device) for part in chosen)
            loss = loss_function(model(inputs), targets)
            for optimiser in optimisers:
                optimiser.zero_grad()
            loss.backward()
            for part in (*optimisers, *schedules):
                part.step()
            losses.append(loss.item())
            if step % 100 == 99:
                bar.set_postfix(loss=f"{sum(losses[-100:]) / 100:.4f}", refresh=False)
    model.eval()
    return losses


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread: batches this small gain little from two, and lose much on a busy machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def rate_factor(step: int, steps: int) -> float:
    """Return the share of the full rate at `step`: a linear warm-up, then a cosine down to zero."""
    warm_up = WARM_UP * steps
    if step < warm_up:
        return (step + 1) / warm_up if warm_up > 1 else 1.0
    return 0.5 * (1 + math.cos(math.pi * (step - warm_up) / max(steps - warm_up, 1)))


@torch.no_grad()
def predict(model: nn.Module, inputs: torch.Tensor, batch: int = 50) -> torch.Tensor:
    """Return the outputs (N, 1, T) of `model` for inputs (N, C, T), a few at a time to spare memory."""
    model.eval()
    device = device_of(model)
    return torch.cat([model(part.to(device)).to(inputs.device) for part in inputs.split(batch)])


def mean_squared_error(model: nn.Module, dataset: Dataset) -> float:
    """Return the mean squared error of `model` over the whole `dataset`, in the dataset's units squared."""
    inputs, targets = dataset[:]
    return (predict(model, inputs) - targets).square().mean().item()
