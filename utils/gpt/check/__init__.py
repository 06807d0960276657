"""The public checks of the lesson `gpt`, which students run while they work. They hold no solution.

    reading.py     nats, rms_norm, block
    attention.py   rotate, self_attention, own_code, step
    heads.py       induction_score, without_heads, back, score_without
    writing.py     nucleus, generate
    patient.py     heal
    inputs.py      a comparison that several questions share

The arguments of a test after `probe` are the arguments of the notebook's call: `check.rotate(rotate, nn)` runs
`turned(probe, rotate, nn)`. A test must take them all, whether it needs them or not.

This package exports all questions, in the lesson's order, and the inputs that the hidden tests share with them.
"""

from utils.gpt.check.attention import (
    attention_layer,
    heads_and_positions,
    outputs_in_chunks,
    own_code,
    rotate,
    self_attention,
    step,
)
from utils.gpt.check.heads import (
    back,
    induction_score,
    layer_and_input,
    looked_and_letters,
    score_without,
    two_layers,
    where_heads_look,
    without_heads,
)
from utils.gpt.check.inputs import moved
from utils.gpt.check.patient import LOSSES, NAMED, heal
from utils.gpt.check.reading import block, nats, norm_layer, rms_norm, scored_letters, small_block
from utils.gpt.check.writing import beginnings, generate, nucleus, scores_to_draw

__all__ = [  # noqa: RUF022 - in the lesson's order
    "nats",
    "rms_norm",
    "block",
    "rotate",
    "self_attention",
    "own_code",
    "induction_score",
    "without_heads",
    "back",
    "score_without",
    "nucleus",
    "generate",
    "step",
    "heal",
    # shared with the hidden tests
    "LOSSES",
    "NAMED",
    "attention_layer",
    "beginnings",
    "heads_and_positions",
    "layer_and_input",
    "looked_and_letters",
    "moved",
    "norm_layer",
    "scored_letters",
    "scores_to_draw",
    "small_block",
    "two_layers",
    "where_heads_look",
    "outputs_in_chunks",
]
