"""Make the patients of a lesson: train a healthy model with the reference, store it with what makes it ill.

    python -m benchmarks.train_patients LESSON

Run once, by the authors, whenever the model or its training changes: up to two minutes on one core. The lesson's
illnesses are in `source/LESSON/patients.py`; `benchmarks/patients.py` measures what each of them does.
"""

import importlib
import random
import sys

import numpy as np

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.exams.patients import right
from autograder.lesson.text import Lesson
from utils.checks.patients import HEALTHY, Patients, sealed


def main(name: str) -> None:
    """Train, write the file that is shipped, and print its size and the losses of the healthy model."""
    lesson = Lesson.load(name, WORKBOOK)
    patients: Patients = importlib.import_module(f"utils.{name}.patients").PATIENTS
    recipe = lesson.parts[0].module("patients")
    assert recipe, f"source/{name}/patients.py is missing"
    made = recipe.trained(reference.reference_names(lesson)).items()
    # Weights have 16 bits; other numbers, without a dot in their names, are kept as they are.
    weights = {part: value.half().numpy() if "." in part else value.numpy() for part, value in made}
    illnesses = list(enumerate(recipe.ILLNESSES, 1))
    random.Random(recipe.SHUFFLED).shuffle(illnesses)
    changes = np.array([illness.change for _, illness in illnesses])
    answers = np.array([sealed(patient, ill.told or number) for patient, (number, ill) in enumerate(illnesses)])
    np.savez_compressed(patients.asset, changes=changes, illnesses=answers, **weights)
    print(f"{patients.asset.name}: {patients.asset.stat().st_size / 1e6:.2f} MB")
    inputs = patients.inputs(0)
    print(patients.losses(patients.read(right(name, patients.weights(HEALTHY)), inputs), inputs))


if __name__ == "__main__":
    main(sys.argv[1])
