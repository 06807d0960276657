"""Proxies of the student's objects, which an exam uses while the objects themselves live in the sandbox.

Calls and attributes of a proxy are evaluated in the sandbox, as soon as a value is needed, and their results are
proxies again. Only `Probe.value` fetches a value, as plain bounded data. So the same test works with a proxy and
with the object itself.
"""

import contextlib
import math
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

import torch

from autograder.sandbox.errors import RemoteError
from autograder.sandbox.inside import wire
from autograder.sandbox.inside.operations import Step
from autograder.sandbox.session import Session
from utils.checks.engine.failure import Failure
from utils.checks.engine.probe import Probe
from utils.checks.engine.source import defines
from utils.common.errors import NothingReturned, ResultError

# The most parameters of a module for which a test draws numbers here: an exam's largest has 60,000; drawing these takes
# a second.
MAX_PARAMETERS = 2**22
# The text of an exception when a test computes with a stand-in: the author's mistake, not the student's. Python's own
# errors name the class instead.
BRING = "fetch its value first: probe.value(...)"
# Operations on two tensors, any of which shows whether tensors of two devices may be mixed.
MIXING = ("add", "sub", "mul", "div", "maximum", "minimum", "dot")


class RemoteObject:
    """A proxy of an object in the sandbox."""

    def __init__(self, session: Session, number: int):
        object.__setattr__(self, "_session", session)
        object.__setattr__(self, "_number", number)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(f"{name} of a student's object; {BRING}")
        return self._later(Step.ATTRIBUTE, name=name)

    def __setattr__(self, name: str, value: Any) -> None:
        self._later(Step.SET, name=name, args=_outward(value))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._later(Step.CALL, args=_outward({"args": list(args), "kwargs": kwargs}))

    def __getitem__(self, key: Any) -> Any:
        return self._later(Step.ITEM, args=_outward(key))

    def _later(self, step: Step, **fields: Any) -> "RemoteObject":
        return RemoteObject(self._session, self._session.defer(step, ref=self._number, **fields).number)

    def __bool__(self) -> bool:
        raise TypeError(f"a student's object has no truth value here; {BRING}")

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"a student's object cannot be iterated here; {BRING}")


def misuse(failure: Failure | None) -> str:
    """Return the reason why a test failed if the test computed with a stand-in, else ""."""
    named = (BRING, RemoteObject.__name__)
    if failure is None or failure.where or not any(name in failure.text for name in named):
        return ""
    return failure.text if BRING in failure.text else f"{failure.text}; {BRING}"


def _ask(session: Session, step: Step, **fields: Any) -> Any:
    reply = session.request(step, **fields)
    return RemoteObject(session, reply.number) if isinstance(reply, wire.Ref) else reply


def _outward(tree: Any) -> Any:
    """Return `tree` with each remote object replaced by its ref."""
    if isinstance(tree, RemoteObject):
        return wire.Ref(tree._number)
    if isinstance(tree, dict):
        return {key: _outward(item) for key, item in tree.items()}
    if isinstance(tree, list):
        return [_outward(item) for item in tree]
    if isinstance(tree, tuple):
        return tuple(_outward(item) for item in tree)
    return tree


class Names(Mapping[str, Any]):
    """The names of the student's notebook, as remote objects."""

    def __init__(self, session: Session):
        self.session = session

    def __getitem__(self, name: str) -> Any:
        return RemoteObject(self.session, self.session.defer(Step.GET, name=name).number)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class RemoteProbe(Probe):
    """A probe for a student's objects in the sandbox: this process draws the inputs, the sandbox the parameters."""

    def __init__(self, sizes: dict[str, int], seed: int, weights_seed: int, session: Session):
        super().__init__(sizes, seed, weights_seed)
        self._session = session

    @contextlib.contextmanager
    def gpu(self) -> Iterator[None]:
        self._session.on_gpu = True
        try:
            self._require_refusal()
            yield
        finally:
            self._session.on_gpu = False

    def _require_refusal(self) -> None:
        """Mix a tensor of the pretended GPU with one of the CPU, which must be refused.

        The pretended GPU is in the student's process, so that code can change it until it refuses nothing. Operation
        and numbers differ each time. Price: about 2.5 ms of processor time for each test on a GPU, 0.7 of them here;
        `gpt` has 7 such tests, 0.018 of the 0.235 CPU-s of an examination, `attention` 3, 0.005 of 0.135 (medians of 16
        examinations with it and 16 without, in turn). Raises: ResultError where the two may be mixed.
        """
        numbers = torch.rand(secrets.choice((2, 3, 5)))
        mixed = getattr(self.there(numbers), secrets.choice(MIXING))(numbers)
        try:
            _ask(self._session, Step.VALUE, args=_outward(mixed))
        except RemoteError as error:
            if "same device" in error.failure.text:
                return
            raise
        raise ResultError("tensors of the GPU and of the CPU may be mixed here, because your code has changed that")

    def there(self, thing: Any) -> RemoteObject:
        return RemoteObject(self._session, self._session.defer(Step.MOVE, args=_outward(thing)).number)

    def fill(self, module: RemoteObject, scale: float = 0.5, x: Any = None) -> RemoteObject:
        return module._later(Step.FILL, seed=self.weights_seed, scale=scale, args=_outward(x))

    def parameters(self, module: RemoteObject) -> dict[str, list[int]]:
        shapes = _ask(module._session, Step.PARAMETERS, ref=module._number)
        plain = isinstance(shapes, dict) and all(
            isinstance(shape, list) and all(type(size) is int and 0 <= size < 2**20 for size in shape)
            for shape in shapes.values()
        )
        if not plain:
            raise TypeError("expected a module with parameters")
        if sum(math.prod(shape) for shape in shapes.values()) > MAX_PARAMETERS:
            raise TypeError(f"expected a small module, at most {MAX_PARAMETERS} parameters")
        return dict(shapes)

    def source(self, name: str, thing: Any) -> str:
        """Return the text of the last cell that defines `name`: the notebook's, which student code cannot change."""
        for source in reversed(self._session.ran):
            if defines(source, name):
                return source
        raise LookupError(name)

    def redefined(self, name: str, thing: RemoteObject, code: str) -> RemoteObject:
        return thing._later(Step.REDEFINE, name=name, args=code)

    def value(self, result: Any) -> Any:
        value = super().value(result)
        if value is None:
            raise NothingReturned
        return value

    def bring(self, result: Any) -> Any:
        there = list(_remote_objects(result))
        values = iter(_ask(self._session, Step.VALUE, args=_outward(there)) if there else ())
        return self._with_values(result, values)

    def _with_values(self, result: Any, values: Iterator[Any]) -> Any:
        """Return `result` with each remote object replaced by the next of `values`."""
        if isinstance(result, RemoteObject):
            return super().bring(next(values))
        if isinstance(result, dict):
            return {key: self._with_values(item, values) for key, item in result.items()}
        if isinstance(result, list | tuple):
            return [self._with_values(item, values) for item in result]
        return super().bring(result)


def _remote_objects(tree: Any) -> Iterator[RemoteObject]:
    """Yield the remote objects in a test's result, so that all their values can be fetched at once."""
    if isinstance(tree, RemoteObject):
        yield tree
    elif isinstance(tree, dict | list | tuple):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _remote_objects(item)
