"""Our end of a session's socket: frames, whole and one at a time, each with the process that sent it."""

import os
import socket

import pytest

from autograder.sandbox.channel import Channel
from autograder.sandbox.errors import Stopped
from autograder.sandbox.inside import wire
from autograder.sandbox.inside.operations import Announcement
from autograder.sandbox.limits import DIED, TOO_SLOW, Limits
from autograder.sandbox.watch import Watch

STARTED = wire.frame({Announcement.STARTED.value: True})


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    with ours, theirs:
        yield Channel(ours, Watch(Limits(cell_wall_seconds=0.3))), theirs


def said_by_another(end: socket.socket, content: bytes) -> int:
    """Have a process of its own send this, and end; return its id."""
    if (child := os.fork()) == 0:
        end.sendall(content)
        os._exit(0)
    os.waitpid(child, 0)
    return child


def test_frames_that_came_together_are_read_one_by_one_each_with_its_sender(ends):
    channel, end = ends
    end.sendall(wire.frame({"a": 1}) + wire.frame({"b": 2}))
    child = said_by_another(end, STARTED + wire.frame({"c": 3}))
    end.sendall(wire.frame({"d": 4}))
    assert [channel.receive()[0] for _ in range(2)] == [{"a": 1}, {"b": 2}]
    assert channel.announced(Announcement.STARTED) == child
    assert [channel.receive()[0] for _ in range(2)] == [{"c": 3}, {"d": 4}]


def test_nobody_ends_a_frame_that_another_has_begun(ends):
    channel, end = ends
    end.sendall(STARTED[:10])
    said_by_another(end, STARTED[10:])
    with pytest.raises(Stopped) as stopped:
        channel.announced(Announcement.STARTED)
    assert str(stopped.value) == str(Stopped(DIED))


def test_what_is_drained_was_never_said_though_it_had_been_received(ends):
    channel, end = ends
    end.sendall(wire.frame({"a": 1}) + wire.frame({"b": 2}))
    assert channel.receive()[0] == {"a": 1}
    channel.drain()
    end.sendall(wire.frame({"c": 3}))
    assert channel.receive()[0] == {"c": 3}


def test_what_was_ready_counts_though_the_time_is_over(ends):
    channel, end = ends
    end.sendall(STARTED)
    channel.watch.step_left = 0.0
    channel.watch.wait(channel.socket)
    assert channel.receive()[0] == {Announcement.STARTED.value: True}
    with pytest.raises(Stopped) as stopped:
        channel.receive()
    assert str(stopped.value) == str(Stopped(TOO_SLOW))
