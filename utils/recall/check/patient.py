"""Section 8: the sick porter, named and healed."""

from typing import Any

from utils.checks.check import Check
from utils.checks.engine.probe import Probe
from utils.checks.patients import CURED, NAMED_WHEN_HEALED
from utils.recall.patients import PATIENTS

LOSSES = 0.03  # nats by which a loss may differ from a healthy porter's

heal = Check(
    "heal",
    title="The sick porter",
    sizes={},
    hints=(
        "Is the patient wrong about everybody, or only about guests who have moved? Are its answers wrong, or right "
        "and much too sure or unsure?",
        "In a healthy porter, keys have length 1. How long are your patient's? `patient.keys(torch.arange(512))` "
        "returns all of them. Then write the line that would undo a sentence, measure, and begin again with a fresh "
        "patient.",
        "Under `with torch.no_grad():`, multiply a weight. The answer contains one value, one query and one key; "
        "what is subtracted contains two keys. A factor of `guest` is a factor of keys and of queries. One illness "
        "needs no factor, but another order of rows.",
    ),
)


@heal.test(CURED, weight=2, rtol=0.0, atol=LOSSES)
def cured(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return PATIENTS.cured(probe, heal, admitted, whose)


@heal.test(NAMED_WHEN_HEALED)
def named(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return PATIENTS.named(probe, heal, admitted, whose)
