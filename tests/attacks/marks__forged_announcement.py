"""Announce a fork that never was. The kernel says who sent it: no mark, nobody else is signalled."""

import gc

from autograder_sandbox import wire

state = next(thing for thing in gc.get_objects() if type(thing).__name__ == "State")
for _ in range(5):
    wire.send(state.session, {"started": True, "resumed": True, "init": True})
