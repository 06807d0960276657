"""Section 5: the captioning Transformer's forward."""

from typing import Any

import torch

from utils.captioning.check.inputs import moved
from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe, gradient_norms
from utils.common.messages import N_

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


@captioning_transformer.test("the scores for pictures of several places, features (N, T, D)")
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
