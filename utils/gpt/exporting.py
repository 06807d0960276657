"""The language models of the lesson `gpt` as their explorer's page reads them: weights, alphabet, a tale, and probes.

The page computes the lesson's formulas with these weights: norms, turned queries and keys, attention, feed-forward
parts. In the page, the probe of each model shows whether the student's classes compute these formulas; another probe
does the same for the student's `nucleus`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import nn

from utils.alive.weights import exact, linear_of, packed, unknown
from utils.common.devices import device_of
from utils.common.messages import said
from utils.gpt.looking import NAMED, Score, scores_of
from utils.gpt.model import EPSILON
from utils.gpt.tales.grammar import AGAIN, CONSONANTS, FIRST, PEOPLE, PLAIN, SYLLABLES, VOWELS
from utils.gpt.tales.judge import NAME, SENTENCE
from utils.gpt.tales.letters import END, LETTERS, Rows, decode
from utils.gpt.writing import BEGINNING

LONGEST = 190  # the most letters of a text in the page: about the length of a row in training
PROBED = 48  # the number of letters that a model reads for its probe
TEMPERATURE, TOP_P = 0.7, 0.8  # the arguments of `nucleus` for its probe
# The pattern of a name, without flags inside the pattern, which some browsers do not know.
CAPITALISED = f"[{CONSONANTS.upper()}][{VOWELS}](?:[{CONSONANTS}][{VOWELS}]){{{SYLLABLES - 1}}}"

Nucleus = Callable[[torch.Tensor, float, float], torch.Tensor]


@torch.no_grad()
def exported(models: Mapping[str, Any], rows: Rows, score: Score, nucleus: Nucleus) -> dict[str, Any]:
    """Return the models for the page, and data of the tales; `rows` are unseen tales.

    Raises: CannotExport for a part that does not have the lesson's form.
    """
    letters, kinds = rows.letters[0], rows.kinds[0]
    logits = torch.linspace(-2, 3, len(LETTERS)).roll(7).unsqueeze(0)
    return {
        "models": [_model(name, model, rows, score) for name, model in models.items()],
        "letters": LETTERS,
        "end": LETTERS.index(END),
        "longest": LONGEST,
        "named": NAMED,
        "people": PEOPLE,
        "sentence": SENTENCE.pattern.replace(NAME, CAPITALISED),
        "beginnings": [BEGINNING, _up_to_a_name(letters, kinds), ""],
        "tale": {"letters": letters.tolist(), "kinds": kinds.tolist()},
        "kinds": {"plain": PLAIN, "first": FIRST, "again": AGAIN},
        "probe": {
            "logits": exact(logits),
            "temperature": TEMPERATURE,
            "topP": TOP_P,
            "output": exact(nucleus(logits, TEMPERATURE, TOP_P)),
        },
    }


def _model(name: str, model: Any, rows: Rows, score: Score) -> dict[str, Any]:
    """Return one model: its sizes, its weights, its heads' scores, and a probe."""
    model.eval()
    tensors = list(_tensors(model))
    first = model.blocks[0]
    letters = rows.letters[:1, :PROBED]
    return {
        "name": said(name),
        "letters": len(LETTERS),
        "layers": len(model.blocks),
        "width": model.embedding.embedding_dim,
        "heads": first.attention.num_heads,
        "hidden": first.feed_forward.inner.out_features,
        "epsilon": EPSILON,
        "weights": packed(tensors),
        "scores": scores_of(model, score, rows).tolist(),
        "probe": {"letters": letters[0].tolist(), "output": exact(model(letters.to(device_of(model)))[0])},
    }


def _tensors(model: Any) -> Iterator[torch.Tensor]:
    """Yield all weights in the order in which `model.js` takes them."""
    if not isinstance(model.embedding, nn.Embedding):
        raise unknown(model.embedding)
    yield model.embedding.weight
    for block in model.blocks:
        attention, thinker = block.attention, block.feed_forward
        yield block.norm1.gain
        for layer in (attention.query, attention.key, attention.value, attention.proj):
            if getattr(layer, "out_features", None) != model.embedding.embedding_dim:
                raise unknown(attention)
            yield from linear_of(layer, bias=False)
        yield block.norm2.gain
        yield from linear_of(thinker.inner)
        yield from linear_of(thinker.outer)
    yield model.norm.gain
    yield from linear_of(model.output, bias=False)


def _up_to_a_name(letters: torch.Tensor, kinds: torch.Tensor) -> str:
    """Return a tale's text up to the second letter of the first name that occurs again."""
    position = int((kinds == AGAIN).nonzero()[0])
    return decode(letters[: position + 1]).strip(END)
