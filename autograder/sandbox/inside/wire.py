"""Frames on the socket between the host and a sandbox: a JSON header, and the numbers of tensors, both bounded.

    frame   = header length (u32) · tensors length (u32) · header (JSON, UTF-8) · tensors
    tensors = the numbers of one tensor after the other, each padded to a multiple of 8 bytes; "tensors"
              in the header describes them: {key: [dtype, shape]}
    tree    = None, bool, int, float, str, or a list of trees, or a tagged dictionary:
              {"tensor": key}  {"ref": number}  {"tuple": [tree]}  {"dict": {str: tree}}  {"dtype": name}

Both ends import this file. The host trusts nothing that it reads: lengths are checked before memory is
allocated, numbers cannot hold code, and trees deeper or larger than the bounds are refused.
"""

import json
import math
import socket
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

Tensors = dict[str, torch.Tensor]
Header = dict[str, Any]

HEADER = struct.Struct("<II")
# A lesson's largest honest value is a batch of attention weights, a few hundred kilobytes.
MAX_HEADER = 8 * 2**20
MAX_TENSORS = 32 * 2**20
MAX_DEPTH = 8
MAX_ITEMS = 10_000
# The longest text that is accepted as a value (characters).
MAX_TEXT = 10_000
# The largest tensor that is accepted (numbers): exams loop over values, and 250,000 numbers are still quick.
MAX_ELEMENTS = 2**18
# Numbers in all tensors of one value. A tensor counts once for each reference to it, because it is copied and compared
# that often.
MAX_ALL_ELEMENTS = 2**20
# The longest key of a dictionary, and characters in a value's texts and in the paths of its parts: a part of a tree is
# named by all keys above it, written as `repr` writes them.
MAX_KEY = 200
MAX_LETTERS = 2**19
# What all values of one session together may contain, as multiples of what one may: looking at a value costs the grader
# 10 µs an item and 30 ns a number, several times.
VALUES = 2
# Number types that can be compared as float64; complex numbers and floats of 8 bits or fewer cannot.
INTEGERS = {torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64}
DTYPES = INTEGERS | {torch.float16, torch.bfloat16, torch.float32, torch.float64}
NAMED = {str(dtype).removeprefix("torch."): (dtype, torch.empty(0, dtype=dtype).element_size()) for dtype in DTYPES}
PLAIN = (bool, int, float)  # types that JSON can hold
PART = 8  # bytes: tensors begin at multiples of it, as the alignment of their numbers requires
MOST_AXES = 32


class WireError(Exception):
    """The other end sent what is not a frame, or more than is allowed."""


class Ref:
    """An object that stays inside the sandbox, known by its number."""

    def __init__(self, number: int):
        self.number = number


def frame(header: Header, tensors: Tensors | None = None) -> bytes:
    """Return one frame."""
    payload = b""
    if tensors:
        kinds = {key: [str(t.dtype).removeprefix("torch."), list(t.shape)] for key, t in tensors.items()}
        header, payload = header | {"tensors": kinds}, b"".join(map(_numbers, tensors.values()))
    text = json.dumps(header).encode()
    return HEADER.pack(len(text), len(payload)) + text + payload


def _numbers(tensor: torch.Tensor) -> bytes:
    """Return the bytes of a tensor that `pack` made: contiguous, and on the CPU."""
    plain = tensor.view(torch.int16) if tensor.dtype is torch.bfloat16 else tensor  # numpy has no bfloat16
    numbers = plain.numpy().tobytes()
    return numbers + bytes(-len(numbers) % PART)


def _tensors(kinds: Any, payload: bytes) -> Tensors:
    """Return the tensors of these dtypes and shapes whose numbers are in `payload`. Raises: WireError, KeyError, …"""
    tensors, numbers, start = {}, bytearray(payload), 0
    if len(kinds) > MAX_ITEMS:
        raise WireError("more tensors than one value may hold")
    for key, (kind, shape) in kinds.items():
        dtype, size_of_one = NAMED[kind]
        if len(shape) > MOST_AXES or not all(type(size) is int and 0 <= size < 2**32 for size in shape):
            raise WireError("a tensor has no such shape")
        count = math.prod(shape)
        length = count * size_of_one
        if length > len(numbers) - start:
            raise WireError("a tensor's numbers are missing")
        flat = (
            torch.frombuffer(numbers, dtype=dtype, count=count, offset=start) if count else torch.empty(0, dtype=dtype)
        )
        tensors[key] = flat.reshape(shape)
        start += length + -length % PART
    if start != len(numbers):
        raise WireError("numbers are left over")
    return tensors


def send(channel: socket.socket, header: Header, tensors: Tensors | None = None) -> None:
    """Send one frame, blocking."""
    channel.sendall(frame(header, tensors))


def receive(channel: socket.socket) -> tuple[Header, Tensors]:
    """Read one frame, blocking. Raises: EOFError at the end, WireError for anything that is not a frame."""
    header_length, payload_length = HEADER.unpack(_exactly(channel, HEADER.size))
    check_lengths(header_length, payload_length)
    body = _exactly(channel, header_length + payload_length)
    return parse(body[:header_length], body[header_length:])


def check_lengths(header_length: int, payload_length: int) -> None:
    """Raise WireError when a frame announces more than is allowed."""
    if header_length > MAX_HEADER or payload_length > MAX_TENSORS:
        raise WireError("more was sent than one answer may hold")


def parse(header: bytes, payload: bytes) -> tuple[Header, Tensors]:
    """Return a frame's header and tensors. Raises: WireError."""
    try:
        said = _whole_text(header)
        return said, _tensors(said.pop("tensors", {}), payload)
    except Exception as error:  # any error here means that the text is not a header
        raise WireError(f"not a frame: {type(error).__name__}") from None


def _whole_text(header: bytes) -> Header:
    """Return the JSON in `header`; lone surrogates, which cannot be written to a file, become question marks."""
    data: Header = json.loads(header)
    if b"\\ud" in header.lower():
        data = json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "replace"))
    return data


def _exactly(channel: socket.socket, length: int) -> bytes:
    parts = bytearray()
    while len(parts) < length:
        part = channel.recv(min(length - len(parts), 2**20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)


def pack(tree: Any, tensors: Tensors, depth: int = 0) -> Any:
    """Return `tree` as JSON, its tensors moved to `tensors`. Raises: TypeError for what cannot cross."""
    if depth > MAX_DEPTH:
        raise TypeError("expected a value nested at most 8 deep")
    if tree is None or type(tree) in PLAIN:
        return tree
    if isinstance(tree, torch.Tensor):
        plain = tree.detach()
        if plain.dtype not in DTYPES:
            raise TypeError(f"expected real numbers, got a tensor of {plain.dtype}")
        if plain.numel() > MAX_ELEMENTS:
            raise TypeError(f"expected a small tensor, got shape {tuple(tree.shape)}")
        key = str(len(tensors))
        tensors[key] = plain.cpu().contiguous().clone()  # an expanded tensor takes its full memory only here
        return {"tensor": key}
    if isinstance(tree, Ref):
        return {"ref": tree.number}
    if isinstance(tree, str):
        return str(tree)[:MAX_TEXT]
    if isinstance(tree, dict):
        return {"dict": {str(key): pack(item, tensors, depth + 1) for key, item in tree.items()}}
    if isinstance(tree, list):
        return [pack(item, tensors, depth + 1) for item in tree]
    if isinstance(tree, np.ndarray | np.generic):
        return pack(torch.from_numpy(np.array(tree)), tensors, depth)
    if isinstance(tree, PLAIN):  # a subclass of int or float; np.float64, a subclass of float, was handled above
        return tree
    if isinstance(tree, torch.dtype):
        return {"dtype": str(tree).removeprefix("torch.")}
    if isinstance(tree, tuple | torch.Size):
        return {"tuple": [pack(item, tensors, depth + 1) for item in tree]}
    if isinstance(tree, range | set | frozenset):
        return [pack(item, tensors, depth + 1) for item in tree]
    raise TypeError(f"expected a tensor, a number or text, got {type(tree).__name__}")


def unpack(tree: Any, tensors: Tensors, resolve: Callable[[int], Any] = Ref, of_all: "Budget | None" = None) -> Any:
    """Return what `pack` packed; `resolve` turns a ref's number into an object, `of_all` is a session's budget.

    Raises: WireError.
    """
    return _unpack(tree, tensors, resolve, 0, 0, Budget(of_all))


class Budget:
    """How many items, numbers in tensors, and letters of texts and paths a value may still contain.

    of_all: the budget of all values of a session, from which this value takes as well.
    """

    def __init__(self, of_all: "Budget | None" = None, values: int = 1) -> None:
        self.items, self.elements, self.letters = (values * most for most in (MAX_ITEMS, MAX_ALL_ELEMENTS, MAX_LETTERS))
        self.of_all = of_all

    def take(self, elements: int = 0, letters: int = 0, items: int = 1) -> None:
        self.items -= items
        self.elements -= elements
        self.letters -= letters
        if self.items < 0 or self.elements < 0 or self.letters < 0:
            raise WireError("a value is too large")
        if self.of_all:
            self.of_all.take(elements, letters, items)


def _unpack(tree: Any, tensors: Tensors, resolve: Callable[[int], Any], depth: int, path: int, left: Budget) -> Any:
    """Return the value of a part of the tree, within the budget. `tree` consists of JSON's types.

    path: the length of the part's path.
    """
    kind = type(tree)
    left.take(letters=path + (len(tree) if kind is str else 0))
    if depth > MAX_DEPTH or (kind is str and len(tree) > MAX_TEXT):
        raise WireError("a value is nested too deep or too large")
    if kind is int and abs(tree) >= 2**63:
        raise WireError("a number is too large")
    if tree is None or kind in PLAIN or kind is str:
        return tree
    if kind is list:
        return [_unpack(item, tensors, resolve, depth + 1, path, left) for item in tree]
    if kind is dict and len(tree) == 1:  # what JSON lacks is a dict of one key, which names the kind
        (tag, content), *_ = tree.items()
        if tag == "tensor" and isinstance(content, str) and content in tensors:
            if tensors[content].numel() > MAX_ELEMENTS or tensors[content].dtype not in DTYPES:
                raise WireError("a tensor is too large, or of an unknown kind")
            left.take(tensors[content].numel(), items=0)
            return tensors[content]
        if tag == "ref" and isinstance(content, int):
            return resolve(content)
        if tag == "tuple" and isinstance(content, list):
            return tuple(_unpack(item, tensors, resolve, depth + 1, path, left) for item in content)
        if tag == "dict" and isinstance(content, dict) and all(len(key) <= MAX_KEY for key in content):
            lengths = {key: path + len(repr(key)) for key in content}
            return {
                key: _unpack(item, tensors, resolve, depth + 1, lengths[key], left) for key, item in content.items()
            }
        if tag == "dtype" and isinstance(content, str) and isinstance(getattr(torch, content, None), torch.dtype):
            return getattr(torch, content)
    raise WireError("a value has an unknown form")
