"""What crosses between sandbox and host: plain, bounded, and nothing else."""

import socket

import numpy as np
import pytest
import torch

from autograder.sandbox.inside import wire


def there_and_back(tree):
    tensors = {}
    return wire.unpack(wire.pack(tree, tensors), tensors)


@pytest.mark.parametrize(
    "tree",
    [None, True, 3, 2.5, "text", [1, [2, "x"]], (1, 2), {"a": [None]}, {"tensor": "x"}, torch.float64, float("inf")],
)
def test_plain_values_come_back(tree):
    assert there_and_back(tree) == tree


def test_tensors_and_arrays_come_back_as_tensors():
    x = torch.randn(2, 3, 5, requires_grad=True)
    back = there_and_back([x.transpose(0, 2), np.arange(3), np.float64(2.5)])
    assert torch.equal(back[0], x.detach().transpose(0, 2))
    assert not back[0].requires_grad
    assert back[1].tolist() == [0, 1, 2]
    assert float(back[2]) == 2.5


@pytest.mark.parametrize("value", [object(), print, lambda: 1, type, 1j, b"bytes"])
def test_objects_do_not_cross(value):
    with pytest.raises(TypeError, match="expected a tensor, a number or text"):
        wire.pack(value, {})


def test_deep_and_large_values_do_not_cross():
    deep = []
    for _ in range(20):
        deep = [deep]
    with pytest.raises(TypeError, match="nested"):
        wire.pack(deep, {})
    with pytest.raises(TypeError, match="small tensor"):
        wire.pack(torch.zeros(1).expand(10**9), {})


@pytest.mark.parametrize(
    "tree",
    [
        {"tensor": "missing"},
        {"tensor": ["unhashable"]},
        {"ref": "one"},
        {"unknown": 1},
        {"a": 1, "b": 2},
        {"dtype": "load"},
        {"tuple": {}},
        {"dict": []},
        [0] * 20_000,
        "x" * 20_000,
    ],
)
def test_forged_trees_are_refused(tree):
    with pytest.raises(wire.WireError):
        wire.unpack(tree, {})


def test_frames_cross_and_false_ones_are_refused():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        wire.send(theirs, {"op": "value"}, {"0": torch.ones(3)})
        header, tensors = wire.receive(ours)
        assert header == {"op": "value"}
        assert torch.equal(tensors["0"], torch.ones(3))
        theirs.sendall(wire.HEADER.pack(2**31, 0))
        with pytest.raises(wire.WireError, match="more"):
            wire.receive(ours)
    with pytest.raises(wire.WireError):
        wire.parse(b"{", b"")
    with pytest.raises(wire.WireError):
        wire.parse(b"{}", b"\x80\x04pickle")
