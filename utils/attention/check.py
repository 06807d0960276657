"""The public checks of the lesson `attention`."""

from typing import Any

import torch

from utils.attention.patients import PATIENTS
from utils.attention.sequences import LENGTH, WIDTH, Shapes, kind_and_slot, render
from utils.checks.check import Check
from utils.checks.engine.own_code import Draw, Gap, Inputs
from utils.checks.engine.probe import ON_GPU, Probe, gradients
from utils.checks.own_code import OwnCode
from utils.checks.patients import CURED, NAMED_WHEN_HEALED
from utils.common.messages import N_

ERRORS = 0.3  # squared heights by which an error may differ from a healthy network's


def shape_of(result: Any) -> str:
    """Return a shape as text: where two texts differ a verdict shows both, of two lists only one number each."""
    return str(list(result.shape))


SHAPES = N_("the shapes of all parameters, kernels before biases")


def parameter_shapes(probe: Probe, network: Any) -> str:
    """Return the parameters' shapes as one text, kernels before biases, which a verdict shows whole."""
    shapes = sorted(probe.parameters(network).values(), key=lambda shape: (-len(shape), shape))
    return " ".join("×".join(map(str, shape)) for shape in shapes)


def fill_in_order(probe: Probe, network: Any, channels: int) -> Any:
    """Give the parameters seeded values that depend on the order of the layers, not on their names."""
    return probe.fill(network, 0.35, torch.zeros(1, channels, 17))


def in_both_modes(probe: Probe, network: Any, x: torch.Tensor) -> dict[str, Any]:
    """Return the result of a network in eval() mode, and whether it is the same while training: no layer drops."""
    result = probe.value(network(x.clone()))
    network.train()
    trained = probe.value(network(x))
    same = trained.shape == result.shape and bool((trained - result).abs().max() < 1e-5)
    return {N_("the result"): result, N_("the result is different while training; it must be the same"): same}


# ---- data sets ---------------------------------------------------------------------------------------

make_datasets = Check(
    "make_datasets",
    title="Data sets",
    # Many long training sequences, so that dividing by their number or by one less differs by less than the tolerance.
    sizes={"N": 67, "C": 3, "T": 97},
    lacks={"tensors": N_("you do not return two TensorDatasets: make each from two tensors, `TensorDataset(…, …)`")},
    hints=(
        "Print the shape of `inputs[:n_train].mean(dim=(0, 2), keepdim=True)`. Which sequences went into it?",
        "Mean and standard deviation are computed per channel, over the first n_train sequences and all "
        "positions; then subtract the mean from all sequences, including the test set, and divide them by the "
        "deviation.",
        "Write a helper for one tensor: its training part `x[:n_train]`, that part's mean and std over dimensions 0 "
        "and 2, then (x - mean) / std. Call it for inputs and for targets, and cut both at n_train.",
    ),
)
# Standard deviations with divisor n and n - 1 differ by a factor of 1 + 1/(2n), n = 61 · 97; values reach 4 deviations.
LENIENT = {"rtol": 1e-3, "atol": 1e-4}


def raw_sequences(probe: Probe) -> tuple[torch.Tensor, torch.Tensor, int]:
    """Inputs (N, C, T) and targets (N, 1, T) that differ in mean and spread by channel and by data set; n_train."""
    N, C, T = probe["N C T"]
    n_train = N - 6
    shift, spread = probe.uniform(1, C, 1, low=2, high=5), probe.uniform(1, C, 1, low=2, high=4)
    part = 1 + 2 * (torch.arange(N) >= n_train).to(shift.dtype).reshape(N, 1, 1)  # 1, and 3 for the test set
    inputs = probe.normal(N, C, T) * spread * part + shift * part
    targets = 3 * probe.normal(N, 1, T) * part + 7 * part + inputs[:, :1]
    return inputs, targets, n_train


@make_datasets.test("the training inputs have mean 0 and deviation 1 in each channel", **LENIENT)
def training_inputs(probe: Probe, make_datasets: Any) -> Any:
    x = probe.value(make_datasets(*raw_sequences(probe))[0].tensors[0])
    return {
        N_("the shape"): shape_of(x),
        N_("the first sequences"): x[:2, :, :19],
        N_("the last sequence"): x[-1:, :, :7],
    }


@make_datasets.test("the test inputs are standardised with the training set's mean and deviation", **LENIENT)
def test_inputs(probe: Probe, make_datasets: Any) -> Any:
    x = probe.value(make_datasets(*raw_sequences(probe))[1].tensors[0])
    return {N_("the shape"): shape_of(x), N_("the first sequences"): x[:2, :, :19]}


@make_datasets.test("the targets are standardised likewise, and stay with their inputs", **LENIENT)
def targets(probe: Probe, make_datasets: Any) -> Any:
    sets = make_datasets(*raw_sequences(probe))
    known, new = probe.values(sets[0].tensors[1], sets[1].tensors[1])
    return {
        N_("the shapes"): [shape_of(known), shape_of(new)],
        N_("the training set"): known[:2, :, :19],
        N_("the test set"): new[:2, :, :19],
    }


@make_datasets.test("the inputs and the targets themselves stay unchanged", **LENIENT)
def heights_kept(probe: Probe, make_datasets: Any) -> Any:
    inputs, targets, n_train = raw_sequences(probe)
    # Tensors of a data set serve as inputs, because in the exam they stay in the sandbox.
    first = make_datasets(inputs, targets, n_train)[0]
    x, y = first.tensors[0], first.tensors[1]
    before = probe.values(x, y)
    make_datasets(x, y, n_train - 9)
    after = probe.values(x, y)
    return {
        N_("the inputs change"): not torch.equal(before[0], after[0]),
        N_("the targets change"): not torch.equal(before[1], after[1]),
    }


@make_datasets.test(ON_GPU, **LENIENT)
def datasets_on_gpu(probe: Probe, make_datasets: Any) -> Any:
    inputs, targets, n_train = raw_sequences(probe)
    with probe.gpu():
        sets = make_datasets(probe.there(inputs), probe.there(targets), n_train)
        return probe.located(sets[1].tensors[0][0])


# ---- the convolutional network -----------------------------------------------------------------------


def asked_inputs(probe: Probe, draw: Draw) -> Inputs:
    N, C, T = probe["N C T"]
    return {"inputs": draw.whole("inputs", N, C, T), "targets": draw.whole("targets", N, 1, T)}


def asked_result(probe: Probe, make_datasets: Any, inputs: Inputs) -> torch.Tensor:
    """Return the inputs of both sets one after the other, with the targets as one more channel, (N, C + 1, T)."""
    sets = make_datasets(inputs["inputs"], inputs["targets"], 4)
    x, y, x_new, y_new = probe.values(*(sets[part].tensors[i] for part in (0, 1) for i in (0, 1)))
    return torch.cat([torch.cat([x, x_new]), torch.cat([y, y_new])], dim=1)


own_code = OwnCode(
    "own_code",
    title="Your own code",
    sizes={"N": 7, "C": 3, "T": 5},
    gap=Gap("make_datasets", "make_datasets(inputs, targets, 4)", "x[n, c]", asked_inputs, asked_result),
)

conv_network = Check(
    "conv_network",
    title="Convolutional network",
    sizes={"N": 5, "C": 3, "T": 23, "E": 7},
    lacks={"named_parameters": N_("you do not return a network: return the layers in an `nn.Sequential`")},
    hints=(
        "Print the network: you should see seven lines, four of them Conv1d.",
        "Kernel 5 loses two points at each end unless two zeros are added there. A ReLU follows each "
        "convolution except the last.",
        "nn.Sequential(nn.Conv1d(in_channels, channels, kernel_size=5, padding=…), nn.ReLU(), …) and so "
        "on, with one output channel.",
    ),
)


@conv_network.test("there are four convolutions of kernel 5, with biases")
def layers(probe: Probe, conv_network: Any) -> Any:
    C, E = probe["C E"]
    networks = {
        f"conv_network({C},{E})": fill_in_order(probe, conv_network(C, E), C),
        "conv_network()": fill_in_order(probe, conv_network(), 1),
    }
    return {SHAPES: {call: parameter_shapes(probe, network) for call, network in networks.items()}}


@conv_network.test("the output has one channel and is as long as the input")
def length(probe: Probe, conv_network: Any) -> Any:
    N, C, T, E = probe["N C T E"]
    network = fill_in_order(probe, conv_network(C, E), C)
    outputs = network(probe.normal(N, C, T)), network(probe.normal(1, C, 31))
    return [torch.zeros(probe.value(output).shape) for output in outputs]  # the shapes alone


@conv_network.test("convolutions and ReLUs follow each other as in the picture")
def output(probe: Probe, conv_network: Any) -> Any:
    N, C, T, E = probe["N C T E"]
    return in_both_modes(probe, fill_in_order(probe, conv_network(C, E), C), probe.normal(N, C, T))


# ---- one update --------------------------------------------------------------------------------------

update = Check(
    "update",
    title="One correction",
    sizes={"N": 5, "C": 3, "T": 13},
    hints=(
        "For each of the three calls, ask what it needs and what it leaves behind: which one makes gradients, which "
        "one uses them, and which one removes them?",
        "The gradients of earlier batches must be gone before the gradients of this batch are computed, and the step "
        "comes after that. The loss is `nn.functional.mse_loss` of the model's output and the targets.",
        "Loss, `optimizer.zero_grad()`, `loss.backward()`, `optimizer.step()`, and return `loss.item()`.",
    ),
)


def one_convolution(probe: Probe, nn: Any) -> Any:
    """Return a model of one convolution, (N, C, T) -> (N, 1, T)."""
    return probe.fill(nn.Conv1d(probe["C"], 1, 3, padding=1))


def after_updates(probe: Probe, update: Any, model: Any, optimizer: Any, number: int) -> dict[str, Any]:
    """Return the losses of so many updates, each on a batch of its own, and the parameters after them."""
    N, C, T = probe["N C T"]
    batches = [(probe.normal(N, C, T), probe.normal(N, 1, T)) for _ in range(number)]
    losses = probe.values(*(update(model, optimizer, *batch) for batch in batches))
    weight, bias = probe.values(model.weight, model.bias)
    losses = [torch.as_tensor(loss).double() for loss in losses]
    return {
        N_("the losses returned"): losses,
        N_("the weights after the updates"): weight,
        N_("the bias after the updates"): bias,
    }


@update.test("three updates in a row: the losses, and the parameters at the end")
def updates(probe: Probe, update: Any, nn: Any, SGD: Any) -> Any:
    model = one_convolution(probe, nn)
    return after_updates(probe, update, model, SGD(model.parameters(), lr=0.3), 3)


@update.test("the loss from before the correction is returned, as a number and not as a tensor")
def plain_number(probe: Probe, update: Any, nn: Any, SGD: Any) -> Any:
    N, C, T = probe["N C T"]
    model = one_convolution(probe, nn)
    optimizer = SGD(model.parameters(), lr=0.1)
    loss = probe.value(update(model, optimizer, probe.normal(N, C, T), probe.normal(N, 1, T)))
    return {
        N_("what you return must be a number, not a tensor"): isinstance(loss, float),
        N_("the loss"): torch.as_tensor(loss).double(),
    }


@update.test("one channel, in which inputs and targets have the same shape")
def one_channel(probe: Probe, update: Any, nn: Any, SGD: Any) -> Any:
    N, T = probe["N T"]
    model = probe.fill(nn.Conv1d(1, 1, 3, padding=1))
    optimizer = SGD(model.parameters(), lr=0.1)
    return torch.as_tensor(
        probe.value(update(model, optimizer, probe.normal(N, 1, T), 2 * probe.normal(N, 1, T)))
    ).double()


# ---- the wished-for table ------------------------------------------------------------------------------

wished_attention = Check(
    "wished_attention",
    title="The wished-for table",
    sizes={"T": 41},
    hints=(
        "Take three positions by hand: two that agree, and one that agrees with the first in its slot only. What must "
        "their descriptions have in common, and what must differ?",
        "There are 3 · 8 pairs of a kind and a slot. Number them, so that each pair has a number of its own; the "
        "description is the one-hot vector of this number. The scores are the dot products of all rows with all rows.",
        "With the descriptions as the rows of F, (T, 24), the scores are F times its transpose. Divide them by their "
        "sums over each row; `keepdim=True` gives the sums the shape (T, 1).",
    ),
)


def kinds_and_slots(probe: Probe) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the kind and the slot of each position, both (T,) and in no order; on the ground the slot is 0."""
    kind, slot = probe.integers(0, 3, probe["T"]), probe.integers(0, 8, probe["T"])
    return kind, slot * (kind > 0)


def without_nan(weights: Any) -> dict[str, Any]:
    """Return the weights with -1 in place of NaN, and how many there were: what is NaN cannot be compared."""
    weights = torch.as_tensor(weights).double()
    nan = weights.isnan()
    return {N_("entries that are 0 / 0, not a number"): int(nan.sum()), N_("the table"): weights.masked_fill(nan, -1)}


@wished_attention.test("the positions that agree in kind and in slot share a row's weight equally")
def table(probe: Probe, wished_attention: Any) -> Any:
    return without_nan(probe.value(wished_attention(*kinds_and_slots(probe))))


@wished_attention.test("A x is the target of task 1")
def mean_heights(probe: Probe, wished_attention: Any) -> Any:
    places = sorted(probe.rng.permutation(LENGTH - 4 * (WIDTH - 1))[:4])
    left = torch.tensor([[place + i * (WIDTH - 1) for i, place in enumerate(places)]])
    is_rectangle = torch.from_numpy(probe.rng.permutation(4) < 2)[None]
    shapes = Shapes(left, is_rectangle, probe.uniform(1, 4, low=2, high=28).float())
    kind, slot = kind_and_slot(shapes)
    return probe.value(wished_attention(kind[0], slot[0])).double() @ render(shapes)[0, 0].double()


# ---- the self-attention layer ------------------------------------------------------------------------

self_attention = Check(
    "self_attention",
    title="Self-attention layer",
    sizes={"N": 9, "D": 5, "T": 11, "E": 7, "d": 3},
    hints=(
        "Write the shape of each line beside it: queries and keys (N, T, d), scores (N, T, T), values (N, T, E).",
        "The scores of who looks (rows) at whom (columns) are the queries times the transposed keys. A "
        "softmax turns each row into weights. Each output is the sum of the values, weighted by its row.",
        "Three 1x1 convolutions, each followed by transpose(1, 2); queries @ keys.transpose(1, 2); torch.softmax over "
        "the last dimension; the attention matrix @ the values, and transpose(1, 2) once more.",
    ),
)


@self_attention.test("query, key and value are 1x1 convolutions of the right widths")
def parameters(probe: Probe, SelfAttentionLayer: Any) -> Any:
    D, E, d = probe["D E d"]
    shapes = probe.parameters(SelfAttentionLayer(D, E, d))
    return {name: torch.zeros(shape) for name, shape in sorted(shapes.items())}  # the shapes alone


@self_attention.test("the output is A V with A = softmax(QKᵀ), of shape (N, E, T)")
def weighted_mean(probe: Probe, SelfAttentionLayer: Any) -> Any:
    N, D, T, E, d = probe["N D T E d"]
    return probe.fill(SelfAttentionLayer(D, E, d))(probe.normal(N, D, T))


@self_attention.test("with return_attention=True, the attention matrix is returned as well")
def attention(probe: Probe, SelfAttentionLayer: Any) -> Any:
    N, D, T, E, d = probe["N D T E d"]
    pair = probe.fill(SelfAttentionLayer(D, E, d))(probe.normal(N, D, T), return_attention=True)
    return probe.values(pair[0], pair[1])


@self_attention.test("the right gradients reach queries, keys and values")
def gradients_reach(probe: Probe, SelfAttentionLayer: Any) -> Any:
    N, D, T, E, d = probe["N D T E d"]
    layer = probe.fill(SelfAttentionLayer(D, E, d))
    layer(probe.normal(N, D, T)).pow(2).sum().backward()
    return gradients(probe, query=layer.query.weight, key=layer.key.weight, value=layer.value.weight)


@self_attention.test(ON_GPU)
def on_gpu(probe: Probe, SelfAttentionLayer: Any) -> Any:
    N, D, T, E, d = probe["N D T E d"]
    layer = probe.fill(SelfAttentionLayer(D, E, d))
    with probe.gpu():
        return probe.located(probe.there(layer)(probe.there(probe.normal(N, D, T))))


# ---- positions ---------------------------------------------------------------------------------------

positional_encoding = Check(
    "positional_encoding",
    title="Positional encoding",
    sizes={"T": 11, "B": 4},
    hints=(
        "Print positional_encoding(8): three rows, each with as many zeros as ones. Read the columns as "
        "binary numbers.",
        "Integer division of every position by 1, 2, 4, ... and the remainder of that by 2. The number of bits is the "
        "logarithm of the length, rounded up.",
        "Positions as a row (1, T), powers of two as a column (B, 1): `//` and `%` between them give the table (B, T).",
    ),
)


def in_any_order(bits: Any) -> Any:
    """Return the rows (B, T) with the lowest bit first: the student may choose the order of the bits."""
    rows = sorted(range(len(bits)), key=lambda row: bits[row].tolist(), reverse=True)
    return bits[rows] if bits.ndim == 2 else bits


@positional_encoding.test("each column contains its position in binary")
def binary(probe: Probe, positional_encoding: Any) -> Any:
    return {N_("rows from the lowest bit on"): in_any_order(probe.value(positional_encoding(probe["T"])).double())}


@positional_encoding.test("the number of bits is the smallest that is enough")
def enough(probe: Probe, positional_encoding: Any) -> Any:
    lengths = 2, 31, 32, 33, 100
    return {f"positional_encoding({length})": shape_of(probe.value(positional_encoding(length))) for length in lengths}


@positional_encoding.test("the numbers are floats, ready for a network")
def floats(probe: Probe, positional_encoding: Any) -> Any:
    return bool(probe.value(positional_encoding(probe["T"])).is_floating_point())


add_position = Check(
    "add_position",
    title="Sequences with positions",
    sizes={"N": 7, "C": 3, "T": 11, "B": 5},
    hints=(
        "torch.cat expects tensors that agree in all dimensions but one. Which one?",
        "Give the encoding a first dimension of N, the same for each sequence; then join it to x along the channels.",
        "`encoding.expand(…)` to (N, B, T), and torch.cat([…, …], dim=…) with the dimension of the channels.",
    ),
)


@add_position.test("the channels of x come first, then those of the encoding")
def joined(probe: Probe, add_position: Any) -> Any:
    N, C, T, B = probe["N C T B"]
    return add_position(probe.normal(N, C, T), probe.normal(B, T))


@add_position.test("one channel and seven bits make eight channels")
def eight(probe: Probe, add_position: Any) -> Any:
    return add_position(probe.normal(1, 1, 13), probe.normal(7, 13))


@add_position.test(ON_GPU)
def joined_on_gpu(probe: Probe, add_position: Any) -> Any:
    N, C, T, B = probe["N C T B"]
    with probe.gpu():
        return probe.located(add_position(probe.there(probe.normal(N, C, T)), probe.there(probe.normal(B, T))))


heal = Check(
    "heal",
    title="The sick network",
    sizes={},
    hints=(
        "Does a point of a shape look at more positions than in your network, at fewer, or at as many, but different "
        "ones? What comes into the network is one place to look for the cause; the scores are another.",
        "Try one sentence after another: write the line that would undo it, measure the errors, and begin again with a "
        "fresh patient. A factor of the scores is also a factor of the queries: of their weight and their bias.",
        "Under `with torch.no_grad():`, for the layer: multiply `query`, or swap it with `key`. For the inputs: "
        "multiply `patient.first.weight` by a number for each channel in, as in `factors.view(1, -1, 1)`, or put these "
        "channels in another order. `add_position(sequences, encoding).std(dim=(0, 2))` returns the deviations.",
    ),
)


@heal.test(CURED, weight=2, rtol=0.0, atol=ERRORS)
def cured(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return PATIENTS.cured(probe, heal, admitted, whose)


@heal.test(NAMED_WHEN_HEALED)
def named(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return PATIENTS.named(probe, heal, admitted, whose)
