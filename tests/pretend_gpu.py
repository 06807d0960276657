"""A GPU to test with where there is none: its tensors compute on the CPU and refuse to meet the CPU's own.

What: inside `PretendGpu()`, `.to(PRETEND)` and `device=PRETEND` give `OnGpu` tensors. An operation that mixes them with
tensors of the CPU raises RuntimeError, as on a real GPU; numbers (0 dimensions) and indices may mix, as there.
How: https://pytorch.org/docs/stable/notes/extending.html#extending-torch-native-api; the device itself is registered
by a helper that torch has since 2.9.
"""

import functools

import torch
from torch.utils import backend_registration
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

PRETEND = "pretend"
COPY, INDEXING = torch.ops.aten.copy_.default, (torch.ops.aten.index.Tensor, torch.ops.aten.index_put_.default)


@functools.cache
def register() -> bool:
    """Make the device known to torch; False where this torch cannot."""
    make = getattr(backend_registration, "_setup_privateuseone_for_python_backend", None)
    if make is not None:
        make(PRETEND)
    return make is not None


class OnGpu(torch.Tensor):
    """A tensor of the CPU, `held`, that says it lies on the GPU."""

    @staticmethod
    def __new__(cls, held: torch.Tensor):
        device = torch.device(PRETEND, 0)
        made = torch.Tensor._make_wrapper_subclass(
            cls, held.shape, strides=held.stride(), dtype=held.dtype, device=device
        )
        made.held = held
        return made

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        return dispatch(function, args, kwargs or {})


class PretendGpu(TorchDispatchMode):
    """While open, this computer has a GPU."""

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        return dispatch(function, args, kwargs or {})


def dispatch(function, args: tuple, kwargs: dict):
    """Run one operation on the held tensors; its results lie where its arguments lay, or where it was told."""
    tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
    on_gpu = [tensor for tensor in tensors if isinstance(tensor, OnGpu)]
    told = kwargs.get("device")
    moves = told is not None or function is COPY
    if on_gpu and not moves and not (function in INDEXING and tensors[0] is on_gpu[0]):
        strangers = [tensor for tensor in tensors if not isinstance(tensor, OnGpu) and tensor.dim()]
        if strangers:
            raise RuntimeError(f"Expected all tensors to be on the same device in {function}")
    if told is not None:
        kwargs = kwargs | {"device": torch.device("cpu")}
    args, kwargs = tree_map(lambda leaf: leaf.held if isinstance(leaf, OnGpu) else leaf, (args, kwargs))
    result = function(*args, **kwargs)
    if function is COPY:
        return tensors[0]
    stays = bool(on_gpu) if told is None else torch.device(told).type == PRETEND
    known = {id(tensor.held): tensor for tensor in on_gpu}  # what works in place returns its argument

    def lay(leaf):
        if not stays or not isinstance(leaf, torch.Tensor):
            return leaf
        return known[id(leaf)] if id(leaf) in known else OnGpu(leaf)

    return tree_map(lay, result)
