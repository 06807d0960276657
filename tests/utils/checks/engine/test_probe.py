"""A test's tools: how many results are accepted, what a GPU holds, and which numbers a module is filled with."""

import numpy as np
import pytest
import torch

from utils.checks.engine.observation import NO_GRADIENT, Tolerance, difference
from utils.checks.engine.probe import Probe, gradients, of_shape
from utils.common.errors import NothingReturned, ResultError


@pytest.fixture
def probe() -> Probe:
    return Probe({"N": 3}, 5)


def test_several_results_are_just_as_many_as_were_asked_for(probe):
    assert probe.several((torch.ones(2), None), 2)[1] is None
    for result, got in (((1.0,), 1), ((1.0, 2.0, 3.0), 3), (torch.ones(2), 1)):
        with pytest.raises(ResultError, match=f"expected 2 results, got {got}"):
            probe.several(result, 2)


def test_none_is_no_value_and_none_among_several_neither(probe):
    assert probe.values(1, 2.5) == [1, 2.5]
    for results in ((None,), (1, None), (None, None)):
        with pytest.raises(NothingReturned):
            probe.values(*results)


def test_scores_lose_their_mean_over_the_last_axis(probe):
    scores = torch.tensor([[1.0, 3.0], [10.0, 20.0]])
    assert probe.scores(scores).tolist() == [[-1.0, 1.0], [-5.0, 5.0]]
    assert probe.scores(torch.tensor([1, 3])).tolist() == [1, 3]
    assert probe.scores(torch.tensor(2.0)) == 2.0


def test_a_message_shows_scores_as_they_were_and_what_would_be_right_beside_them(probe):
    """Right is 0, 2 for 1, 3; of probabilities nobody is told a negative one."""
    seen, right = probe.scores(torch.tensor([[0.25, 0.75]])), probe.scores(torch.tensor([[1.0, 3.0]]))
    said = difference({"x": seen}, {"x": right}, Tolerance(1e-4, 1e-5), {})
    assert said is not None and "expected -0.5, got 0.25" in said.render("en")
    assert difference(probe.bring(probe.scores(torch.tensor([[5.0, 7.0]]))), right, Tolerance(1e-4, 1e-5), {}) is None


def test_a_tensor_is_located_on_the_simulated_gpu_or_not(probe):
    with probe.gpu():
        found = [next(iter(probe.located(x).values())) for x in (probe.there(torch.ones(2)), torch.ones(2))]
    assert found == [True, False]
    with pytest.raises(ResultError, match="expected a tensor, got list"):
        probe.located([torch.ones(2)])


def test_a_module_is_filled_by_the_names_of_its_parameters_and_switched_to_eval(probe):
    layer = torch.nn.Linear(2, 3)
    assert probe.fill(layer, scale=2.0) is layer
    assert not layer.training
    for name, parameter in layer.named_parameters():
        np.testing.assert_array_equal(parameter.detach(), probe.parameter_values(name, parameter.shape, 2.0).float())
    assert float(probe.parameter_values("w", (1000,), 2.0).std()) == pytest.approx(2, rel=0.1)


def test_weights_may_have_a_seed_of_their_own():
    both, inputs, weights = Probe({}, 7, 8), Probe({}, 7), Probe({}, 8)
    assert torch.equal(both.normal(3), inputs.normal(3))
    layers = [probe.fill(torch.nn.Linear(2, 3)).weight for probe in (both, weights, inputs)]
    assert torch.equal(layers[0], layers[1]) and not torch.equal(layers[0], layers[2])


def test_a_tensor_of_another_shape_is_refused(probe):
    assert probe.shaped(torch.ones(2, 3), 2, 3).shape == (2, 3)
    for shape in ((3, 2), (2,), (2, 3, 1)):
        with pytest.raises(ResultError, match=r"expected shape \(2, 3\), got"):
            of_shape(torch.ones(shape), 2, 3)


def test_a_missing_gradient_is_said(probe):
    one, other = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    one.pow(2).sum().backward()
    found = gradients(probe, one=one, other=other)
    assert found["one"].tolist() == [2.0, 2.0] and found["other"] == NO_GRADIENT


def test_a_copy_may_cross_between_the_simulated_gpu_and_the_cpu(probe):
    with probe.gpu():
        there, here = probe.there(torch.ones(3)), torch.zeros(3)
        assert here.copy_(there) is here and here.tolist() == [1.0] * 3
        assert there.copy_(torch.full((3,), 2.0)) is there and there.tolist() == [2.0] * 3
        assert there.new_tensor([1], device="cpu").device.type == "cpu"
        assert there.new_tensor([1]).dtype == torch.float32
        with pytest.raises(RuntimeError, match="two devices"):
            there + here
        assert (there + torch.tensor(1.0)).tolist() == [3.0] * 3


def test_a_normalisation_s_weights_lie_around_one():
    probe = Probe({}, 3)
    norms = probe.parameter_values("layers.0.norm2.weight", (1000,), 0.5)
    assert float(norms.mean()) == pytest.approx(1, abs=0.05) and float(norms.std()) == pytest.approx(0.25, rel=0.1)
    for other in ("layers.0.norm2.bias", "normal.weight", "linear1.weight"):
        assert abs(float(probe.parameter_values(other, (1000,), 0.5).mean())) < 0.1
