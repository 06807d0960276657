"""Everyday operations give on the simulated GPU, and on a real one, what they give on the CPU."""

import ast
import copy
import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from tests.utils.gpu_operations import OPERATIONS
from tests.utils.test_gpu import real_gpu
from utils.checks.engine.pretended_gpu import GPU, PretendedGpu
from utils.checks.engine.probe import fill


def names_on(device):
    """Return the names that `gpu_operations.py` describes, with tensors on `device`."""
    torch.manual_seed(0)
    rng = np.random.RandomState(0)
    shapes = {"x": (2, 3, 4), "y": (2, 3, 4), "a": (3, 4), "v": (4,), "q": (2, 2, 3, 4)}
    made = {name: torch.from_numpy(rng.standard_normal(shape)).float() for name, shape in shapes.items()}
    made["n"] = torch.tensor([[2, 0, 3], [1, 1, 2]])
    made["b"] = made["n"] > 1
    made["i"] = torch.tensor([2, 0, 1])
    made["m"] = torch.ones(3, 3, dtype=torch.bool).triu(1)
    made = {name: tensor.to(device) for name, tensor in made.items()}
    made["p"] = nn.Parameter(torch.from_numpy(rng.standard_normal((4, 4))).float().to(device))

    def seeded(layer):
        return fill(layer, 1, 0.5).to(device)

    modules = {"torch": torch, "nn": nn, "F": F, "np": np, "math": math, "copy": copy}
    return made | modules | {"dev": device, "seeded": seeded}


def result_of(line, device):
    """Return the result of one line of the table, computed on `device`."""
    names = names_on(device)
    statements = ast.parse(line).body
    expression = len(statements) == 1 and isinstance(statements[0], ast.Expr)
    exec(f"r = {line}" if expression else line, names)
    return names["r"]


def assert_same(here, there, device):
    """Assert that two results hold the same values in the same form, and that their tensors are on `device`."""
    if isinstance(here, torch.Tensor):
        assert (there.dtype, there.shape, there.device.type) == (here.dtype, here.shape, device)
        torch.testing.assert_close(there.detach().cpu(), here.detach(), rtol=1e-4, atol=1e-5, equal_nan=True)
    elif isinstance(here, np.ndarray):
        np.testing.assert_allclose(there, here, rtol=1e-4, atol=1e-5)
    elif isinstance(here, list | tuple):
        assert len(here) == len(there)
        for one, other in zip(here, there, strict=True):
            assert_same(one, other, device)
    elif isinstance(here, float):
        assert there == pytest.approx(here, rel=1e-4, abs=1e-5, nan_ok=True)
    else:
        assert here == there


def unlike_the_cpu(device):
    """Return the lines whose results on `device` are not those of the CPU, with the reason."""
    unlike = {}
    for line in OPERATIONS:
        try:
            assert_same(result_of(line, "cpu"), result_of(line, device), "cpu" if "cpu" in line else device)
        except Exception as error:
            unlike[line] = repr(error)[:200]
    return unlike


def test_everyday_operations_give_on_the_simulated_gpu_what_they_give_on_the_cpu():
    with PretendedGpu():
        assert unlike_the_cpu(GPU) == {}


def test_everyday_operations_give_on_a_real_gpu_what_they_give_on_the_cpu():
    assert unlike_the_cpu(real_gpu()) == {}


def test_the_table_is_long():
    assert len(set(OPERATIONS)) == len(OPERATIONS) >= 300
