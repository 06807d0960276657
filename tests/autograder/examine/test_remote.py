"""Proxies of objects in the sandbox: what is asked of them, and in how many frames it crosses."""

import itertools

import pytest
import torch

from autograder.examine.remote import BRING, Names, RemoteObject, RemoteProbe, misuse
from autograder.exams import reference
from autograder.sandbox.errors import RemoteError
from utils.checks.engine.failure import Failure
from utils.checks.engine.own_code import Gap
from utils.checks.engine.probe import Probe
from utils.common.errors import NothingReturned

CELL = """\
import torch
def make(*sizes):
    return torch.nn.Sequential(*(torch.nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])))
def nothing(): pass
def wrong(): raise ValueError("no")
"""


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


@pytest.mark.parametrize("sizes", [(3, 2, 5), (3, 4), ()])
def test_a_module_over_there_is_filled_as_one_here(session, sent, sizes):
    here = Probe({}, 7, 8)
    layers = torch.nn.Sequential(*(torch.nn.Linear(a, b) for a, b in itertools.pairwise(sizes)))
    with session.question():
        sent.clear()
        probe = RemoteProbe({}, 7, 8, session)
        there = probe.value(probe.fill(Names(session)["make"](*sizes))(torch.ones(4, 3)))
    assert sent == [["get", "call", "fill", "call", "value"]]
    assert torch.equal(there, here.fill(layers)(torch.ones(4, 3)).detach())


@pytest.mark.parametrize("compute", [lambda one: one @ one, lambda one: one < one, list, len, float, bool])
def test_a_test_that_computes_with_a_stand_in_is_told_to_bring_the_value(compute):
    with pytest.raises(TypeError) as raised:
        compute(RemoteObject(None, 1))
    reason = misuse(Failure("TypeError", str(raised.value)))
    assert reason.startswith(str(raised.value)) and reason.count(BRING) == 1
    assert not misuse(Failure("TypeError", str(raised.value), "y = a @ b")) and not misuse(
        Failure("TypeError", "other")
    )


def test_several_results_cross_together_each_in_its_place(session, sent):
    with session.question():
        probe, make = RemoteProbe({}, 7, 8, session), Names(session)["make"]
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
        probe, names = RemoteProbe({}, 7, 8, session), Names(session)
        with pytest.raises(RemoteError, match="no"):
            probe.values(names["make"](2, 3).training, names["wrong"]())
        with pytest.raises(RemoteError, match="name 'missing' is not defined"):
            probe.values(names["make"](2, 3).training, names["missing"])


ASKED = """\
import torch
def mixed(x):
    weights = torch.softmax(x @ x.transpose(1, 2), dim=2).tril()
    return (weights @ x).cumsum(dim=1)[:, :3]
mixed(torch.ones(1, 3, 2))
"""


def test_questions_on_own_code_are_the_same_in_the_sandbox_and_leave_the_notebook_as_it_is(session):
    names = {}
    reference.run_cell(ASKED, "asked", names)
    gap = Gap(
        "mixed", "y", "y[n, t]", lambda _, draw: {"x": draw.whole("x", 2, 4, 3)}, lambda _, mixed, x: mixed(x["x"])
    )
    session.run_cell(f"# other spaces\n\n{ASKED}", "asked")
    session.run_in_place("unrelated = 1", "unrelated")
    for salt in "abcd":
        here = gap.asked(Probe({}, 1), names["mixed"], salt)
        with session.question():
            there = gap.asked(RemoteProbe({}, 7, 8, session), Names(session)["mixed"], salt)
            assert there.number == here.number
            assert there.line[1] == here.line[1] and there.line[0].new == here.line[0].new
            x = torch.ones(1, 4, 3)
            assert torch.equal(there.probe.value(Names(session)["mixed"](x)), names["mixed"](x))


def test_the_text_of_an_answer_is_the_notebook_s_whatever_its_code_pretends(session):
    session.run_cell("def one(): return 1", "one")
    session.run_cell("import linecache\nlinecache.getlines = lambda *_: ['def one(): return 2']", "pretends")
    session.run_cell("two = 'def one'", "other")
    probe = RemoteProbe({}, 7, 8, session)
    assert probe.source("one", None) == "def one(): return 1"
    with pytest.raises(LookupError):
        probe.source("two", None)
