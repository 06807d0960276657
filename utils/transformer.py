"""The captioning Transformer: the names that the field knows. How: `utils/captioning/model.py`."""

from typing import Any

from utils.captioning import model
from utils.captioning.model import CaptioningModel

__all__ = ["CaptioningModel", "CaptioningTransformer"]  # noqa: F822 - looked up below


def __getattr__(name: str) -> Any:
    """Return the scaffold, or what `install` has put in its place since."""
    if name in model.SCAFFOLDS:
        return getattr(model, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
