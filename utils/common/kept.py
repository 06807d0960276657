"""Trained models are kept on this computer, so that a lesson's second day does not begin with all its trainings.

A training is loaded if everything that it depends on is as it was: the code of the model, of a loop in the notebook, of
the functions that it is given and of all that they call in the notebook, the weights at the start, the data, the
numbers, the state of the random generators. After a student corrects a gap, the model is trained again without a
question.

The files are in the user's folder for data (`storage.py`) and not beside the notebook, because a folder of an
assignment is handed in as a whole. They hold tensors and plain values, and are read as such (`weights_only`).
"""

import contextlib
import functools
import hashlib
import random
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from utils.common import notebook
from utils.common.errors import DataError
from utils.common.messages import N_, said
from utils.common.progress import rehearsing
from utils.common.storage import data_folder
from utils.version import __version__

MOST = 16  # trainings that are kept, the newest ones: a lesson has up to twelve, of up to 20 MB
LIBRARIES = ("torch", "numpy", "builtins", "utils", "abc", "typing", "collections")  # __version__ stands for utils
# How the state of a random generator is read, and set.
GENERATORS: dict[str, tuple[Callable[[], Any], Callable[[Any], None]]] = {
    "torch": (torch.get_rng_state, torch.set_rng_state),
    "numpy": (lambda: _plain(np.random.get_state()), lambda state: np.random.set_state(_array(state))),  # noqa: NPY002
    "random": (random.getstate, lambda state: random.setstate(_tuple(state))),
}
# Variables of the notebook that a function may compute with.
PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, torch.Tensor, np.ndarray)

Train = TypeVar("Train", bound=Callable[..., Any])


def kept(*results: type, generators: tuple[str, ...] = ()) -> Callable[[Train], Train]:
    """Decorate a training: its first argument is the model, or an object whose attribute `model` is the model.

    results: the classes of NamedTuples in what the training returns, which is otherwise of tensors and plain values.
    generators: further random generators that it draws from, of `GENERATORS`.
    """

    def decorate(train: Train) -> Train:
        @functools.wraps(train)
        def load_or_train(owner: Any, *given: Any, **options: Any) -> Any:
            if not _wanted():
                return train(owner, *given, **options)
            model = owner if isinstance(owner, nn.Module) else owner.model
            states = {name: GENERATORS[name] for name in ("torch", *generators)}
            # `__version__` stands for a loop of `utils`; one of the notebook may be changed by the student.
            loop = train if train.__module__ == "__main__" else None
            key = Digest()
            key.add([__version__, torch.__version__, train.__qualname__, loop, owner, given, options])
            key.add([get() for get, _ in states.values()])
            try:
                path = data_folder("trained") / f"{key.text()}.pt"
            except DataError:  # nothing can be written on this computer
                return train(owner, *given, **options)
            if stored := _read(path):
                model.load_state_dict(stored["weights"])
                model.train(stored["training"])
                for (_, set_state), state in zip(states.values(), stored["generators"], strict=True):
                    set_state(state)
                print(
                    said(
                        N_("Loaded from an earlier training with the same code. To train again, delete {path}."),
                        path=path,
                    )
                )
                return _unpacked(stored["result"], {kind.__name__: kind for kind in results})
            result = train(owner, *given, **options)
            content = {"weights": model.state_dict(), "training": model.training, "result": _packed(result)}
            _write(path, content | {"generators": [get() for get, _ in states.values()]})
            return result

        return load_or_train  # type: ignore[return-value]  # the same signature

    return decorate


def _wanted() -> bool:
    """Return whether trainings are kept: for a person in a notebook; grading and programs train again."""
    in_kernel = getattr(notebook.running_shell(), "kernel", None) is not None
    return in_kernel and notebook.is_watched() and not rehearsing()


def _read(path: Path) -> dict[str, Any] | None:
    """Return a stored training; None if there is none, or if its file cannot be read."""
    with contextlib.suppress(Exception):  # whatever torch raises for a damaged file
        return torch.load(path, map_location="cpu", weights_only=True)  # type: ignore[no-any-return]
    return None


def _write(path: Path, content: dict[str, Any]) -> None:
    """Write a file of tensors, whole or not at all; delete the oldest files above `MOST`."""
    try:
        begun = path.with_suffix(".begun")
        torch.save(content, begun)
        begun.replace(path)
        for old in sorted(path.parent.glob("*.pt"), key=lambda file: file.stat().st_mtime)[:-MOST]:
            old.unlink()
    except OSError:
        return  # a full disk costs a student nothing but the next day's training


class Digest:
    """A hash of values and of the code of functions and classes, so that a change of any of them is noticed."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self.seen: dict[int, Any] = {}  # objects are kept here, so that no other object gets the same id

    def text(self) -> str:
        return self.hash.hexdigest()[:24]

    def add(self, value: Any) -> None:
        if value is None or isinstance(value, bool | int | float | str | bytes | complex):
            return self.hash.update(repr(value).encode())
        if isinstance(value, torch.Tensor):
            return self.add(value.detach().cpu().contiguous().numpy())
        if isinstance(value, np.ndarray):
            self.hash.update(f"{value.dtype}{value.shape}".encode())
            return self.hash.update(value.tobytes() if value.dtype != object else repr(value.tolist()).encode())
        if id(value) in self.seen:
            return self.hash.update(b"again")
        self.seen[id(value)] = value
        self.hash.update(type(value).__qualname__.encode())
        for part in self.parts(value):
            self.add(part)

    def parts(self, value: Any) -> list[Any]:
        """Return what an object consists of."""
        if isinstance(value, Mapping):
            return [part for item in value.items() for part in item]
        if isinstance(value, list | tuple | range):
            return list(value)
        if isinstance(value, set | frozenset):
            return sorted(map(repr, value))
        if isinstance(value, types.CodeType):
            names = [value.co_code, value.co_names, value.co_varnames]
            return [*names, *(c if isinstance(c, types.CodeType) else repr(c) for c in value.co_consts)]
        if isinstance(value, functools.partial):
            return [value.func, value.args, value.keywords]
        if isinstance(value, types.MethodType):
            return [value.__func__, value.__self__]
        if isinstance(value, types.FunctionType):
            return self.of_function(value)
        if isinstance(value, type):
            known = value.__module__.partition(".")[0] in LIBRARIES
            return [value.__qualname__] if known else [*value.__bases__, *self.of_dictionary(vars(value))]
        if isinstance(value, torch.optim.Optimizer):
            return [value.state_dict()]
        if hasattr(value, "__dict__"):
            return [type(value), *self.of_dictionary(vars(value))]
        return [repr(type(value))]

    def of_function(self, function: types.FunctionType) -> list[Any]:
        """Return a function's code, and the notebook's own functions, classes and plain values that the code names."""
        if (function.__module__ or "").partition(".")[0] in LIBRARIES and not function.__closure__:
            return [function.__module__, function.__qualname__]
        named = (function.__globals__.get(name) for name in _names(function.__code__))
        ours = [one for one in named if isinstance(one, PLAIN) or getattr(one, "__module__", "") == "__main__"]
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        return [function.__code__, function.__defaults__, function.__kwdefaults__, *cells, *ours]

    def of_dictionary(self, attributes: Mapping[str, Any]) -> list[Any]:
        """Return attributes that can matter: of a module its weights, parts and functions, of a class its methods."""
        left_out = ("__dict__", "__weakref__", "__doc__", "__firstlineno__", "__static_attributes__", "__module__")
        return [part for name, value in attributes.items() if name not in left_out for part in (name, value)]


def _names(code: types.CodeType) -> set[str]:
    inner = (const for const in code.co_consts if isinstance(const, types.CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _packed(value: Any) -> Any:
    """Return a training's result as plain values: a NamedTuple as a dictionary with its class's name."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {"class": type(value).__name__, "values": [_packed(part) for part in value]}
    if isinstance(value, list | tuple):
        return [_packed(part) for part in value] if isinstance(value, list) else tuple(map(_packed, value))
    if isinstance(value, dict):
        return {"items": {name: _packed(part) for name, part in value.items()}}
    return value


def _unpacked(value: Any, classes: Mapping[str, type]) -> Any:
    if isinstance(value, dict) and "class" in value:
        return classes[value["class"]](*(_unpacked(part, classes) for part in value["values"]))
    if isinstance(value, dict):
        return {name: _unpacked(part, classes) for name, part in value["items"].items()}
    if isinstance(value, list | tuple):
        return type(value)(_unpacked(part, classes) for part in value)
    return value


def _plain(state: Any) -> list[Any]:
    """Return the state of numpy's generator as tensors and plain values."""
    name, keys, *others = state
    return [name, torch.from_numpy(keys.astype(np.int64)), *others]


def _array(state: list[Any]) -> tuple[Any, ...]:
    name, keys, *others = state
    return (name, keys.numpy().astype(np.uint32), *others)


def _tuple(state: Any) -> Any:
    return tuple(map(_tuple, state)) if isinstance(state, list | tuple) else state
