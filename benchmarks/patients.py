"""Measures the patients of the lessons: what each has lost, and which cure heals which.

Run `python -m benchmarks.patients [LESSON…]`; the recorded tables are in `benchmarks/patients.md`.
"""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any

import torch

from autograder import mistakes
from autograder.common.course import WORKBOOK
from autograder.exams.patients import Illness
from autograder.exams.reference import mutant_names, reference_names, run_cell
from autograder.lesson.setup import SETUP_NAME
from autograder.lesson.text import Lesson
from utils.checks.patients import HEALTHY, Patients, Weights

MOST = 1000  # of a distance that is printed
LESSONS = ("gpt", "recall", "attention")


@dataclass(frozen=True)
class Ward:
    """A lesson's patients with their illnesses, in the order of the lesson's sentences."""

    lesson: Lesson
    patients: Patients
    illnesses: tuple[Illness, ...]
    recipe: ModuleType

    def illness_of(self, patient: int) -> int:
        """Return the number of a patient's illness, from 1 on."""
        told = ((number, illness.told or number) for number, illness in enumerate(self.illnesses, 1))
        return next(number for number, illness in told if self.patients.has(patient, illness))

    def admitted(self, weights: Weights, illness: Illness | None = None) -> Any:
        """Return a model with these weights: of the reference's parts, or with an illness as a mistake in one."""
        if illness is None:
            return reference_names(self.lesson)["admitted"](weights)
        in_cell, right, wrong = illness.given or ("", "", "")
        names = dict(reference_names(self.lesson))
        if not illness.given:
            names = mutant_names(self.lesson, mistakes.load(self.lesson)[illness.mistake])
        for cell in self.lesson.of_role("given"):  # again, so that their functions find the mistaken part
            if cell.name != SETUP_NAME:
                code = cell.code.replace(right, wrong) if cell.name == in_cell else cell.code
                run_cell(code, cell.name, names)
        model = names["admitted"](weights)
        if hasattr(self.recipe, "in_one_head"):  # of the right model, all else is right
            return self.recipe.in_one_head(self.admitted(weights), model, illness)
        # Where mistakes may be in what makes the data, the data are made again.
        return self.recipe.with_data(names, model) if hasattr(self.recipe, "with_data") else model

    @torch.no_grad()
    def treated(self, patient: int, cure: Callable[[Any], object], seed: int = 0) -> Any:
        """Return a patient after a cure."""
        model = self.admitted(self.patients.weights(patient, seed))
        cure(model)
        return model


@cache
def ward(name: str) -> Ward:
    """Return the patients of a lesson."""
    lesson = Lesson.load(name, WORKBOOK)
    recipe = lesson.parts[0].module("patients")
    assert recipe
    return Ward(lesson, importlib.import_module(f"utils.{name}.patients").PATIENTS, recipe.ILLNESSES, recipe)


def shown(distance: float) -> str:
    """Return a distance as text; one that is not a number comes from scores that overflow."""
    return f"{abs(distance):.3f}" if distance < MOST else f"> {MOST}"


def rows(name: str) -> list[list[str]]:
    """Return a row for the healthy model and for each patient: losses, and the distance after each sentence's cure."""
    one = ward(name)
    patients, inputs = one.patients, one.patients.inputs(0)
    healthy = patients.read(one.admitted(patients.weights(HEALTHY)), inputs)
    written = []
    for patient in (HEALTHY, *range(patients.count())):
        answers = patients.read(one.admitted(patients.weights(patient)), inputs)
        losses = [f"{loss:.2f}" for loss in patients.losses(answers, inputs).values()]
        if patient is HEALTHY:
            written.append(["", "healthy", *losses])
            continue
        cured = [patients.read(one.treated(patient, illness.cure), inputs) for illness in one.illnesses]
        distances = [shown(patients.distance(answers, healthy)) for answers in cured]
        illness = one.illnesses[one.illness_of(patient) - 1]
        place = ", {1} / {2}".format(*illness.told) if illness.told else ""
        written.append([str(patient), f"`{illness.mistake}`{place}", *losses, *distances])
    return written


if __name__ == "__main__":
    for name in sys.argv[1:] or LESSONS:
        print(f"\n## {name}\n")
        for row in rows(name):
            print("|", " | ".join(row), "|", flush=True)
