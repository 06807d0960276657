"""The small cases of the lesson `captioning`."""

from typing import Any

import torch

from utils.checks.engine.cases import CaseBook, Lacking
from utils.checks.engine.small import Small
from utils.common.messages import N_

CHANNEL, SEQUENCE, POSITION = N_("channel {number}"), N_("sequence {number}"), N_("position {number}")
BOOK = CaseBook(
    {
        "N": SEQUENCE,
        "S": POSITION,
        "T": POSITION,
        "E": CHANNEL,
        "H": N_("head {number}"),
        "looks": N_("position {number} looks"),
        "at": N_("at {number}"),
        "V": N_("score of word {number}"),
        "D": N_("feature {number}"),
        "caption": N_("caption {number}"),
        "word": N_("word {number}"),
        "after": N_("scores after word {number}"),
        "change": N_("word {number} is replaced"),
    }
)

BOOK.way("multi_head_attention", "softmax", N_("scores"), axes="N H looks at", into=True)
BOOK.way("multi_head_attention", "softmax", N_("weights"), axes="N H looks at", sums="rows")
RESULT = N_("the result")

# ---- heads -------------------------------------------------------------------------------------------


@BOOK.case("split_heads", "N S E H", "1 3 4 2", "1 2 6 3", "1 2 6 2", "2 2 4 2")
def heads(small: Small, split_heads: Any) -> None:
    x = small.counted("x", "N S E")
    small.show(N_("the heads"), small.call(split_heads, x, small["H"]), "N H S E")


# ---- multi-head attention ----------------------------------------------------------------------------

SELF = ("N T E H", "1 2 1 1", "1 3 1 1", "1 2 2 2", "1 2 2 1", "1 2 4 2", "1 3 4 2", "2 2 2 2")
TWO = ("N S T E H", "1 1 2 1 1", "1 2 3 1 1", "1 2 2 2 2", "1 3 2 4 2", "2 1 2 2 1")


def attention_layer(small: Small, MultiHeadAttention: Any, dropout: float = 0.0, tasks: int = 5) -> Any:
    return small.layer(MultiHeadAttention, (small["E"], small["H"], dropout), "query key value proj", tasks)


def of_itself(small: Small) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return one sequence as query, key and value."""
    x = small.numbers("query = key = value", "N T E")
    return x, x.clone(), x.clone()


@BOOK.case("multi_head_attention", *SELF)
def self_attention(small: Small, MultiHeadAttention: Any) -> None:
    layer = attention_layer(small, MultiHeadAttention)
    small.show(RESULT, small.call(layer, *of_itself(small)), "N T E")


@BOOK.case("multi_head_attention", *TWO)
def two_sequences(small: Small, MultiHeadAttention: Any) -> None:
    layer = attention_layer(small, MultiHeadAttention)
    query, key, value = small.numbers("query", "N S E"), small.numbers("key", "N T E"), small.numbers("value", "N T E")
    small.show(RESULT, small.call(layer, query, key, value), "N S E")


@BOOK.case("multi_head_attention", *SELF)
def with_mask(small: Small, MultiHeadAttention: Any) -> None:
    layer = attention_layer(small, MultiHeadAttention)
    inputs = of_itself(small)
    mask = small.truths("attn_mask", "T T", ("looks", "at"))
    small.show(RESULT, small.call(layer, *inputs, attn_mask=mask), "N T E")


@BOOK.case("multi_head_attention", *SELF[:4])
def with_mask_of_numbers(small: Small, MultiHeadAttention: Any) -> None:
    layer = attention_layer(small, MultiHeadAttention)
    inputs = of_itself(small)
    mask = small.truths("attn_mask", "T T", ("looks", "at"), numbers=True)
    small.show(RESULT, small.call(layer, *inputs, attn_mask=mask), "N T E")


@BOOK.case("multi_head_attention", *SELF[:4], fallback=True)
def all_dropped(small: Small, MultiHeadAttention: Any) -> None:
    """With dropout = 1 no chance is left."""
    layer = attention_layer(small, MultiHeadAttention, 1.0, 3)
    small.say(N_("dropout = 1: everything is dropped"))
    inputs = of_itself(small)
    small.show(N_("outside training"), layer(*(x.clone() for x in inputs)), "N T E")
    small.show(N_("while training"), layer.train()(*inputs), "N T E")


@BOOK.case("multi_head_attention", "H E/H", "1 2", "1 3", "2 2", fallback=True)
def half_dropped(small: Small, MultiHeadAttention: Any) -> None:
    """Dropout of weights with one source makes a head's whole part 0 or 2; of anything else, parts of it."""
    H, width = small["H E/H"]
    layer = MultiHeadAttention(H * width, H, 0.5)
    with torch.no_grad():
        for part in (layer.query, layer.key, layer.value, layer.proj):
            part.weight.zero_()
            part.bias.zero_()
        layer.value.bias.fill_(1.0)
        layer.proj.weight.copy_(torch.eye(H * width))
    small.say(
        N_("dropout = ½, one key, value(x) = 1, proj(x) = x; the layer is run {times} times while training"), times="64"
    )
    layer.train()
    zeros = torch.zeros(64, 1, H * width)
    parts = layer(zeros, zeros.clone(), zeros.clone()).reshape(64, H, width)
    whole = ((parts == 0).all(-1) | ((parts - 2).abs() < 1e-6).all(-1)).all()
    small.show(N_("a head is dropped as a whole: its part of the result is all 0 or all 2"), bool(whole))


@BOOK.case("multi_head_attention", "N T E H", "1 2 1 1", "1 2 2 1", fallback=True)
def afterwards(small: Small, MultiHeadAttention: Any) -> None:
    """What is left behind: the inputs, the precision, the gradients."""
    layer = attention_layer(small, MultiHeadAttention).double()
    inputs = [x.double().requires_grad_() for x in of_itself(small)]
    handed = [x.clone() for x in inputs]
    result = layer(*handed)
    small.show(N_("precision of the result, for inputs in float64"), str(result.dtype))
    small.show(N_("the query afterwards"), handed[0], "N T E")
    if result.requires_grad:
        result.pow(2).sum().backward()
    for name, x in zip(("query", "key", "value"), inputs, strict=True):
        small.show_gradient(f"∂ Σy² / ∂ {name}", x, "N T E")


# ---- positions ---------------------------------------------------------------------------------------


@BOOK.case("positional_encoding", "N S E M", "1 2 2 3", "1 3 2 4", "1 2 4 3", "1 3 4 4", "2 2 2 3")
def with_positions(small: Small, PositionalEncoding: Any) -> None:
    _S, E, M = small["S E M"]
    small.code.append(f"layer = PositionalEncoding({E}, 0.0, {M})")
    layer = PositionalEncoding(E, 0.0, M).eval()
    small.say(N_("PositionalEncoding({width}, 0.0, max_len={length})"), width=str(E), length=str(M))
    small.show(RESULT, small.call(layer, small.numbers("x", "N S E", 3)), "N S E")


@BOOK.case("positional_encoding", "S E", "12 4", fallback=True)
def whole_table(small: Small, PositionalEncoding: Any) -> None:
    """The slow columns need many rows to be seen."""
    S, E = small["S E"]
    small.say(N_("PositionalEncoding({width}, 0.0, max_len={length})"), width=str(E), length=str(S))
    small.say(N_("x is 0 everywhere"))
    small.by_hand = False
    small.show(RESULT, PositionalEncoding(E, 0.0, S).eval()(torch.zeros(1, S, E)), "N S E")


@BOOK.case("positional_encoding", "N S E M", "1 2 2 3", "2 2 2 3", fallback=True)
def positions_dropped(small: Small, PositionalEncoding: Any) -> None:
    E, M = small["E M"]
    layer = PositionalEncoding(E, 1.0, M).eval()
    small.say(N_("dropout = 1: everything is dropped"))
    x = small.numbers("x", "N S E", 3)
    small.show(N_("outside training"), layer(x.clone()), "N S E")
    small.show(N_("while training"), layer.train()(x), "N S E")


@BOOK.case("positional_encoding", "N S E M", "1 2 2 3", fallback=True)
def positions_afterwards(small: Small, PositionalEncoding: Any) -> None:
    E, M = small["E M"]
    layer = PositionalEncoding(E, 0.0, M).eval()
    x = small.numbers("x", "N S E", 3, 1)
    handed = x.clone()
    layer(handed)
    small.show(N_("x afterwards"), handed, "N S E")
    small.show(N_("parameters to learn"), str(len(list(layer.parameters()))))
    small.show(N_("precision of the result, for layer and input in float16"), str(layer.half()(x.half()).dtype))


# ---- one layer of the decoder ------------------------------------------------------------------------


class Adding(torch.nn.Module):
    """Attention by hand: the query, and `times` the sum of the values of the places that may be seen."""

    def __init__(self, times: float):
        super().__init__()
        self.times = times

    def forward(self, query: Any, key: Any, value: Any, attn_mask: Any = None) -> Any:
        S, T = query.shape[1], value.shape[1]
        seen = torch.ones(S, T) if attn_mask is None else (attn_mask != 0).to(value.dtype)
        return query + self.times * (seen @ (key + value) / 2)


class Affine(torch.nn.Module):
    """x -> times · x + plus, in place of a norm."""

    def __init__(self, times: float, plus: float):
        super().__init__()
        self.times, self.plus = times, plus

    def forward(self, x: Any) -> Any:
        return self.times * x + self.plus

    def __getattr__(self, name: str) -> Any:
        raise Lacking(name)  # such as the weight, which code with a norm written as a function asks for


def layer_by_hand(small: Small, TransformerDecoderLayer: Any, dropout: float) -> Any:
    """Return a layer whose parts and norms are so simple that all can be followed with whole numbers."""
    layer = TransformerDecoderLayer.with_stand_ins(1, 1, 1, dropout)
    layer.self_attn, layer.multihead_attn = Adding(1.0), Adding(10.0)
    layer.norm1, layer.norm2, layer.norm3 = Affine(2.0, 0.0), Affine(1.0, 3.0), Affine(-1.0, 0.0)
    with torch.no_grad():
        for part, weight in ((layer.linear1, 1.0), (layer.linear2, 4.0)):
            part.weight.fill_(weight)
            part.bias.zero_()
    small.say(N_("E = 1; norm1(x) = 2 x, norm2(x) = x + 3, norm3(x) = −x"))
    small.say(
        N_(
            "self_attn: the query plus the sum of the values that it may see; multihead_attn: the query plus ten times "
            "that sum"
        )
    )
    return layer.eval()


@BOOK.case("decoder_layer", "N S T E", "1 2 1 1", "1 1 1 1", "1 2 2 1", "1 3 2 1")
def three_parts(small: Small, TransformerDecoderLayer: Any) -> None:
    layer = layer_by_hand(small, TransformerDecoderLayer, 0.0)
    small.say(N_("ffn(x) = 4 max(x, 0); dropout = 0; the mask is causal"))
    S = small["S"]
    x, memory = small.numbers(N_("words"), "N S E", 3, -1), small.numbers(N_("memory"), "N T E", 3)
    handed = x.clone()
    small.show(RESULT, layer(handed, memory, torch.tril(torch.ones(S, S, dtype=torch.bool))), "N S E")
    small.show(N_("the words afterwards"), handed, "N S E")


@BOOK.case("decoder_layer", "N S T E", "1 2 1 1", fallback=True)
def layer_dropped(small: Small, TransformerDecoderLayer: Any) -> None:
    """With dropout = 1 no chance is left."""
    layer = layer_by_hand(small, TransformerDecoderLayer, 1.0)
    small.say(N_("dropout = 1: everything is dropped"))
    x, memory = small.numbers(N_("words"), "N S E", 3, 1), small.numbers(N_("memory"), "N T E", 3, 1)
    small.show(N_("while training"), layer.train()(x, memory), "N S E")


# ---- the captioning Transformer ----------------------------------------------------------------------


def model_of(small: Small, CaptioningTransformer: Any, layers: int = 1, largest: float = 3.0) -> Any:
    """Return a model with stand-ins for attention and positions, parameters up to `largest` in a fixed pattern."""
    S, D, E, V = small["S D E V"]
    words = ["<NULL>", "<START>", "<END>", *(f"word{i}" for i in range(3, V))]
    options = {"input_dim": D, "wordvec_dim": E, "num_heads": 1, "num_layers": layers, "max_length": S + 1}
    model = CaptioningTransformer.with_stand_ins({word: i for i, word in enumerate(words)}, **options)
    small.say(N_("layers, positions and attention are ours, with fixed numbers"))
    small.by_hand = False
    with torch.no_grad():
        for count, parameter in enumerate(model.parameters()):
            places = torch.arange(parameter.numel(), dtype=parameter.dtype).reshape(parameter.shape)
            parameter.copy_(largest * torch.sin(1 + 3 * count + 2 * places))
    return model.eval()


def features_and_captions(small: Small) -> tuple[torch.Tensor, torch.Tensor]:
    """Return features (N, D), and captions (N, S) of ordinary words."""
    return small.numbers("features", "N D"), small.integers("captions", "N S", 3, small["V"], ("caption", "word"))


MODEL = ("N S D E V", "1 2 1 4 5", "2 1 1 4 5", "1 3 1 4 5", "2 2 1 4 5")


@BOOK.case("captioning_transformer", *MODEL)
def who_depends_on_whom(small: Small, CaptioningTransformer: Any) -> None:
    """Which scores change when one word of the caption is exchanged."""
    V = small["V"]
    model = model_of(
        small, CaptioningTransformer, largest=0.5
    )  # no softmax saturates: each word changes all later scores
    features, captions = features_and_captions(small)
    before = model(features, captions)
    changes = []
    for place in range(captions.shape[1]):
        other = captions.clone()
        other[:, place] = 3 + (other[:, place] - 2) % (V - 3)
        changes.append((model(features, other) - before).abs().amax(dim=(0, 2)) > 1e-5)
    small.show(N_("the scores change (yes, no)"), torch.stack(changes), ("change", "after"))
    small.show(N_("the shape of the scores"), "×".join(map(str, before.shape)))
    picture = (model(features + 1, captions) - before).abs().amax() > 1e-5
    small.show(N_("another picture changes the scores"), bool(picture))


@BOOK.case("captioning_transformer", *MODEL)
def model_scores(small: Small, CaptioningTransformer: Any) -> None:
    """The scores, less their mean: log-probabilities are as good as scores."""
    model = model_of(small, CaptioningTransformer)
    features, captions = (
        small.numbers("features", "N D"),
        small.integers("captions", "N S", 3, small["V"], ("caption", "word")),
    )
    scores = model(features, captions)
    small.show(N_("the scores, less their mean"), scores - scores.mean(dim=-1, keepdim=True), ("caption", "after", "V"))


@BOOK.case("captioning_transformer", *MODEL[:3], fallback=True)
def model_afterwards(small: Small, CaptioningTransformer: Any) -> None:
    """Mode, precision and gradients."""
    model = model_of(small, CaptioningTransformer, layers=2).double()
    features, captions = (
        small.numbers("features", "N D"),
        small.integers("captions", "N S", 3, small["V"], ("caption", "word")),
    )
    scores = model(features.double(), captions)
    small.show(N_("precision of the result, for inputs in float64"), str(scores.dtype))
    small.show(N_("the model stays in eval mode"), not model.training)
    if scores.requires_grad:
        (scores.log_softmax(-1) ** 2).sum().backward()
    for name in ("embedding", "visual_projection", "transformer.layers.1.linear1", "output"):
        weight = model.get_submodule(name).weight
        small.show(f"∂ / ∂ {name}.weight ≠ 0", weight.grad is not None and bool(weight.grad.any()))
    model.train()
    seen = [model(features.double(), captions) for _ in range(2)]
    small.show(N_("the model stays in training mode"), model.training)
    small.show(N_("random while training"), not torch.equal(*seen))


# ---- truth -------------------------------------------------------------------------------------------


COLUMN = N_("column {number}")


@BOOK.case("truth", "N C", "1 2", "2 2", "2 3", "3 2", "3 3", "4 3")
def shares(small: Small, truth: Any) -> None:
    claims = small.integers("claims", "N C", 0, 3, ("caption", COLUMN))
    facts = small.integers("facts", "N C", 0, 3, ("caption", COLUMN))
    returned = small.call(truth, claims, facts)
    names = (N_("share of true captions"), N_("share of false captions"), N_("share of malformed captions"))
    several = isinstance(returned, list | tuple) or (isinstance(returned, torch.Tensor) and returned.ndim > 0)
    numbers = list(returned) if several else [returned]
    if len(numbers) != len(names):
        small.show(N_("how many numbers are returned"), str(len(numbers)))
        return
    for name, number in zip(names, map(torch.as_tensor, numbers), strict=True):
        small.show(name, number, ("caption",) if number.ndim == 1 else ())


# ---- what a word depends on --------------------------------------------------------------------------


def sums(picture: torch.Tensor) -> torch.Tensor:
    """Return the sum of the red numbers of each row, then of each column: (J, U, 3) -> (J + U,)."""
    red = picture[..., 0]
    return torch.cat([red.sum(dim=1), red.sum(dim=0)])


ROW = N_("row {number}")


@BOOK.case("depends_on", "J U", "2 2", "2 3", "3 2", "3 3", "3 4")
def falls(small: Small, depends_on: Any, Score: Any) -> None:
    J, U = small["J U"]
    points = small.numbers(N_("the picture's red numbers"), "J U", high=6, words=(ROW, COLUMN))
    picture = torch.stack([points, torch.zeros_like(points), torch.zeros_like(points)], dim=-1)
    size = 1 + small.take(min(J, U) - 1, 0.4)
    top, left = small.take(J - size + 1, 0.3), small.take(U - size + 1, 0.3)
    red = small.number(N_("the colour's red number"), 0, 4)
    small.say(N_("all other numbers are 0; patch = {patch}"), patch=str((top, left, size)))
    small.say(N_("score: the sums of the red numbers, of each row and then of each column, a word each"))
    handed = picture.clone()
    small.show(N_("the falls"), depends_on(sums, handed, (top, left, size), torch.tensor([red, 0.0, 0.0])), ("word",))
    small.show(N_("the picture's red numbers afterwards"), handed[..., 0], (ROW, COLUMN))
