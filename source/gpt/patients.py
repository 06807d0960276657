"""The sick models of `gpt`: which mistake each has in one head, its cure, and how the healthy model was trained."""

import math
from collections.abc import Mapping
from typing import Any

import torch

from autograder.exams.patients import Illness
from utils.checks.patients import Weights
from utils.gpt.patients import HEADS, LAYERS

SHUFFLED = 20  # the seed of the order of the patients
SEED = 58  # of the weights and of the training: no student's model has it
WIDTH = 96
SIZE = WIDTH // HEADS  # of a head
ROOT = math.sqrt(SIZE)
MULTIPLIED, EXCHANGED, TURNED_BACK = 1, 2, 3  # the numbers of the illnesses in the lesson's list
# The known mistakes: the numbers of `_change` in `utils/gpt/patients.py`, after layer and head, and the illness.
MISTAKES = {
    "attention_no_scale": ((ROOT, 0.0, 1.0), MULTIPLIED),
    "attention_scale_without_root": ((1 / ROOT, 0.0, 1.0), MULTIPLIED),
    "attention_scale_multiplied": ((ROOT**2, 0.0, 1.0), MULTIPLIED),
    "attention_keys_ask": ((1.0, 1.0, 1.0), EXCHANGED),
    "rotate_backwards": ((1.0, 0.0, -1.0), TURNED_BACK),
}


def illness(mistake: str, layer: int, head: int) -> Illness:
    """Return a mistake in one head of one layer, the first layer being 1, with its cure."""
    (scores, exchange, sign), number = MISTAKES[mistake]
    rows = torch.arange(WIDTH).chunk(HEADS)[head]

    def cure(patient: Any) -> None:
        query, key = (getattr(patient.blocks[layer - 1].attention, part).weight for part in ("query", "key"))
        if exchange:
            query[rows], key[rows] = key[rows], query[rows]
        query[rows] /= scores
        for weight in (query, key):
            weight[rows[1::2]] *= sign

    return Illness(mistake, (layer - 1.0, head, scores, exchange, sign), cure, told=(number, layer, head))


# Each changes the losses clearly: other heads and factors hardly matter to this model (`benchmarks/patients.md`).
ILLNESSES = (
    illness("attention_scale_without_root", 1, 0),
    illness("attention_scale_without_root", 1, 1),
    illness("attention_scale_without_root", 2, 0),
    illness("attention_scale_multiplied", 1, 2),
    illness("attention_keys_ask", 1, 3),
    illness("attention_keys_ask", 2, 3),
    illness("rotate_backwards", 1, 1),
    illness("rotate_backwards", 2, 1),
)


def in_one_head(right: Any, mistaken: Any, illness: Illness) -> Any:
    """Return the right model with the weights of one head computed as the mistaken model computes them."""
    _, layer, head = illness.told or ()
    attention, other = right.blocks[layer - 1].attention, mistaken.blocks[layer - 1].attention
    look = attention.look

    def look_with_one(x: torch.Tensor) -> torch.Tensor:
        weights: torch.Tensor = look(x).clone()
        weights[:, head] = other.look(x)[:, head]
        return weights

    attention.look = look_with_one
    return right


def trained(names: Mapping[str, Any]) -> Weights:
    """Return the weights of a healthy model, trained with the reference as the lesson trains."""
    parts = [names[part] for part in ("GPT", "Block", "SelfAttention", "RMSNorm", "rotate")]
    model = names["scaffold"].build(*parts, num_letters=len(names["LETTERS"]), layers=LAYERS, seed=SEED)
    names["train"](model, names["training_rows"](8000, length=193, seed=1), names["nats"], seed=SEED)
    weights: dict[str, torch.Tensor] = model.state_dict()
    return weights
