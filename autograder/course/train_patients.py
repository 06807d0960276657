"""Make the patients of the lesson `gpt`: train a healthy model with the reference, store it with what makes it ill.

    python -m autograder.course.train_patients

Run once, by the authors, whenever the model or its training changes: about two minutes on one core. Each illness is a
known mistake that equals a change of the weights (`benchmarks/proof/patients.py` shows it).
"""

import math
import random
from typing import NamedTuple

import numpy as np
import torch

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.gpt.patients import ASSET, HEADS, LAYERS, losses, measured_on, read, sealed

SEED = 58  # of the weights and of the training: no student's model has it
SHUFFLED = 4  # the seed of the order of the patients
WIDTH = 96


class Illness(NamedTuple):
    """A known mistake, and the numbers with which `patients._change` gives it to healthy weights."""

    mistake: str
    scores: float = 1.0
    exchange: float = 0.0
    sign: float = 1.0
    order: float = 0.0
    stream: float = 1.0


# In the order of the sentences in the lesson.
ILLNESSES = (
    Illness("attention_no_scale", scores=math.sqrt(WIDTH / HEADS)),
    Illness("attention_scale_without_root", scores=math.sqrt(HEADS / WIDTH)),
    Illness("attention_scale_of_width", scores=math.sqrt(1 / HEADS)),
    Illness("attention_keys_ask", exchange=1.0),
    Illness("rotate_backwards", sign=-1.0),
    Illness("attention_scale_multiplied", scores=WIDTH / HEADS),
    Illness("gpt_blocks_reversed", order=1.0),
    Illness("gpt_embedding_scaled", stream=math.sqrt(WIDTH)),
)


def main() -> None:
    """Train, print the losses, and write the shipped file."""
    names = reference.reference_names(Lesson.load("gpt", WORKBOOK))
    parts = [names[part] for part in ("GPT", "Block", "SelfAttention", "RMSNorm", "rotate")]
    model = names["scaffold"].build(*parts, num_letters=len(names["LETTERS"]), layers=LAYERS, seed=SEED)
    names["train"](model, names["training_rows"](8000, length=193, seed=1), names["nats"], seed=SEED)
    with torch.no_grad():  # the shipped weights have 16 bits
        for parameter in model.parameters():
            parameter.copy_(parameter.half().float())
    print("losses of the healthy model:", losses(read(model, measured_on(0)), measured_on(0)))
    weights = {name: value.numpy().astype(np.float16) for name, value in model.state_dict().items()}
    illnesses = list(enumerate(ILLNESSES, 1))
    random.Random(SHUFFLED).shuffle(illnesses)
    changes = np.array([illness[1:] for _, illness in illnesses])
    answers = np.array([sealed(patient, number) for patient, (number, _) in enumerate(illnesses)])
    np.savez_compressed(ASSET, changes=changes, illnesses=answers, **weights)
    print(f"{ASSET.name}: {ASSET.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
