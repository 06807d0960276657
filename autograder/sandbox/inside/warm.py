"""Warming up Python and torch in the parent, before the first session.

At the first call of an operation, Python and torch fill their caches. A fork that does so has to copy each page that it
writes to; caches that the parent has filled are shared by all forks. This saves a fifth of a submission's page faults.
"""

import torch
from torch import nn
from torch.nn import functional as F

from utils.captioning.model import CaptioningModel
from utils.checks.engine.pretended_gpu import GPU, PretendedGpu


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
    layer.to(torch.float64).train()
    model = CaptioningModel.with_stand_ins({"<NULL>": 0, "a": 1, "b": 2, "c": 3, "d": 4}, 4, 4, 2, 2)
    model.transformer(model.embedding(words), model.visual_projection(torch.ones(2, 1, 4)), mask)
    with PretendedGpu():
        (Layer(4).to(GPU)(words.to(GPU), mask.to(GPU)) + torch.ones(4, device=GPU)).detach().cpu()
