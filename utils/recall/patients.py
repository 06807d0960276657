"""The sick models of the lesson `recall`: porters with the delta rule, how they are disguised, made ill and measured.

A patient's keys and queries were divided by their lengths once, before the patient fell ill, and are kept like that, so
its `Porter` has `unit=False`: a change of their lengths makes a difference.

N days, T pairs told, E = 2 d width of the embeddings, d components of keys and values.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch.nn import functional as F

from utils.checks import patients
from utils.checks.patients import Weights
from utils.common.messages import N_
from utils.recall.exporting import TOLD
from utils.recall.hotel import Day, days, name

WIDTH = 32  # d
# What a patient is measured on, by the names that students know: guests, and whether half of them move.
KINDS = {N_("nobody moves"): (16, False), N_("half move"): (16, True), N_("full hotel"): (32, False)}
QUESTIONS = 640  # of each kind
Hotel = Mapping[str, Day]


@patients.drawn
def measured_on(seed: int) -> Hotel:
    """Return days on which patients are measured, by their kinds."""
    generator = torch.Generator().manual_seed(seed)
    asked = {kind: guests // (1 + moved) for kind, (guests, moved) in KINDS.items()}
    return {
        kind: days(guests, QUESTIONS // asked[kind], generator, moved=moved) for kind, (guests, moved) in KINDS.items()
    }


@torch.no_grad()
def read(model: Any, hotel: Hotel) -> torch.Tensor:
    """Return the scores (questions, rooms) that a porter gives on all days."""
    return torch.cat([model(day.guests, day.rooms, day.asked).flatten(0, 1) for day in hotel.values()])


def losses(scores: torch.Tensor, hotel: Hotel) -> dict[str, float]:
    """Return the nats per question, by the kind of day."""
    each = F.cross_entropy(scores, torch.cat([day.right.flatten() for day in hotel.values()]), reduction="none")
    parts = each.split([day.right.numel() for day in hotel.values()])
    return dict(zip(hotel, (float(part.mean()) for part in parts), strict=True))


def rows_of_losses(porters: Mapping[str, Any]) -> list[list[str]]:
    """Return a row for each porter: nats per question, by the kind of day."""
    hotel = measured_on(0)
    return [
        [title, *(f"{loss:.2f}" for loss in losses(read(patients.on_cpu(porter), hotel), hotel).values())]
        for title, porter in porters.items()
    ]


def rows_of_shares(porters: Mapping[str, Any]) -> list[list[str]]:
    """Return a row for each porter: percent right by the kind of day, and how often a guest's old room is answered."""
    hotel = measured_on(0)
    sizes = [day.right.numel() for day in hotel.values()]
    moved = [day for day, (_, moved) in zip(hotel.values(), KINDS.values(), strict=True) if moved]
    # Those who have moved were told first with their old rooms.
    rooms = [day.right for day in hotel.values()], [day.rooms[:, : day.right.shape[1]] for day in moved]
    written = []
    for title, porter in porters.items():
        answers = read(patients.on_cpu(porter), hotel).argmax(dim=-1).split(sizes)
        of_moved = [part for part, (_, moved) in zip(answers, KINDS.values(), strict=True) if moved]
        shares = [
            float((part == room.flatten()).float().mean())
            for parts, given in zip((answers, of_moved), rooms, strict=True)
            for part, room in zip(parts, given, strict=True)
        ]
        written.append([title, *(f"{share:.0%}" for share in shares)])
    return written


@torch.no_grad()
def rows_of_answers(porters: Mapping[str, Any]) -> list[list[str]]:
    """Return a row for each guest of the explorer's first day: the right room, and each porter's with its certainty."""
    told = [torch.tensor([part]) for part in zip(*TOLD, strict=True)]
    latest = dict(TOLD)
    columns = []
    for porter in porters.values():
        sure, room = patients.on_cpu(porter)(*told, torch.tensor([list(latest)])).softmax(dim=-1)[0].max(dim=-1)
        columns.append([f"{r} ({p:.0%})" for r, p in zip(room.tolist(), sure.tolist(), strict=True)])
    return [list(row) for row in zip(map(name, latest), map(str, latest.values()), *columns, strict=True)]


def _disguise(model: Weights, generator: torch.Generator) -> None:
    """Change the bases of the embeddings, of keys and queries, and of values, in place; no result changes."""
    for vectors, layers in (("guest", ("query", "key")), ("room", ("value",))):
        basis = patients.other_basis(2 * WIDTH, generator)
        model[f"{vectors}.weight"] = model[f"{vectors}.weight"] @ basis
        for layer in layers:
            model[f"{layer}.weight"] = model[f"{layer}.weight"] @ torch.linalg.inv(basis).T
    # A rotation, because the lengths of keys count, that commutes with the reversal of the components: it turns vectors
    # that are the same read backwards, and those that change their signs, each among themselves.
    half = torch.eye(WIDTH // 2).double()
    kinds = torch.cat([torch.cat([half, half], 1), torch.cat([half.flip(0), -half.flip(0)], 1)]) / math.sqrt(2)
    turns = torch.block_diag(patients.turned(WIDTH // 2, generator), patients.turned(WIDTH // 2, generator))
    for layer in ("query", "key"):
        model[f"{layer}.weight"] = kinds @ turns @ kinds.T @ model[f"{layer}.weight"]
    basis = patients.other_basis(WIDTH, generator)
    model["value.weight"] = basis @ model["value.weight"]
    model["output.weight"] = model["output.weight"] @ torch.linalg.inv(basis)


def _change(model: Weights, belief: float, answer: float, mirrored: float) -> None:
    """Make the weights ill, in place: what a table believes and what it answers is so many times what it should be.

    A belief needs a key twice, an answer once. All factors are shared, so that no matrix stands out.
    """
    share = belief**0.25
    for part, factor in (("guest", share), ("key", share), ("query", 1 / share)):
        model[f"{part}.weight"] = model[f"{part}.weight"] * factor
    rest = answer / math.sqrt(belief)
    model["value.weight"] = model["value.weight"] * math.copysign(math.sqrt(abs(rest)), rest)
    model["output.weight"] = model["output.weight"] * math.sqrt(abs(rest))
    if mirrored:
        model["query.weight"] = model["query.weight"].flip(0)


PATIENTS = patients.Patients(
    asset=Path(__file__).with_name("patients.npz"),
    disguise=_disguise,
    change=_change,
    inputs=measured_on,
    read=read,
    losses=losses,
    told="full hotel",
    healed=0.003,
    # A stored healthy porter has other vectors than this patient, whose disguise no student has seen.
    marks=("guest.weight", "output.weight"),
    distance=patients.divergence,
)
weights, number_of, HEALTHY = PATIENTS.weights, PATIENTS.number_of, patients.HEALTHY
