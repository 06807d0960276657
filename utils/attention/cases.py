"""The small cases of the lesson `attention`."""

from itertools import chain, repeat
from typing import Any

import torch
from torch import nn

from utils.checks.engine.cases import CaseBook
from utils.checks.engine.probe import in_order_of_use
from utils.checks.engine.small import TASKS, Small
from utils.common.messages import N_

CHANNEL, SEQUENCE, POSITION = N_("channel {number}"), N_("sequence {number}"), N_("position {number}")
BOOK = CaseBook(
    {
        "N": SEQUENCE,
        "T": POSITION,
        "D": CHANNEL,
        "C": CHANNEL,
        "E": CHANNEL,
        "1": CHANNEL,
        "B": N_("bit {number}"),
        "looks": N_("position {number} looks"),
        "at": N_("at {number}"),
    }
)
BOOK.way("make_datasets", "mean", N_("mean of the training inputs"), N_("mean of the training targets"), axes="1 C 1")
BOOK.way(
    "make_datasets",
    "std",
    N_("deviation of the training inputs"),
    N_("deviation of the training targets"),
    axes="1 C 1",
)
BOOK.way("self_attention", "softmax", N_("scores"), axes="N looks at", into=True)
LONG = N_("the shape of the result, of an input of 30 positions")


def shapes_of(module: Any) -> str:
    """Return the parameters' shapes as text, kernels before biases."""
    shapes = sorted((tuple(parameter.shape) for parameter in module.parameters()), key=lambda s: (-len(s), s))
    return "  ".join("×".join(map(str, shape)) for shape in shapes)


# ---- data sets ---------------------------------------------------------------------------------------


@BOOK.case("make_datasets", "N C T 1", "3 1 2 1", "3 2 2 1")
def standardised(small: Small, make_datasets: Any) -> None:
    inputs, targets = small.numbers("inputs", "N C T", 8), small.numbers("targets", "N 1 T", 8)
    n_train = small["N"] - 1
    small.say(N_("n_train = {number}"), number=str(n_train))
    training, test = small.call(make_datasets, inputs, targets, n_train)
    small.show(N_("training set: inputs"), training.tensors[0], "N C T")
    small.show(N_("training set: targets"), training.tensors[1], "N 1 T")
    small.show(N_("test set: inputs"), test.tensors[0], "N C T")
    small.show(N_("test set: targets"), test.tensors[1], "N 1 T")
    read_backwards(small, inputs[:, 0], [training.tensors[0], test.tensors[0]])


def read_backwards(small: Small, raw: torch.Tensor, results: list[torch.Tensor]) -> None:
    """Say which mean and which deviation the result's first two inputs come from, if all inputs of the channel do.

    raw: the first channel of all inputs, (N, T). results: the inputs of both sets.
    """
    if any(result.ndim != 3 for result in results):
        return
    seen = torch.cat([result[:, 0] for result in results])
    if seen.shape != raw.shape or raw[0, 0] == raw[0, 1] or seen[0, 0] == seen[0, 1]:
        return
    deviation = (raw[0, 0] - raw[0, 1]) / (seen[0, 0] - seen[0, 1])
    mean = raw[0, 0] - deviation * seen[0, 0]
    if torch.allclose((raw - mean) / deviation, seen, atol=1e-4):
        values = {"mean": f"{mean:.2f}", "deviation": f"{deviation:.2f}"}
        small.remark(
            N_("Your first training inputs look as if the mean were {mean} and the deviation {deviation}."), **values
        )


# ---- networks ----------------------------------------------------------------------------------------


def convolutions(network: Any) -> list[str]:
    """Return the names of a network's convolutions in the order in which they are used."""
    used = (name.rpartition(".")[0] for name in in_order_of_use(network, torch.zeros(1, 1, 8)))
    return [name for name in dict.fromkeys(used) if isinstance(network.get_submodule(name), nn.Conv1d)]


def with_tasks(small: Small, network: Any) -> Any:
    """Give each convolution of a network with one channel a task: its kernel's middle point, and its bias.

    Tasks are chosen for four convolutions, however many a student's network has, so that all get the same input.
    """
    chosen = [TASKS[small.take(4, 0.4)] for _ in range(4)]
    small.tasks |= {f"convolution{count}": task for count, task in enumerate(chosen, 1)}
    with torch.no_grad():
        for name, task in zip(convolutions(network), chain(chosen, repeat("x")), strict=False):
            layer = network.get_submodule(name)
            layer.weight.zero_()[:, :, layer.weight.shape[2] // 2] = {"2·x": 2.0, "−x": -1.0}.get(task, 1.0)
            if layer.bias is not None:
                layer.bias.fill_(float(task == "x + 1"))
    return network.eval()


@BOOK.case("conv_network", "N 1 T", "1 1 3", "1 1 4", "1 1 5", "1 1 6", "1 1 8", "2 1 3")
def network_output(small: Small, conv_network: Any) -> None:
    network = with_tasks(small, conv_network(1, 1))
    small.show(N_("the result"), network(small.numbers("x", "N 1 T", low=-2)), "N 1 T")


@BOOK.case("conv_network", fallback=True)
def network_shapes(small: Small, conv_network: Any) -> None:
    small.show("conv_network(2, 3)", shapes_of(small.call(conv_network, 2, 3)))
    small.show("conv_network()", shapes_of(conv_network()))
    small.show(LONG, "×".join(map(str, conv_network()(torch.zeros(1, 1, 30)).shape)))


class Scaled(nn.Module):
    """A network of one number: its output is a x."""

    def __init__(self, a: float):
        super().__init__()
        self.a = nn.Parameter(torch.tensor(a))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.a * x


@BOOK.case("update", "N 1 T", "1 1 1", "1 1 2", "2 1 2")
def two_updates(small: Small, update: Any, nn: Any, SGD: Any) -> None:
    model = Scaled(float(small.number("a", -2, 4)))
    small.say(
        N_("the model's output is a·x; gradient descent, rate {rate}; two corrections on the same batch"), rate="0.25"
    )
    inputs, targets = small.numbers("inputs", "N 1 T"), small.numbers("targets", "N 1 T")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
    losses, values = [], []
    for _ in range(2):
        losses.append(float(update(model, optimizer, inputs, targets)))
        values.append(float(model.a))
    small.show(N_("a after each correction"), torch.tensor(values), (N_("correction {number}"),))
    small.show(N_("the losses returned"), torch.tensor(losses), (N_("correction {number}"),))


@BOOK.case("update", "N 1 T", "1 1 2", fallback=True)
def what_comes_back(small: Small, update: Any, nn: Any, SGD: Any) -> None:
    model = Scaled(1.0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
    loss = update(model, optimizer, small.numbers("inputs", "N 1 T"), small.numbers("targets", "N 1 T"))
    kinds = {float: N_("a number"), torch.Tensor: N_("a tensor instead of a number")}
    small.show(N_("what your function returns"), kinds.get(type(loss), type(loss).__name__))


# ---- the wished-for table ------------------------------------------------------------------------------


@BOOK.case("wished_attention", "T", "2", "3", "4", "5")
def wished_table(small: Small, wished_attention: Any) -> None:
    kind = small.integers("kind", "T", 0, 3)
    drawn = small.integers("slot", "T", 0, 8)
    small.given.pop()
    slot = small.given_as("slot", drawn * (kind > 0), "T")  # 0 on the ground
    small.show(N_("the table"), small.call(wished_attention, kind, slot), "looks at", sums="both")


# ---- the self-attention layer ------------------------------------------------------------------------


ONE_LAYER = (
    "N D E d T",
    "1 1 1 1 2",
    "1 1 1 1 3",
    "1 1 1 2 2",
    "1 1 2 1 2",
    "1 2 1 2 3",
    "1 2 2 2 2",
    "1 2 3 1 3",
    "2 2 2 1 2",
)


def attention_layer(small: Small, SelfAttentionLayer: Any) -> Any:
    return small.layer(SelfAttentionLayer, small["D E d"], "query key value")


@BOOK.case("self_attention", *ONE_LAYER)
def attention_matrix(small: Small, SelfAttentionLayer: Any) -> None:
    layer = attention_layer(small, SelfAttentionLayer)
    y, attention = small.call(layer, small.numbers("x", "N D T"), return_attention=True)
    small.show(N_("the attention matrix"), attention, "N looks at", sums="both")
    small.show("y", y, "N E T")


BOOK.form(
    "self_attention",
    "attention_matrix",
    "N D E d T",
    "1 1 1 2 2",
    **dict.fromkeys(("query", "key", "value"), TASKS[:3]),
    **dict.fromkeys(("x0", "x1"), range(3)),
)


@BOOK.case("self_attention", *ONE_LAYER)
def layer_output(small: Small, SelfAttentionLayer: Any) -> None:
    layer = attention_layer(small, SelfAttentionLayer)
    small.show("y", small.call(layer, small.numbers("x", "N D T")), "N E T")


@BOOK.case("self_attention", *ONE_LAYER[:3], fallback=True)
def layer_gradients(small: Small, SelfAttentionLayer: Any) -> None:
    layer = attention_layer(small, SelfAttentionLayer)
    y = layer(small.numbers("x", "N D T"))
    if y.requires_grad:
        y.pow(2).sum().backward()
    for name in ("query", "key", "value"):
        small.show_gradient(f"∂ Σy² / ∂ {name}.weight", layer.get_submodule(name).weight)


@BOOK.case("self_attention", "D E d", "2 3 1", fallback=True)
def layer_shapes(small: Small, SelfAttentionLayer: Any) -> None:
    small.say("SelfAttentionLayer(2, 3, 1)")
    parameters = dict(SelfAttentionLayer(*small["D E d"]).named_parameters())
    for name in (f"{layer}.{part}" for layer in ("query", "key", "value") for part in ("weight", "bias")):
        small.show(name, "×".join(map(str, parameters[name].shape)) if name in parameters else N_("missing"))


# ---- positions ---------------------------------------------------------------------------------------


@BOOK.case("positional_encoding")
def bits(small: Small, positional_encoding: Any) -> None:
    encoding = small.call(positional_encoding, small.number("length", 3, 10))
    small.show(N_("the encoding"), lowest_first(encoding), "B T")


@BOOK.case("positional_encoding", fallback=True)
def kind_of_bits(small: Small, positional_encoding: Any) -> None:
    encoding = small.call(positional_encoding, small.number("length", 4, 5))
    small.show(N_("its numbers"), N_("floats") if encoding.is_floating_point() else N_("whole numbers"))


def lowest_first(encoding: Any) -> Any:
    """Return the rows with the lowest bit first: the student may choose the order."""
    if encoding.ndim != 2:
        return encoding
    return encoding[sorted(range(len(encoding)), key=lambda row: encoding[row].tolist(), reverse=True)]


@BOOK.case("add_position", "N C T B", "1 1 2 1", "1 1 3 1", "1 1 3 2", "1 2 2 2", "2 1 2 1", "2 1 3 2", "2 2 2 1")
def joined(small: Small, add_position: Any) -> None:
    x, encoding = small.numbers("x", "N C T", 10), small.numbers("encoding", "B T", 2)
    small.show(N_("the result"), small.call(add_position, x, encoding), ("N", CHANNEL, "T"))
