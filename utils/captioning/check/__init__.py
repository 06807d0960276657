"""The public checks of the lesson `captioning`, which students run while they work. They hold no solution.

    attention.py   split_heads, multi_head_attention, own_code
    positions.py   positional_encoding
    model.py       captioning_transformer
    truth.py       truth
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
from utils.captioning.check.model import captioning_model, captioning_transformer, pictures_and_words
from utils.captioning.check.positions import encoding_layer, positional_encoding
from utils.captioning.check.truth import judged_captions, truth

__all__ = [  # noqa: RUF022 - in the lesson's order
    "split_heads",
    "multi_head_attention",
    "own_code",
    "positional_encoding",
    "captioning_transformer",
    "truth",
    # shared with the hidden tests
    "attention_layer",
    "captioning_model",
    "encoding_layer",
    "judged_captions",
    "moved",
    "of_itself",
    "pictures_and_words",
    "sources",
    "visible",
]
