"""Patients: trained models that behave as if one line of their code were wrong, and can be healed by a line.

A lesson's patients are made of one model, which the authors have trained (`benchmarks/train_patients.py`) and
which a file keeps. Its weights are first disguised, by changes of basis that change no result, so that no patient can
be compared with another number by number. Then they are changed such that the right formulas give what a known mistake
would give with healthy weights. The same file holds these changes, as numbers, and which illness each patient has.

The lesson's own module `patients` has the rest: how weights are disguised and changed, and how a patient is measured.
"""

import copy
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch

from utils.checks.engine.probe import Probe
from utils.common.errors import DataError
from utils.common.messages import N_

HEALTHY = None  # in place of a patient's number
BASIS = 0.5  # how unequal the components of a disguise are: standard deviation of a factor's logarithm
# A measured loss may differ from ours by this share of it and by so many units: it may come from other inputs.
SHARE, UNITS = 0.25, 0.1

CURED = N_("after your cure, the losses are those of a healthy model")
NAMED = N_("the number of the illness, and the loss before the cure")
NAMED_WHEN_HEALED = N_("the number of the illness, and the loss before the cure; judged once the patient is healed")
NOT_ITS_ILLNESS = N_("the illness with this number is not your patient's")
NOT_ITS_PLACE = N_("the illness, the layer or the head is not your patient's")
NOT_ITS_LOSS = N_("your patient's loss before the cure is a different one")
NOT_HEALED = N_("your patient still answers differently from a healthy model")
NOT_CHANGED = N_("your changes make no difference to your patient")
ANOTHER = N_("these are another model's weights, not your patient's")
HEAL_FIRST = N_("heal your patient first; then this test says whether both numbers are right")

Weights = dict[str, torch.Tensor]
Drawn = TypeVar("Drawn")


@dataclass(frozen=True)
class Patients:
    """The patients of a lesson.

    asset: the file of the healthy weights, of the changes and of the hashes of illnesses.
    disguise: changes the basis of weights in place. change: makes weights ill in place, by the numbers of the file.
    inputs: a seed -> what a model is measured on. read: a model and inputs -> its answers.
    losses: answers and inputs -> losses by the names that students know.
    returned: how many values students return: what their patient has, and last the loss `told`, unless it is None.
    distance: answers and those of a healthy model -> how far they are apart; below `healed`, a patient is healed.
    marks: parameters by which a model is recognised, because a cure changes them by a factor at most.
    """

    asset: Path
    disguise: Callable[[Weights, torch.Generator], None]
    change: Callable[..., None]
    inputs: Callable[[int], Any]
    read: Callable[[Any, Any], torch.Tensor]
    losses: Callable[[torch.Tensor, Any], dict[str, float]]
    told: str | None
    healed: float
    marks: tuple[str, ...]
    distance: Callable[[torch.Tensor, torch.Tensor], float]
    returned: int = 2

    def count(self) -> int:
        """Return the number of patients, which is also that of illnesses."""
        return len(kept(self.asset)["changes"])

    def number_of(self, name: str) -> int:
        """Return the number of the patient who belongs to a student's name, whatever its capitals and spaces."""
        plain = "".join(name.casefold().split())
        return int(hashlib.sha256(f"a patient for{plain}".encode()).hexdigest(), 16) % self.count()

    def has(self, patient: int, illness: object) -> bool:
        """Return whether a patient has the illness that is told by a number from 1 on, or by several."""
        return sealed(patient, illness) == str(kept(self.asset)["illnesses"][patient])

    def weights(self, patient: int | None, seed: int = 0) -> Weights:
        """Return a patient's weights by name, or those of the healthy model; another seed gives another disguise.

        Raises: DataError for a patient who is not there.
        """
        if patient is not HEALTHY and not 0 <= patient < self.count():
            there = N_("There is no patient {patient}; patients have the numbers 0 to {last}.")
            raise DataError(there, patient=patient, last=self.count() - 1)
        return _weights(self, patient, seed)

    def is_healed(self, answers: torch.Tensor, healthy: torch.Tensor) -> bool:
        """Return whether answers are a healthy model's."""
        return self.distance(answers, healthy) < self.healed

    # ---- what check and exam share ----

    def admitted(self, probe: Probe, admitted: Any, whose: Any) -> tuple[int, Any, Weights]:
        """Return a patient's number, a new model with its weights in a disguise of its own, and these weights."""
        number = self.number_of(str(probe.value(whose)))
        weights = self.weights(number, int(probe.integers(1, 2**31, 1)))
        return number, admitted(weights), weights

    def after_cure(
        self, answers: torch.Tensor, healthy: torch.Tensor, before: Callable[[], torch.Tensor], inputs: Any
    ) -> dict[str, Any]:
        """Return the losses after a cure, whether the patient is still ill, and whether it answers as before.

        before: returns the answers before the cure. A healed patient has other answers, so they are not computed.
        """
        ill = not self.is_healed(answers, healthy)
        said = {NOT_HEALED: ill, NOT_CHANGED: ill and torch.allclose(answers, before())}
        return self.losses(answers, inputs) | said

    def is_another(self, before: Weights, after: Mapping[str, torch.Tensor]) -> dict[str, bool]:
        """Return whether weights are another model's: no illness changes those called `marks`, but for a factor."""
        pairs = [(before[name].flatten(), after[name].detach().to(before[name]).flatten()) for name in self.marks]
        alike = (torch.nn.functional.cosine_similarity(*pair, dim=0).abs() > 0.9999 for pair in pairs)
        return {ANOTHER: not all(bool(each) for each in alike)}

    def named_rightly(self, number: int, values: Sequence[object], losses: Mapping[str, float]) -> dict[str, bool]:
        """Return what is wrong with the values that students return; losses: those measured before the cure."""
        plain = [each.item() if isinstance(each, torch.Tensor) and each.numel() == 1 else each for each in values]
        if self.told is None:
            return {NOT_ITS_PLACE: not self.has(number, tuple(plain))}
        (illness, loss), measured = plain, losses[self.told]
        near = isinstance(loss, int | float) and abs(loss - measured) <= UNITS + SHARE * measured
        return {NOT_ITS_ILLNESS: not self.has(number, illness), NOT_ITS_LOSS: not near}

    # ---- the tests of the public check ----

    def cured(self, probe: Probe, heal: Any, admitted: Any, whose: Any) -> dict[str, Any]:
        inputs = self.inputs(0)
        _, patient, weights = self.admitted(probe, admitted, whose)
        before = self.read(patient, inputs)
        heal(patient)
        seen = self.after_cure(self.read(patient, inputs), self._healthy(admitted), lambda: before, inputs)
        return seen | self.is_another(weights, patient.state_dict())

    def named(self, probe: Probe, heal: Any, admitted: Any, whose: Any) -> dict[str, bool]:
        inputs = self.inputs(0)
        number, patient, _ = self.admitted(probe, admitted, whose)
        losses = self.losses(self.read(patient, inputs), inputs)
        values = probe.several(heal(patient), self.returned)
        ill = not self.is_healed(self.read(patient, inputs), self._healthy(admitted))
        wrong = self.named_rightly(number, values, losses)
        return {HEAL_FIRST: ill} | {told: said and not ill for told, said in wrong.items()}

    def _healthy(self, admitted: Any) -> torch.Tensor:
        return self.read(admitted(self.weights(HEALTHY)), self.inputs(0))


@cache
def kept(asset: Path) -> dict[str, Any]:
    with np.load(asset) as file:
        return dict(file)


@lru_cache(maxsize=8)
def _weights(patients: Patients, patient: int | None, seed: int) -> Weights:
    file = kept(patients.asset)
    model = {name: torch.from_numpy(value).double() for name, value in file.items() if "." in name}
    patients.disguise(model, torch.Generator().manual_seed(seed + 1000 * (patient or 0)))
    if patient is not HEALTHY:
        patients.change(model, *file["changes"][patient].tolist())
    return {name: value.float() for name, value in model.items()}


def sealed(patient: int, illness: object) -> str:
    """Return the hash by which the file says that a patient has an illness: so no list of them can be read there."""
    return hashlib.sha256(f"patient {patient} has {illness}".encode()).hexdigest()


def divergence(scores: torch.Tensor, healthy: torch.Tensor) -> float:
    """Return how far scores are from a healthy model's: the mean Kullback-Leibler divergence of what they guess."""
    ours, right = scores.log_softmax(dim=-1), healthy.log_softmax(dim=-1)
    return float((right.exp() * (right - ours)).sum(dim=-1).mean())


def drawn(inputs: Callable[[int], Drawn]) -> Callable[[int], Drawn]:
    """Decorate the function that draws a seed's inputs: they are kept, and do not depend on torch's default dtype."""

    @lru_cache(maxsize=8)  # an exam has few seeds
    @wraps(inputs)
    def draw(seed: int) -> Drawn:
        default = torch.get_default_dtype()
        torch.set_default_dtype(torch.float32)
        try:
            return inputs(seed)
        finally:
            torch.set_default_dtype(default)

    return draw


def on_cpu(model: Any) -> Any:
    """Return a copy of a student's own model on the CPU, where patients are measured."""
    return copy.deepcopy(model).cpu().eval()


def turned(size: int, generator: torch.Generator) -> torch.Tensor:
    """Return a random rotation, (size, size)."""
    rotation: torch.Tensor = torch.linalg.qr(torch.randn(size, size, generator=generator).double())[0]
    return rotation


def other_basis(size: int, generator: torch.Generator) -> torch.Tensor:
    """Return a random change of basis, (size, size): a rotation whose components are stretched unequally."""
    return turned(size, generator) * (BASIS * torch.randn(size, generator=generator).double()).exp()
