"""torch without the front end of its compiler, which takes 1.5 s and 40 MB to load and which no lesson uses.

torch's optimizers load `torch._dynamo` on first use, only to keep the compiler away from themselves. What they ask
of it is answered here; whoever asks for anything else, `torch.compile` for example, gets the real one, loaded then.
"""

import importlib
import sys
import types

NAME = "torch._dynamo"


class StandIn(types.ModuleType):
    """Looks like `torch._dynamo`, and becomes it when more is asked than to leave a function alone."""

    def disable(self, function=None, *_args, **_kwargs):
        """Return the function itself: nothing is compiled here."""
        return function or (lambda later: later)

    def graph_break(self, *_args, **_kwargs) -> None:
        """Do nothing: there is no graph."""

    def __getattr__(self, name: str):
        if name.startswith("__") and name != "__path__":  # asked by whoever looks through all modules
            raise AttributeError(name)
        if sys.modules.get(NAME) is self:
            del sys.modules[NAME]
        return getattr(importlib.import_module(NAME), name)


def install() -> None:
    """Put the stand-in where torch looks, unless the real one is there already."""
    import torch

    if NAME not in sys.modules:
        sys.modules[NAME] = torch._dynamo = StandIn(NAME)
