"""Read the session's socket in the shell's place. Requests hold no hidden test and no value expected."""

import gc

from autograder_sandbox import inside, wire

receive = wire.receive


def listen(channel):
    request, tensors = receive(channel)
    if any(word in str(request) for word in ("exam", "expected", "reference", "seed")):
        inside.State.answer = lambda self, *rest: wire.send(self.session, {"failure": ["LEAK", str(request), ""]})
    return request, tensors


wire.receive = listen
print(sum(isinstance(thing, inside.State) for thing in gc.get_objects()))
