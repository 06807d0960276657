"""Numbers that the lessons' prose claims, counted again from what they are about."""

import re

import numpy as np
import pytest

from autograder.common.paths import lesson_names
from autograder.course import train_scene_features
from autograder.lesson.text import Lesson
from autograder.lesson.translation import prose
from utils.scenes import scene as scenes
from utils.shapes1d.sequences import LENGTH, WIDTH

MINUTES = {"two and a quarter": 135, "three and a half": 210, "three and a quarter": 195}


def text_of(name: str) -> str:
    return "\n\n".join(prose(Lesson.load(name)))


@pytest.mark.parametrize("name", lesson_names())
def test_the_sections_times_add_up_to_the_lessons(name):
    text = text_of(name)
    total = re.search(r"It takes about ([a-z ]+) hours; each section says how long", text)
    sections = re.findall(r"^## \d\. .*\(about (\d+) minutes\)$", text, flags=re.MULTILINE)
    assert total and len(sections) == len(re.findall(r"^## \d\. ", text, flags=re.MULTILINE)) >= 6
    assert abs(sum(map(int, sections)) - MINUTES[total[1]]) < 8


def test_enough_convolutions_reach_the_farthest_partner():
    claimed = re.search(r"may stand (\d+) points away, so (\d+) of them", text_of("attention"))
    assert claimed
    distance, layers = map(int, claimed.groups())
    assert distance == LENGTH - WIDTH  # one shape at the left end, its partner at the right
    assert layers == -(-distance // 2)  # each layer of kernel 5 adds 2 points on either side
    assert f"With {layers} layers each point would see {2 * layers} points" in text_of("attention")


def test_the_features_network_has_seen_twins_of_the_unseen_scenes():
    rng = np.random.RandomState(train_scene_features.SEED)
    known = {scenes.random_scene(rng).meaning for _ in range(train_scene_features.PICTURES)}
    unseen = scenes.make_scenes()["val"]
    twins = sum(scene.meaning in known for scene in unseen)
    assert f"{twins} of the {len(unseen):,} scenes have a twin among the 40,000" in text_of("captioning")
    assert train_scene_features.PICTURES == 40_000
