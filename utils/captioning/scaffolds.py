"""The scaffolds, and how a student's class takes a scaffold's place.

What: a module with scaffolds passes their names to `looked_up_in`, and looks up the classes by name whenever it builds
a model. `install` replaces the scaffold in that module by the student's class.
Why: models that are made later by any code in `utils` then contain the student's class.
"""

import sys

from torch import nn

from utils.common.errors import ShapeError
from utils.common.messages import N_

NOT_WRITTEN = N_("{name} is still to be written: the lesson `captioning` asks for it, and its next cell installs it.")
_places: dict[str, str] = {}  # name of a scaffold -> name of its module


def looked_up_in(module: str, *names: str) -> tuple[str, ...]:
    """Note that `module` has scaffolds of these names; return the names."""
    _places.update(dict.fromkeys(names, module))
    return names


def install(student_class: type[nn.Module]) -> None:
    """Replace the scaffold of the same name, for example `MultiHeadAttention`, by `student_class`.

    Raises: ShapeError when no scaffold has the class's name.
    """
    name = student_class.__name__
    if name not in _places:
        raise ShapeError(N_("utils has no scaffold named {name}; keep the name that the lesson gives."), name=name)
    setattr(sys.modules[_places[name]], name, student_class)
