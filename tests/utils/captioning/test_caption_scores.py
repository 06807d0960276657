"""BLEU and truth of captions."""

import numpy as np
import pytest

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.captioning import scores
from utils.captioning.scenes.claims import COLUMNS, claims_of, facts_of, print_claims
from utils.captioning.scenes.dataset import all_scenes
from utils.captioning.scenes.grammar import captions_of


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


def test_what_the_grammar_judges_is_what_claims_and_facts_say():
    (truth,) = reference.students_of(Lesson.load("captioning", WORKBOOK), "truth")
    rng, items = np.random.RandomState(1), all_scenes()["val"][:150]
    urls = [f"scenes://val/{i}" for i in range(150)]
    own = [captions_of(scene, rng, 1)[0] for scene in items]
    mixed = own[:50] + own[51:100] + own[50:51] + [caption[2:] for caption in own[100:]]
    for captions in (own, mixed):
        judged = scores.truth(captions, urls)
        shares = [float(share) for share in truth(claims_of(captions), facts_of(urls))]
        assert shares == pytest.approx([judged[name] for name in scores.JUDGEMENTS])
    assert scores.truth(mixed, urls)["malformed"] == pytest.approx(1 / 3)


def test_claims_are_numbers_of_words_and_zeros_where_nothing_is_said(capsys):
    url = next(f"scenes://val/{i}" for i, scene in enumerate(all_scenes()["val"]) if scene.relation == "above")
    claims = claims_of(["a large red ring above a small orange circle", "a small blue star at the top", "a red ring a"])
    assert claims.tolist() == [[2, 1, 6, 1, 2, 1, 2, 0, 0], [1, 5, 4, 0, 0, 0, 0, 2, 0], [0] * 9]
    facts = facts_of([url])[0].tolist()
    assert len(COLUMNS) == 9 and 0 not in facts[:6] and facts[6] == 2 and facts[7] == 0 and facts[8] > 0
    print_claims("a large red ring above a small orange circle", url)
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 11 and "large 2" in shown[2] and "above 2" in shown[8]
    assert claims_of([]).shape == (0, 9)


class Parrot:
    """A captioner that says the same of every picture."""

    def sample(self, features, max_length=16):
        return np.array([[1, 3, 2]] * len(features))


def test_a_split_is_judged_by_the_students_function_where_there_is_one():
    data = {
        "val_features": np.zeros((2, 3)),
        "val_urls": np.array(["scenes://val/0", "scenes://val/1"]),
        "val_captions": np.array([[1, 3, 2], [1, 3, 2]]),
        "val_image_idxs": np.array([0, 1]),
        "idx_to_word": ["<NULL>", "<START>", "<END>", "cat"],
    }
    assert scores.describe_split(Parrot(), data)["malformed"] == 1
    told = scores.describe_split(Parrot(), data, truth_of=lambda claims, facts: (len(claims), facts[0, 0], 0.5))
    assert told["true"] == 2 and told["false"] > 0 and told["malformed"] == 0.5
