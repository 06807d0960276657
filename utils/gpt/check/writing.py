"""Section 8: the nucleus, and writing letter by letter."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import ON_GPU, Probe
from utils.common.messages import N_

nucleus = Check(
    "nucleus",
    title="Temperature and nucleus",
    sizes={"N": 3, "V": 7},
    hints=(
        "Do it by hand for four letters with the probabilities 0.5, 0.3, 0.15 and 0.05 and top_p = 0.6: two are kept.",
        "Sort from the most likely letter down; a letter is kept if the sum of those before it has not "
        "reached top_p yet. Then put the kept ones back where they came from.",
        "`p.sort(dim=-1, descending=True)` gives values and their order; `torch.zeros_like(p).scatter(-1, order, "
        "kept)` puts them back; divide by the sum.",
    ),
)


def scores_to_draw(probe: Probe) -> torch.Tensor:
    """Return scores (N, V) whose rows have different orders; no sum of probabilities is close to a usual top_p.

    In the first row the likeliest letter is the last one, so that a sum from the left keeps letters that it should not.
    """
    N, V = probe["N V"]
    steps = torch.tensor([2.1, 1.3, 0.6, 0.2, -0.5, -1.2, -2.0] + [-3.0] * V)[:V]
    orders = torch.stack([torch.from_numpy(probe.rng.permutation(V)) for _ in range(N)])
    orders[0] = torch.cat([orders[0][orders[0] > 0], torch.tensor([0])])
    return steps[orders] + 0.1 * probe.uniform(N, V) + torch.arange(N).unsqueeze(1)


@nucleus.test("top_p = 1: softmax at temperature 1, ½ and 2")
def tempered(probe: Probe, nucleus: Any) -> Any:
    logits = scores_to_draw(probe)
    return [nucleus(logits.clone(), temperature, 1.0) for temperature in (1.0, 0.5, 2.0)]


@nucleus.test("temperature 1: the most likely letters that together have top_p, and no others")
def kept(probe: Probe, nucleus: Any) -> Any:
    logits = scores_to_draw(probe)
    return {f"top_p={top_p:g}": nucleus(logits.clone(), 1.0, top_p) for top_p in (0.4, 0.6, 0.69, 0.8)}


@nucleus.test("temperature first, then the nucleus")
def both(probe: Probe, nucleus: Any) -> Any:
    logits = scores_to_draw(probe)
    # Several, because two wrong ways to choose letters may keep the same ones. Copies, because an answer may divide the
    # scores in place.
    several = (0.38, 0.56, 0.72, 0.84)
    return {f"top_p={top_p:g}": nucleus(logits.clone(), temperature=2.0, top_p=top_p) for top_p in several}


@nucleus.test("a tiny top_p keeps only the most likely letter")
def only_one(probe: Probe, nucleus: Any) -> Any:
    return nucleus(scores_to_draw(probe), 1.0, 0.01)


@nucleus.test("one row, with a temperature and a top_p")
def one_row(probe: Probe, nucleus: Any) -> Any:
    logits = scores_to_draw(probe)[:1]
    return nucleus(logits, 0.7, 0.8)


@nucleus.test(ON_GPU)
def nucleus_on_gpu(probe: Probe, nucleus: Any) -> Any:
    with probe.gpu():
        return probe.located(nucleus(probe.there(scores_to_draw(probe)), 1.0, 0.8))


generate = Check(
    "generate",
    title="Writing letter by letter",
    sizes={"N": 3, "S": 5, "V": 11},
    hints=(
        "What does the model get in the second round that it did not get in the first?",
        "The scores after the last letter are `[:, -1]` of what the model returns; `choose` takes them as they are.",
        "`torch.cat([letters, following.unsqueeze(1)], dim=1)` appends a letter to each row.",
    ),
)


def beginnings(probe: Probe, Model: Any) -> tuple[Any, torch.Tensor]:
    """Return a stand-in model with seeded weights, and beginnings (N, S)."""
    N, S, V = probe["N S V"]
    return probe.fill(Model(V), scale=2.0), probe.integers(0, V, N, S)


@generate.test("(N, S + length): the beginnings, followed by the letters chosen one after the other")
def continued(probe: Probe, generate: Any, Model: Any, choose: Any) -> Any:
    return generate(*beginnings(probe, Model), 6, choose)


@generate.test("one text from a single letter, one more letter, and none")
def shortest(probe: Probe, generate: Any, Model: Any, choose: Any) -> Any:
    model, letters = beginnings(probe, Model)
    letter = letters[:1, :1]
    return {
        N_("one letter more"): generate(model, letter, 1, choose),
        N_("no more letters"): generate(model, letter, 0, choose),
    }


@generate.test(ON_GPU)
def generated_on_gpu(probe: Probe, generate: Any, Model: Any, choose: Any) -> Any:
    model, letters = beginnings(probe, Model)
    with probe.gpu():
        return probe.located(generate(probe.there(model), probe.there(letters), 2, choose))
