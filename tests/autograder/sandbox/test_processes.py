"""What the kernel says of processes is read rightly, also of those that have threads, and of those that are gone."""

import contextlib
import mmap
import os
import subprocess
import sys
import threading
import time

import pytest

from autograder.sandbox import processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")


@contextlib.contextmanager
def sleeper():
    child = subprocess.Popen(["sleep", "60"])
    try:
        yield child.pid
    finally:
        child.kill()
        child.wait()


def test_children_of_a_process_alone_and_of_its_threads():
    found = [pid for pid in processes.children(os.getpid()) if processes.alive(pid)]
    with sleeper() as first:
        assert set(processes.children(os.getpid())) >= {first, *found}
        born, done = [], threading.Event()

        def by_a_thread():
            with sleeper() as second:
                born.append(second)
                done.wait(20)

        thread = threading.Thread(target=by_a_thread)
        thread.start()
        try:
            while not born and thread.is_alive():
                time.sleep(0.01)
            assert {first, *born} <= set(processes.children(os.getpid()))
            assert {first, *born} <= set(processes.descendants(os.getpid()))
        finally:
            done.set()
            thread.join()


FORKS = """\
import subprocess, sys, threading
def fork():
    print(subprocess.Popen(["sleep", "60"]).pid, flush=True)
    sys.stdin.read()
if sys.argv[1] == "thread":
    thread = threading.Thread(target=fork)
    thread.start()
    thread.join()
else:
    fork()
"""


@pytest.mark.parametrize("who", ["thread", "process"])
def test_a_child_is_seen_whoever_forked_it(who):
    command = [sys.executable, "-c", FORKS, who]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        born = int(parent.stdout.readline())
        threads = len(os.listdir(f"/proc/{parent.pid}/task"))
        try:
            assert threads == (2 if who == "thread" else 1)
            assert processes.children(parent.pid) == [born]
        finally:
            os.kill(born, 9)


def test_what_is_resident_is_no_less_than_what_is_its_own():
    pid = os.getpid()
    before, own_before = processes.resident_bytes(pid), processes.private_bytes(pid)
    assert before >= own_before > 0
    taken = 2**25
    with mmap.mmap(-1, taken) as shared:  # which counts as shared memory
        shared.write(b"x" * taken)
        assert processes.private_bytes(pid) >= own_before + taken * 0.9
        assert processes.resident_bytes(pid) >= processes.private_bytes(pid)


def test_who_is_gone_has_nothing():
    gone = subprocess.Popen(["true"])
    gone.wait()
    for read in (processes.private_bytes, processes.resident_bytes, processes.cpu_seconds, processes.waited_seconds):
        assert read(gone.pid) == 0
    assert processes.children(gone.pid) == processes.descendants(gone.pid) == []
    assert not processes.alive(gone.pid)
