"""The sick models of `recall`: which mistake each has, its cure, and how the healthy porter was trained."""

import math
from collections.abc import Mapping
from typing import Any

import torch

from autograder.exams.patients import Illness
from utils.checks.patients import Weights
from utils.recall.hotel import GUESTS
from utils.recall.model import Porter
from utils.recall.patients import WIDTH
from utils.recall.training import train

SHUFFLED = 23  # the seed of the order of the patients
SEED = 58  # of the weights and of the training: no student's porter has it
STEPS = 1500
ROOT = math.sqrt(WIDTH)
NOTHING = 1e-6  # a belief so small that nothing is subtracted: 0 would need keys of zeros


def times(**factors: float) -> Any:
    """Return the cure that multiplies the weights of these layers."""

    def cure(patient: Any) -> None:
        for layer, factor in factors.items():
            getattr(patient, layer).weight.mul_(factor)

    return cure


def reversed_back(patient: Any) -> None:
    patient.query.weight.copy_(patient.query.weight.flip(0))


# In the order of the sentences in the lesson. A change: the factors of beliefs and of answers, whether components of
# queries are reversed.
ILLNESSES = (
    Illness("delta_only_adds", (NOTHING, 1.0, 0.0), times(key=1 / math.sqrt(NOTHING), value=math.sqrt(NOTHING))),
    Illness("delta_belief_scaled", (1 / ROOT, 1.0, 0.0), times(key=math.sqrt(ROOT), value=1 / math.sqrt(ROOT))),
    Illness("delta_never_twice", (0.5, 0.5, 0.0), times(guest=math.sqrt(2))),
    Illness("delta_doubled", (2.0, 2.0, 0.0), times(guest=1 / math.sqrt(2))),
    Illness("read_scaled", (1.0, 1 / ROOT, 0.0), times(value=ROOT)),
    Illness("read_scaled_by_d", (1.0, 1 / WIDTH, 0.0), times(value=WIDTH)),
    Illness("read_sign", (1.0, -1.0, 0.0), times(value=-1.0)),
    Illness("read_mirrored", (1.0, 1.0, 1.0), reversed_back),
)


@torch.no_grad()
def trained(names: Mapping[str, Any]) -> Weights:
    """Return the weights of a healthy porter, trained with the reference on guests who move.

    The lengths of keys and queries are divided out: a guest's vector holds key and query, which are its two halves.
    A training may end with queries that point away from their keys, and an output layer that turns this round. Then
    the signs of both are exchanged, so that a healthy table is read with the right sign.
    """
    torch.manual_seed(SEED)
    porter = Porter(names["delta_memory"], WIDTH)
    with torch.enable_grad():
        train(porter, steps=STEPS, most=16, moved=True, seed=SEED)
    guests = torch.arange(GUESTS)
    halves = torch.eye(2 * WIDTH)
    sign = torch.sign((porter.queries(guests) * porter.keys(guests)).sum())
    return porter.state_dict() | {
        "guest.weight": torch.cat([sign * porter.queries(guests), porter.keys(guests)], dim=1),
        "output.weight": sign * porter.output.weight,
        "query.weight": halves[:WIDTH],
        "key.weight": halves[WIDTH:],
    }
