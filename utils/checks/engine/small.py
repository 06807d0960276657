"""What a case function works with: a few small whole numbers, simple layers, and the tables of its results.

A case function makes small inputs, calls the student's object and lays its results out as tables. All its choices are
numbers from a tape. So a stored case is the name of its function, its sizes and a tape; nothing is described twice.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

from utils.common.messages import N_, Message

# The tasks that a layer can get; the number on the tape is the index. Each needs one word to describe, unlike a table
# of weights, and they tell exchanged layers and lost biases apart.
EXCHANGED = N_("x, components in reverse order")
TASKS = ("x", "2·x", "x + 1", "−x", EXCHANGED)
NO_GRADIENT = N_("no gradient")
# Returns the next number of the tape, below the first argument; the second is how likely a search should write 0.
Take = Callable[[int, float], int]


@dataclass(frozen=True)
class Table:
    """Numbers with a name and a word for each axis.

    axes: a template with `{number}` for each axis; the last two axes are drawn as rows and columns. sums: which sums
    are drawn at the edge, "rows", "both" or "".
    """

    name: str
    value: Any
    axes: tuple[str, ...] = ()
    sums: str = ""


class Small:
    """The inputs and the results of one run of a case function."""

    def __init__(self, question: str, sizes: Mapping[str, int], words: Mapping[str, str], take: Take):
        """sizes: each axis' length by its symbol; words: each axis' template by its symbol."""
        self.question, self.sizes, self.words, self.take = question, sizes, words, take
        self.given: list[Table] = []
        self.results: list[Table] = []
        self.setting: list[str | Message] = []
        self.remarks: list[Message] = []
        self.code: list[str] = []
        self.tasks: dict[str, str] = {}
        self.by_hand = True  # a case function says where nobody can work the result out by hand

    def __getitem__(self, symbols: str) -> Any:
        """Return the sizes named in `symbols`, or one number for one symbol."""
        lengths = tuple(self.sizes[symbol] for symbol in symbols.split())
        return lengths if len(lengths) > 1 else lengths[0]

    # ---- inputs ----

    def numbers(self, name: str, axes: str, high: int = 4, low: int = 0, words: Iterable[str] = ()) -> torch.Tensor:
        """Return whole numbers in [low, high) as floats, with the axes `axes`; `words` replace those of the axes."""
        drawn = low + self._draw(axes, high - low)
        return self._give(name, drawn.to(torch.get_default_dtype()), words or axes.split())

    def integers(self, name: str, axes: str, low: int, high: int, words: Iterable[str] = ()) -> torch.Tensor:
        """Return whole numbers in [low, high), as int64."""
        return self._give(name, low + self._draw(axes, high - low), words or axes.split())

    def counted(self, name: str, axes: str) -> torch.Tensor:
        """Return 1, 2, 3, … in reading order: in a result each number says where it came from."""
        shape = tuple(self.sizes[symbol] for symbol in axes.split())
        numbers = torch.arange(1, 1 + math.prod(shape), dtype=torch.get_default_dtype()).reshape(shape)
        return self._give(name, numbers, axes.split())

    def truths(self, name: str, axes: str, words: Iterable[str] = (), *, numbers: bool = False) -> torch.Tensor:
        """Return a mask with at least one true place in each row; of 1 and 0 where `numbers` is set."""
        mask = self._draw(axes, 2) == 0
        mask[..., 0] |= ~mask.any(-1)
        mask = mask.to(torch.get_default_dtype()) if numbers else mask
        return self._give(name, mask, words or axes.split())

    def given_as(self, name: str, tensor: torch.Tensor, axes: str) -> torch.Tensor:
        """Return a tensor that the case function made itself, and note it as an input."""
        return self._give(name, tensor, axes.split())

    def number(self, name: str, low: int, high: int) -> int:
        """Return one whole number in [low, high)."""
        value = low + self.take(high - low, 0.0)
        self.given.append(Table(name, torch.tensor(value)))
        return value

    def _draw(self, axes: str, high: int) -> torch.Tensor:
        shape = tuple(self.sizes[symbol] for symbol in axes.split())
        return torch.tensor([self.take(high, 0.0) for _ in range(math.prod(shape))]).reshape(shape)

    def _give(self, name: str, tensor: torch.Tensor, words: Iterable[str]) -> torch.Tensor:
        self.given.append(Table(name, tensor.clone(), self._axes(words)))
        return tensor

    def _axes(self, words: Iterable[str]) -> tuple[str, ...]:
        return tuple(self.words.get(word, word) for word in words)

    # ---- the student's object ----

    def layer(self, make: Any, arguments: tuple[Any, ...], names: str, tasks: int = 4) -> Any:
        """Return `make(*arguments)` in eval() mode, each of its layers `names` with a task, of the first `tasks`."""
        chosen = {name: TASKS[self.take(tasks, 0.75)] for name in names.split()}
        self.tasks |= chosen
        written = ", ".join(map(literal, arguments))
        self.code.append(f"layer = check.{self.question}.filled({called(make)}({written}), {chosen})")
        return fill(make(*arguments), chosen)

    def call(self, function: Any, *arguments: Any, **options: Any) -> Any:
        """Return `function(*arguments, **options)`, and note the call as code that gives the same in a notebook."""
        written = [*map(literal, arguments), *(f"{name}={literal(value)}" for name, value in options.items())]
        self.code.append(f"{called(function)}({', '.join(written)})")
        return function(*arguments, **options)

    # ---- results ----

    def say(self, template: str, **values: Any) -> None:
        """Add a sentence about the inputs."""
        self.setting.append(Message(template, values))

    def remark(self, template: str, **values: Any) -> None:
        """Add a sentence about the student's result."""
        self.remarks.append(Message(template, values))

    def show(self, name: str, result: Any, axes: str | Iterable[str] = (), sums: str = "") -> None:
        """Lay a result out: a tensor, a number, a truth or a text; `axes` as in `numbers`."""
        value = _plain(result)
        self.results.append(Table(name, value, self._axes(axes.split() if isinstance(axes, str) else axes), sums))

    def show_gradient(self, name: str, tensor: torch.Tensor, axes: str | Iterable[str] = ()) -> None:
        """Lay out the gradient that has reached a tensor."""
        self.show(name, NO_GRADIENT if tensor.grad is None else tensor.grad, axes)


def _plain(result: Any) -> Any:
    """Return copies of the tensors in a result, without their gradients; everything else as it is."""
    if isinstance(result, torch.Tensor):
        return result.detach().cpu().clone()
    return type(result)(map(_plain, result)) if type(result) in (list, tuple) else result


def fill(module: Any, tasks: Mapping[str, str]) -> Any:
    """Give layers simple tasks, and return the module in eval() mode.

    tasks: a task, one of `TASKS`, by the name of an `nn.Linear` or an `nn.Conv1d`, whose middle point then gets the
    task. A layer that makes its input narrower keeps the first components; one that makes it wider adds zeros.
    """
    with torch.no_grad():
        for name, task in tasks.items():
            layer = module.get_submodule(name)
            weight = torch.eye(*layer.weight.shape[:2])
            weight = {"2·x": 2 * weight, "−x": -weight, EXCHANGED: weight.flip(0)}.get(task, weight)
            full = torch.zeros_like(layer.weight)
            (full[:, :, full.shape[2] // 2] if full.ndim == 3 else full).copy_(weight)
            layer.weight.copy_(full)
            if layer.bias is not None:
                layer.bias.fill_(float(task == "x + 1"))
    return module.eval()


def called(thing: Any) -> str:
    """Return the name by which a notebook calls a function or a class; "layer" for a module."""
    return "layer" if isinstance(thing, torch.nn.Module) else str(getattr(thing, "__name__", "layer"))


def literal(value: Any) -> str:
    """Return a value as code."""
    if not isinstance(value, torch.Tensor):
        return called(value) if callable(value) else repr(value)
    # Rounded, because float32's nearest number to 1.1 is 1.10000002.
    numbers = value.double().round(decimals=6) if value.is_floating_point() else value
    return f"torch.tensor({numbers.tolist()})"
