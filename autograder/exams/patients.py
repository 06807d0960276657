"""The exam of a sick model, and what makes it sick: a lesson's illnesses are in `source/LESSON/patients.py`.

The cure runs in the sandbox. Only the weights that it leaves come back, and the lesson's own formulas compute with
them, so no class or stored model of a student has a part in the result.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, NamedTuple

import torch

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.checks.engine.probe import Probe, of_shape
from utils.checks.patients import HEALTHY, Patients, Weights


class Illness(NamedTuple):
    """A mistake, the numbers with which `Patients.change` gives it to healthy weights, and a cure in a line.

    mistake: its id in the catalogue; where the code is given, not written by students, any name. given: in that case
    the given cell, its right code, and the wrong one. told: how students tell it; None if by its number in the list.
    """

    mistake: str
    change: tuple[float, ...]
    cure: Callable[[Any], object]
    given: tuple[str, str, str] | None = None
    told: tuple[int, ...] | None = None


def right(lesson: str, weights: Weights) -> Any:
    """Return what the lesson's `admitted` makes of weights, with the reference's parts: no student code runs."""
    (part,) = WORKBOOK.parts_of(lesson)
    # Not `Lesson.load`: this process may have the modules of a course, which adds questions to the lesson.
    text = part.text.read_text(encoding="utf-8")
    return reference.reference_names(Lesson.parse(lesson, text, WORKBOOK))["admitted"](weights)


def cured(patients: Patients, lesson: str, probe: Probe, heal: Any, admitted: Any, whose: Any) -> dict[str, Any]:
    """Return the losses after a cure, whether the patient is still ill, and whether it is another model."""
    _, patient, weights = patients.admitted(probe, admitted, whose)
    heal(patient)
    after = parameters_of(probe, patient, weights)
    inputs = patients.inputs(seed := int(probe.integers(1, 2**31, 1)))
    healthy = healthy_answers(patients, lesson, seed)

    def answers(weights: Weights) -> torch.Tensor:
        return patients.read(right(lesson, weights), inputs)

    seen = patients.after_cure(answers(after), healthy, lambda: answers(weights), inputs)
    return seen | patients.is_another(weights, after)


def named(patients: Patients, lesson: str, probe: Probe, heal: Any, admitted: Any, whose: Any) -> dict[str, bool]:
    """Return what is wrong with the values that students return: the illness, and the loss or the place of it."""
    number, patient, _ = patients.admitted(probe, admitted, whose)
    values = probe.several(heal(patient), patients.returned)
    return patients.named_rightly(number, values, losses_before(patients, lesson, number))


@lru_cache(maxsize=8)  # a class has the same inputs
def healthy_answers(patients: Patients, lesson: str, seed: int) -> torch.Tensor:
    """Return the answers of the healthy model on the inputs of a seed."""
    return patients.read(right(lesson, patients.weights(HEALTHY)), patients.inputs(seed))


@cache
def losses_before(patients: Patients, lesson: str, number: int) -> dict[str, float]:
    """Return a patient's losses on the inputs of the public check."""
    inputs = patients.inputs(0)
    return patients.losses(patients.read(right(lesson, patients.weights(number)), inputs), inputs)


def parameters_of(probe: Probe, patient: Any, weights: Weights) -> Weights:
    """Return the values of a model's parameters of these names. Raises: ResultError for one of another shape."""
    found: dict[str, Any] = {}
    for name in weights:
        found[name] = patient
        for part in name.split("."):
            found[name] = found[name][int(part)] if part.isdigit() else getattr(found[name], part)
    brought = probe.value(found)
    return {name: of_shape(brought[name], *weights[name].shape).to(weights[name]) for name in weights}
