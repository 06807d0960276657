"""Section 9: the sick model, named and healed."""

from typing import Any

from utils.checks.check import Check
from utils.checks.engine.probe import Probe
from utils.checks.patients import CURED, NAMED_WHEN_HEALED
from utils.gpt.patients import LENGTH, PATIENTS, ROWS

LOSSES = 0.03  # nats by which a loss may differ from a healthy model's

heal = Check(
    "heal",
    title="The sick model",
    sizes={"N": ROWS, "S": LENGTH},
    hints=(
        "Compare the tables: is every letter harder, or the names most of all? Where does the patient's best head "
        "look, and is its weight spread over many letters, or all on one?",
        "Try sentence after sentence: write the line that would undo it, measure the losses, and begin "
        "again with a fresh patient. A factor of the scores is also a factor of the queries.",
        "Under `with torch.no_grad():`, a loop over `patient.blocks`, with one line for `block.attention`: multiply a "
        "weight, or change the signs of every second row, or exchange two layers. Two illnesses are not "
        "in the attention: these need one line for the blocks or for the embedding.",
    ),
)


@heal.test(CURED, weight=2, rtol=0.0, atol=LOSSES)
def cured(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return PATIENTS.cured(probe, heal, admitted, whose)


@heal.test(NAMED_WHEN_HEALED)
def named(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    return PATIENTS.named(probe, heal, admitted, whose)
