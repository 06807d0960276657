"""The sequences against a plain rejection sampler and against a point-by-point rendering."""

import numpy as np
import pytest
import torch

from autograder.common.course import WORKBOOK
from autograder.exams.reference import reference_names
from autograder.lesson.text import Lesson
from utils.attention import sequences
from utils.attention.sequences import (
    LENGTH,
    RECTANGLE,
    TRIANGLE,
    WIDTH,
    draw_shapes,
    generate,
    kind_and_slot,
    render,
)
from utils.common.errors import WorkbookError


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def reject_until_free(number: int, seed: int) -> np.ndarray:
    """Draw four places until no two shapes overlap, `number` times; sorted, (number, 4)."""
    rng = np.random.RandomState(seed)
    found = []
    while len(found) < number:
        places = np.sort(rng.randint(0, LENGTH - WIDTH + 1, (4 * number, 4)), axis=1)
        found.extend(places[(np.diff(places, axis=1) >= WIDTH).all(1)])
    return np.array(found[:number])


def largest_gap(one: np.ndarray, other: np.ndarray) -> float:
    """The Kolmogorov-Smirnov statistic of two samples of integers."""
    values = np.arange(0, LENGTH + 1)
    cumulative = [np.searchsorted(np.sort(sample), values, side="right") / len(sample) for sample in (one, other)]
    return float(np.abs(cumulative[0] - cumulative[1]).max())


def test_places_are_distributed_as_by_rejection():
    number = 20_000
    ours, theirs = draw_shapes(number, generator(1)).left.numpy(), reject_until_free(number, 2)
    limit = 1.95 * np.sqrt(2 / number)  # of equal distributions, one pair in a thousand is further apart
    for shape in range(4):
        assert largest_gap(ours[:, shape], theirs[:, shape]) < limit
    for shape in range(3):  # the distances between neighbours, too: places are not independent
        assert largest_gap(np.diff(ours)[:, shape], np.diff(theirs)[:, shape]) < limit
    assert np.abs(np.corrcoef(ours.T) - np.corrcoef(theirs.T)).max() < 0.03


def test_every_choice_of_places_is_equally_likely(monkeypatch):
    # On 34 points there are C(34 - 28, 4) = 15 ways to put four shapes of width 8.
    monkeypatch.setattr(sequences, "LENGTH", 34)
    left = draw_shapes(15_000, generator(3)).left
    ways, counts = torch.unique(left, dim=0, return_counts=True)
    assert len(ways) == 15
    chi_squared = ((counts - 1000) ** 2 / 1000).sum().item()
    assert chi_squared < 36.1  # 14 degrees of freedom, one in a thousand above


def test_shapes_do_not_overlap_and_stay_inside():
    left = draw_shapes(5_000, generator(4)).left
    assert left.min() == 0
    assert left.max() == LENGTH - WIDTH
    assert (left.diff(dim=1) >= WIDTH).all()


def test_two_of_each_kind_in_every_order():
    kinds = draw_shapes(6_000, generator(5)).is_rectangle
    orders, counts = torch.unique(kinds, dim=0, return_counts=True)
    assert (kinds.sum(1) == 2).all()
    assert len(orders) == 6
    assert ((counts - 1000) ** 2 / 1000).sum() < 20.5  # 5 degrees of freedom, one in a thousand above


def test_heights_are_uniform_from_2_to_28():
    height = draw_shapes(10_000, generator(6)).height
    assert 2 <= height.min() < 2.1
    assert 27.9 < height.max() <= 28
    assert height.mean().item() == pytest.approx(15, abs=0.15)
    assert height.std().item() == pytest.approx(26 / 12**0.5, abs=0.1)


def draw_point_by_point(shapes, heights) -> np.ndarray:
    """Render with loops and a formula of |distance from the middle|, apart from the module's tables."""
    picture = np.zeros((len(heights), 1, LENGTH))
    for n in range(len(heights)):
        for left, rectangle, height in zip(shapes.left[n], shapes.is_rectangle[n], heights[n], strict=True):
            for t in range(int(left), int(left) + 8):
                slope = 1 - (abs(t - int(left) - 3.5) - 0.5) / 4
                picture[n, 0, t] = float(height) * (1.0 if rectangle else slope)
    return picture


def test_sequences_show_their_shapes():
    shapes = draw_shapes(7, generator(7))
    np.testing.assert_allclose(render(shapes).numpy(), draw_point_by_point(shapes, shapes.height), rtol=1e-6)


@pytest.mark.parametrize("task", [1, 2])
def test_targets_have_the_mean_heights(task):
    shapes = draw_shapes(11, generator(8))
    wanted = np.empty((11, 4))
    for n in range(11):
        group = shapes.is_rectangle[n].numpy() if task == 1 else np.arange(4) >= 2
        for member in (False, True):
            wanted[n, group == member] = shapes.height[n].numpy()[group == member].mean()
    inputs, targets = generate(11, task, seed=8)
    torch.testing.assert_close(inputs, render(shapes))
    np.testing.assert_allclose(targets.numpy(), draw_point_by_point(shapes, wanted), rtol=1e-5)


def test_a_seed_gives_the_same_sequences_and_another_seed_others():
    assert torch.equal(generate(5, 1, seed=1)[0], generate(5, 2, seed=1)[0])
    assert not torch.equal(generate(5, 1, seed=1)[0], generate(5, 1, seed=2)[0])


def test_kinds_and_slots_are_those_of_the_drawing():
    shapes = draw_shapes(9, generator(9))
    kind, slot = kind_and_slot(shapes)
    outlines = torch.tensor([[0.0] * WIDTH, TRIANGLE, RECTANGLE])
    torch.testing.assert_close(outlines[kind, slot][:, None], render(shapes, torch.ones_like(shapes.height)))
    assert not slot[kind == 0].any() and (slot == WIDTH - 1).sum() == 9 * 4


def test_the_wished_attention_of_the_reference_solves_task_1():
    wished_attention = reference_names(Lesson.load("attention", WORKBOOK))["wished_attention"]
    inputs, targets = generate(9, 1, seed=9)
    for n, (kind, slot) in enumerate(zip(*kind_and_slot(draw_shapes(9, generator(9))), strict=True)):
        attention = wished_attention(kind, slot)
        torch.testing.assert_close(attention.sum(1), torch.ones(LENGTH))
        torch.testing.assert_close(attention @ inputs[n, 0], targets[n, 0], rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize(("number", "task", "says"), [(3, 5, "tasks are 1"), (0, 1, "1 or more")])
def test_nonsense_is_refused(number, task, says):
    with pytest.raises(WorkbookError, match=says):
        generate(number, task)
