"""The public checks of the lesson `captioning`, which students run while they work. They hold no solution.

    attention.py   split_heads, multi_head_attention, own_code
    positions.py   positional_encoding
    model.py       decoder_layer, captioning_transformer
    truth.py       truth
    looking.py     depends_on
    inputs.py      a comparison that several questions share

This package exports all questions, in the lesson's order, and the inputs that the hidden tests share with them.
"""

from utils.captioning.check.attention import (
    attention_layer,
    multi_head_attention,
    of_itself,
    own_code,
    sources,
    split_heads,
    visible,
)
from utils.captioning.check.inputs import moved
from utils.captioning.check.looking import depends_on, picture_and_colour, scorer
from utils.captioning.check.model import (
    captioning_model,
    captioning_transformer,
    causal_mask,
    decoder_layer,
    one_layer,
    pictures_and_words,
    words_and_memory,
)
from utils.captioning.check.positions import encoding_layer, positional_encoding
from utils.captioning.check.truth import judged_captions, truth

__all__ = [  # noqa: RUF022 - in the lesson's order
    "split_heads",
    "multi_head_attention",
    "own_code",
    "positional_encoding",
    "decoder_layer",
    "captioning_transformer",
    "truth",
    "depends_on",
    # shared with the hidden tests
    "attention_layer",
    "captioning_model",
    "causal_mask",
    "encoding_layer",
    "judged_captions",
    "moved",
    "of_itself",
    "one_layer",
    "picture_and_colour",
    "pictures_and_words",
    "scorer",
    "sources",
    "visible",
    "words_and_memory",
]
