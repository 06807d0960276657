"""Section 9: the sick model, named and healed."""

from typing import Any

import torch

from utils.checks.check import Check
from utils.checks.engine.probe import Probe
from utils.common.messages import N_
from utils.gpt import patients
from utils.gpt.looking import KIND_NAMES, KindLosses
from utils.gpt.tales.letters import Rows

NOT_ITS_ILLNESS = N_("the sentence with this number is not your patient's illness")
NOT_ITS_LOSS = N_("your patient's loss of a letter of “again” before the cure is a different one")
# A measured loss may differ from ours by this share of it and by so many nats: it may come from other tales.
SHARE, NATS = 0.25, 0.1
LOSSES = 0.03  # nats by which a loss may differ from a healthy model's
NOT_HEALED = N_("the patient's next letters still differ from those of a healthy model")

heal = Check(
    "heal",
    title="The sick model",
    sizes={"N": patients.ROWS, "S": patients.LENGTH},
    hints=(
        "Compare the two tables: is every letter harder, or the names most of all? Where does the patient's best head "
        "look, and is its weight spread over many letters, or all on one?",
        "Try sentence after sentence: write the line that would undo it, measure the losses, and begin "
        "again with a fresh patient. A factor of the scores is also a factor of the queries.",
        "Under `with torch.no_grad():`, a loop over `patient.blocks`, with one line for `block.attention`: multiply a "
        "weight, or change the signs of every second row, or exchange two layers. Two illnesses are not "
        "in the attention: these need one line for the blocks or for the embedding.",
    ),
)


def admitted_patient(probe: Probe, admitted: Any, whose: Any) -> tuple[int, Any, patients.Weights]:
    """Return a patient's number, a new model with its weights in a disguise of its own, and these weights."""
    number = patients.number_of(str(probe.value(whose)))
    weights = patients.weights(number, int(probe.integers(1, 2**31, 1)))
    return number, admitted(weights), weights


def by_kind(losses: KindLosses) -> dict[str, float]:
    """Return losses under the names that students know."""
    return dict(zip(KIND_NAMES, losses, strict=True))


def named_rightly(number: int, illness: object, again: object, measured: float) -> dict[str, bool]:
    """Return what is wrong with the name of an illness, and with the loss that was measured before the cure."""
    near = isinstance(again, int | float) and abs(again - measured) <= NATS + SHARE * measured
    return {NOT_ITS_ILLNESS: not patients.has(number, illness), NOT_ITS_LOSS: not near}


def after_cure(scores: torch.Tensor, healthy: torch.Tensor, rows: Rows) -> dict[str, Any]:
    """Return the losses after a cure, and whether the patient is still ill."""
    return by_kind(patients.losses(scores, rows)) | {NOT_HEALED: not patients.is_healed(scores, healthy)}


@heal.test("after your cure, the losses are those of a healthy model", weight=2, rtol=0.0, atol=LOSSES)
def cured(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    rows = patients.measured_on(0)
    _, patient, _ = admitted_patient(probe, admitted, whose)
    heal(patient)
    healthy = admitted(patients.weights(patients.HEALTHY))
    return after_cure(patients.read(patient, rows), patients.read(healthy, rows), rows)


@heal.test("the illness, by the number of its sentence, and the loss of “again”: judged when the patient is healed")
def named(probe: Probe, heal: Any, admitted: Any, whose: Any) -> Any:
    rows = patients.measured_on(0)
    number, patient, _ = admitted_patient(probe, admitted, whose)
    measured = patients.losses(patients.read(patient, rows), rows)
    illness, again = probe.several(heal(patient), 2)
    healthy = admitted(patients.weights(patients.HEALTHY))
    if not patients.is_healed(patients.read(patient, rows), patients.read(healthy, rows)):
        return {N_("heal your patient first; then this test says whether name and loss are right"): True}
    return named_rightly(number, illness, again, measured.again)
