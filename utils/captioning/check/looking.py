"""Section 10: what the words of a caption depend on."""

from typing import Any

import torch

from utils.captioning.check.inputs import moved
from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe
from utils.common.messages import N_

# A picture is not square, so that rows and columns cannot be exchanged.
depends_on = Check(
    "depends_on",
    title="What a word depends on",
    sizes={"S": 5, "J": 7, "U": 11},
    hints=(
        "Two pictures are compared, the whole one and one with the patch hidden. How do you make the second without "
        "losing the first?",
        "Copy the picture; in the copy give every point of the patch the colour; ask for the words' log-probabilities "
        "with both pictures, and subtract. A fall is positive where the word was more probable with the whole picture.",
        "`picture.clone()` makes a copy. `copy[top : top + size, left : left + size]` is the patch; a row of three "
        "numbers can be assigned to all its points at once.",
    ),
)


def scorer(probe: Probe, Score: Any) -> Any:
    """Return a stand-in for a model and its caption: a picture (J, U, 3) -> log-probabilities (S,)."""
    J, U, S = probe["J U S"]
    return probe.fill(Score(J, U, S), scale=0.1)


def picture_and_colour(probe: Probe) -> tuple[torch.Tensor, torch.Tensor]:
    """Return a picture (J, U, 3) and a colour (3,)."""
    return probe.normal(*probe["J U"], 3), probe.normal(3)


@depends_on.test("(S,): how far each word's log-probability falls when one patch is hidden")
def falls(probe: Probe, depends_on: Any, Score: Any) -> Any:
    score, (picture, colour) = scorer(probe, Score), picture_and_colour(probe)
    patches = (1, 3, 4), (2, 6, 3), (3, 0, 2)  # top, left, size
    return {f"patch={patch}": depends_on(score, picture.clone(), patch, colour) for patch in patches}


@depends_on.test("patches at the edges, a single point, and nearly the whole picture")
def edges(probe: Probe, depends_on: Any, Score: Any) -> Any:
    score, (picture, colour) = scorer(probe, Score), picture_and_colour(probe)
    J, U = probe["J U"]
    patches = (0, 0, 2), (J - 3, U - 3, 3), (2, 5, 1), (0, 2, J)
    return {f"patch={patch}": depends_on(score, picture.clone(), patch, colour) for patch in patches}


@depends_on.test("the picture stays as it is, for the next patch")
def picture_kept(probe: Probe, depends_on: Any, Score: Any) -> Any:
    score, colour = scorer(probe, Score), picture_and_colour(probe)[1]
    # The picture comes from the scorer, so that in the exam it is the same tensor in both calls, in the sandbox.
    picture = score.weight.detach()[0].reshape(*probe["J U"], 3).clone()
    before = probe.value(picture)
    fall = depends_on(score, picture, (1, 2, 3), colour)
    return {
        N_("the falls"): fall,
        N_("the picture is changed; leave it as it is"): not moved(before, probe.value(picture)),
    }


@depends_on.test(ON_GPU)
def looked_for_on_gpu(probe: Probe, depends_on: Any, Score: Any) -> Any:
    score, (picture, colour) = scorer(probe, Score), picture_and_colour(probe)
    with probe.gpu():
        return probe.located(depends_on(probe.there(score), probe.there(picture), (1, 3, 4), probe.there(colour)))
