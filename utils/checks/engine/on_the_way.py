"""Values on the way to a result: what a function of torch, such as softmax, is given or returns while a case runs.

The build notes them in the reference, and a check in the student's code, so that the two can be shown beside each
other. A student's code may get to its result without that function: then only the reference's values are shown.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch.overrides import TorchFunctionMode

from utils.checks.engine.small import Table
from utils.common.messages import N_, Message

# Tables of more numbers are not read.
MOST_NUMBERS = 20
# A table whose numbers would all be drawn as 0.00 is left out; one of true zeros is kept.
SMALLEST_DRAWN = 0.005


class Call(NamedTuple):
    """A call of a function of torch: its first argument, and its result."""

    function: str
    given: torch.Tensor
    result: torch.Tensor


@dataclass(frozen=True)
class Way:
    """A value on the way: what `function` returns, or is given if `into` is set.

    names: the table's heading for the first call of the function, the second, ... axes, sums: as in `Small.show`.
    """

    function: str
    names: tuple[str, ...]
    axes: str
    into: bool = False
    sums: str = ""

    def values(self, calls: Sequence[Call]) -> list[torch.Tensor]:
        """Return this value of each call of the function."""
        return [call.given if self.into else call.result for call in calls if call.function == self.function]

    def title(self) -> Message:
        """Return the heading of a student's own values, which is true whatever they mean."""
        template = N_("what goes into your {function}") if self.into else N_("what comes out of your {function}")
        return Message(template, {"function": self.function})


class CallsNoted(TorchFunctionMode):
    """Within this context, notes calls of functions of torch with these names."""

    def __init__(self, functions: Collection[str]):
        super().__init__()
        self.functions = functions
        self.calls: list[Call] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "")
        given = args[0].detach().clone() if name in self.functions and _is_small(args[:1]) else None
        result = func(*args, **(kwargs or {}))
        if given is not None and _is_small([result]):
            self.calls.append(Call(name, given, result.detach().clone()))
        return result


def _is_small(values: Sequence[Any]) -> bool:
    return bool(values) and isinstance(values[0], torch.Tensor) and values[0].numel() <= MOST_NUMBERS


def tables(ways: Sequence[Way], calls: Sequence[Call], words: Mapping[str, str]) -> Iterator[Table]:
    """Yield the tables of the reference's values; words: each axis' template by its symbol."""
    for way in ways:
        axes = tuple(words.get(symbol, symbol) for symbol in way.axes.split())
        for name, value in zip(way.names, way.values(calls), strict=False):
            if not (value.any() and (value.abs() < SMALLEST_DRAWN).all()):
                yield Table(name, value, axes, way.sums)


def own_table(ways: Sequence[Way], calls: Sequence[Call], right: Table) -> tuple[Message, Table] | None:
    """Return the student's values in place of the reference's table `right`, with their title; None if not noted.

    They are those of the call with the same number among the calls with as many numbers along the same axes.
    """
    way = next((way for way in ways if right.name in way.names), None)
    if way is None:
        return None
    shape = right.value.squeeze().shape
    alike = [value.reshape(right.value.shape) for value in way.values(calls) if value.squeeze().shape == shape]
    number = way.names.index(right.name)
    return (way.title(), Table(right.name, alike[number], right.axes, right.sums)) if number < len(alike) else None
