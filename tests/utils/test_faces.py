"""Each module under an older name offers every name that it lists."""

import importlib

import pytest

FACES = ["attention_utils", "coco_utils", "gradient_check", "image_utils", "transformer", "transformer_layers"]


@pytest.mark.parametrize("face", FACES)
def test_what_is_listed_is_there(face):
    module = importlib.import_module(f"utils.{face}")
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
