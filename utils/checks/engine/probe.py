"""What a test holds in its hands: seeded inputs, seeded parameters, and a way to bring results over.

The same test runs on the student's objects, on the reference and on every known mistake. Everything
random therefore comes from a generator whose stream never changes between versions (numpy's
`RandomState`, frozen by NEP 19), and never from torch's.
"""

import contextlib
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from utils.checks.engine.observation import NO_GRADIENT, Statistic
from utils.checks.engine.pretended_gpu import GPU, PretendedGpu
from utils.common.errors import NothingReturned, ResultError
from utils.common.messages import N_

# What a question's test with `Probe.gpu` asks.
ON_GPU = N_("it works on a GPU as well (a pretended one, called `lazy`, which refuses what lies on the CPU)")

# Seeded anew for each parameter, because making a generator takes 100 µs and seeding one takes 2 µs.
_generator = np.random.RandomState()


def parameter_values(seed: int, name: str, shape: tuple[int, ...], scale: float) -> torch.Tensor:
    """Return seeded values of the parameter `name`: they depend on its name and shape, not on its neighbours."""
    _generator.seed((zlib.crc32(name.encode()) + seed) % 2**32)
    return scale * torch.from_numpy(_generator.standard_normal(shape))


class Probe:
    """Inputs for one run of one test; `sizes` maps each axis' symbol to its length."""

    def __init__(self, sizes: dict[str, int], seed: int):
        self.sizes = sizes
        self.seed = seed
        self.rng = np.random.RandomState(seed)

    def __getitem__(self, symbols: str) -> Any:
        """Return the sizes named in `symbols`: `N, T = probe["N T"]`, or one number for one symbol."""
        numbers = tuple(self.sizes[symbol] for symbol in symbols.split())
        return numbers if len(numbers) > 1 else numbers[0]

    def normal(self, *shape: int) -> torch.Tensor:
        """Standard normal numbers of `shape`, in torch's default dtype."""
        return torch.from_numpy(self.rng.standard_normal(shape)).to(torch.get_default_dtype())

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> torch.Tensor:
        """Uniform numbers of `shape` in [low, high), in torch's default dtype."""
        return torch.from_numpy(self.rng.uniform(low, high, shape)).to(torch.get_default_dtype())

    def integers(self, low: int, high: int, *shape: int) -> torch.Tensor:
        """Uniform int64 numbers of `shape` in [low, high)."""
        return torch.from_numpy(self.rng.randint(low, high, shape, dtype=np.int64))

    def parameter_values(self, name: str, shape: tuple[int, ...], scale: float) -> torch.Tensor:
        """As `parameter_values`, at this run's seed."""
        return parameter_values(self.seed, name, tuple(shape), scale)

    def fill(self, module: Any, scale: float = 0.5) -> Any:
        """Give every parameter of `module` seeded values of standard deviation `scale`; switch to `eval()`."""
        with torch.no_grad():
            for name, parameter in module.named_parameters():
                parameter.copy_(self.parameter_values(name, tuple(parameter.shape), scale))
        return module.eval()

    def parameters(self, module: Any) -> dict[str, list[int]]:
        """Return each parameter's shape by name."""
        return {name: list(parameter.shape) for name, parameter in module.named_parameters()}

    def value(self, result: Any) -> Any:
        """Bring a result over: tensors detached and copied to the CPU, containers item by item.

        Raises: NothingReturned when `result` is None, TypeError for what is neither a number nor text.
        """
        if result is None:
            raise NothingReturned
        return self.bring(result)

    def values(self, *results: Any) -> list[Any]:
        """Bring several results over at once, each as `value` does."""
        found = self.bring(list(results))
        if any(one is None for one in found):
            raise NothingReturned
        return list(found)

    def scores(self, result: Any) -> Any:
        """Bring scores (..., V) over, less their mean over V.

        A constant added to all scores of a place changes neither their softmax nor its loss nor the likeliest word:
        who returns log-probabilities is as right as who returns the scores.
        """
        found = self.value(result)
        if isinstance(found, torch.Tensor) and found.is_floating_point() and found.ndim:
            return found - found.mean(dim=-1, keepdim=True)
        return found

    def shaped(self, result: Any, *shape: int) -> torch.Tensor:
        """Bring a tensor of a known shape over, before anything is asked of it that only that shape can answer.

        Raises: ResultError for another shape; as `value` for what is no tensor.
        """
        return of_shape(self.value(result), *shape)

    def several(self, result: Any, number: int) -> list[Any]:
        """Bring a tuple of so many results over, None among them. Raises: ResultError for more, fewer or one alone."""
        found = self.value(result)
        got = len(found) if isinstance(found, list) else 1
        if got != number:
            raise ResultError(f"expected {number} results, got {got}")
        return list(found)

    def bring(self, result: Any) -> Any:
        """Return `result` with plain values, as `value` does, but let None pass."""
        return bring(result)

    def gpu(self) -> contextlib.AbstractContextManager[Any]:
        """Return a context in which there is a GPU; `there` brings tensors and modules to it."""
        return PretendedGpu()

    def there(self, thing: Any) -> Any:
        """Return a tensor or a module on the GPU, inside `gpu()`."""
        return thing.to(GPU)

    def located(self, result: Any) -> dict[str, Any]:
        """Bring a tensor over, and whether it lay on the GPU. Raises: as `value`, ResultError for what is no tensor."""
        found = self.value(result)
        if not isinstance(found, torch.Tensor):
            raise ResultError(f"expected a tensor, got {type(found).__name__}")
        return {N_("it lies on the GPU"): self.value(result.device.type) == GPU, N_("the result"): found}

    def approx(self, number: float, atol: float) -> Statistic:
        """An observation that agrees with another within `atol`, for statistics of random numbers."""
        return Statistic(float(number), float(atol))


def of_shape(found: Any, *shape: int) -> torch.Tensor:
    """Return what was brought over as a tensor. Raises: ResultError for another shape."""
    tensor = torch.as_tensor(found)
    if tensor.shape != shape:
        raise ResultError(f"expected shape {shape}, got {tuple(tensor.shape)}")
    return tensor


def bring(result: Any) -> Any:
    """Return `result` with plain detached tensors; None, numbers, text and containers pass.

    Raises: TypeError for anything else.
    """
    if isinstance(result, torch.Tensor):
        return result.detach().cpu().clone()
    if isinstance(result, np.ndarray | np.generic):
        return torch.from_numpy(np.array(result))
    if result is None or isinstance(result, bool | int | float | str | Statistic):
        return result
    if isinstance(result, dict):
        return {str(key): bring(item) for key, item in result.items()}
    if isinstance(result, list | tuple | range | set | frozenset):
        return [bring(item) for item in result]
    raise TypeError(f"expected a tensor, a number or text, got {type(result).__name__}")


def or_nothing(probe: Probe, result: Any) -> Any:
    """The value, or that there is none, which is an answer, too."""
    try:
        return probe.value(result)
    except NothingReturned:
        return "None"


def gradients(probe: Probe, **of: Any) -> dict[str, Any]:
    """The gradient of each named tensor, or that none arrived."""
    found = probe.bring({name: tensor.grad for name, tensor in of.items()})
    return {name: found[name] if isinstance(found[name], torch.Tensor) else NO_GRADIENT for name in found}


def gradient_norms(probe: Probe, module: Any, names: Sequence[str]) -> dict[str, float | str]:
    """The norm of each named parameter's gradient, or that there is none."""
    found = gradients(probe, **{name: module.get_parameter(name) for name in names})
    return {name: one if isinstance(one, str) else float(one.double().norm()) for name, one in found.items()}
