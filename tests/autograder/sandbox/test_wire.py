"""What crosses between sandbox and host: plain, bounded, and nothing else."""

import socket
import struct
import threading

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

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


def test_more_tensors_than_one_value_may_hold_are_refused_before_they_are_read():
    kinds = {str(number): ("float32", (0,)) for number in range(wire.MAX_ITEMS + 1)}
    with pytest.raises(wire.WireError, match=r"^more tensors than one value may hold$"):
        wire._tensors(kinds, b"")
    kinds.pop("0")
    assert len(wire._tensors(kinds, b"")) == wire.MAX_ITEMS


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


# ---- bounds: the last value that crosses, and the first that does not -------------------------------------


def nested(depth: int, leaf: object = 1) -> object:
    for _ in range(depth):
        leaf = [leaf]
    return leaf


def test_the_bounds_are_what_the_lessons_need():
    """A change of these is a decision about memory, and not made in passing."""
    assert (wire.MAX_HEADER, wire.MAX_TENSORS) == (8 * 2**20, 32 * 2**20)
    assert (wire.MAX_DEPTH, wire.MAX_ITEMS, wire.MAX_TEXT, wire.MAX_ELEMENTS) == (8, 10_000, 10_000, 262_144)


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        ((wire.MAX_HEADER, wire.MAX_TENSORS), (wire.MAX_HEADER + 1, 0)),
        ((0, wire.MAX_TENSORS), (0, wire.MAX_TENSORS + 1)),
    ],
)
def test_a_frame_is_as_long_as_allowed_and_no_longer(inside, outside):
    wire.check_lengths(*inside)
    with pytest.raises(wire.WireError, match="more was sent than one answer may hold"):
        wire.check_lengths(*outside)


@pytest.mark.parametrize(
    ("inside", "outside"),
    [
        (nested(8), nested(9)),
        ({"tuple": [nested(7)]}, {"tuple": [nested(8)]}),
        ({"dict": {"a": nested(7)}}, {"dict": {"a": nested(8)}}),
        ([0] * 9_999, [0] * 10_000),
        ([[0] * 4_999, [0] * 4_998], [[0] * 4_999, [0] * 4_999]),
        ("x" * 10_000, "x" * 10_001),
        ({"dict": {"x" * 200: 1}}, {"dict": {"x" * 201: 1}}),
        (["x" * 10_000] * 52, ["x" * 10_000] * 53),
        ({"dict": {"x" * 200: [0] * 2584}}, {"dict": {"x" * 200: [0] * 2595}}),
        (2**63 - 1, 2**63),
        (1 - 2**63, -(2**63)),
    ],
    ids=[
        "depth",
        "depth in a tuple",
        "depth by name",
        "items",
        "items in all",
        "text",
        "name",
        "texts",
        "paths",
        "number",
        "negative",
    ],
)
def test_a_value_is_as_large_as_allowed_and_no_larger(inside, outside):
    wire.unpack(inside, {})
    with pytest.raises(wire.WireError, match=r"too (deep or too )?large|unknown form"):
        wire.unpack(outside, {})


def test_all_values_of_a_session_together_are_bounded():
    left = wire.Budget(values=wire.VALUES)
    for value in ([0] * 9_999, ["x" * 9_999] * 52, [{"tensor": "0"}] * 4):
        kept = vars(left).copy()
        for _ in range(wire.VALUES):
            wire.unpack(value, {"0": torch.zeros(2**18)}, of_all=left)
        with pytest.raises(wire.WireError, match="a value is too large"):
            wire.unpack(value, {"0": torch.zeros(2**18)}, of_all=left)
        vars(left).update(kept)


@pytest.mark.parametrize("dtype", sorted(wire.DTYPES, key=str))
def test_tensors_are_as_large_as_allowed_and_of_a_known_kind(dtype):
    full = torch.zeros(2**18, dtype=dtype)
    assert wire.unpack({"tensor": "0"}, {"0": full}) is full
    assert there_and_back(full).dtype == dtype
    with pytest.raises(wire.WireError, match="too large, or of an unknown kind"):
        wire.unpack({"tensor": "0"}, {"0": torch.zeros(2**18 + 1, dtype=dtype)})
    with pytest.raises(TypeError, match=r"expected a small tensor, got shape \(262145,\)"):
        wire.pack(torch.zeros(2**18 + 1, dtype=dtype), {})


def test_the_tensors_of_a_value_hold_a_million_numbers_and_no_more():
    """Each is counted as often as it is referred to: so often it would be copied."""
    assert wire.MAX_ALL_ELEMENTS == 2**20
    tensors = {"full": torch.zeros(2**18), "one": torch.zeros(1), "none": torch.zeros(0)}
    full, one, none = ({"tensor": name} for name in tensors)
    assert len(wire.unpack([full] * 4 + [none], tensors)) == 5
    for outside in ([full] * 4 + [one], [full, {"tuple": [full, {"dict": {"a": full}}]}, full, one]):
        with pytest.raises(wire.WireError, match="a value is too large"):
            wire.unpack(outside, tensors)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.float8_e4m3fn])
def test_tensors_of_other_kinds_do_not_cross(dtype):
    with pytest.raises(wire.WireError, match="of an unknown kind"):
        wire.unpack({"tensor": "0"}, {"0": torch.zeros(3).to(dtype)})
    with pytest.raises(TypeError, match=f"expected real numbers, got a tensor of {dtype}"):
        wire.pack(torch.zeros(3).to(dtype), {})


def test_a_tensor_that_repeats_one_number_is_measured_before_it_is_copied():
    with pytest.raises(TypeError, match="small tensor"):
        wire.pack(torch.zeros(1).expand(10**15), {})


def test_packing_stops_where_unpacking_would():
    assert there_and_back(nested(8)) == nested(8)
    for outside in (nested(9), (nested(8),), {"a": nested(8)}):
        with pytest.raises(TypeError, match="nested at most 8 deep"):
            wire.pack(outside, {})
    assert there_and_back("x" * 10_001) == "x" * 10_000


def test_tensors_share_nothing_with_what_was_packed_and_keep_their_order():
    tensors = {}
    x, y = torch.zeros(3), torch.ones(2, 5).T
    packed = wire.pack({"x": x, "y": [y, x]}, tensors)
    x[0] = 7
    assert packed == {"dict": {"x": {"tensor": "0"}, "y": [{"tensor": "1"}, {"tensor": "2"}]}}
    assert [tensors[key].tolist() for key in "012"] == [[0] * 3, [[1.0, 1.0]] * 5, [0] * 3]
    assert tensors["1"].is_contiguous()


def test_what_stays_inside_crosses_as_its_number():
    packed = wire.pack([wire.Ref(7)], {})
    assert packed == [{"ref": 7}]
    assert wire.unpack(packed, {}, lambda number: number + 1) == [8]
    (back,) = wire.unpack(packed, {})
    assert isinstance(back, wire.Ref) and back.number == 7


@pytest.mark.parametrize(
    ("tree", "back"),
    [
        (torch.Size([2, 3]), (2, 3)),
        (range(3), [0, 1, 2]),
        ({4}, [4]),
        (frozenset({4}), [4]),
        ({1: 2}, {"1": 2}),
        (torch.int64, torch.int64),
        (np.float32(0.5), torch.tensor(0.5)),
        (np.arange(4)[::-1], torch.tensor([3, 2, 1, 0])),
    ],
)
def test_other_containers_become_plain_ones(tree, back):
    assert type(there_and_back(tree)) is type(back)
    assert torch.equal(there_and_back(tree), back) if isinstance(back, torch.Tensor) else there_and_back(tree) == back


class Text(str):
    """A text that says something else of itself."""

    def __str__(self):
        return "other"


def test_a_text_crosses_as_plain_text():
    assert type(wire.pack(Text("a"), {})) is str


plain = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 2**63, 2**63 - 1) | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(plain)
def test_every_plain_value_comes_back_through_a_frame(tree):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        try:
            packed = wire.pack(tree, {})
        except TypeError as error:
            assert "nested at most 8 deep" in str(error)
            return
        wire.send(theirs, {"tree": packed})
        header, tensors = wire.receive(ours)
        assert (wire.unpack(header["tree"], tensors), tensors) == (tree, {})


@given(
    arrays.arrays(
        st.sampled_from([np.float64, np.float32, np.int64, np.uint8, np.bool_]),
        arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
    )
)
def test_every_array_comes_back_through_a_frame(array):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        tensors = {}
        wire.send(theirs, {"tree": wire.pack([array, array.T], tensors)}, tensors)
        header, tensors = wire.receive(ours)
        back, turned = wire.unpack(header["tree"], tensors)
        assert (back.numpy().dtype, back.shape) == (array.dtype, array.shape)
        np.testing.assert_array_equal(back.numpy(), array)
        np.testing.assert_array_equal(turned.numpy(), array.T)


def test_a_frame_is_two_lengths_the_header_and_the_tensors():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        wire.send(theirs, {"op": 1})
        assert ours.recv(99) == struct.pack("<II", 9, 0) + b'{"op": 1}'
        wire.send(theirs, {}, {"0": torch.ones(3)})
        header, payload = b'{"tensors": {"0": ["float32", [3]]}}', struct.pack("<fff4x", 1, 1, 1)
        assert ours.recv(999) == struct.pack("<II", 36, 16) + header + payload


def test_a_frame_that_comes_in_pieces_is_read_whole_and_one_that_ends_early_is_not():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        whole = struct.pack("<II", 9, 0) + b'{"op": 1}'
        sender = threading.Thread(target=lambda: [theirs.sendall(bytes([byte])) for byte in whole])
        sender.start()
        assert wire.receive(ours) == ({"op": 1}, {})
        sender.join()
        theirs.sendall(whole + whole[:-1])
        theirs.close()
        assert wire.receive(ours) == ({"op": 1}, {})
        with pytest.raises(EOFError):
            wire.receive(ours)


@pytest.mark.parametrize("text", ['{"a": "\\ud800"}', '{"a": "\\uDC00"}'])
def test_half_characters_become_question_marks(text):
    assert wire.parse(text.encode(), b"") == ({"a": "?"}, {})


def test_whole_characters_stay():
    assert wire.parse(b'{"a": "\\ud83d\\ude00", "b": "\xc3\xa9"}', b"") == ({"a": "😀", "b": "é"}, {})


@pytest.mark.parametrize("dtype", sorted(wire.DTYPES, key=str), ids=str)
def test_tensors_of_every_kind_cross_as_they_are(dtype):
    tensors = {
        "0": torch.arange(15).reshape(3, 5).to(dtype),
        "1": torch.tensor(1).to(dtype),
        "2": torch.zeros(0, 3, dtype=dtype),
        "3": torch.tensor([1.5, 2.25, -3.0]).to(dtype),
    }
    frame = wire.frame({"op": 1}, tensors)
    header_length, payload_length = wire.HEADER.unpack(frame[: wire.HEADER.size])
    assert payload_length % 8 == 0
    header, payload = frame[wire.HEADER.size : -payload_length], frame[-payload_length:]
    assert len(header) == header_length
    said, found = wire.parse(header, payload)
    assert said == {"op": 1}
    assert list(found) == list(tensors)
    for key, tensor in tensors.items():
        assert (found[key].dtype, found[key].shape) == (tensor.dtype, tensor.shape)
        assert torch.equal(found[key], tensor)
    found["0"].zero_()
    assert torch.equal(found["3"], tensors["3"])


@pytest.mark.parametrize(
    ("kinds", "length", "why"),
    [
        ('{"0": ["float32", [3]]}', 8, "WireError"),
        ('{"0": ["float32", [2]]}', 16, "WireError"),
        ('{"0": ["float32", [1]], "1": ["float32", [2]]}', 8, "WireError"),
        ('{"0": ["float32", [-1]]}', 8, "WireError"),
        ('{"0": ["float32", [-1, -2]]}', 8, "WireError"),
        ('{"0": ["float32", [true]]}', 8, "WireError"),
        ('{"0": ["float32", ["2"]]}', 8, "WireError"),
        ('{"0": ["float32", [4294967296, 4294967296]]}', 8, "WireError"),
        ('{"0": ["float32", [4294967295, 4294967295]]}', 8, "WireError"),
        ('{"0": ["complex64", [1]]}', 8, "KeyError"),
        ('{"0": ["float32"]}', 8, "ValueError"),
        ('{"0": 3}', 8, "TypeError"),
        ('["0"]', 8, "AttributeError"),
        ("null", 8, "TypeError"),
        (f'{{"0": ["float32", {[1] * 32 + [2]}]}}', 8, "WireError"),
        ("{" + ",".join(f'"{i}": ["float32", [0]]' for i in range(10_001)) + "}", 0, "WireError"),
    ],
)
def test_false_tensors_are_refused(kinds, length, why):
    with pytest.raises(wire.WireError, match=f"not a frame: {why}"):
        wire.parse(f'{{"tensors": {kinds}}}'.encode(), bytes(length))


def test_what_is_wrong_with_a_frame_is_named():
    with pytest.raises(wire.WireError, match="not a frame: JSONDecodeError"):
        wire.parse(b"{", b"")
    with pytest.raises(wire.WireError, match="not a frame: RecursionError"):
        wire.parse(b"[" * 100_000, b"")
    with pytest.raises(wire.WireError, match="not a frame: WireError"):
        wire.parse(b"{}", b"x" * 20)
    with pytest.raises(wire.WireError, match="not a frame: TypeError"):
        wire.parse(b"[]", b"")
