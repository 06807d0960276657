"""BLEU and truth of captions."""

import numpy as np
import pytest

from utils.captioning import scores
from utils.scenes.dataset import all_scenes
from utils.scenes.grammar import captions_of


def test_bleu_of_the_worked_example():
    # one reference, one caption: 4, 3, 2, 1 of 5, 4, 3, 2 runs agree, no penalty
    score = scores.bleu4(["<START> a b c d x <END>"], [["a b c d e"]])
    assert score == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25, rel=1e-6)


def test_pictures_may_have_fewer_references():
    assert scores.bleu4(["a b c d", "e f g h"], [["a b c d"], ["x", "e f g h"]]) == pytest.approx(1)


def test_truth_and_references():
    urls = [f"scenes://val/{i}" for i in range(4)]
    captions = [captions_of(scene, np.random.RandomState(0), 1)[0] for scene in all_scenes()["val"][:4]]
    assert scores.truth(captions, urls) == {"true": 1.0, "false": 0.0, "malformed": 0.0}
    captions[1], captions[2] = captions[0], "a a a"
    assert scores.truth(captions, urls) == {"true": 0.5, "false": 0.25, "malformed": 0.25}
    data = {
        "val_captions": np.array([[1, 3, 2], [1, 4, 2], [1, 4, 0]]),
        "val_image_idxs": np.array([1, 0, 1]),
        "val_urls": np.array(["x", "y"]),
        "idx_to_word": ["<NULL>", "<START>", "<END>", "cat", "dog"],
    }
    assert scores.references(data, "val") == [["dog"], ["cat", "dog"]]
