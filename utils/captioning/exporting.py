"""The model of the lesson `captioning` as its explorer's page reads it: weights, vocabulary, eyes, and a probe.

The page computes the lesson's formulas with these weights: attention in heads, a decoder of post-norm layers. The table
of positions is what the student's own encoding adds. In the page, the probe shows whether the student's classes compute
these formulas. The eyes are the convolutions of the scenes' small network, so that the page can look at any scene.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from utils.alive.weights import exact, in_blocks, linear_of, unknown
from utils.captioning.data import caption_text
from utils.captioning.interface import Captioner
from utils.captioning.scenes.dataset import scene_of
from utils.captioning.scenes.features import SIDE, convolutions, grid_of
from utils.captioning.scenes.scene import render
from utils.captioning.scores import plain

LONGEST = 16  # the most words that the page writes: the longest caption of a scene has 15, and <END> follows


@torch.no_grad()
def exported(
    model: Captioner, urls: Sequence[str], idx_to_word: Sequence[str], word_to_idx: Mapping[str, int], heads: int
) -> dict[str, Any]:
    """Return the model, the vocabulary, the scenes' network and a probe for the page.

    Raises: CannotExport for a part that does not have the lesson's form.
    """
    was_training = model.training
    model.eval()
    try:
        layers: list[Any] = list(model.transformer.layers)
        tensors = list(_tensors(model, layers))
        probe = _probe(model, urls[0], idx_to_word, word_to_idx)
    finally:
        model.train(was_training)
    width, features = model.visual_projection.weight.shape
    sizes = {"width": width, "features": features, "vocabulary": len(idx_to_word), "depth": len(layers), "heads": heads}
    words = {"start": model._start, "end": model._end, "longest": LONGEST + 1}
    return {
        "model": {**sizes, **words, "wide": layers[0].linear1.out_features, "weights": in_blocks(tensors)},
        "eyes": eyes(),
        "probe": probe,
        "idx_to_word": [str(word) for word in idx_to_word],
    }


def _tensors(model: Captioner, layers: Sequence[Any]) -> Iterator[torch.Tensor]:
    """Yield all weights in the order in which `writer.js` takes them."""
    yield from linear_of(model.visual_projection)
    embedding: Any = model.embedding
    if not isinstance(embedding, nn.Embedding):
        raise unknown(embedding)
    yield embedding.weight
    yield model.positional_encoding(embedding.weight.new_zeros(1, LONGEST + 1, embedding.embedding_dim))
    for layer in layers:
        for attention in (layer.self_attn, layer.multihead_attn):
            if not all(hasattr(attention, name) for name in ("key", "query", "value", "proj")):
                raise unknown(attention)
            for part in (attention.key, attention.query, attention.value, attention.proj):
                yield from linear_of(part)
        yield from (*linear_of(layer.linear1), *linear_of(layer.linear2))
        for norm in (layer.norm1, layer.norm2, layer.norm3):
            yield from (norm.weight, norm.bias)
    yield from linear_of(model.output)


def _probe(model: Captioner, url: str, idx_to_word: Sequence[str], word_to_idx: Mapping[str, int]) -> dict[str, Any]:
    """Return a scene's features, the model's own caption of it, and its scores after each word."""
    features = torch.from_numpy(grid_of(render(scene_of(url), SIDE)[None])).to(model.visual_projection.weight.device)
    caption = plain(caption_text(model.sample(features, max_length=LONGEST)[0], idx_to_word))
    words = [word_to_idx[word] for word in ("<START>", *caption.split())][:LONGEST]
    scores = model(features, torch.tensor([words], device=features.device))
    return {"features": exact(features), "places": features.shape[1], "words": words, "output": exact(scores)}


def eyes() -> dict[str, Any]:
    """Return the scenes' convolutions, which turn a picture into the features of its cells."""
    layers = convolutions()
    sizes = [{"in": layer.in_channels, "out": layer.out_channels, "kernel": layer.kernel_size[0]} for layer in layers]
    return {"layers": sizes, "weights": in_blocks(part for layer in layers for part in (layer.weight, layer.bias))}
