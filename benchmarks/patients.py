"""Measures the patients of the lesson `gpt`: what each has lost, and which cure heals which.

Run `python -m benchmarks.patients`; the recorded tables are in `benchmarks/patients.md`.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

from autograder.common.course import WORKBOOK
from autograder.course.train_patients import ILLNESSES
from autograder.exams.reference import reference_names
from autograder.lesson.text import Lesson
from utils.gpt import looking, model, patients
from utils.gpt.tales.letters import LETTERS, Rows
from utils.gpt.writing import continued

PARTS = ("GPT", "Block", "SelfAttention", "RMSNorm", "rotate")
Cure = Callable[[Any], None]


def admitted(weights: patients.Weights, names: Mapping[str, Any]) -> Any:
    """Return a model with these weights, of the parts among `names`: the reference's, or with a mistake."""
    made = model.build(*(names[part] for part in PARTS), num_letters=len(LETTERS), layers=patients.LAYERS)
    made.load_state_dict(weights)
    return made.eval()


def of_attentions(cure: Cure) -> Cure:
    """Return the cure that does the same in the attention of each block."""

    def cure_all(patient: Any) -> None:
        for block in patient.blocks:
            cure(block.attention)

    return cure_all


def divided_by(factor: float) -> Cure:
    """Return the cure for scores that are too large by a factor."""
    return of_attentions(lambda attention: attention.query.weight.div_(factor))


def exchanged(attention: Any) -> None:
    attention.query, attention.key = attention.key, attention.query


def turned_back(attention: Any) -> None:
    for layer in (attention.query, attention.key):
        layer.weight[1::2] *= -1


def other_order(patient: Any) -> None:
    patient.blocks[0], patient.blocks[1] = patient.blocks[1], patient.blocks[0]


# In the order of the sentences in the lesson.
CURES: tuple[Cure, ...] = (
    divided_by(math.sqrt(24)),
    divided_by(1 / math.sqrt(24)),
    divided_by(1 / 2),
    of_attentions(exchanged),
    of_attentions(turned_back),
    divided_by(24),
    other_order,
    lambda patient: patient.embedding.weight.div_(math.sqrt(96)),
)


def illness_of(patient: int) -> int:
    """Return the number of a patient's illness, from 1 on."""
    return next(number for number in range(1, len(ILLNESSES) + 1) if patients.has(patient, number))


@torch.no_grad()
def cured_by(patient: int, cure: Cure, names: Mapping[str, Any], rows: Rows) -> float:
    """Return how far a patient is from healthy after a cure, in nats."""
    treated, healthy = (admitted(patients.weights(one), names) for one in (patient, patients.HEALTHY))
    cure(treated)
    return patients.divergence(patients.read(treated, rows), patients.read(healthy, rows))


@torch.no_grad()
def main() -> None:
    """Print a row for each patient."""
    names = reference_names(Lesson.load("gpt", WORKBOOK))
    rows = patients.measured_on(0)
    for patient in (patients.HEALTHY, *range(patients.count())):
        one = admitted(patients.weights(patient), names)
        losses = [f"{loss:.2f}" for loss in patients.losses(patients.read(one, rows), rows)]
        best = f"{float(looking.scores_of(one, names['induction_score'], rows).max()):.2f}"
        [(_, text)] = continued({"": one}, names["generate"])
        shown = ["", "healthy"] if patient is None else [str(patient), ILLNESSES[illness_of(patient) - 1].mistake]
        cures = [] if patient is None else [f"{cured_by(patient, cure, names, rows):.3f}" for cure in CURES]
        print("|", " | ".join([*shown, *losses, best, f"*{text[32:]}*", *cures]), "|", flush=True)


if __name__ == "__main__":
    main()
