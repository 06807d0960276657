"""The classes that students write: which of them `utils` builds with.

What: a module that builds with a student's class calls `looked_up_in(__name__, ...)` with its names, and looks each of
them up in itself when it builds; `install` puts the student's class there.
Why: once a class is installed, everything in `utils` that says its name is built with it, as if it stood there.
"""

import sys

from torch import nn

from utils.common.errors import ShapeError
from utils.common.messages import N_

NOT_WRITTEN = N_("{name} is still to be written: the lesson `captioning` asks for it, and its next cell installs it.")
_places: dict[str, str] = {}  # name of a scaffold -> the module that looks it up


def looked_up_in(module: str, *names: str) -> tuple[str, ...]:
    """Note that `module` looks these names up when it builds; return them."""
    _places.update(dict.fromkeys(names, module))
    return names


def install(student_class: type[nn.Module]) -> None:
    """Use `student_class` from here on wherever `utils` says that name, for example `MultiHeadAttention`.

    Raises: ShapeError when no scaffold has the class's name.
    """
    name = student_class.__name__
    if name not in _places:
        raise ShapeError(N_("utils has no scaffold named {name}; keep the name that the lesson gives."), name=name)
    setattr(sys.modules[_places[name]], name, student_class)
