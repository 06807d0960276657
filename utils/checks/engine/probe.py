"""A test's tools: seeded inputs, seeded parameters, and the conversion of results to plain values.

The same test runs on the student's objects, on the reference and on every known mistake, and must draw the same numbers
each time. They come from numpy's `RandomState`, whose stream never changes between versions (NEP 19), not from torch,
whose streams do change.
"""

import contextlib
import hashlib
import re
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from utils.checks.engine.observation import NO_GRADIENT, Scores, Statistic
from utils.checks.engine.pretended_gpu import GPU, PretendedGpu
from utils.checks.engine.source import redefined, source_of
from utils.common.errors import NothingReturned, ResultError
from utils.common.messages import N_

# The requirement (`Test.ask`) of every test that uses `Probe.gpu`.
ON_GPU = N_("it works on a GPU as well (a simulated one, which refuses tensors on the CPU)")
# What tests require of dropout. At a rate of its own it draws the dropped numbers again in each call.
STEADY = N_("outside training, a second call gives a different result; it must give the same")
AT_RATE_ONE = N_("with rate 1, a second call gives a different result; everything must be dropped")

# One generator that is seeded again for each parameter: making a generator takes 100 µs, seeding one takes 2 µs.
_generator = np.random.RandomState()


def words(seed: int) -> int | list[int]:
    """Return a seed as `RandomState` takes it: one of more than 32 bits in words, the lowest first."""
    return seed if seed < 2**32 else [seed >> shift & 0xFFFFFFFF for shift in range(0, seed.bit_length(), 32)]


def parameter_values(seed: int, name: str, shape: Sequence[int], scale: float) -> torch.Tensor:
    """Return the values of the parameter `name`: normal numbers around 0, with standard deviation `scale`.

    The weights of a normalisation layer are around 1, where they start, with half that deviation. Weights around 0
    would hide in the layer's result almost everything that was computed before it.
    """
    if seed < 2**32:  # a public check's, to which the stored answers belong
        _generator.seed((zlib.crc32(name.encode()) + seed) % 2**32)
    else:  # 32 bits are enough, because student code sees these numbers anyway; more take 8 times as long
        _generator.seed(int(hashlib.sha256(f"{seed}/{name}".encode()).hexdigest()[:8], 16))
    values = scale * torch.from_numpy(_generator.standard_normal(tuple(shape)))
    return 1 + values / 2 if re.search(r"norm\d*\.weight$", name) else values


def fill(module: Any, seed: int, scale: float, x: torch.Tensor | None = None) -> Any:
    """Give every parameter of `module` its `parameter_values`, switch the module to `eval()`, and return it.

    x: an input. With it the module is called first, and the values depend on the order in which its parameters are
    used, not on their names. Raises: RuntimeError where the module has buffers that count in its state.
    """
    if x is None:
        with torch.no_grad():
            for name, parameter in trained(module).items():
                parameter.copy_(parameter_values(seed, name, parameter.shape, scale))
    else:
        numbers = {name: str(number) for number, name in enumerate(in_order_of_use(module, x))}
        state = {
            name: parameter_values(seed, numbers[name], parameter.shape, scale) if name in numbers else parameter
            for name, parameter in module.named_parameters()
        }
        module.load_state_dict(state)
    return module.eval()


def trained(module: Any) -> dict[str, Any]:
    """Return the parameters of `module` by name, without constants that an answer keeps as parameters, as a mask.

    A parameter that is not trained is a constant unless a layer of torch made it: a frozen layer is a mistake.
    """
    return {
        name: parameter
        for name, parameter in module.named_parameters()
        if parameter.requires_grad
        or type(module.get_submodule(name.rpartition(".")[0])).__module__.startswith("torch.nn.")
    }


def in_order_of_use(module: Any, x: torch.Tensor) -> list[str]:
    """Call `module` with `x`; return the names of its trained parameters in the order in which their layers are called.

    Layers that are not called come last. The call also gives lazy layers their shapes.
    """
    trained(module)  # raises where it is not a module
    called: list[Any] = []
    hooks = [
        part.register_forward_pre_hook(lambda part, _inputs: called.append(part), prepend=True)
        for part in module.eval().modules()
    ]
    # A call that fails is the student's, and is reported by the test that needs its result.
    with torch.no_grad(), contextlib.suppress(Exception):
        module(x)
    for hook in hooks:
        hook.remove()
    names = {id(parameter): name for name, parameter in trained(module).items()}
    used = [id(own) for part in (*called, *module.modules()) for own in part.parameters(recurse=False)]
    return [names[one] for one in dict.fromkeys(used) if one in names]


def shapes_of(module: Any) -> dict[str, list[int]]:
    """Return the shape of each parameter of `module` by the parameter's name, see `trained`."""
    return {name: list(parameter.shape) for name, parameter in trained(module).items()}


class Probe:
    """The inputs of one run of one test, and the parameters of the modules in it.

    sizes: the length of each axis by its symbol.
    seed: of the inputs.
    weights_seed: of the parameters; `seed` if None. A hidden test has two different seeds, because the sandbox, where
    student code runs, is told the seed of the parameters and must not learn the inputs from it.
    """

    def __init__(self, sizes: dict[str, int], seed: int, weights_seed: int | None = None):
        self.sizes = sizes
        self.rng = np.random.RandomState(words(seed))
        self.weights_seed = seed if weights_seed is None else weights_seed

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

    def parameter_values(self, name: str, shape: Sequence[int], scale: float) -> torch.Tensor:
        """Return the values of the parameter `name` in this run, see the function `parameter_values`."""
        return parameter_values(self.weights_seed, name, shape, scale)

    def fill(self, module: Any, scale: float = 0.5, x: torch.Tensor | None = None) -> Any:
        """Give every parameter of `module` seeded values of standard deviation `scale`; switch to `eval()`.

        x: an input, see the function `fill`.
        """
        return fill(module, self.weights_seed, scale, x)

    def parameters(self, module: Any) -> dict[str, list[int]]:
        """Return each parameter's shape by name."""
        return shapes_of(module)

    def value(self, result: Any) -> Any:
        """Return a result as plain values: tensors detached and copied to the CPU, containers item by item.

        Raises: NothingReturned when `result` is None; TypeError for anything but tensors, numbers and text.
        """
        if result is None:
            raise NothingReturned
        return self.bring(result)

    def values(self, *results: Any) -> list[Any]:
        """Return several results as `value` does, in one step: in the sandbox a step costs time."""
        brought = self.bring(list(results))
        if any(value is None for value in brought):
            raise NothingReturned
        return list(brought)

    def scores(self, result: Any) -> Any:
        """Return scores (..., V) as plain values, minus their mean over V; messages show them with their mean.

        A constant added to all V scores of one position changes neither the softmax nor the loss nor the most likely
        word, so log-probabilities are as correct as the scores themselves.
        """
        value = self.value(result)
        if isinstance(value, torch.Tensor) and value.is_floating_point() and value.ndim:
            return Scores.of(value)
        return value

    def shaped(self, result: Any, *shape: int) -> torch.Tensor:
        """Return a tensor of the given shape as `value` does, for a test whose next lines rely on that shape.

        Raises: ResultError for another shape; as `value` does.
        """
        return of_shape(self.value(result), *shape)

    def several(self, result: Any, number: int) -> list[Any]:
        """Return a tuple of `number` results as plain values; None may be among them.

        Raises: ResultError for more or fewer results, or for a single one.
        """
        value = self.value(result)
        got = len(value) if isinstance(value, list) else 1
        if got != number:
            raise ResultError(f"expected {number} results, got {got}")
        return list(value)

    def bring(self, result: Any) -> Any:
        """Return `result` as plain values, as `value` does, but accept None."""
        return bring(result)

    def gpu(self) -> contextlib.AbstractContextManager[Any]:
        """Return a context in which a simulated GPU exists; `there` moves tensors and modules to it."""
        return PretendedGpu()

    def there(self, thing: Any) -> Any:
        """Return a tensor or a module moved to the simulated GPU; only inside `gpu()`."""
        return thing.to(GPU)

    def located(self, result: Any) -> dict[str, Any]:
        """Return a tensor as `value` does, and whether it was on the GPU.

        Raises: ResultError where `result` is not a tensor; as `value` does.
        """
        value = self.value(result)
        if not isinstance(value, torch.Tensor):
            raise ResultError(f"expected a tensor, got {type(value).__name__}")
        return {
            N_("your result is on the CPU, though the inputs are on the GPU"): self.value(result.device.type) == GPU,
            N_("the result"): value,
        }

    def source(self, name: str, thing: Any) -> str:
        """Return the text of the cell that defines a student's function or class of this name.

        Raises: ResultError where there is none.
        """
        return source_of(thing)

    def redefined(self, name: str, thing: Any, code: str) -> Any:
        """Return what `name` is after other code than that which defines `thing`. Raises: what the code raises."""
        return redefined(name, thing, code)

    def approx(self, number: float, atol: float) -> Statistic:
        """Return a statistic of random numbers, which agrees with the reference's within `atol`."""
        return Statistic(float(number), float(atol))


def of_shape(value: Any, *shape: int) -> torch.Tensor:
    """Return a plain value as a tensor. Raises: ResultError where its shape is not `shape`."""
    tensor = torch.as_tensor(value)
    if tensor.shape != shape:
        raise ResultError(f"expected shape {shape}, got {tuple(tensor.shape)}")
    return tensor


def bring(result: Any) -> Any:
    """Return `result` as plain values: detached tensors on the CPU, numbers, text, None, and lists and dicts of them.

    Raises: TypeError for anything else.
    """
    if isinstance(result, Scores):
        return result
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
    """Return the value, or the text "None" where None is a correct answer, too."""
    try:
        return probe.value(result)
    except NothingReturned:
        return "None"


def gradients(probe: Probe, **of: Any) -> dict[str, Any]:
    """Return the gradient of each named tensor, `NO_GRADIENT` where it has none."""
    brought = probe.bring({name: tensor.grad for name, tensor in of.items()})
    return {name: brought[name] if isinstance(brought[name], torch.Tensor) else NO_GRADIENT for name in brought}


def gradient_norms(probe: Probe, module: Any, names: Sequence[str]) -> dict[str, float | str]:
    """Return the Euclidean norm of each named parameter's gradient, `NO_GRADIENT` where it has none."""
    by_name = gradients(probe, **{name: module.get_parameter(name) for name in names})
    return {
        name: gradient if isinstance(gradient, str) else float(gradient.double().norm())
        for name, gradient in by_name.items()
    }
