"""The sick models of the lesson `gpt`: how the language model's weights are disguised and made ill, and measured.

L layers, E width, H heads, d = E/H width of a head.
"""

import math
from pathlib import Path
from typing import Any

import torch
from torch import nn

from utils.checks import patients
from utils.checks.patients import BASIS, Weights
from utils.gpt.looking import KIND_NAMES, KindLosses, by_kind
from utils.gpt.tales.grammar import tales
from utils.gpt.tales.letters import Rows, rows_of

LAYERS, HEADS = 2, 4
ROWS, LENGTH = 6, 193  # of the tales on which a patient is measured: as long as those in training


@patients.drawn
def measured_on(seed: int) -> Rows:
    """Return rows of tales on which patients are measured."""
    rows = rows_of(tales(3 * ROWS, seed), LENGTH)
    return Rows(rows.letters[:ROWS], rows.kinds[:ROWS], rows.names)


@torch.no_grad()
def read(model: Any, rows: Rows) -> torch.Tensor:
    """Return the scores (N, S, V) of each next letter that a model gives while it reads the rows."""
    scores: torch.Tensor = model(rows.letters)
    return scores


def losses(scores: torch.Tensor, rows: Rows) -> KindLosses:
    """Return the losses of scores (N, S, V) by the kind of letter."""
    guesses = scores[:, :-1].transpose(1, 2)
    return by_kind(nn.functional.cross_entropy(guesses, rows.letters[:, 1:], reduction="none"), rows)


def losses_by_name(scores: torch.Tensor, rows: Rows) -> dict[str, float]:
    """Return the losses under the names that students know."""
    return dict(zip(KIND_NAMES, losses(scores, rows), strict=True))


def _disguise(model: Weights, generator: torch.Generator) -> None:
    """Change the basis of the stream, of the hidden units and of each head, in place; every result stays the same."""
    width = model["embedding.weight"].shape[1]
    order = torch.randperm(width, generator=generator)
    signs = 2.0 * torch.randint(2, (width,), generator=generator).double() - 1
    for name, value in model.items():
        into = name.endswith(("proj.weight", "outer.weight", "outer.bias"))  # adds to the stream: its rows are of it
        if name.endswith("gain"):
            model[name] = value[order]  # a norm's gains have no part in the signs
        elif into:
            model[name] = value[order] * signs.view(-1, *[1] * (value.ndim - 1))
        elif not name.endswith("inner.bias"):
            model[name] = value[:, order] * signs
    for layer in range(LAYERS):
        block = f"blocks.{layer}."
        hidden = torch.randperm(len(model[block + "feed_forward.inner.bias"]), generator=generator)
        for part in ("inner.weight", "inner.bias"):
            model[f"{block}feed_forward.{part}"] = model[f"{block}feed_forward.{part}"][hidden]
        model[block + "feed_forward.outer.weight"] = model[block + "feed_forward.outer.weight"][:, hidden]
        for head in torch.arange(width).chunk(HEADS):
            _disguise_head(model, block + "attention.", head, generator)


def _disguise_head(model: Weights, attention: str, head: torch.Tensor, generator: torch.Generator) -> None:
    """Change the basis of a head's values, and turn and stretch the pairs of its queries and keys."""
    d = len(head)
    query, key, value, proj = (model[f"{attention}{layer}.weight"] for layer in ("query", "key", "value", "proj"))
    basis = patients.other_basis(d, generator)
    value[head] = basis @ value[head]
    proj[:, head] = proj[:, head] @ torch.linalg.inv(basis)
    # Rotations of a pair commute with those of positions, and a query's factor is the inverse of its key's.
    angle = 2 * math.pi * torch.rand(d // 2, generator=generator).double()
    factor = (BASIS * torch.randn(d // 2, generator=generator).double()).exp()
    turn = torch.polar(torch.ones_like(angle), angle).unsqueeze(1)  # (d/2, 1), complex
    for layer, stretch in ((query, factor), (key, 1 / factor)):
        pairs = torch.complex(layer[head][0::2], layer[head][1::2]) * turn * stretch.unsqueeze(1)
        layer[head] = torch.stack([pairs.real, pairs.imag], dim=1).flatten(0, 1)


def _change(model: Weights, layer: float, head: float, scores: float, exchange: float, sign: float) -> None:
    """Make one head ill, in place, by the numbers of the file.

    The factor of its scores is shared by queries and keys, so that neither of them stands out.
    """
    attention = f"blocks.{layer:.0f}.attention."
    query, key = (model[f"{attention}{part}.weight"] for part in ("query", "key"))
    rows = torch.arange(len(query)).chunk(HEADS)[int(head)]
    if exchange:
        query[rows], key[rows] = key[rows], query[rows]
    for weight in (query, key):
        weight[rows] *= math.sqrt(scores)
        weight[rows[1::2]] *= sign


PATIENTS = patients.Patients(
    asset=Path(__file__).with_name("patients.npz"),
    disguise=_disguise,
    change=_change,
    inputs=measured_on,
    read=read,
    losses=losses_by_name,
    told=None,
    returned=3,  # the illness, the layer and the head
    # Nats. A cure of another illness or head leaves at least 0.1; a factor that is wrong by a fifth leaves 0.004, by a
    # half 0.002 to 0.023 (`benchmarks/patients.md`).
    healed=0.006,
    # A stored healthy model has other letters' vectors than this patient, whose disguise no student has seen.
    marks=("embedding.weight", "output.weight"),
    distance=patients.divergence,
)
weights, number_of, HEALTHY = PATIENTS.weights, PATIENTS.number_of, patients.HEALTHY
