"""Section 7: one layer of the decoder, and the captioning Transformer's forward."""

from typing import Any

import torch

from utils.captioning.check.inputs import moved, twice
from utils.checks.check import Check
from utils.checks.engine.probe import AT_RATE_ONE, ON_GPU, STEADY, Probe, gradient_norms
from utils.common.messages import N_

decoder_layer = Check(
    "decoder_layer",
    title="One layer of the decoder",
    sizes={"N": 4, "S": 13, "T": 7, "E": 10, "H": 2, "F": 17},
    lacks={
        "with_stand_ins": N_(
            "your class does not inherit from ours: keep `class TransformerDecoderLayer(layers.DecoderLayer)`, "
            "without your own `__init__`, and write only `forward`"
        )
    },
    hints=(
        "All three parts do the same with their result: dropout, the sum with what went in, the norm. Write it for the "
        "first part, and read off the drawing which arrows enter the other two.",
        "In self-attention, query, key and value are the words, and the mask hides later words. In cross-attention the "
        "query is what came out of the first norm, key and value are the memory, and nothing is hidden.",
        "`x = self.norm1(x + self.dropout1(...))` is the first part, and the other two look alike: after it, `x` is "
        "both what the next part gets and what is added to its result.",
    ),
)


def one_layer(probe: Probe, TransformerDecoderLayer: Any, dropout: float = 0.1) -> Any:
    """Return a layer with seeded weights, in eval() mode, on torch's attention, so that `forward` alone is judged."""
    E, H, F = probe["E H F"]
    return probe.fill(TransformerDecoderLayer.with_stand_ins(E, H, F, dropout))


def words_and_memory(probe: Probe, S: int | None = None, T: int | None = None) -> tuple[torch.Tensor, torch.Tensor]:
    """Return words (N, S, E) and a memory (N, T, E)."""
    N, E = probe["N E"]
    return probe.normal(N, S or probe["S"], E), probe.normal(N, T or probe["T"], E)


def causal_mask(S: int) -> torch.Tensor:
    """(S, S), true on and below the diagonal."""
    return torch.tril(torch.ones(S, S, dtype=torch.bool))


@decoder_layer.test("x = norm(x + dropout(part(x))) for the three parts, with a causal mask")
def with_mask(probe: Probe, TransformerDecoderLayer: Any) -> Any:
    layer = one_layer(probe, TransformerDecoderLayer)
    return layer(*words_and_memory(probe), tgt_mask=causal_mask(probe["S"]))


@decoder_layer.test("without a mask each word sees all words")
def without_mask(probe: Probe, TransformerDecoderLayer: Any) -> Any:
    return one_layer(probe, TransformerDecoderLayer)(*words_and_memory(probe))


@decoder_layer.test("as many places as words: the mask hides words, but no place of the memory")
def as_many_places(probe: Probe, TransformerDecoderLayer: Any) -> Any:
    S = probe["S"]
    return one_layer(probe, TransformerDecoderLayer)(*words_and_memory(probe, T=S), tgt_mask=causal_mask(S))


@decoder_layer.test("dropout of everything leaves the words, normalised three times, and only while training")
def all_dropped(probe: Probe, TransformerDecoderLayer: Any) -> Any:
    layer = one_layer(probe, TransformerDecoderLayer, dropout=1.0)
    words, memory = words_and_memory(probe)
    quiet = twice(probe, lambda: layer(words.clone(), memory.clone()))
    layer.train()
    trained = twice(probe, lambda: layer(words.clone(), memory.clone()))
    judged = {STEADY: not moved(*quiet), AT_RATE_ONE: not moved(*trained)}
    return judged | ({} if moved(*trained) else {N_("while training"): trained[0]})


# A gradient's norm sums many terms of both signs: it is exact to one digit less than the values.
@decoder_layer.test("the right gradients reach every part of the layer", rtol=1e-3, atol=1e-3)
def gradients_of_layer(probe: Probe, TransformerDecoderLayer: Any) -> Any:
    N, S, E = probe["N S E"]
    layer = one_layer(probe, TransformerDecoderLayer)
    layer(*words_and_memory(probe), tgt_mask=causal_mask(S)).backward(probe.normal(N, S, E))
    parts = ("self_attn.attention.in_proj", "multihead_attn.attention.in_proj")
    names = [f"{part}_weight" for part in parts] + ["linear1.weight", "linear2.weight"]
    return gradient_norms(probe, layer, names + [f"norm{number}.weight" for number in (1, 2, 3)])


@decoder_layer.test("the words that went in stay unchanged")
def words_kept(probe: Probe, TransformerDecoderLayer: Any) -> Any:
    S = probe["S"]
    layer = one_layer(probe, TransformerDecoderLayer)
    # (1, S, E), in the exam a part of what stays in the sandbox.
    x = layer.linear1.weight.detach().narrow(0, 0, S).clone().unsqueeze(0)
    before = probe.value(x)
    result = layer(x, probe.normal(1, *probe["T E"]))
    return {
        N_("the result"): result,
        N_("an input is changed; leave the inputs as they are"): not moved(before, probe.value(x)),
    }


captioning_transformer = Check(
    "captioning_transformer",
    title="The captioning Transformer's forward",
    sizes={"N": 5, "S": 7, "D": 15, "E": 10, "V": 13, "H": 2, "L": 2},
    lacks={
        "with_stand_ins": N_(
            "your class does not inherit from ours: keep `class CaptioningTransformer(CaptioningModel)`, "
            "without your own `__init__`, and write only `forward`"
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


def captioning_model(probe: Probe, CaptioningTransformer: Any, num_layers: int = 1) -> Any:
    """Return a small model with seeded weights whose layers are stand-ins, so that `forward` alone is judged.

    One layer by default, because two take twice the time.
    """
    D, E, V, H, S = probe["D E V H S"]
    words = ["<NULL>", "<START>", "<END>", *(f"word{i}" for i in range(3, V))]
    options = {"input_dim": D, "wordvec_dim": E, "num_heads": H, "num_layers": num_layers, "max_length": S + 2}
    model = CaptioningTransformer.with_stand_ins({word: i for i, word in enumerate(words)}, **options)
    return probe.fill(model)


def pictures_and_words(probe: Probe) -> tuple[torch.Tensor, torch.Tensor]:
    """Return features (N, D) and captions (N, S) of ordinary words, without <START>, <END> and <NULL>."""
    N, S, D, V = probe["N S D V"]
    return probe.normal(N, D), probe.integers(3, V, N, S)


@captioning_transformer.test("scores (N, S, V) of the next word, after every word (one number may be added to all V)")
def scores(probe: Probe, CaptioningTransformer: Any) -> Any:
    model = captioning_model(probe, CaptioningTransformer, num_layers=probe["L"])
    return probe.scores(model(*pictures_and_words(probe)))


@captioning_transformer.test("the scores for pictures with several places, features (N, T, D)")
def many_places(probe: Probe, CaptioningTransformer: Any) -> Any:
    N, D = probe["N D"]
    captions = pictures_and_words(probe)[1]
    return probe.scores(captioning_model(probe, CaptioningTransformer)(probe.normal(N, 3, D), captions))


@captioning_transformer.test("later words never change the scores of earlier ones")
def causal(probe: Probe, CaptioningTransformer: Any) -> Any:
    S, V = probe["S V"]
    model = captioning_model(probe, CaptioningTransformer)
    features, captions = pictures_and_words(probe)
    before = probe.value(model(features, captions))
    if before.ndim != 3 or before.shape[:2] != captions.shape:
        probe.shaped(before, *captions.shape, V)  # raises: the lines below need these axes
    seen = {}
    others = [captions.clone() for _ in range(1, S)]
    for place, other in enumerate(others, 1):
        other[:, place] = 3 + (other[:, place] - 2) % (V - 3)  # another ordinary word
    for place, after in enumerate(probe.values(*(model(features, other) for other in others)), 1):
        earlier = moved(before[:, :place], after[:, :place])
        seen[f"word {place}"] = {
            N_("the scores of earlier words change; they must not"): earlier,
            N_("its own scores stay the same, but they must change"): moved(before[:, place], after[:, place]),
        }
    return seen


@captioning_transformer.test("the order of words matters, and so does the picture")
def order_and_picture(probe: Probe, CaptioningTransformer: Any) -> Any:
    model = captioning_model(probe, CaptioningTransformer)
    features, captions = pictures_and_words(probe)
    captions[:, 0], captions[:, 1] = 3, 4
    swapped = captions.clone()
    swapped[:, 0], swapped[:, 1] = 4, 3
    inputs = (features, captions), (features, swapped), (features + 1.0, captions)
    seen, other_order, other_picture = (scores[:, 2:] for scores in probe.values(*(model(*pair) for pair in inputs)))
    return {
        N_("the order of the words makes no difference, but it must"): moved(seen, other_order),
        N_("the picture makes no difference, but it must"): moved(seen, other_picture),
    }


@captioning_transformer.test("the model stays in its mode, training or not, and outside training nothing is random")
def mode(probe: Probe, CaptioningTransformer: Any) -> Any:
    model = captioning_model(probe, CaptioningTransformer)
    inputs = pictures_and_words(probe)
    one, other, training = probe.values(model(*inputs), model(*inputs), model.training)
    model.train()
    third, fourth, still_training = probe.values(model(*inputs), model(*inputs), model.training)
    return {
        N_("the model leaves the mode eval; your code must not change the mode"): not training,
        N_("the model leaves training mode; your code must not change the mode"): still_training,
        N_("outside training, two calls give different scores; they must give the same"): moved(one, other),
        N_("while training, two calls give the same scores; dropout must make them differ"): moved(third, fourth),
    }


# A gradient's norm sums many terms of both signs: it is exact to one digit less than the values.
@captioning_transformer.test("the right gradients reach every part of the model", rtol=1e-3, atol=1e-3)
def gradients_reach(probe: Probe, CaptioningTransformer: Any) -> Any:
    N, S, V, L = probe["N S V L"]
    model = captioning_model(probe, CaptioningTransformer, num_layers=L)
    direction = probe.normal(N, S, V)
    result = model(*pictures_and_words(probe))
    probe.shaped(result, N, S, V)
    # A direction with mean 0 over V, so that scores and log-probabilities have the same gradient.
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


@captioning_transformer.test(ON_GPU)
def device(probe: Probe, CaptioningTransformer: Any) -> Any:
    model = captioning_model(probe, CaptioningTransformer)
    with probe.gpu():
        result = probe.there(model)(*map(probe.there, pictures_and_words(probe)))
        return probe.located(result) | {N_("the result"): probe.scores(result)}
