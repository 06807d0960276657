"""The small cases of the lesson `gpt`."""

from typing import Any

import torch

from utils.checks.engine.cases import CaseBook
from utils.checks.engine.small import TASKS, Small, fill
from utils.common.messages import N_
from utils.gpt.case_stand_ins import (
    AddsUp,
    LastDigit,
    Plus,
    Product,
    nearest_to_one,
    quarter_turns,
    silent,
    sums_of_heads,
)

BOOK = CaseBook(
    {
        "N": N_("text {number}"),
        "S": N_("place {number}"),
        "after": N_("after place {number}"),
        "E": N_("component {number}"),
        "d": N_("component {number}"),
        "pair": N_("pair {number}"),
        "H": N_("head {number}"),
        "looks": N_("place {number} looks"),
        "at": N_("at {number}"),
        "V": N_("letter {number}"),
    }
)
BOOK.way("rms_norm", "mean", N_("mean of the squares"), axes="N S E")
BOOK.way("rotate", "cos", N_("angles, in radians"), axes="S pair", into=True)
BOOK.way("self_attention", "softmax", N_("scores, later places hidden"), axes="N H looks at", into=True)
BOOK.way("nucleus", "softmax", N_("softmax of the logits, after the temperature"), axes="N V")
RESULT = N_("the result")

# ---- the loss of each letter -------------------------------------------------------------------------

NATS = ("N S V", "1 3 2", "1 2 3", "2 2 2", "1 3 3", "2 3 2")


@BOOK.case("nats", *NATS)
def losses(small: Small, nats: Any, nn: Any) -> None:
    logits, letters = small.numbers("logits", "N S V"), small.integers("letters", "N S", 0, small["V"])
    small.show(N_("the losses, in nats"), small.call(nats, logits, letters), "N after")


@BOOK.case("nats", *NATS, fallback=True)
def large_scores(small: Small, nats: Any, nn: Any) -> None:
    logits = small.numbers(N_("logits, in thousands"), "N S V")
    letters = small.integers("letters", "N S", 0, small["V"])
    small.show(N_("the losses, in nats"), nats(1000 * logits, letters), "N after")


@BOOK.case("nats", *NATS[:3], fallback=True)
def loss_gradient(small: Small, nats: Any, nn: Any) -> None:
    logits = small.numbers("logits", "N S V").requires_grad_()
    losses = nats(logits.clone(), small.integers("letters", "N S", 0, small["V"]))
    if losses.requires_grad:
        losses.sum().backward()
    small.show_gradient(N_("the gradient of the sum of the losses with respect to the logits"), logits, "N S V")


# ---- the norm ----------------------------------------------------------------------------------------


def norm_layer(small: Small, RMSNorm: Any) -> Any:
    layer = RMSNorm(small["E"]).eval()
    gain = small.numbers("gain", "E", 4, 1)
    with torch.no_grad():
        layer.gain.copy_(gain)
    return layer


@BOOK.case("rms_norm", "S E", "1 2", "2 2", "1 3", "2 3")
def normalised(small: Small, RMSNorm: Any) -> None:
    layer = norm_layer(small, RMSNorm)
    small.show(RESULT, layer(small.numbers("x", "S E", 6, 1)), "S E")


@BOOK.case("rms_norm", "N S E", "2 1 2", "2 2 2")
def several_texts(small: Small, RMSNorm: Any) -> None:
    layer = norm_layer(small, RMSNorm)
    small.show(RESULT, layer(small.numbers("x", "N S E", 6, 1)), "N S E")


@BOOK.case("rms_norm", "S E", "1 2", "2 2", fallback=True)
def epsilon_counts(small: Small, RMSNorm: Any) -> None:
    layer = norm_layer(small, RMSNorm)
    x = small.numbers(N_("x, in thousandths"), "S E", 3)
    small.say(N_("epsilon is 0.00001; the root of 0.00001 is 0.0032"))
    small.show(RESULT, layer(x / 1000), "S E")


@BOOK.case("rms_norm", "S E", "1 2", "1 3", fallback=True)
def norm_gradient(small: Small, RMSNorm: Any) -> None:
    layer = norm_layer(small, RMSNorm)
    x = small.numbers("x", "S E", 6, 1).requires_grad_()
    result = layer(x.clone())
    if result.requires_grad:
        result.sum().backward()
    small.show_gradient("∂ Σy / ∂ x", x, "S E")


# ---- the block ---------------------------------------------------------------------------------------


def small_block(small: Small, Block: Any) -> Any:
    small.say(N_("norm1(x) = x + 1, norm2(x) = 3·x, feed_forward(x) = x + 2"))
    small.say(N_("attention adds up the vectors of all places so far"))
    return Block(AddsUp(), Plus(2), Plus(1), Product(3)).eval()


@BOOK.case("block", "N S E", "1 2 1", "1 2 2", "2 2 1")
def stream(small: Small, Block: Any) -> None:
    layer = small_block(small, Block)
    x = small.numbers("x", "N S E", 5)
    handed = x.clone()
    small.show(RESULT, layer(handed), "N S E")
    small.show(N_("x afterwards"), handed, "N S E")


@BOOK.case("block", "N S E", "1 2 1", fallback=True)
def block_gradient(small: Small, Block: Any) -> None:
    layer = small_block(small, Block)
    x = small.numbers("x", "N S E", 5).requires_grad_()
    result = layer(x.clone())
    if result.requires_grad:
        result.sum().backward()
    small.show_gradient("∂ Σy / ∂ x", x, "N S E")


# ---- rotation and attention --------------------------------------------------------------------------

ROTATE = ("N H S d", "1 1 2 2", "1 1 3 2", "1 1 2 4", "1 2 1 2", "1 2 2 4", "2 1 2 2")


@BOOK.case("rotate", *ROTATE)
def turned(small: Small, rotate: Any, nn: Any) -> None:
    x = small.numbers("x", "N H S d", 5)
    small.show(RESULT, small.call(rotate, x), "N H S d")


@BOOK.case("rotate", *ROTATE)
def turned_from_start(small: Small, rotate: Any, nn: Any) -> None:
    x, start = small.numbers("x", "N H S d", 5), small.number("start", 1, 4)
    small.show(RESULT, small.call(rotate, x, start), "N H S d")


@BOOK.case("rotate", "N H S d", "1 1 1 4", "1 1 2 4", fallback=True)
def far_away(small: Small, rotate: Any, nn: Any) -> None:
    """The slow pairs are seen far from the beginning alone."""
    x = small.numbers("x", "N H S d", 5)
    small.say("start = 100")
    small.show(RESULT, small.call(rotate, x, 100), "N H S d")


@BOOK.case("rotate", "N H S d", "1 1 2 2", fallback=True)
def turned_gradient(small: Small, rotate: Any, nn: Any) -> None:
    x = small.numbers("x", "N H S d", 5).requires_grad_()
    result = rotate(x.clone())
    if result.requires_grad:
        result.sum().backward()
    small.show_gradient("∂ Σy / ∂ x", x, "N H S d")


def with_tasks(small: Small, layer: Any, names: str, tasks: int = 5) -> Any:
    """Give the layers `names` tasks, and the layer a rotation that can be worked out by hand."""
    chosen = {name: TASKS[small.take(tasks, 0.6)] for name in names.split()}
    chosen = {name: "x" if task == "x + 1" else task for name, task in chosen.items()}  # without biases
    small.tasks |= chosen
    small.say(N_("rotate makes a quarter turn for each place, from (a, b) to (−b, a): none at place 0, two at place 2"))
    layer.rotate = quarter_turns
    return fill(layer, chosen)


ATTENTION = ("N S E H", "1 2 2 1", "1 3 2 1", "1 2 4 2", "1 3 4 2", "2 2 2 1")


def attention_layer(small: Small, SelfAttention: Any) -> Any:
    return with_tasks(small, SelfAttention(small["E"], small["H"], quarter_turns), "query key value proj")


@BOOK.case("self_attention", *ATTENTION)
def looks(small: Small, SelfAttention: Any) -> None:
    layer = attention_layer(small, SelfAttention)
    x = small.numbers("x", "N S E")
    small.show("look(x)", layer.look(x), "N H looks at", sums="both")


@BOOK.case("self_attention", *ATTENTION)
def found(small: Small, SelfAttention: Any) -> None:
    layer = attention_layer(small, SelfAttention)
    x = small.numbers("x", "N S E")
    small.show(RESULT, layer(x), "N S E")


@BOOK.case("self_attention", "N S E H", "1 2 2 1", fallback=True)
def attention_gradients(small: Small, SelfAttention: Any) -> None:
    layer = attention_layer(small, SelfAttention)
    result = layer(small.numbers("x", "N S E", 5, 1))
    if result.requires_grad:
        result.pow(2).sum().backward()
    for name in ("query", "key", "value", "proj"):
        small.show_gradient(f"∂ Σy² / ∂ {name}.weight", layer.get_submodule(name).weight, "E E")


@BOOK.case("step", "N S T E H", "1 1 2 2 1", "1 1 3 2 1", "1 2 3 2 1", "1 2 4 2 1", "1 1 3 4 2", "2 1 2 2 1")
def in_pieces(small: Small, step: Any, Attention: Any) -> None:
    """A text of T positions: all but the last S at first, and then these."""
    E, H, S, T = small["E H S T"]
    layer = with_tasks(small, Attention(E, H), "query key value proj")
    x = small.numbers("x", "N T E", words=("N", "S", "E"))
    small.say(N_("first the places before place {number}, then the others, with the cache"), number=str(T - S))
    before, cache = step(layer, x[:, : T - S], None)
    after, _ = step(layer, x[:, T - S :], cache)
    small.show(RESULT, torch.cat([before, after], dim=1), "N S E")


@BOOK.case("step", "N T E H", "1 3 2 1", "1 4 2 1")
def one_by_one(small: Small, step: Any, Attention: Any) -> None:
    layer = with_tasks(small, Attention(small["E"], small["H"]), "query key value proj")
    x, cache, results = small.numbers("x", "N T E", words=("N", "S", "E")), None, []
    small.say(N_("one place after the other, each with the cache of the one before"))
    for position in x.split(1, dim=1):
        result, cache = step(layer, position, cache)
        results.append(result)
    small.show(RESULT, torch.cat(results, dim=1), "N S E")


# ---- heads -------------------------------------------------------------------------------------------


@BOOK.case("induction_score", "N H S", "1 1 3", "1 1 4", "1 2 2", "2 1 2", "2 1 3", "1 2 3")
def score(small: Small, induction_score: Any) -> None:
    N, S = small["N S"]
    letters = small.integers("letters", "N S", 0, 2 if S < 4 else 3)
    weights = small.numbers("weights", "N H S S", words=("N", "H", "looks", "at")).tril()
    small.given.pop()
    small.given_as("weights", weights, "N H looks at")
    asked, choice = torch.ones(N, S, dtype=torch.bool), small.take(3, 0.4)
    if choice == 0:
        small.say(N_("asked at all places"))
    elif choice == 1:
        asked[0, 0] = False
        small.say(N_("asked at all places, except at place 0 of text 0"))
    else:
        asked[:, :-1] = False
        small.say(N_("asked only at the last place"))
    small.show(N_("the scores"), induction_score(weights, letters, asked), "H")


@BOOK.case("without_heads", "S E H", "1 4 2", "1 6 3", "2 4 2")
def silenced(small: Small, without_heads: Any, Attention: Any) -> None:
    E, H = small["E H"]
    layer, head = Attention(E, H), small.take(H, 0.3)
    tasks = {"value": "x", "proj": TASKS[-1]}
    small.tasks |= tasks
    with torch.no_grad():
        layer.query.weight.zero_()
        layer.key.weight.zero_()
    fill(layer, tasks)
    heads = [head] if small.take(2, 0.6) == 0 else [head, (head + 1) % H]
    small.say(N_("heads = {heads}; each head adds up its values of all places so far"), heads=str(heads))
    small.given_as("x", torch.arange(1.0, 1.0 + small["S"] * E).reshape(1, small["S"], E), "N S E")
    x = small.given[-1].value
    small.show(N_("the result of the copy"), without_heads(layer, heads)(x), "N S E")
    small.show(N_("the result of the layer itself, afterwards"), layer(x), "N S E")


@BOOK.case("back", "N H S", "1 1 3", "1 1 4", "1 2 3", "2 1 3", "2 2 3")
def places_back(small: Small, back: Any) -> None:
    weights = small.numbers("weights", "N H S S", words=("N", "H", "looks", "at")).tril()
    small.given.pop()
    small.given_as("weights", weights, "N H looks at")
    small.show(N_("the mean weights"), back(weights, small.number("k", 1, small["S"])), "H")


@BOOK.case("score_without", "H", "2", "3")
def without_one(small: Small, score_without: Any, Model: Any, without_heads: Any, scores_of: Any) -> None:
    model, H = Model(small["H"]), small["H"]
    for block, name in zip(model.blocks, (N_("heads of layer 1"), N_("heads of layer 2")), strict=True):
        with torch.no_grad():
            block.attention.heads.copy_(small.numbers(name, "H", 5, 1))
    small.say(N_("each head has a number; without_heads returns a copy in which the numbers of the listed heads are 0"))
    small.say(
        N_("in layer 1 a head's score is its number, in layer 2 its number times the sum of all numbers of layer 1")
    )
    head = small.number("head", 0, H)
    small.show(N_("the scores"), score_without(model, head, silent, sums_of_heads), "H")
    small.show(N_("the scores of layer 2 afterwards"), sums_of_heads(model)[1], "H")


# ---- writing -----------------------------------------------------------------------------------------


@BOOK.case("nucleus", "N V", "1 3", "1 4", "2 3", "2 4")
def drawn_from(small: Small, nucleus: Any) -> None:
    """Neither a sum of probabilities nor two of them are alike, or right answers could differ."""
    N, V = small["N V"]
    shares = torch.tensor([5.0, 3.0, 2.0] if V == 3 else [8.0, 4.0, 2.0, 1.0])
    rows = torch.stack([shares.roll(small.take(V, 0.0)) for _ in range(N)])
    small.given_as(N_("logits are the logarithms of these numbers"), rows, "N V")
    temperature, top_p = (1.0, 0.5, 2.0)[small.take(3, 0.4)], (0.6, 0.9, 1.0, 0.3)[small.take(4, 0.2)]
    small.say(f"temperature = {temperature:g}, top_p = {top_p:g}")
    small.show(N_("the probabilities"), nucleus(rows.log(), temperature, top_p), "N V", sums="rows")


SHARES = ([5, 3, 2], [2, 5, 3], [3, 2, 5])
BOOK.form("nucleus", "drawn_from", "N V", "1 3", shares=SHARES, temperature=(1, 0.5, 2), top_p=(0.6, 0.9, 1, 0.3))


@BOOK.case("generate", "N S", "1 1", "1 2", "2 2", "2 1")
def written(small: Small, generate: Any, Model: Any, choose: Any) -> None:
    letters = small.integers("letters", "N S", 0, 5)
    length = small.number("length", 1, 4)
    small.say(N_("the score of letter v is v − s, where s is the last digit of the sum of all letters so far"))
    small.say(N_("choose takes the letter whose score is nearest to 1"))
    small.show(N_("the texts"), generate(LastDigit(), letters, length, nearest_to_one), "N S")
