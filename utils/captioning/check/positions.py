"""Section 4: the sinusoidal positional encoding."""

from typing import Any

import torch

from utils.captioning.check.inputs import moved, twice
from utils.checks.check import Check
from utils.checks.engine.probe import AT_RATE_ONE, ON_GPU, STEADY, Probe
from utils.common.messages import N_

positional_encoding = Check(
    "positional_encoding",
    title="Sinusoidal positional encoding",
    sizes={"N": 3, "S": 5, "E": 14, "M": 11},
    hints=(
        "Look at the table alone first: plot `layer.pe[0]`. Row 0 must be 0, 1, 0, 1, ...",
        "Columns come in pairs (0, 1), (2, 3), ... A pair shares one frequency, 10000 to the power of minus the even "
        "column's number over E; the even column is its sine, the odd one its cosine.",
        "`torch.arange(0, E, 2)` gives the even columns' numbers; positions as a column times frequencies as a row "
        "give (M, E/2) angles; fill `pe[0, :, 0::2]` and `pe[0, :, 1::2]`. In forward, take the table's first S rows.",
    ),
)


def encoding_layer(probe: Probe, PositionalEncoding: Any, dropout: float = 0.1) -> Any:
    E, M = probe["E M"]
    return PositionalEncoding(E, dropout, M).eval()


@positional_encoding.test("the table: sines in even columns, cosines in odd ones, positions counted from 0")
def table(probe: Probe, PositionalEncoding: Any) -> Any:
    N, M, E = probe["N M E"]
    return encoding_layer(probe, PositionalEncoding)(torch.zeros(N, M, E))


@positional_encoding.test("a shorter sequence gets the table's first rows, added")
def added(probe: Probe, PositionalEncoding: Any) -> Any:
    N, S, E = probe["N S E"]
    return encoding_layer(probe, PositionalEncoding)(probe.normal(N, S, E))


@positional_encoding.test("the sum outside training, and dropout of all of it while training")
def dropout_of_sum(probe: Probe, PositionalEncoding: Any) -> Any:
    N, S, E = probe["N S E"]
    x = probe.normal(N, S, E)
    layer = encoding_layer(probe, PositionalEncoding, dropout=1.0)
    quiet = twice(probe, lambda: layer(x.clone()))
    layer.train()
    trained = twice(probe, lambda: layer(x.clone()))
    outside = {} if moved(*quiet) else {N_("outside training"): quiet[0]}
    inside = {} if moved(*trained) else {N_("while training"): trained[0]}
    return outside | inside | {STEADY: not moved(*quiet), AT_RATE_ONE: not moved(*trained)}


@positional_encoding.test("the table is a buffer: nothing to learn, but it follows the layer to another precision")
def buffer(probe: Probe, PositionalEncoding: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = encoding_layer(probe, PositionalEncoding)
    learned = probe.parameters(layer)
    layer.to(torch.float16)
    half = probe.value(layer(probe.normal(N, S, E).to(torch.float16)))
    return {
        N_("parameters that the layer gives to an optimizer"): len(learned),
        N_("the output does not follow the input to half precision, but it must"): half.dtype == torch.float16,
    }


@positional_encoding.test("its input stays unchanged, and every input gets the same numbers added")
def input_kept(probe: Probe, PositionalEncoding: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = encoding_layer(probe, PositionalEncoding)
    x = layer(probe.normal(N, S, E))  # a result of the layer, which in the exam stays in the sandbox
    before = probe.value(x)
    added = probe.value(layer(x)) - before
    # The second comparison finds an answer that returns uninitialised memory, which does not change its input either.
    return {
        N_("the input is changed; leave it as it is"): not moved(before, probe.value(x)),
        N_("not all sequences get the same numbers added, but they must"): not moved(added[:1], added[1:]),
    }


@positional_encoding.test(ON_GPU)
def added_on_gpu(probe: Probe, PositionalEncoding: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = encoding_layer(probe, PositionalEncoding)
    with probe.gpu():
        return probe.located(probe.there(layer)(probe.there(probe.normal(N, S, E))))
