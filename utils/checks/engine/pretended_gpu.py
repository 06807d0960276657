"""A simulated GPU: its tensors compute on the CPU, but no operation may mix them with tensors of the CPU.

What: inside `PretendedGpu()`, `.to(GPU)` and `device=GPU` give `OnGpu` tensors. An operation that mixes them with
tensors of the CPU raises RuntimeError; tensors without dimensions, and indices, may be mixed. A real GPU does the same.
Why: students on a computer without a GPU still learn whether their code would run on one.
How: https://pytorch.org/docs/stable/notes/extending.html#extending-torch-native-api. The tensors' device is `lazy`, a
device that every version of torch knows and that exists on no computer.
"""

import contextlib
import re
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

GPU = "lazy"
# These functions make a tensor of Python's numbers directly on its device, without a call of `__torch_dispatch__`.
FROM_DATA = (torch.tensor, torch.as_tensor, torch.asarray)
COPY = torch.ops.aten.copy_.default
# Operations whose indices may be on the CPU.
INDEXING = (
    torch.ops.aten.index.Tensor,
    torch.ops.aten.index_put.default,
    torch.ops.aten.index_put_.default,
    torch.ops.aten._index_put_impl_.default,  # the gradient of `index`
)
# Operations on sequences of different lengths, whose numbers of rows (a second result) are on the CPU in any case.
PACKING = (torch.ops.aten._pack_padded_sequence.default, torch.ops.aten._pack_padded_sequence_backward.default)
# What torch says of an operation that works on a real GPU and not on the simulated one.
CANNOT = re.compile(r"'Lazy' backend|no attribute 'lazy'|(linked with support|not implemented) for '?lazy")


def as_on_gpu(text: str) -> str:
    """Return an error's text in words of a real GPU's, without names that only torch's makers know."""
    return re.sub(r"(?i)\blazy\b", "cuda", text.replace("aten::", ""))


class OnGpu(torch.Tensor):
    """A tensor whose device is the simulated GPU; its numbers are in `held`, a tensor of the CPU."""

    held: torch.Tensor
    # `_dispatch` gives results their class; torch 2.0 would otherwise wrap them a second time.
    __torch_function__ = torch._C._disabled_torch_function_impl  # type: ignore[assignment]

    @staticmethod
    def __new__(cls, held: torch.Tensor) -> "OnGpu":
        made: OnGpu = torch.Tensor._make_wrapper_subclass(
            cls, held.shape, strides=held.stride(), dtype=held.dtype, device=torch.device(GPU)
        )
        made.held = held
        return made

    @classmethod  # torch's documentation says so, its types do not
    def __torch_dispatch__(  # type: ignore[override]
        cls, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        return _dispatch(function, args, kwargs or {})

    # `detach` and `cpu` are written out, because torch's own load sympy, which takes half a second. A tensor that
    # requires a gradient needs torch's `cpu`, because `held` has no gradient.
    def detach(self) -> "OnGpu":
        return OnGpu(self.held)

    def cpu(self, *args: Any, **kwargs: Any) -> Any:
        return super().cpu(*args, **kwargs) if self.requires_grad else self.held.clone()

    def tolist(self) -> Any:
        return self.held.tolist()

    def numpy(self, *, force: bool = False) -> Any:
        if not force:  # as on a real GPU
            raise TypeError("can't convert a tensor of the GPU to numpy: use Tensor.cpu() to copy it to the CPU first")
        return self.detach().cpu().numpy()

    def __format__(self, form: str) -> str:
        return format(self.held.item() if self.dim() == 0 else repr(self), form)

    # torch makes tensors of lists and ranges on the indexed tensor's device, without a call of `__torch_dispatch__`.
    def __getitem__(self, index: Any) -> Any:
        return super().__getitem__(_as_tensors(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(_as_tensors(index), value)

    @property
    def data(self) -> Any:
        return self.detach()

    @data.setter
    def data(self, new: Any) -> None:
        torch.Tensor.data.__set__(self, new)  # type: ignore[attr-defined]  # a property in C
        self.held = new.held

    def new_tensor(self, data: Any, **options: Any) -> Any:  # type: ignore[override]
        wanted: dict[str, Any] = {"dtype": self.dtype, "device": GPU} | options
        return torch.tensor(data, **wanted)


def _as_tensors(index: Any) -> Any:
    """Return an index with tensors of the CPU in place of its lists and ranges.

    To torch, a list that holds more than numbers is a tuple: it has an index for each axis.
    """
    if isinstance(index, tuple) or (isinstance(index, list) and not all(isinstance(item, int) for item in index)):
        return tuple(map(_as_tensor, index))
    return _as_tensor(index)


def _as_tensor(part: Any) -> Any:
    if not isinstance(part, list | tuple | range):
        return part
    made = torch.tensor(list(part), device="cpu")
    return made if made.numel() else made.long()


class PretendedGpu(contextlib.ExitStack):
    """While open, this computer has a GPU."""

    opened = 0  # how many are open

    def __enter__(self) -> "PretendedGpu":
        PretendedGpu.opened += 1
        self.callback(self._closed)
        self.enter_context(_Dispatched())  # type: ignore[no-untyped-call]  # torch's
        self.enter_context(_FromData())
        return self

    @staticmethod
    def _closed() -> None:
        PretendedGpu.opened -= 1


class _Dispatched(TorchDispatchMode):
    pass


def _dispatched(mode: TorchDispatchMode, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    return _dispatch(function, args, kwargs or {})


# Set after the class is made, because torch (2.13) wraps a method written in the class, which loads its compiler: 2 s.
_Dispatched.__torch_dispatch__ = _dispatched  # type: ignore[method-assign]


class _FromData(TorchFunctionMode):
    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if function in FROM_DATA and args and isinstance(args[0], list | tuple):
            args = (_held(args[0], []), *args[1:])
        if function in FROM_DATA and kwargs.get("device") and torch.device(kwargs["device"]).type == GPU:
            return function(*args, **kwargs | {"device": "cpu"}).to(GPU)
        return function(*args, **kwargs)


def _dispatch(function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Run one operation on the held tensors; its results are on the arguments' device, or on `kwargs["device"]`.

    Raises: RuntimeError where the operation mixes tensors of both devices.
    """
    tensors: list[torch.Tensor] = []
    held_args, held_kwargs = _held(args, tensors), {name: _held(value, tensors) for name, value in kwargs.items()}
    on_gpu = [tensor for tensor in tensors if isinstance(tensor, OnGpu)]
    device = kwargs.get("device")
    indexing = function in INDEXING and isinstance(tensors[0], OnGpu)
    may_mix = device is not None or indexing or function is COPY or function in PACKING
    if on_gpu and not may_mix and any(tensor.dim() for tensor in tensors if not isinstance(tensor, OnGpu)):
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, the GPU and the CPU!"
        )
    if device is not None:
        held_kwargs["device"] = torch.device("cpu")
    result = function(*held_args, **held_kwargs)
    if function is COPY:
        return tensors[0]
    if on_gpu and torch.Tag.inplace_view in function.tags:
        on_gpu[0].data = OnGpu(result)  # the shape has changed, as by `x.unsqueeze_(0)`
    if on_gpu and function is PACKING[0]:
        return OnGpu(result[0]), result[1]
    if not (on_gpu if device is None else torch.device(device).type == GPU):
        return result
    return _on_gpu(result, {id(tensor.held): tensor for tensor in on_gpu})


def _held(tree: Any, tensors: list[torch.Tensor]) -> Any:
    """Return an operation's argument with held tensors, and append its tensors to `tensors`."""
    if isinstance(tree, torch.Tensor):
        tensors.append(tree)
        return tree.held if isinstance(tree, OnGpu) else tree
    return type(tree)(_held(item, tensors) for item in tree) if type(tree) in (list, tuple) else tree


def _on_gpu(tree: Any, arguments: dict[int, OnGpu]) -> Any:
    """Return an operation's result with tensors of the GPU.

    arguments: the operation's tensors by the `id` of `held`: an operation in place returns the argument itself.
    """
    if isinstance(tree, torch.Tensor):
        return arguments[id(tree)] if id(tree) in arguments else OnGpu(tree)
    return type(tree)(_on_gpu(item, arguments) for item in tree) if type(tree) in (list, tuple) else tree
