"""Public checks of the lesson `captioning`: what students see while they work. No solution inside."""

from collections.abc import Sequence
from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.observation import NO_GRADIENT
from utils.checks.probe import Probe
from utils.common.messages import N_

# Head width E/H = 5: every axis has a length of its own, so that no two can be mistaken for each other.
split_heads = Check(
    "split_heads",
    title="The width split into heads",
    sizes={"N": 2, "S": 7, "E": 15, "H": 3, "E/H": 5},
    hints=(
        "Two steps: first cut the last axis in two, then exchange two axes. Write the shape beside each line.",
        "Cut (N, S, E) into (N, S, H, E/H): the heads are neighbouring parts of the width. Then positions and heads "
        "change places.",
        "`x.reshape(N, S, num_heads, E // num_heads)`, then `.transpose(1, 2)`.",
    ),
)


@split_heads.test("(N, H, S, E/H): the i-th head gets the i-th part of every position's vector")
def parts(probe: Probe, split_heads: Any) -> Any:
    N, S, E = probe["N S E"]
    return split_heads(probe.normal(N, S, E), probe["H"])


@split_heads.test("one head gets everything, and as many heads as components get one each")
def fewest_and_most(probe: Probe, split_heads: Any) -> Any:
    N, S, E = probe["N S E"]
    x = probe.normal(N, S, E)
    return {"one head": split_heads(x, 1), "E heads": split_heads(x, E)}


multi_head_attention = Check(
    "multi_head_attention",
    title="Multi-head attention",
    sizes={"N": 2, "S": 7, "T": 11, "E": 15, "H": 3, "E/H": 5},
    hints=(
        "Write the shape of every tensor beside its line. After the projections it is (N, S or T, E); the heads need "
        "an axis of their own before the product of queries and keys.",
        "Cut the last axis into (H, E/H), then exchange the axes of positions and heads. Scores are (N, H, S, T), "
        "divided by the square root of one head's width; hide before the softmax, over the last axis; drop after it.",
        "`view(N, S, H, d)` then `transpose(1, 2)`; `scores.masked_fill(attn_mask == 0, -inf)` returns a new tensor; "
        "before `self.proj`, undo the exchange of axes and only then join (H, d) into E.",
    ),
)


def attention_layer(probe: Probe, MultiHeadAttention: Any, heads: int | None = None, dropout: float = 0.1) -> Any:
    """A layer of the question's width with seeded weights, in eval() mode."""
    return probe.fill(MultiHeadAttention(probe["E"], heads or probe["H"], dropout))


def sources(probe: Probe) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Query (N, S, E), key and value (N, T, E)."""
    N, S, T, E = probe["N S T E"]
    return probe.normal(N, S, E), probe.normal(N, T, E), probe.normal(N, T, E)


def visible(probe: Probe, rows: int) -> torch.Tensor:
    """A mask (rows, T), true where looking is allowed: about half, and in every row at least two places."""
    S, T = rows, probe["T"]
    mask = probe.uniform(S, T) < 0.5
    for row in range(S):
        mask[row, torch.from_numpy(probe.choice(T, 2, replace=False))] = True
    return mask


@multi_head_attention.test("one head: dropout(softmax(QKᵀ/√E))V, projected")
def one_head(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = attention_layer(probe, MultiHeadAttention, heads=1)
    return layer(*sources(probe))


@multi_head_attention.test("several heads: each on its own part of the width, scaled by √(E/H)")
def several_heads(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = attention_layer(probe, MultiHeadAttention)
    query, key, value = sources(probe)
    return layer(query=query, key=key, value=value)


@multi_head_attention.test("a mask of booleans: weight zero wherever it is false")
def boolean_mask(probe: Probe, MultiHeadAttention: Any) -> Any:
    # A sequence that looks at itself: who takes the key for the value still earns what the mask is worth.
    T, E = probe["T E"]
    x = probe.normal(probe["N"], T, E)
    return attention_layer(probe, MultiHeadAttention)(x, x, x, attn_mask=visible(probe, T))


@multi_head_attention.test("a mask of numbers: 1.0 shows, 0.0 hides")
def number_mask(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = attention_layer(probe, MultiHeadAttention)
    return layer(*sources(probe), attn_mask=visible(probe, probe["S"]).to(torch.get_default_dtype()))


@multi_head_attention.test("dropout of everything leaves only the bias of the last projection, and only while training")
def dropout_of_all(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = attention_layer(probe, MultiHeadAttention, dropout=1.0)
    inputs = sources(probe)
    quiet = probe.value(layer(*inputs))
    layer.train()
    trained = probe.value(layer(*inputs))
    return {N_("while training"): trained, N_("something else outside training"): moved(quiet, trained)}


@multi_head_attention.test("what is dropped while training: weights, not scores, not values, not results")
def what_is_dropped(probe: Probe, MultiHeadAttention: Any) -> Any:
    # One source: every weight is 1, so dropping it with p = 1/2 leaves a head's whole result 0 or doubled, for each
    # query anew. Dropping scores changes nothing; dropping single results or values leaves heads half empty.
    S, E, H = probe["S E H"]
    N = 29
    layer = attention_layer(probe, MultiHeadAttention, dropout=0.5)
    layer.proj.weight.data.copy_(torch.eye(E))
    layer.proj.bias.data.zero_()
    layer.value.weight.data.zero_()
    layer.value.bias.data.fill_(1.0)
    layer.train()
    result = probe.value(layer(probe.normal(N, S, E), probe.normal(N, 1, E), probe.normal(N, 1, E)))
    heads = result.reshape(N, S, H, E // H)
    dropped, doubled = heads.abs() < 1e-6, (heads - 2).abs() < 1e-4
    whole = bool((dropped.all(-1) | doubled.all(-1)).all())
    return {
        N_("whole heads are zero or doubled"): whole,
        N_("the same is dropped for all queries"): bool((dropped == dropped[:, :1]).all()),
        # at least 29 * 5 * 3 = 435 weights: the share dropped has a standard deviation of 0.024
        # Without whole heads the share would say nothing, and might lie on either side of a bound by chance.
        N_("about half is dropped"): not whole or bool(0.37 < dropped.float().mean() < 0.63),
    }


def gradient_norms(probe: Probe, module: Any, names: Sequence[str]) -> dict[str, float | str]:
    """The norm of each named parameter's gradient, or that there is none."""
    norms: dict[str, float | str] = {}
    for name in names:
        gradient = probe.bring(module.get_parameter(name).grad)
        norms[name] = NO_GRADIENT if gradient is None else float(gradient.double().norm())
    return norms


# A norm sums over many terms of either sign: one digit less than the values.
@multi_head_attention.test("the right gradients reach every parameter", rtol=1e-3, atol=1e-3)
def gradients(probe: Probe, MultiHeadAttention: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = attention_layer(probe, MultiHeadAttention)
    layer(*sources(probe)).backward(probe.normal(N, S, E))
    # key.bias is left out: its gradient is zero but for rounding, since the softmax does not feel a common shift
    names = ("key.weight", "query.weight", "query.bias", "value.weight", "value.bias", "proj.weight", "proj.bias")
    return gradient_norms(probe, layer, names)


@multi_head_attention.test("the right result in double precision, from inputs that stay as they were")
def careful(probe: Probe, MultiHeadAttention: Any) -> Any:
    E = probe["E"]
    layer = attention_layer(probe, MultiHeadAttention).to(torch.float64)
    x = layer.key.weight.detach().clone().unsqueeze(0)  # (1, E, E), and it stays where the layer is
    before = probe.value(x)
    result = probe.value(layer(x, x, x, torch.tril(torch.ones(E, E))))
    return {
        N_("the result"): result,
        N_("precision of the output"): str(result.dtype),
        N_("the inputs are kept"): not moved(before, probe.value(x)),
    }


def moved(one: Any, other: Any) -> bool:
    """True when two results differ by more than rounding of the largest: after a softmax all differences are small."""
    return bool((one - other).abs().max() > 1e-5 * one.abs().max())


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
    quiet = layer(x)
    layer.train()
    return {N_("outside training"): quiet, N_("while training"): layer(x)}


@positional_encoding.test("the table is a buffer: nothing to learn, but it follows the layer to another precision")
def buffer(probe: Probe, PositionalEncoding: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = encoding_layer(probe, PositionalEncoding)
    learned = probe.parameters(layer)
    layer.to(torch.float16)
    half = probe.value(layer(probe.normal(N, S, E).to(torch.float16)))
    return {
        N_("parameters that training would change"): len(learned),
        N_("the output follows to half precision"): half.dtype == torch.float16,
    }


captioning_transformer = Check(
    "captioning_transformer",
    title="The captioning Transformer's forward",
    sizes={"N": 3, "S": 7, "D": 11, "E": 10, "V": 13, "H": 2, "L": 2},
    lacks={
        "with_stand_ins": N_(
            "your class does not stand on ours: keep `class CaptioningTransformer(CaptioningModel)`, without an "
            "`__init__` of your own, and write only `forward`"
        )
    },
    hints=(
        "Follow one caption: words -> vectors -> vectors with positions -> decoder -> scores of words. Where does the "
        "picture enter, and what must a word not see?",
        "The picture, projected to width E, is the decoder's memory, a sequence of length one. The mask (S, S) is true "
        "on and below the diagonal. The scores need no softmax.",
        "`unsqueeze(1)` makes a sequence of one picture; `torch.tril` keeps a diagonal and what is below; the decoder "
        "is called `self.transformer(words, memory, tgt_mask=mask)`.",
    ),
)


def captioning_model(probe: Probe, CaptioningTransformer: Any, **changes: Any) -> Any:
    """A small model on stand-in layers with seeded weights: forward alone is judged."""
    D, E, V, H, L, S = probe["D E V H L S"]
    words = ["<NULL>", "<START>", "<END>", *(f"word{i}" for i in range(3, V))]
    options = {"input_dim": D, "wordvec_dim": E, "num_heads": H, "num_layers": L, "max_length": S + 2} | changes
    model = CaptioningTransformer.with_stand_ins({word: i for i, word in enumerate(words)}, **options)
    return probe.fill(model)


def pictures_and_words(probe: Probe) -> tuple[torch.Tensor, torch.Tensor]:
    """Features (N, D) and captions (N, S) of ordinary words."""
    N, S, D, V = probe["N S D V"]
    return probe.normal(N, D), probe.integers(3, V, N, S)


@captioning_transformer.test("scores (N, S, V) of the next word, after every word (less their mean over V)")
def scores(probe: Probe, CaptioningTransformer: Any) -> Any:
    model = captioning_model(probe, CaptioningTransformer)
    return probe.scores(model(*pictures_and_words(probe)))


@captioning_transformer.test("later words never change the scores of earlier ones")
def causal(probe: Probe, CaptioningTransformer: Any) -> Any:
    S, V = probe["S V"]
    model = captioning_model(probe, CaptioningTransformer)
    features, captions = pictures_and_words(probe)
    before = probe.value(model(features, captions))
    if before.ndim != 3 or before.shape[:2] != captions.shape:
        probe.shaped(before, *captions.shape, V)  # of other axes no word's scores can be told
    seen = {}
    for place in range(1, S):
        other = captions.clone()
        other[:, place] = 3 + (other[:, place] - 2) % (V - 3)  # another ordinary word
        after = probe.value(model(features, other))
        earlier = moved(before[:, :place], after[:, :place])
        seen[f"word {place}"] = {
            N_("the scores of earlier words change"): earlier,
            N_("its own scores change"): moved(before[:, place], after[:, place]),
        }
    return seen


@captioning_transformer.test("the order of words matters, and so does the picture")
def order_and_picture(probe: Probe, CaptioningTransformer: Any) -> Any:
    model = captioning_model(probe, CaptioningTransformer)
    features, captions = pictures_and_words(probe)
    captions[:, 0], captions[:, 1] = 3, 4
    swapped = captions.clone()
    swapped[:, 0], swapped[:, 1] = 4, 3
    seen = probe.value(model(features, captions))[:, 2:]
    other_order = probe.value(model(features, swapped))[:, 2:]
    other_picture = probe.value(model(features + 1.0, captions))[:, 2:]
    return {
        N_("the order of words matters"): moved(seen, other_order),
        N_("the picture matters"): moved(seen, other_picture),
    }


@captioning_transformer.test("the model stays in its mode, training or not, and outside training nothing is random")
def mode(probe: Probe, CaptioningTransformer: Any) -> Any:
    model = captioning_model(probe, CaptioningTransformer)
    inputs = pictures_and_words(probe)
    one, other = probe.value(model(*inputs)), probe.value(model(*inputs))
    quiet = probe.value(model.training)
    model.train()
    random = moved(probe.value(model(*inputs)), probe.value(model(*inputs)))
    return {
        N_("the model stays in eval mode"): not quiet,
        N_("the model stays in training mode"): probe.value(model.training),
        N_("random outside training"): moved(one, other),
        N_("random while training"): random,
    }


# A norm sums over many terms of either sign: one digit less than the values.
@captioning_transformer.test("the right gradients reach every part of the model", rtol=1e-3, atol=1e-3)
def gradients_reach(probe: Probe, CaptioningTransformer: Any) -> Any:
    N, S, V, L = probe["N S V L"]
    model = captioning_model(probe, CaptioningTransformer)
    direction = probe.normal(N, S, V)
    result = model(*pictures_and_words(probe))
    probe.shaped(result, N, S, V)
    # without a mean over V: scores and log-probabilities have the same gradient
    result.backward(direction - direction.mean(dim=-1, keepdim=True))
    names = ["embedding.weight", "visual_projection.weight", "positional_encoding.place", "output.weight"]
    names += [f"transformer.layers.{layer}.linear1.weight" for layer in range(L)]
    return gradient_norms(probe, model, names)


@captioning_transformer.test("the right scores in double precision, with words of 32 bits")
def double(probe: Probe, CaptioningTransformer: Any) -> Any:
    model = captioning_model(probe, CaptioningTransformer).to(torch.float64)
    features, captions = pictures_and_words(probe)
    result = probe.scores(model(features.to(torch.float64), captions.to(torch.int32)))
    return {N_("precision of the output"): str(result.dtype), N_("the scores"): result}


@captioning_transformer.test("works where the captions are: on another device than the CPU (tried with torch's `meta`)")
def device(probe: Probe, CaptioningTransformer: Any) -> Any:
    # `meta` computes shapes and no numbers, in every torch, and refuses to mix with the CPU as a GPU does.
    N, S, D = probe["N S D"]
    model = captioning_model(probe, CaptioningTransformer).to("meta")
    like = model.embedding.weight
    result = model(like.new_zeros((N, D)), like.new_zeros((N, S)).long())
    probe.shaped(torch.zeros(probe.value(result.shape)), N, S, probe["V"])
    return {N_("device of the scores"): probe.value(result.device.type)}
