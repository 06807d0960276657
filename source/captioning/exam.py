"""Exams of the lesson `captioning`: the public checks' tests with other sizes and fresh seeds, and hidden tests."""

from typing import Any

import torch

from autograder.exams.exam import Exam
from utils.captioning import check
from utils.checks.engine.probe import Probe
from utils.common.messages import N_

split_heads = Exam.of(check.split_heads, weights={"parts": 2}, sizes={"N": 9, "S": 11, "E": 28, "H": 4, "E/H": 7})

multi_head_attention = Exam.of(
    check.multi_head_attention,
    weights={"several_heads": 3, "on_gpu": 0.3}
    | dict.fromkeys(("one_head", "boolean_mask", "dropout_of_all", "what_is_dropped"), 2),
    sizes={"N": 9, "S": 11, "T": 13, "E": 28, "H": 4, "E/H": 7},
)


@multi_head_attention.test("a sequence looks at itself, every place at all places", weight=4)
def self_attention(probe: Probe, MultiHeadAttention: Any) -> Any:
    N, S, E = probe["N S E"]
    x = probe.normal(N, S, E)
    return check.attention_layer(probe, MultiHeadAttention)(*check.of_itself(x))


@multi_head_attention.test("a sequence looks at itself, each place only at those before it", weight=1)
def causal_self_attention(probe: Probe, MultiHeadAttention: Any) -> Any:
    N, S, E = probe["N S E"]
    x = probe.normal(N, S, E)
    mask = torch.tril(torch.ones(S, S, dtype=torch.bool))
    return check.attention_layer(probe, MultiHeadAttention)(*check.of_itself(x), mask)


@multi_head_attention.test("no dropout at all with p = 0, even while training", weight=1)
def dropout_of_none(probe: Probe, MultiHeadAttention: Any) -> Any:
    layer = check.attention_layer(probe, MultiHeadAttention, dropout=0.0)
    layer.train()
    return layer(*check.sources(probe), attn_mask=check.visible(probe, probe["S"]))


own_code = check.own_code.graded(Exam.of(check.own_code))

positional_encoding = Exam.of(
    check.positional_encoding,
    weights={"table": 3, "added": 2, "dropout_of_sum": 2, "added_on_gpu": 0.3},
    sizes={"N": 2, "S": 7, "E": 22, "M": 31},
)


@positional_encoding.test("long sequences and other widths", weight=1, atol=1e-4)
def long(probe: Probe, PositionalEncoding: Any) -> Any:
    # float32 angles up to 503 are right to 3e-5
    return PositionalEncoding(6, 0.0, 503).eval()(torch.zeros(1, 503, 6))


@positional_encoding.test("dropout zeroes its share and rescales the rest", weight=1)
def dropout_share(probe: Probe, PositionalEncoding: Any) -> Any:
    N, S, E = 11, probe["S"], probe["E"]
    layer = check.encoding_layer(probe, PositionalEncoding, dropout=0.5)
    x = probe.uniform(N, S, E, low=2.0, high=3.0)  # the sum stays above 1
    quiet = probe.value(layer(x.clone()))
    layer.train()
    result = probe.value(layer(x))
    dropped = result.abs() < 1e-6
    kept_right = bool(((result - 2 * quiet).abs() < 1e-3)[~dropped].all())
    # 11 * 7 * 22 = 1,694 values: the share has a standard deviation of 0.012
    return {
        N_("share dropped"): probe.approx(dropped.float().mean(), 0.08),
        N_("what is not dropped is not doubled; at rate ½ it must be"): kept_right,
    }


decoder_layer = Exam.of(
    check.decoder_layer,
    weights={"with_mask": 3, "without_mask": 2, "all_dropped": 2},
    sizes={"N": 5, "S": 9, "T": 7, "E": 12, "H": 3, "F": 17},
)


@decoder_layer.test("one word and one place", weight=1)
def one_and_one(probe: Probe, TransformerDecoderLayer: Any) -> Any:
    return check.one_layer(probe, TransformerDecoderLayer)(*check.words_and_memory(probe, 1, 1))


@decoder_layer.test("two layers, one after the other, with the same memory", weight=1)
def two_layers(probe: Probe, TransformerDecoderLayer: Any) -> Any:
    layer = check.one_layer(probe, TransformerDecoderLayer)
    words, memory = check.words_and_memory(probe)
    mask = check.causal_mask(probe["S"])
    return layer(layer(words, memory, mask), memory, mask)


captioning_transformer = Exam.of(
    check.captioning_transformer,
    weights={"scores": 4, "many_places": 0.5, "causal": 3, "order_and_picture": 2, "gradients_reach": 2, "device": 0.8},
    sizes={"N": 5, "S": 8, "D": 19, "E": 14, "V": 17, "H": 2, "L": 2},
)


@captioning_transformer.test("the right scores of one caption alone, and the same as in the batch", weight=1)
def alone(probe: Probe, CaptioningTransformer: Any) -> Any:
    model = check.captioning_model(probe, CaptioningTransformer)
    features, captions = check.pictures_and_words(probe)
    together, *apart = probe.values(
        model(features, captions), *(model(features[i : i + 1], captions[i : i + 1]) for i in range(2))
    )
    return {
        N_("a sample gets different scores alone and in the batch; they must be the same"): not check.moved(
            together[:2], torch.cat(apart)
        ),
        N_("the scores"): [probe.scores(one) for one in apart],
    }


@captioning_transformer.test("captions of one word and of the full length", weight=1)
def lengths(probe: Probe, CaptioningTransformer: Any) -> Any:
    S, N, V = probe["S N V"]
    model = check.captioning_model(probe, CaptioningTransformer)
    features, _ = check.pictures_and_words(probe)
    return [probe.scores(model(features, probe.integers(0, V, N, length))) for length in (1, S + 2)]


truth = Exam.of(
    check.truth,
    weights={"everything_said": 2, "left_out": 2, "nothing_said": 2, "on_gpu": 0.3},
    sizes={"N": 17, "C": 6},
)


@truth.test("a batch of all kinds at once", weight=2)
def all_kinds(probe: Probe, truth: Any) -> Any:
    # Counts are drawn, so that no fixed numbers are right for every course.
    counts = [most - less for most, less in zip((11, 7, 5), probe.integers(0, 3, 3).tolist(), strict=True)]
    return probe.shaped(truth(*check.judged_captions(probe, *counts)), 3)


@truth.test("no caption can be read at all", weight=1)
def none_read(probe: Probe, truth: Any) -> Any:
    return probe.shaped(truth(*check.judged_captions(probe, 0, 0, probe["N"])), 3)


depends_on = Exam.of(
    check.depends_on,
    weights={"falls": 3, "edges": 2, "looked_for_on_gpu": 0.3},
    sizes={"S": 7, "J": 9, "U": 13},
)


@depends_on.test("any patch of the picture", weight=1)
def any_patch(probe: Probe, depends_on: Any, Score: Any) -> Any:
    score, (picture, colour) = check.scorer(probe, Score), check.picture_and_colour(probe)
    J, U = probe["J U"]
    sizes = probe.integers(1, 6, 3).tolist()
    places = [(int(probe.integers(0, J - size, 1)), int(probe.integers(0, U - size, 1))) for size in sizes]
    return [
        depends_on(score, picture.clone(), (*place, size), colour) for place, size in zip(places, sizes, strict=True)
    ]
