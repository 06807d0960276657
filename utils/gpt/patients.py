"""Patients: trained language models that behave as if one line of their code were wrong, and can be healed.

All are made of one model that was trained by the authors (`autograder/course/train_patients.py`) and is kept in
`patients.npz`. Its weights are first disguised, by changes of basis that change no result, so that no patient can be
compared with another number by number. Then they are changed such that the right formulas give what a known mistake
would give with healthy weights. The same file holds these changes, as numbers, and which illness each patient has.

L layers, E width, H heads, d = E/H width of a head.
"""

import hashlib
import math
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from utils.common.errors import DataError
from utils.common.messages import N_
from utils.gpt.looking import KindLosses, by_kind
from utils.gpt.tales.grammar import tales
from utils.gpt.tales.letters import Rows, rows_of

ASSET = Path(__file__).with_name("patients.npz")
LAYERS, HEADS = 2, 4
ROWS, LENGTH = 6, 193  # of the tales on which a patient is measured: as long as those in training
HEALTHY = None  # in place of a patient's number
# Nats. A cure of one block alone leaves at least 0.01, a cure of another illness 0.09; a factor of 5 in place of
# the root of 24 leaves 0.00004 (`benchmarks/patients.md`).
HEALED = 0.003
BASIS = 0.5  # how unequal the components of a disguised head are: standard deviation of a factor's logarithm

Weights = dict[str, torch.Tensor]


@cache
def _kept() -> dict[str, Any]:
    with np.load(ASSET) as file:
        return dict(file)


def count() -> int:
    """Return the number of patients, which is also that of illnesses."""
    return len(_kept()["changes"])


def number_of(name: str) -> int:
    """Return the number of the patient who belongs to a student's name, whatever its capitals and spaces."""
    plain = "".join(name.casefold().split())
    return int(hashlib.sha256(f"a patient for{plain}".encode()).hexdigest(), 16) % count()


def sealed(patient: int, illness: object) -> str:
    """Return the hash by which the file says that a patient has an illness: so no list of them can be read there."""
    return hashlib.sha256(f"patient {patient} has {illness}".encode()).hexdigest()


def has(patient: int, illness: object) -> bool:
    """Return whether a patient has the illness of this number, from 1 on."""
    return sealed(patient, illness) == str(_kept()["illnesses"][patient])


@lru_cache(maxsize=8)
def weights(patient: int | None, seed: int = 0) -> Weights:
    """Return a patient's weights by name, or those of the healthy model; another seed gives another disguise.

    Raises: DataError for a patient who is not there.
    """
    if patient is not HEALTHY and not 0 <= patient < count():
        there = N_("There is no patient {patient}; patients have the numbers 0 to {last}.")
        raise DataError(there, patient=patient, last=count() - 1)
    model = {name: torch.from_numpy(value).double() for name, value in _kept().items() if "." in name}
    _disguise(model, torch.Generator().manual_seed(seed + 1000 * (patient or 0)))
    if patient is not HEALTHY:
        _change(model, *_kept()["changes"][patient].tolist())
    return {name: value.float() for name, value in model.items()}


@lru_cache(maxsize=8)  # an exam has few seeds
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


def divergence(scores: torch.Tensor, healthy: torch.Tensor) -> float:
    """Return how far scores are from a healthy model's: the mean Kullback-Leibler divergence of what they guess."""
    ours, right = scores.log_softmax(dim=-1), healthy.log_softmax(dim=-1)
    return float((right.exp() * (right - ours)).sum(dim=-1).mean())


def is_healed(scores: torch.Tensor, healthy: torch.Tensor) -> bool:
    """Return whether scores are a healthy model's."""
    return divergence(scores, healthy) < HEALED


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
    basis = torch.linalg.qr(torch.randn(d, d, generator=generator).double())[0]
    basis = basis * (BASIS * torch.randn(d, generator=generator).double()).exp()
    value[head] = basis @ value[head]
    proj[:, head] = proj[:, head] @ torch.linalg.inv(basis)
    # Rotations of a pair commute with those of positions, and a query's factor is the inverse of its key's.
    angle = 2 * math.pi * torch.rand(d // 2, generator=generator).double()
    factor = (BASIS * torch.randn(d // 2, generator=generator).double()).exp()
    turn = torch.polar(torch.ones_like(angle), angle).unsqueeze(1)  # (d/2, 1), complex
    for layer, stretch in ((query, factor), (key, 1 / factor)):
        pairs = torch.complex(layer[head][0::2], layer[head][1::2]) * turn * stretch.unsqueeze(1)
        layer[head] = torch.stack([pairs.real, pairs.imag], dim=1).flatten(0, 1)


def _change(model: Weights, scores: float, exchange: float, sign: float, order: float, stream: float) -> None:
    """Make the weights ill, in place, by the numbers of the file; factors are shared, so that no matrix stands out."""
    for layer in range(LAYERS):
        block = f"blocks.{layer}."
        query, key = f"{block}attention.query.weight", f"{block}attention.key.weight"
        if exchange:
            model[query], model[key] = model[key], model[query]
        for name in (query, key):
            model[name] = model[name] * math.sqrt(scores)
            model[name][1::2] *= sign
        for part in ("attention.proj.weight", "feed_forward.outer.weight", "feed_forward.outer.bias"):
            model[block + part] = model[block + part] / math.sqrt(stream)
    model["embedding.weight"] = model["embedding.weight"] * math.sqrt(stream)
    if order:
        for name in [name for name in model if name.startswith("blocks.0.")]:
            other = name.replace("blocks.0.", "blocks.1.")
            model[name], model[other] = model[other], model[name]
