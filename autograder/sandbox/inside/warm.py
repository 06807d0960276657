"""Warming up Python and torch in the parent, before the first session.

At the first call of an operation, Python and torch fill their caches. A fork that does so has to copy each page that it
writes to; caches that the parent has filled are shared by all forks. This saves a fifth of a submission's page faults.
"""

import copy
import socket

import torch
from torch import nn
from torch.nn import functional as F

from utils.captioning.model import CaptioningModel
from utils.checks.engine.pretended_gpu import GPU, PretendedGpu
from utils.generation.stand_in_attention import StandInAttention

from . import wire
from .operations import Step
from .shell import Shell
from .state import State


class Layer(nn.Module):
    """A module with one of each layer that the lessons use."""

    def __init__(self, width: int):
        super().__init__()
        self.embedding = nn.Embedding(5, width)
        self.projections = nn.ModuleList([nn.Linear(width, width, bias=False) for _ in range(2)])
        self.convolution = nn.Sequential(nn.Conv1d(width, width, 3, padding=1), nn.ReLU())
        self.cell = nn.GRUCell(width, width)
        self.norm, self.dropout = nn.LayerNorm(width), nn.Dropout(0.1)
        self.register_buffer("table", torch.zeros(1, 7, width))

    def forward(self, words: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        x = self.dropout(self.embedding(words) + self.get_buffer("table")[:, : words.shape[1]])
        query, key = (projection(x).view(*x.shape[:2], 2, -1).transpose(1, 2) for projection in self.projections)
        scores = query @ key.transpose(-2, -1) / key.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, float("-inf"))
        x = (F.softmax(scores, dim=-1) @ key).transpose(1, 2).reshape(x.shape)
        x = self.norm(x + torch.einsum("nse,nte->nst", x, x).tanh().sum(dim=2, keepdim=True))
        hidden = self.cell(x[:, 0], torch.zeros_like(x[:, 0]))
        x = torch.cat([x, torch.stack([hidden, hidden.sin()], dim=1)], dim=1)
        result: torch.Tensor = self.convolution(x.permute(0, 2, 1)).transpose(1, 2)
        return result


# A cell as lessons have them. Its names are gone when it ends.
CELL = """\
import math
from dataclasses import dataclass

class Warm:
    def __init__(self, width: int = 2):
        super().__init__()
        self.width = width

def mean(numbers: list[float], *, weights=None) -> float:
    return sum(weight * number for weight, number in zip(weights or [1] * len(numbers), numbers)) / len(numbers)

print(f"{mean([1.0, 2.0]):.2f}", Warm(3).width, math.sqrt(4))
del Warm, mean, math, dataclass
"""


def run_cell(shell: Shell) -> None:
    """Run a cell: IPython builds half of itself at its first one, which each session would have to repeat."""
    shell.run(CELL, "warm")


def examine(shell: Shell) -> None:
    """Answer requests about a module as about a student's, through a socket to this process itself."""
    ours, theirs = socket.socketpair()
    state = State(theirs, shell)
    state.objects[0] = StandInAttention
    packed: wire.Tensors = {}
    weights = {name: wire.pack(value, packed) for name, value in StandInAttention(4, 2).state_dict().items()}
    called = {"dict": {"args": [{"ref": 2}], "kwargs": {"dict": {}}}}
    there = {"op": Step.CALL.value, "ref": 4, "args": {"dict": {"args": [{"ref": 3}], "kwargs": {"dict": {}}}}, "as": 5}
    state.answer(
        [
            {"op": Step.CALL.value, "ref": 0, "args": {"dict": {"args": [4, 2], "kwargs": {"dict": {}}}}, "as": 1},
            {"op": Step.FILL.value, "ref": 1, "args": {"dict": weights}, "as": 1},
            {"op": Step.VALUE.value, "args": wire.pack(torch.ones(1, 3, 4), packed), "as": 2},
            {"op": Step.CALL.value, "ref": 1, "args": called, "as": 3},
            {"op": Step.VALUE.value, "args": {"ref": 3}, "as": 4},
        ],
        packed,
    )
    wire.receive(ours)
    ours.close()
    theirs.close()


def exercise() -> None:
    """Do a little of all that lessons and exams do: build a model, train and use it, also on a pretended GPU."""
    words, mask = torch.tensor([[1, 2, 3], [0, 4, 1]]), torch.tril(torch.ones(3, 3))
    layer = Layer(4)
    optimizer = torch.optim.Adam(layer.parameters())
    loss = F.cross_entropy(layer(words, mask).reshape(-1, 4), torch.arange(10) % 4, ignore_index=0)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(layer.parameters(), 1.0)
    optimizer.step()
    with torch.no_grad():
        layer.eval()(words).argmax(dim=-1).tolist()
    copy.deepcopy(layer).to(torch.float64).train()
    model = CaptioningModel.with_stand_ins({"<NULL>": 0, "a": 1, "b": 2, "c": 3, "d": 4}, 4, 4, 2, 2)
    model.transformer(model.embedding(words), model.visual_projection(torch.ones(2, 1, 4)), mask)
    with PretendedGpu():
        there = Layer(4).to(GPU)
        scores = there(words.to(GPU), mask.to(GPU)).detach()
        F.cross_entropy(scores.reshape(-1, 4), torch.arange(10, device=GPU) % 4)
        choose(scores, torch.arange(1, 6, device=GPU))


def choose(scores: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    """Scores (N, S, V) -> letters (N, S), by the functions that lessons and exams use between layers."""
    turned = torch.stack([scores[..., ::2].neg(), scores[..., 1::2]], dim=-1).flatten(-2)
    scores = scores.cumsum(dim=1) * torch.cos(places).unsqueeze(1) + turned * torch.sin(places).unsqueeze(1) ** 2
    scores = (scores - scores.mean(dim=-1, keepdim=True)) / scores.std(dim=-1, keepdim=True)
    ranked, order = torch.where(scores >= 0, scores, torch.full_like(scores, -1.0)).sort(dim=-1, descending=True)
    least, most = ranked.amin(dim=-1, keepdim=True).clamp(min=-1), ranked.gather(-1, order).amax(dim=-1, keepdim=True)
    kept = (scores > least) & ~torch.eq(scores, most)
    chosen = torch.zeros_like(scores).scatter(-1, order, ranked).masked_fill(kept, 0.0).log_softmax(dim=-1)
    letters = chosen.abs().argmin(dim=-1)
    done = (letters == 0) | (letters != letters[:, :1]) | (kept.all(dim=-1) & chosen[..., :1].squeeze(-1).isnan())
    rows = torch.arange(len(letters), device=letters.device)
    chosen[rows, 0] = chosen[rows, 1] / chosen[0].norm(dim=-1).max()
    return torch.cat([letters.masked_fill_(done, 0), torch.triu(torch.ones_like(letters)).new_zeros(letters.shape)])
