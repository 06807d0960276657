"""The sick models of `gpt`: which mistake each has, its cure, and how the healthy model was trained."""

import math
from collections.abc import Mapping
from typing import Any

import torch

from autograder.exams.patients import Illness
from utils.checks.patients import Weights
from utils.gpt.patients import HEADS, LAYERS

SHUFFLED = 4  # the seed of the order of the patients
SEED = 58  # of the weights and of the training: no student's model has it
WIDTH = 96
ROOT = math.sqrt(WIDTH / HEADS)
HEALTHY = (1.0, 0.0, 1.0, 0.0, 1.0)  # factor of scores, exchange, sign of hands, order of blocks, factor of the stream


def changed(place: int, number: float) -> tuple[float, ...]:
    """Return the numbers of `_change` in `utils/gpt/patients.py` with one of them changed."""
    return (*HEALTHY[:place], number, *HEALTHY[place + 1 :])


def divided_by(factor: float) -> Any:
    """Return the cure for scores that are too large by a factor."""

    def cure(patient: Any) -> None:
        for block in patient.blocks:
            block.attention.query.weight.div_(factor)

    return cure


def exchanged(patient: Any) -> None:
    for block in patient.blocks:
        block.attention.query, block.attention.key = block.attention.key, block.attention.query


def turned_back(patient: Any) -> None:
    for block in patient.blocks:
        for layer in (block.attention.query, block.attention.key):
            layer.weight[1::2] *= -1


def other_order(patient: Any) -> None:
    patient.blocks[0], patient.blocks[1] = patient.blocks[1], patient.blocks[0]


# In the order of the sentences in the lesson.
ILLNESSES = (
    Illness("attention_no_scale", changed(0, ROOT), divided_by(ROOT)),
    Illness("attention_scale_without_root", changed(0, 1 / ROOT), divided_by(1 / ROOT)),
    Illness("attention_scale_of_width", changed(0, math.sqrt(1 / HEADS)), divided_by(math.sqrt(1 / HEADS))),
    Illness("attention_keys_ask", changed(1, 1.0), exchanged),
    Illness("rotate_backwards", changed(2, -1.0), turned_back),
    Illness("attention_scale_multiplied", changed(0, ROOT**2), divided_by(ROOT**2)),
    Illness(
        "blocks_reversed",
        changed(3, 1.0),
        other_order,
        ("language_model", "in self.blocks:", "in reversed(self.blocks):"),
    ),
    Illness(
        "embedding_scaled",
        changed(4, math.sqrt(WIDTH)),
        lambda patient: patient.embedding.weight.div_(math.sqrt(WIDTH)),
        (
            "language_model",
            "self.embedding(letters)",
            "self.embedding(letters) * math.sqrt(self.embedding.embedding_dim)",
        ),
    ),
)


def trained(names: Mapping[str, Any]) -> Weights:
    """Return the weights of a healthy model, trained with the reference as the lesson trains."""
    parts = [names[part] for part in ("GPT", "Block", "SelfAttention", "RMSNorm", "rotate")]
    model = names["scaffold"].build(*parts, num_letters=len(names["LETTERS"]), layers=LAYERS, seed=SEED)
    names["train"](model, names["training_rows"](8000, length=193, seed=1), names["nats"], seed=SEED)
    weights: dict[str, torch.Tensor] = model.state_dict()
    return weights
