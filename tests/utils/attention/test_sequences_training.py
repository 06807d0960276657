"""The training of the lesson `attention`: its optimiser, its schedule, and that it learns."""

import pytest
import torch
from torch import nn
from torch.utils.data import TensorDataset

from autograder.common.course import WORKBOOK
from autograder.exams.reference import reference_names
from autograder.lesson.text import Lesson
from utils.attention import training
from utils.attention.sequences import generate
from utils.attention.training import mean_squared_error, predict, train
from utils.common import muon
from utils.common import progress as bars
from utils.common.devices import no_denormals
from utils.common.muon import Muon
from utils.common.progress import REHEARSAL_VARIABLE, progress
from utils.common.schedule import rate_factor


@pytest.mark.parametrize("shape", [(7, 3, 5), (7, 1, 3), (11, 13), (1, 17, 5)])
def test_a_step_is_nearly_orthogonal_and_along_the_gradient(shape):
    torch.manual_seed(0)
    parameter = nn.Parameter(torch.zeros(shape))
    parameter.grad = torch.randn(shape)
    Muon([parameter], lr=1.0, momentum=0.0).step()
    step = -parameter.detach().flatten(1)
    longer = max(1.0, step.shape[0] / step.shape[1]) ** 0.5
    left, _, right = torch.linalg.svd(parameter.grad.flatten(1), full_matrices=False)
    # Jordan's polynomial brings the singular values near 1, not to it: 0.68 to 1.14 or so.
    assert torch.linalg.svdvals(step / longer).min() > 0.3
    assert torch.linalg.svdvals(step / longer).max() < 1.3
    # The singular vectors are the gradient's: in their basis the step is diagonal and positive.
    core = left.T @ (step / longer) @ right.T
    torch.testing.assert_close(core, torch.diag(core.diagonal()), atol=1e-3, rtol=0)
    assert (core.diagonal() > 0).all()


def test_parameters_of_one_width_do_not_disturb_each_other():
    torch.manual_seed(1)
    gradients = [torch.randn(5, 7), torch.randn(5, 11), torch.randn(3, 7)]

    def stepped(chosen):
        parameters = [nn.Parameter(torch.zeros_like(gradients[i])) for i in chosen]
        for parameter, i in zip(parameters, chosen, strict=True):
            parameter.grad = gradients[i].clone()
        Muon(parameters).step()
        return dict(zip(chosen, parameters, strict=True))

    together = stepped([0, 1, 2])
    for i in range(3):
        torch.testing.assert_close(together[i], stepped([i])[i])


def jordans_steps(gradients: list[torch.Tensor], rate: float, momentum: float) -> torch.Tensor:
    """What a matrix of zeros becomes, by the code of Jordan's post, in double precision."""
    parameter = memory = torch.zeros_like(gradients[0], dtype=torch.float64)
    for gradient in gradients:
        memory = momentum * memory + gradient
        x = gradient + momentum * memory
        x = x / x.norm()
        wide = x.T if x.shape[0] > x.shape[1] else x
        for _ in range(5):
            product = wide @ wide.T
            wide = 3.4445 * wide + (-4.7750 * product + 2.0315 * product @ product) @ wide
        step = wide.T if x.shape[0] > x.shape[1] else wide
        parameter = parameter - rate * max(1, x.shape[0] / x.shape[1]) ** 0.5 * step
    return parameter


@pytest.mark.parametrize("shape", [(5, 7), (11, 3)])
def test_steps_are_those_of_the_source(shape):
    torch.manual_seed(2)
    gradients = [torch.randn(shape) for _ in range(3)]
    parameter = nn.Parameter(torch.zeros(shape))
    optimiser = Muon([parameter], lr=0.1, momentum=0.9)
    for gradient in gradients:
        parameter.grad = gradient
        optimiser.step()
    expected = jordans_steps([gradient.double() for gradient in gradients], 0.1, 0.9)
    torch.testing.assert_close(parameter.detach().double(), expected, atol=1e-4, rtol=0)


def test_momentum_adds_up_and_parameters_without_gradient_stay():
    moved, still = nn.Parameter(torch.zeros(2, 2)), nn.Parameter(torch.ones(2, 2))
    optimiser = Muon([moved, still], lr=0.1)
    for _ in range(2):
        moved.grad = torch.eye(2)
        optimiser.step()
    assert moved.diagonal().max() < -0.1
    assert torch.equal(still, torch.ones(2, 2))


def test_a_closure_computes_the_loss_as_other_optimisers_let_it():
    parameter = nn.Parameter(torch.ones(2, 3))

    def closure():
        loss = parameter.square().sum()
        loss.backward()
        return float(loss.detach())

    assert Muon([parameter], lr=0.1).step(closure) == 6.0
    assert parameter.max() < 1


def test_the_rate_warms_up_and_falls_to_zero():
    factors = [rate_factor(step, 100) for step in range(100)]
    assert factors[0] == pytest.approx(0.1)
    assert max(factors) == factors[10] == pytest.approx(1)
    assert sorted(factors[10:], reverse=True) == factors[10:]
    assert factors[-1] < 0.001
    assert rate_factor(0, 1) == 1


loop = reference_names(Lesson.load("attention", WORKBOOK))["training_loop"]


def small_network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv1d(1, 7, 5, padding=2), nn.ReLU(), nn.Conv1d(7, 1, 5, padding=2))


def small_data(number: int = 64) -> TensorDataset:
    return TensorDataset(*(x / 7 for x in generate(number, 1, seed=3)))


def test_training_learns_and_repeats_itself():
    data = small_data()
    runs = []
    for _ in range(2):
        model = small_network()
        before = mean_squared_error(model, data)
        runs.append(train(model, data, loop, steps=150))
        assert mean_squared_error(model, data) < before / 4
    assert runs[0] == runs[1]
    assert len(runs[0].training) == 150 and runs[0].unseen == []


def test_the_loss_on_unseen_sequences_is_measured_and_changes_nothing():
    data, unseen = small_data(), TensorDataset(*(x / 7 for x in generate(211, 1, seed=5)))
    first, second = small_network(), small_network()
    losses = train(first, data, loop, steps=67, unseen=unseen)
    assert losses.training == train(second, data, loop, steps=67).training
    made, followed = zip(*losses.unseen, strict=True)
    assert made == (*range(2, 67, 2), 67)
    inputs, targets = unseen[:200]
    assert followed[-1] == pytest.approx((predict(first, inputs) - targets).square().mean().item())


class Noted(nn.Module):
    """A network that notes in which mode it is called."""

    def __init__(self):
        super().__init__()
        self.network, self.modes = small_network(), []

    def forward(self, x):
        self.modes.append(self.training)
        return self.network(x)


def test_only_steps_of_the_training_are_in_training_mode():
    model = Noted().eval()
    train(model, small_data(), loop, steps=3, unseen=small_data(50))
    assert model.modes == [True, False] * 3
    assert not model.training
    model.train()
    predict(model, small_data()[:][0], batch=100)
    assert model.modes[6:] == [False]


def test_matrices_are_trained_by_muon_and_biases_by_adam():
    model = small_network()
    before = [parameter.detach().clone() for parameter in model.parameters()]
    train(model, small_data(), loop, steps=1)
    for old, new in zip(before, model.parameters(), strict=True):
        change = (new - old).detach()
        if change.ndim == 1:
            torch.testing.assert_close(change.abs(), torch.full_like(change, training.BIAS_RATE), atol=1e-6, rtol=0)
        else:
            change = change.flatten(1) / max(1, len(change) / change[0].numel()) ** 0.5
            stretched = torch.linalg.svdvals(change) / muon.RATE
            assert stretched.min() > 0.3 and stretched.max() < 1.3


def test_the_bar_shows_the_loss_on_unseen_sequences(monkeypatch):
    shown = []
    monkeypatch.setattr(bars.Translated, "set_postfix", lambda self, *, refresh, unseen: shown.append(float(unseen)))
    losses = train(small_network(), small_data(), loop, steps=67, unseen=small_data(50))
    assert shown == pytest.approx([loss for _, loss in losses.unseen], abs=1e-4)


def test_training_is_cut_short_while_grading(monkeypatch):
    monkeypatch.setenv(REHEARSAL_VARIABLE, "1")
    assert len(train(small_network(), small_data(), loop, steps=1000).training) == 2


def test_a_model_without_biases_trains():
    assert len(train(nn.Conv1d(1, 1, 3, padding=1, bias=False), small_data(), loop, steps=3).training) == 3


def test_a_model_without_parameters_predicts():
    inputs = torch.randn(7, 1, 5)
    assert torch.equal(predict(nn.Identity(), inputs, batch=3), inputs)


def test_predictions_in_parts_are_predictions():
    model, (inputs, targets) = small_network(), small_data(13)[:]
    with torch.no_grad():
        whole = model(inputs)
    torch.testing.assert_close(predict(model, inputs, batch=5), whole)
    error = ((whole - targets) ** 2).mean().item()
    assert mean_squared_error(model, TensorDataset(inputs, targets)) == pytest.approx(error)


def test_a_loop_whose_result_is_needed_is_never_cut_short_and_draws_only_when_it_takes_long(monkeypatch, capsys):
    monkeypatch.setenv(REHEARSAL_VARIABLE, "1")
    assert list(progress(range(5), "training")) == [0, 1]
    assert "training" in capsys.readouterr().out
    assert list(progress(range(5), "translating", needed=True)) == list(range(5))
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(bars, "PATIENCE", 1e-9)
    assert list(progress(range(5), "translating", needed=True)) == list(range(5))
    assert "translating: 100%" in capsys.readouterr().out


def test_numbers_that_a_processor_is_slow_with_are_zero_while_training():
    tiny = torch.tensor([1e-30])
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor cannot round them to zero")
    torch.set_flush_denormal(False)
    with no_denormals():
        assert (tiny * 1e-10).item() == 0
    assert (tiny * 1e-10).item() > 0
