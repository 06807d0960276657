"""The translator of the lesson `seq2seq` as its explorer's page reads it: weights, vocabularies, and a probe.

The page computes the lesson's formulas with these weights: a bidirectional GRU, additive attention, the decoder's step.
In the page, the probe shows whether the student's `attend`, `score` and `step` compute these formulas.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import nn

from utils.alive.weights import CannotExport, exact, linear_of, packed, unknown
from utils.common.devices import device_of
from utils.common.messages import N_
from utils.seq2seq.interface import Decode
from utils.seq2seq.pairs import pad_sentences
from utils.seq2seq.vocabulary import EOS_token, Lang, PAD_token, SOS_token

LONGEST = 40  # the most words that the page writes, as in the lesson's alignment maps


@torch.no_grad()
def exported(
    model: Any, sentences: Sequence[str], input_lang: Lang, output_lang: Lang, decode: Decode, pointed: int
) -> dict[str, Any]:
    """Return the translator, its words and a probe for the page; the word `pointed` (from 1) is chosen at first.

    Raises: CannotExport for a part that does not have the lesson's form.
    """
    model.eval()
    tensors = list(_tensors(model))
    gru, cell, attention = model.encoder.gru, model.decoder.cell, model.decoder.attention
    sizes = {"read": input_lang.n_words, "written": output_lang.n_words, "embed": gru.input_size}
    sizes |= {"hidden": cell.hidden_size, "state": 2 * gru.hidden_size, "score": attention.key_layer.out_features}
    sizes |= {"narrow": model.decoder.output[0].out_features, "longest": LONGEST, "sos": SOS_token, "eos": EOS_token}
    return {
        "model": {**sizes, "weights": packed(tensors)},
        "french": [input_lang.index2word[i] for i in range(input_lang.n_words)],
        "english": [output_lang.index2word[i] for i in range(output_lang.n_words)],
        "sentences": list(sentences),
        "pointed": pointed,
        "probe": _probe(model, sentences[0], input_lang, decode),
    }


def _tensors(model: Any) -> Iterator[torch.Tensor]:
    """Yield all weights in the order in which `translator.js` takes them."""
    encoder, decoder = model.encoder, model.decoder
    attention: Any = getattr(decoder, "attention", None)
    if not isinstance(getattr(attention, "v", None), torch.Tensor):
        raise CannotExport(
            N_("The explorer cannot run this translator in the page: it needs additive attention with v.")
        )
    yield encoder.embedding.weight
    yield from _gru(encoder.gru, "_l0")
    yield from _gru(encoder.gru, "_l0_reverse")
    yield from linear_of(model.bridge)
    yield decoder.embedding.weight
    yield from linear_of(attention.query_layer, bias=False)
    yield from linear_of(attention.key_layer, bias=False)
    yield attention.v
    yield from _gru(decoder.cell, "")
    if not isinstance(decoder.output, nn.Sequential):
        raise unknown(decoder.output)
    for layer in decoder.output:
        yield from linear_of(layer)


def _gru(layer: Any, suffix: str) -> Iterator[torch.Tensor]:
    if not isinstance(layer, nn.GRU | nn.GRUCell):
        raise unknown(layer)
    yield from (getattr(layer, f"{name}{suffix}") for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))


def _probe(model: Any, sentence: str, input_lang: Lang, decode: Decode) -> dict[str, Any]:
    """Return a sentence, the model's own translation, and the model's logits for each of its words."""
    source = pad_sentences(input_lang, [sentence]).to(device_of(model))
    mask = source != PAD_token
    words = [int(word) for word in decode(model, source, mask, LONGEST)[0][0] if word != PAD_token]
    hidden, memory = model.start(source, mask)
    scores = []
    for word in (SOS_token, *words[:-1]):
        logits, hidden, _ = model.step(source.new_tensor([word]), hidden, memory)
        scores.append(logits[0])
    return {"source": source[0].tolist(), "words": words, "output": exact(torch.stack(scores))}
