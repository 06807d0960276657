"""The messages between host and sandbox, and their meaning. Both ends import this file.

    to the parent       limits, modules to load first, and    fork a sandbox for one submission
                        with them the session's socket
    from the parent     {"ready": true}                       everything is loaded

    to a state          Request                               one of the four below
    from a state        Announcement                          a process reports after a fork
                        {"outputs": [...], "failure": ...,    what a cell showed and raised (kind, text, line),
                         "loaded": [...]}                     and which of LATE is loaded
                        {"value": tree} or {"failure": ...}   the last step's value, or what a step raised

`wire.py` defines the form of a frame. Everything that comes from a state is checked before it is used.
"""

from enum import Enum


class Request(str, Enum):
    """What the host asks of the current state."""

    CELL_IN_PLACE = "cell in place"  # source, name: run a cell in the state itself and show its outputs
    CELL = "cell"  # source, name: fork; the child runs the cell and becomes the current state
    QUESTION = "question"  # steps, maybe none: fork; the child does them, is examined, and ends after the question
    STEPS = "steps"  # steps: do operations on the student's objects and send the last one's value


class Step(str, Enum):
    """One operation on the student's objects. `ref` is the object's number, `as` the number of the result.

    With `gpu` the operation is done with a pretended GPU (`utils/checks/engine/pretended_gpu.py`).
    """

    GET = "get"  # name: the notebook's name
    ATTRIBUTE = "attribute"  # ref, name: object.name
    SET = "set"  # ref, name, args: object.name = args
    ITEM = "item"  # ref, args: object[args]
    CALL = "call"  # ref, args {"args": [...], "kwargs": {...}}: object(*args, **kwargs); prints are discarded
    VALUE = "value"  # args: an object, or a list of some, as plain data
    PARAMETERS = "parameters"  # ref: a module's parameters, {name: shape}
    FILL = "fill"  # ref, seed, scale, args (an input or None): give a module seeded parameters, see `probe.fill`
    REDEFINE = "redefine"  # ref, name, args (code): what `name` is after other code than that which defines the object
    MOVE = "move"  # args: a tensor or a module, to the GPU


# Libraries that the parent does not load in advance, because few graded cells draw or read files, and every loaded
# library makes each fork dearer. Once a session has loaded one, the parent loads it, too, and then the module that
# shows figures as a notebook does, which can only then register with IPython.
LATE = {
    "matplotlib.pyplot": ("matplotlib.pyplot", "matplotlib_inline.backend_inline"),
    "PIL.Image": ("PIL.Image",),
    "h5py": ("h5py",),
}

# Steps whose value crosses the border. Of other steps' results only numbers, text and None cross; the rest stay inside,
# as a Ref.
CROSSING = (Step.VALUE, Step.PARAMETERS)


class Announcement(str, Enum):
    """What a process of a sandbox announces; the kernel tells which process sent it."""

    INIT = "init"  # the first process of the sandbox, shut in
    STARTED = "started"  # a state, forked for a cell or a question
    RESUMED = "resumed"  # a state, woken after the one forked from it was killed
