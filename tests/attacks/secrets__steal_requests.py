"""Read the session's socket in the shell's place. Requests hold no hidden test and no value expected."""

import gc

from autograder_sandbox import wire

state = next(thing for thing in gc.get_objects() if type(thing).__name__ == "State")
receive = wire.receive


def listen(channel):
    request, tensors = receive(channel)
    if any(word in str(request) for word in ("exam.", "autograder.exams", "expected")):
        type(state).answer = lambda self, *rest: wire.send(self.session, {"failure": ["LEAK", str(request), ""]})
    return request, tensors


wire.receive = listen
