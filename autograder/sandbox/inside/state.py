"""The student's process: it answers the host's requests, and from its first cell on counts as the student's own."""

import contextlib
import gc
import itertools
import os
import select
import signal
import socket
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

import torch

from utils.checks.engine.pretended_gpu import GPU, PretendedGpu
from utils.checks.engine.probe import fill, shapes_of
from utils.checks.engine.question import failure_of
from utils.checks.engine.source import redefined

from . import wire
from .operations import CROSSING, LATE, Announcement, Request, Step
from .shell import Shell

# Made before the fork, because a fork copies each page that it writes to.
STARTED = wire.frame({Announcement.STARTED.value: True})
RESUMED = wire.frame({Announcement.RESUMED.value: True})


class State:
    """A shell with the cells run so far, and the objects that the examiner holds, by number."""

    def __init__(self, session: socket.socket, shell: Shell):
        self.session = session
        self.shell = shell
        self.objects: dict[int, Any] = {}

    def serve(self) -> NoReturn:
        """Answer requests until the host hangs up or kills this process."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
        while True:
            try:
                request, tensors = wire.receive(self.session)
            except (EOFError, OSError):
                os._exit(0)
            kind = Request(request["op"])
            if kind is Request.STEPS:
                self.answer(request["steps"], tensors)
            elif kind is Request.QUESTION:
                if self.fork():
                    torch.set_default_dtype(torch.float32)  # of the exam's numbers; a cell may have set another
                    gc.freeze()  # collecting garbage would copy shared pages, and this child ends soon
                    if request["steps"]:
                        self.answer(request["steps"], tensors)
            elif kind is Request.CELL_IN_PLACE or self.fork():
                shown = self.shell.run(request["source"], request["name"])
                wire.send(self.session, {**shown, "loaded": [name for name in LATE if name in sys.modules]})

    def fork(self) -> bool:
        """Fork; True in the child. The parent sleeps until the host kills the child and wakes it."""
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)  # a signal that code sends to its group must not reach earlier states
            if (
                torch.get_num_threads() > 1
            ):  # a cell requested them; they do not exist in a fork, which would wait for them
                torch.set_num_threads(1)
            self.session.sendall(STARTED)
            return True
        signal.sigwait({signal.SIGUSR1})
        os.waitpid(child, 0)
        self.forget_requests()
        self.session.sendall(RESUMED)
        return False

    def forget_requests(self) -> None:
        """Discard requests that the dead child did not read; the host sends nothing before `resumed`."""
        while select.select([self.session], [], [], 0)[0] and self.session.recv(2**20):
            pass

    def answer(self, steps: list[dict[str, Any]], tensors: wire.Tensors) -> None:
        """Do operations on the student's objects one by one; send the last one's result, or the exception of one."""
        reply: dict[str, Any] = {"value": None}
        reply_tensors: wire.Tensors = {}
        try:
            for gpu, together in itertools.groupby(steps, key=lambda step: "gpu" in step):
                with PretendedGpu() if gpu else contextlib.nullcontext():
                    self.operate_all(together, tensors)
            last = steps[-1]
            result = self.objects[last["as"]]
            if Step(last["op"]) in CROSSING or result is None or type(result) in (bool, int, float, str):
                reply = {"value": wire.pack(result, reply_tensors)}
            else:
                reply = {"value": {"ref": last["as"]}}
        except BaseException as error:  # SystemExit and KeyboardInterrupt too: they are the student's
            failure = failure_of(error)
            reply, reply_tensors = {"failure": [failure.kind, failure.text, failure.where]}, {}
        wire.send(self.session, reply, reply_tensors)

    def operate_all(self, steps: Iterable[dict[str, Any]], tensors: wire.Tensors) -> None:
        """Do operations one by one, and keep each result under its number."""
        for step in steps:
            args = wire.unpack(step["args"], tensors, self.objects.__getitem__)
            self.objects[step["as"]] = self.operate(step, args)

    def operate(self, step: dict[str, Any], args: Any) -> Any:
        """Do one operation, see `operations.Step`."""
        kind = Step(step["op"])
        if kind is Step.GET:
            if step["name"] not in self.shell.names:
                raise NameError(f"name {step['name']!r} is not defined")
            return self.shell.names[step["name"]]
        if kind is Step.MOVE:
            return args.to(GPU)
        if kind is Step.VALUE:
            return args
        target = self.objects[step["ref"]]
        if kind is Step.CALL:
            with self.shell.quiet():
                return target(*args["args"], **args["kwargs"])
        if kind is Step.ATTRIBUTE:
            return getattr(target, step["name"])
        if kind is Step.SET:
            return setattr(target, step["name"], args)
        if kind is Step.ITEM:
            return target[args]
        if kind is Step.REDEFINE:
            with self.shell.quiet():
                return redefined(step["name"], target, args)
        if kind is Step.PARAMETERS:
            return shapes_of(target)
        return fill(target, step["seed"], step["scale"], args)  # Step.FILL
