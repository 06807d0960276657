"""A session and its grader stay on one processor while they ask and answer, and nobody is kept there for good."""

import os
import threading

import pytest

from autograder.sandbox import processors
from autograder.sandbox.parent import Sandbox
from autograder.sandbox.processors import Place

ALL = os.sched_getaffinity(0)
choice = pytest.mark.skipif(len(ALL) < 2, reason="there is one processor only")


@choice
def test_a_session_and_its_grader_share_a_processor_until_it_is_closed(sandbox):
    for _ in range(2):  # the next one has the same
        with sandbox.session() as session:
            here = os.sched_getaffinity(0)
            assert len(here) == 1
            assert os.sched_getaffinity(session.states.init.pid) == here
            assert os.sched_getaffinity(session.states.current.pid) == here
        assert os.sched_getaffinity(0) == ALL
        assert here == {sandbox.place.processor} or sandbox.place.processor is None  # where there was a crowd


@choice
def test_two_sessions_at_once_leave_nobody_behind(sandbox):
    one = sandbox.session()
    two = sandbox.session()
    one.close()
    two.close()
    assert os.sched_getaffinity(0) == ALL


@choice
def test_who_keeps_the_grader_waiting_has_the_processor_alone(sandbox, monkeypatch):
    went = []
    monkeypatch.setattr(sandbox.place, "roam", lambda: went.append("away"))
    monkeypatch.setattr(sandbox.place, "stay", lambda: went.append("back"))
    with sandbox.session() as session:
        went.clear()
        session.run_in_place("x = 1\ny = 2\n", "short")
        assert went == []
        session.run_in_place("import time\ntime.sleep(0.5)\n", "long")
        assert went == ["away", "back"]


@choice
def test_another_processor_is_tried_where_there_was_a_crowd(monkeypatch):
    told = iter([(0.0, 10.0), (0.1, 11.0), (0.1, 11.0), (0.5, 12.0)])  # seconds waited, and the time
    monkeypatch.setattr(processors, "_waited_and_passed", lambda: next(told))
    place = Place()
    place.take()
    mine = place.processor
    place.leave()
    assert mine in ALL and place.processor == mine
    place.take()
    place.leave()
    assert place.processor is None and os.sched_getaffinity(0) == ALL


def test_without_a_choice_and_among_workers_nobody_is_moved(monkeypatch):
    moved = []
    monkeypatch.setattr(os, "sched_setaffinity", lambda *asked: moved.append(asked))
    for name, found in (("_allowed", lambda: {3}), ("parent_process", lambda: threading.current_thread())):
        with monkeypatch.context() as patch:
            patch.setattr(processors, name, found)
            place = Place()
            place.take()
            place.stay()
            place.leave()
            assert place.processor is None and not moved


def test_a_processor_that_is_gone_is_let_be(monkeypatch):
    monkeypatch.setattr(processors, "_allowed", lambda: {2**16, 2**16 + 1})
    place = Place()
    place.take()
    assert place.processor >= 2**16 and os.sched_getaffinity(0) == ALL
    place.leave()
    assert os.sched_getaffinity(0) == ALL


def test_a_session_is_opened_where_its_processor_is_gone():
    with Sandbox() as sandbox:
        sandbox.place.processor = 2**16
        with sandbox.session() as session:
            assert session.run_in_place("x = 1\ny = 2\n", "cell")["failure"] is None
