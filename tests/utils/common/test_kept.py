"""Trained models are loaded on the second day if all is as it was, and trained anew if anything has changed."""

import random
import types
from typing import NamedTuple

import numpy as np
import pytest
import torch
from torch import nn

from utils.common import kept as module
from utils.common.devices import no_denormals
from utils.common.kept import Digest, kept
from utils.common.optional import OPTIONAL_VARIABLE, wanted
from utils.common.storage import FOLDER_VARIABLE


class Losses(NamedTuple):
    training: list[float]
    unseen: list[tuple[int, float]]


@pytest.fixture
def trained(tmp_path, monkeypatch):
    """A training that counts its runs, in a notebook that a person has open."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setattr(module, "_wanted", lambda: True)
    runs = []

    @kept(Losses, generators=("numpy", "random"))
    def train(model, data, step=lambda x: x, steps=2):
        runs.append(steps)
        with torch.no_grad():
            model.weight += step(torch.rand(1)) + random.random() + np.random.rand()  # noqa: NPY002
        return [(steps, (Losses([0.5], [(1, 0.25)]), {"weight": model.weight.clone()}))]

    train.runs, train.folder = runs, tmp_path / "trained"
    return train


def day(train, *, step=None, data=None, seed=0, **options):
    """A day's run of a notebook: seeds, a new model, its training; the model and what the training returned."""
    torch.manual_seed(seed), random.seed(0), np.random.seed(0)  # noqa: NPY002
    model = nn.Linear(3, 2)
    options |= {"step": step} if step else {}
    return model, train(model, torch.ones(2, 3) if data is None else data, **options)


def test_on_the_second_day_the_model_its_results_and_the_random_numbers_are_those_of_the_first(trained, capsys):
    first, found = day(trained)
    after = torch.rand(1), random.random(), np.random.rand()  # noqa: NPY002
    assert not capsys.readouterr().out
    second, again = day(trained)
    assert trained.runs == [2] and torch.equal(first.weight, second.weight)
    assert again[0][0] == 2 and again[0][1][0] == found[0][1][0] == Losses([0.5], [(1, 0.25)])
    assert torch.equal(again[0][1][1]["weight"], found[0][1][1]["weight"])
    assert (torch.rand(1), random.random(), np.random.rand()) == after  # noqa: NPY002
    (file,) = trained.folder.glob("*.pt")
    assert str(file) in (said := capsys.readouterr().out) and said.count("\n") == 1


@pytest.mark.parametrize(
    "changed",
    [{"steps": 3}, {"seed": 1}, {"data": torch.zeros(2, 3)}, {"step": lambda x: 2 * x}, {"step": lambda x: x[:]}],
    ids=["number", "seed", "data", "constant", "code"],
)
def test_what_depends_on_something_changed_is_trained_anew(trained, changed):
    day(trained)
    day(trained, **changed)
    assert len(trained.runs) == 2


def written(code: str, name: str = "step"):
    """What a notebook's cell defines."""
    space = types.ModuleType("__main__").__dict__
    exec(code, space)
    return space[name]


HELPER = "def half(x):\n    return x / {}\n\ndef step(x):\n    # {}\n    return half(x)"


def test_a_function_is_the_same_with_another_comment_and_another_if_a_function_that_it_calls_is(trained):
    day(trained, step=written(HELPER.format(2, "one comment")))
    day(trained, step=written(HELPER.format(2, "another one")))
    assert len(trained.runs) == 1
    day(trained, step=written(HELPER.format(3, "one comment")))
    assert len(trained.runs) == 2


BASED = "BASE = {}\n\ndef step(x):\n    return x / BASE"


def test_a_function_is_another_if_a_variable_that_it_computes_with_is(trained):
    for base in (1000, 1000, 10000):
        day(trained, step=written(BASED.format(base)))
    assert len(trained.runs) == 2


LOOP = "def train(model):\n    model.weight.data += {}\n    return []"


def test_a_loop_of_the_notebook_trains_anew_if_it_has_changed(trained, capsys):
    for change in (1, 1, 2):
        torch.manual_seed(0)
        model = nn.Linear(3, 2)
        before = model.weight.detach().clone()
        kept()(no_denormals()(written(LOOP.format(change), "train")))(model)
        torch.testing.assert_close(model.weight.detach(), before + change)
    assert capsys.readouterr().out.count("Loaded") == 1


CLASS = (
    "from torch import nn\n\nclass Part(nn.Linear):\n    def forward(self, x):\n        return {} * super().forward(x)"
)


def test_a_class_is_another_if_a_method_of_it_is():
    def digest(factor):
        torch.manual_seed(0)
        found = Digest()
        found.add(nn.Sequential(written(CLASS.format(factor), "Part")(2, 2)))
        return found.text()

    assert digest(1) == digest(1) != digest(2)


def test_a_damaged_file_is_no_trouble_and_only_the_newest_are_kept(trained, monkeypatch):
    day(trained)
    (file,) = trained.folder.glob("*.pt")
    file.write_bytes(b"not a file of tensors")
    day(trained)
    day(trained)
    monkeypatch.setattr(module, "MOST", 2)
    for steps in (3, 4, 5):
        day(trained, steps=steps)
    assert trained.runs == [2, 2, 3, 4, 5] and len(list(trained.folder.glob("*.pt"))) == 2


def test_programs_and_graders_train_anew(trained, monkeypatch):
    monkeypatch.undo()
    day(trained)
    day(trained)
    assert trained.runs == [2, 2] and not module._wanted()


def test_an_optional_part_says_how_to_run_it(capsys, monkeypatch):
    assert wanted(True) and not capsys.readouterr().out
    assert not wanted(False) and "OPTIONAL = True" in capsys.readouterr().out
    monkeypatch.setenv(OPTIONAL_VARIABLE, "1")
    assert wanted(False)
