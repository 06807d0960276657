"""Stand-ins for objects in the sandbox: what is asked of them, and in how many frames it crosses."""

import pytest
import torch

from autograder.examine.remote import Names, RemoteProbe
from autograder.sandbox.errors import RemoteError
from autograder.sandbox.inside.operations import OTHER_PARAMETERS, Step
from utils.checks.engine.probe import Probe
from utils.common.errors import NothingReturned

CELL = """\
import torch
def make(*sizes):
    return torch.nn.Sequential(*(torch.nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])))
def nothing(): pass
def wrong(): raise ValueError("no")
"""
SIZES = (3, 2, 5)


@pytest.fixture
def sent(session, monkeypatch):
    """The steps of each frame that is sent."""
    frames, send = [], session.channel.send

    def noted(header, tensors=None):
        frames.append([step["op"] for step in header.get("steps", [])])
        return send(header, tensors)

    session.run_cell(CELL, "make")
    monkeypatch.setattr(session.channel, "send", noted)
    return frames


def filled_here(seed: int) -> Probe:
    probe = Probe({}, seed)
    probe.module = probe.fill(torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Linear(2, 5)))
    return probe


def test_a_module_like_the_references_is_filled_without_being_asked_for_its_parameters(session, sent):
    here = filled_here(7)
    with session.question():
        probe = RemoteProbe({}, 7, session, here.filled)
        sent.clear()
        module = probe.fill(Names(session)["make"](*SIZES))
        there = probe.value(module(torch.ones(4, 3)))
        assert sent == [[step.value for step in (Step.GET, Step.CALL, Step.FILL, Step.CALL, Step.VALUE)]]
    assert torch.equal(there, here.module(torch.ones(4, 3)).detach())


def test_a_module_of_other_parameters_says_so_and_is_filled_when_asked(session, sent):
    expected = filled_here(7).filled
    with session.question():
        make = Names(session)["make"]
        for sizes in ((3, 2), (3, 4, 5), (3, 2, 5, 6)):
            probe = RemoteProbe({}, 7, session, expected)
            with pytest.raises(RemoteError) as other:
                probe.value(probe.fill(make(*sizes))(torch.ones(4, 3)))
            assert other.value.failure.kind == OTHER_PARAMETERS
            session.forget()
            probe = RemoteProbe({}, 7, session)
            assert probe.value(probe.fill(make(*sizes))(torch.ones(4, 3))).shape == (4, sizes[-1])
        assert sent[-2:][0][-1] == Step.PARAMETERS.value


def test_a_module_without_parameters_is_filled_with_none(session, sent):
    with session.question():
        for expected in ([], [{}], filled_here(7).filled):
            probe = RemoteProbe({}, 7, session, expected)
            if any(expected):
                with pytest.raises(RemoteError) as other:
                    probe.value(probe.fill(Names(session)["make"]())(torch.ones(2)))
                assert other.value.failure.kind == OTHER_PARAMETERS
                session.forget()
            else:
                assert probe.value(probe.fill(Names(session)["make"]())(torch.ones(2))).tolist() == [1, 1]


def test_several_results_cross_together_each_in_its_place(session, sent):
    with session.question():
        probe, make = RemoteProbe({}, 7, session), Names(session)["make"]
        sent.clear()
        one, other = make(2, 3), make(3, 1)
        found = probe.bring({"a": [one.training, (one[0].in_features, "text")], "b": other[0].bias.grad, "c": 1.5})
        assert found == {"a": [True, [2, "text"]], "b": None, "c": 1.5}
        assert len(sent) == 1
        assert probe.values(one[0].in_features, 4, other[0].in_features) == [2, 4, 3]
        with pytest.raises(NothingReturned):
            probe.values(one.training, Names(session)["nothing"]())


def test_what_one_of_several_raised_is_told(session, sent):
    with session.question():
        probe, names = RemoteProbe({}, 7, session), Names(session)
        with pytest.raises(RemoteError, match="no"):
            probe.values(names["make"](2, 3).training, names["wrong"]())
        with pytest.raises(RemoteError, match="name 'missing' is not defined"):
            probe.values(names["make"](2, 3).training, names["missing"])
