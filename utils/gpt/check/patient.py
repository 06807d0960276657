"""Section 10: the sick model, named and healed."""

from typing import Any

from utils.checks.check import Check
from utils.checks.engine.probe import Probe
from utils.checks.patients import CURED
from utils.common.messages import N_
from utils.gpt.patients import LENGTH, PATIENTS, ROWS

LOSSES = 0.05  # nats by which a loss may differ from a healthy model's
NAMED = N_("the illness, the layer and the head")
NAMED_WHEN_HEALED = N_("the illness, the layer and the head; judged once the patient is healed")

heal = Check(
    "heal",
    title="The sick model",
    sizes={"N": ROWS, "S": LENGTH},
    hints=(
        "Compare the patient's table of heads with your own model's: which losses become lower, or hardly higher, when "
        "a head is taken away? And which head's largest weight is unusually high or low?",
        "Write a function that changes one head of a fresh patient and returns the losses. Scores that are far too "
        "large make a head sharp, scores that are far too small make it flat: divide by a few numbers between 1/30 "
        "and 30. A factor of the queries is a factor of the scores. For the other two illnesses, measure the losses "
        "once.",
        "Under `with torch.no_grad():`, with `rows = slice(24 * head, 24 * (head + 1))`: divide `query.weight[rows]` "
        "by the number; or exchange `query.weight[rows]` and `key.weight[rows]`, of which you `clone()` one first; or "
        "change the signs of every second row of both.",
    ),
)


@heal.test(CURED, weight=2, rtol=0.0, atol=LOSSES)
def cured(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return PATIENTS.cured(probe, heal, admitted, whose)


@heal.test(NAMED_WHEN_HEALED)
def named(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return PATIENTS.named(probe, heal, admitted, whose)
