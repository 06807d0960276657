"""A GPU to examine with where there is none: its tensors compute on the CPU and refuse to meet the CPU's own.

What: inside `PretendedGpu()`, `.to(GPU)` and `device=GPU` give `OnGpu` tensors. An operation that mixes them with
tensors of the CPU raises RuntimeError, as on a real GPU; numbers (0 dimensions) and indices may mix, as there.
How: https://pytorch.org/docs/stable/notes/extending.html#extending-torch-native-api. They say to lie on `lazy`, a
device that every torch knows and nobody has.
"""

import contextlib
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

GPU = "lazy"
# They make a tensor of Python's numbers where it shall lie, by a way that no dispatch sees.
FROM_DATA = (torch.tensor, torch.as_tensor, torch.asarray)
COPY, INDEXING = torch.ops.aten.copy_.default, (torch.ops.aten.index.Tensor, torch.ops.aten.index_put_.default)


class OnGpu(torch.Tensor):
    """A tensor of the CPU, `held`, that says it lies on the GPU."""

    held: torch.Tensor
    # Results are made below, of their right class; torch 2.0 would make them once more.
    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    @staticmethod
    def __new__(cls, held: torch.Tensor) -> "OnGpu":
        made: OnGpu = torch.Tensor._make_wrapper_subclass(
            cls, held.shape, strides=held.stride(), dtype=held.dtype, device=torch.device(GPU)
        )
        made.held = held
        return made

    @classmethod  # as torch's documentation has it, which its types do not know
    def __torch_dispatch__(  # type: ignore[override]
        cls, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return _dispatch(function, args, kwargs or {})

    # Bringing a result back: torch's own way loads sympy, for half a second. What is held knows no gradient.
    def detach(self) -> "OnGpu":
        return OnGpu(self.held)

    def cpu(self, *args: Any, **kwargs: Any) -> Any:
        return super().cpu(*args, **kwargs) if self.requires_grad else self.held.clone()

    def tolist(self) -> Any:
        return self.held.tolist()

    def new_tensor(self, data: Any, **options: Any) -> Any:  # type: ignore[override]
        wanted: dict[str, Any] = {"dtype": self.dtype, "device": GPU} | options
        return torch.tensor(data, **wanted)


class PretendedGpu(contextlib.ExitStack):
    """While open, this computer has a GPU."""

    def __enter__(self) -> "PretendedGpu":
        self.enter_context(_Dispatched())  # type: ignore[no-untyped-call]  # torch's
        self.enter_context(_FromData())
        return self


class _Dispatched(TorchDispatchMode):
    pass


def _dispatched(mode: TorchDispatchMode, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    return _dispatch(function, args, kwargs or {})


# Not written in the class: what stands there torch (2.13) wraps in a way that loads its compiler, for two seconds.
_Dispatched.__torch_dispatch__ = _dispatched  # type: ignore[method-assign]


class _FromData(TorchFunctionMode):
    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if function in FROM_DATA and kwargs.get("device") and torch.device(kwargs["device"]).type == GPU:
            return function(*args, **kwargs | {"device": "cpu"}).to(GPU)
        return function(*args, **kwargs)


def _dispatch(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Run one operation on the held tensors; its results lie where its arguments lay, or where it was told.

    Raises: RuntimeError where tensors of both places meet.
    """
    tensors: list[torch.Tensor] = []
    held_args, held_kwargs = _held(args, tensors), {name: _held(value, tensors) for name, value in kwargs.items()}
    on_gpu = [tensor for tensor in tensors if isinstance(tensor, OnGpu)]
    told = kwargs.get("device")
    may_mix = told is not None or function is COPY or (function in INDEXING and isinstance(tensors[0], OnGpu))
    if on_gpu and not may_mix and any(tensor.dim() for tensor in tensors if not isinstance(tensor, OnGpu)):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, the GPU and the CPU!"
        )
    if told is not None:
        held_kwargs["device"] = torch.device("cpu")
    result = function(*held_args, **held_kwargs)
    if function is COPY:
        return tensors[0]
    if not (on_gpu if told is None else torch.device(told).type == GPU):
        return result
    return _laid(result, {id(tensor.held): tensor for tensor in on_gpu})  # what works in place returns its argument


def _held(tree: Any, tensors: list[torch.Tensor]) -> Any:
    """Return an operation's argument as it is on the CPU, and note its tensors; torch nests in lists and tuples."""
    if isinstance(tree, torch.Tensor):
        tensors.append(tree)
        return tree.held if isinstance(tree, OnGpu) else tree
    return type(tree)(_held(item, tensors) for item in tree) if type(tree) in (list, tuple) else tree


def _laid(tree: Any, known: dict[int, OnGpu]) -> Any:
    """Return an operation's result as it is on the GPU; `known` are its arguments by what they hold."""
    if isinstance(tree, torch.Tensor):
        return known[id(tree)] if id(tree) in known else OnGpu(tree)
    return type(tree)(_laid(item, known) for item in tree) if type(tree) in (list, tuple) else tree
