"""The explorers' modules, run by node without a browser; small networks of the lessons' form to explore."""

import base64
import json
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.utils.data import TensorDataset

from utils.alive.page import modules
from utils.shapes1d import exporting
from utils.shapes1d.sequences import generate

NODE = shutil.which("node")


def in_node(entry: str, expression: str, given: object = None) -> Any:
    """Return the value of an expression in which `it` are a module's exports, and `given` is a value from here."""
    if NODE is None:
        pytest.skip("needs node")
    variable = "module_" + entry.removesuffix(".js").replace("/", "_")
    code = f"""{modules(entry)}
const it = {variable}, given = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify({expression}, (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value)));"""
    ran = subprocess.run([NODE, "-e", code], input=json.dumps(given), capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def numbers(text: str) -> np.ndarray:
    """A probe's numbers."""
    return np.frombuffer(base64.b64decode(text), dtype="<f4")


class SelfAttention(nn.Module):
    """The lesson's layer, in torch's own words."""

    def __init__(self, width: int, softmax_over: int = 2):
        super().__init__()
        self.query, self.key, self.value = (nn.Conv1d(width, width, 1) for _ in range(3))
        self.softmax_over = softmax_over

    def forward(self, x, return_attention=False):
        scores = torch.einsum("ndi,ndj->nij", self.query(x), self.key(x))
        attention = scores.softmax(self.softmax_over)
        y = torch.einsum("nij,nej->nei", attention, self.value(x))
        return (y, attention) if return_attention else y


def network(channels: int = 1, attends: bool = True, width: int = 24, **options: int) -> nn.Sequential:
    """A network of the lesson's form, with weights that make attention choose."""
    torch.manual_seed(channels)
    conv = [nn.Conv1d(a, b, 5, padding=2) for a, b in ((channels, width), (width, width), (width, width), (width, 1))]
    middle = [SelfAttention(width, **options)] if attends else []
    model = nn.Sequential(conv[0], nn.ReLU(), conv[1], nn.ReLU(), *middle, conv[2], nn.ReLU(), conv[3])
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(2)
    return model.eval()


def sequences_of(task: int, bits: int = 0, count: int = 100) -> TensorDataset:
    """A test set, standardised as the lesson's, with `bits` channels for positions."""
    x, y = generate(count, task, seed=5)
    (x_mean, x_std), (y_mean, y_std) = exporting._heights(task)
    codes = (torch.arange(100) // 2 ** torch.arange(bits)[:, None] % 2 - 0.5).expand(count, -1, -1)
    return TensorDataset(torch.cat([(x - x_mean) / x_std, codes], 1), (y - y_mean) / y_std)


def four_networks() -> dict[str, tuple[nn.Module, TensorDataset]]:
    """Untrained networks under the names of the lesson."""
    return {
        "task 1: convolutions": (network(attends=False), sequences_of(1)),
        "task 1: with attention": (network(), sequences_of(1)),
        "task 2: attention without position": (network(), sequences_of(2)),
        "task 2: attention with position": (network(8), sequences_of(2, bits=7)),
    }
