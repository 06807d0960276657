"""Muon, an optimiser for matrices: a step has the same length in every direction.

Why: the gradient of a matrix has a few strong directions and many weak ones. Gradient descent and Adam follow the
strong directions. Attention learns where to look from the weak ones, so with Adam it learns this late or never.
Source: Keller Jordan 2024, https://kellerjordan.github.io/posts/muon/.
"""

from collections.abc import Callable, Iterable
from typing import overload

import torch
from torch import nn

RATE = 3e-3  # length of a step in each direction
MOMENTUM = 0.95


class Muon(torch.optim.Optimizer):
    """Momentum whose matrix step is replaced by the nearest (semi-)orthogonal matrix.

    A step with the singular value decomposition U Σ Vᵀ becomes approximately U Vᵀ, by five rounds of
    X <- aX + b(XXᵀ)X + c(XXᵀ)²X with Jordan's numbers a, b, c, which bring each singular value close to 1. Every round
    multiplies X by a polynomial of X Xᵀ, so only these square matrices are multiplied, and those of equal size in one
    batch. A matrix with more rows than columns is transposed first.
    """

    ROUNDS = 5
    a, b, c = 3.4445, -4.7750, 2.0315

    def __init__(self, parameters: Iterable[nn.Parameter], lr: float = RATE, momentum: float = MOMENTUM):
        super().__init__(parameters, {"lr": lr, "momentum": momentum})

    @overload
    def step(self, closure: None = None) -> None: ...

    @overload
    def step(self, closure: Callable[[], float]) -> float: ...

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> float | None:
        """Change every parameter that has a gradient, as a matrix: the first axis is its rows, the others its columns.

        `closure`, as torch's optimisers take it, computes the loss and its gradients first.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            same_rows: dict[int, list[tuple[nn.Parameter, torch.Tensor, bool]]] = {}
            for parameter in group["params"]:
                if parameter.grad is not None:
                    state = self.state[parameter]
                    if "momentum" not in state:
                        state["momentum"] = torch.zeros_like(parameter)
                    memory = state["momentum"]
                    memory.mul_(group["momentum"]).add_(parameter.grad)
                    step = parameter.grad.add(memory, alpha=group["momentum"]).flatten(1)  # Nesterov's momentum
                    tall = len(step) > step.shape[1]
                    wide = step.T if tall else step  # with fewer rows than columns, so that X Xᵀ is small
                    same_rows.setdefault(len(wide), []).append((parameter, wide / (wide.norm() + 1e-12), tall))
            for members in same_rows.values():
                factors = self._factors(torch.stack([wide @ wide.T for _, wide, _ in members]))
                for (parameter, wide, tall), factor in zip(members, factors, strict=True):
                    rows, columns = wide.shape
                    step, scale = factor @ wide, 1.0
                    if tall:  # Jordan's scale for matrices with more rows than columns; `wide` is transposed
                        step, scale = step.T, (columns / rows) ** 0.5
                    parameter.add_(step.reshape(parameter.shape), alpha=-group["lr"] * scale)
        return loss

    def _factors(self, gram: torch.Tensor) -> torch.Tensor:
        """Return, for Gram matrices X Xᵀ (matrices, rows, rows), matrices P like them, with P X nearly orthogonal."""
        identity = torch.eye(gram.shape[-1], device=gram.device)
        product = identity
        for _ in range(self.ROUNDS):
            factor = self.a * identity + self.b * gram + self.c * gram @ gram
            product = factor @ product
            gram = factor @ gram @ factor
        return product
