"""The sick models of `attention`: which mistake each has, its cure, and how the healthy network was trained.

The standard deviations of the inputs are those of `KNOWN` sequences, so that a test need not draw many.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import torch

from autograder.exams.patients import Illness
from utils.attention.patients import BITS, CHANNELS, KEY_DIM, network, scale
from utils.attention.sequences import LENGTH, generate
from utils.attention.training import train

SHUFFLED = 12  # the seed of the order of the patients
SEED = 58  # of the weights, the sequences and the training: no student's network has it
KNOWN, MORE, STEPS = 1_000, 50_000, 8_000


@cache
def known() -> tuple[torch.Tensor, torch.Tensor]:
    """Return the sequences and targets whose mean and deviation standardise all others."""
    return generate(KNOWN, 2, SEED)


def bits() -> torch.Tensor:
    """Return the positions in binary, (B, T)."""
    return (torch.arange(LENGTH) // 2 ** torch.arange(BITS)[:, None] % 2).float()


def deviations() -> list[float]:
    """Return the standard deviations of the eight channels."""
    sequences, _ = known()
    channels = [sequences[:, 0], *bits().expand(KNOWN, -1, -1).transpose(0, 1)]
    return [float(channel.double().std()) for channel in channels]


def changed(scores: float = 1.0, exchange: bool = False, rolled: int = 0, factors: Any = None) -> tuple[float, ...]:
    """Return the numbers of `_change` in `utils/attention/patients.py`."""
    return (scores, float(exchange), float(rolled), *(factors or [1.0] * (1 + BITS)))


def divided_by(factor: float) -> Callable[[Any], None]:
    """Return the cure for scores that are too large by a factor."""

    def cure(patient: Any) -> None:
        patient.attention.query.weight.div_(factor)
        patient.attention.query.bias.div_(factor)

    return cure


def exchanged(patient: Any) -> None:
    patient.attention.query, patient.attention.key = patient.attention.key, patient.attention.query


def rolled_back(patient: Any) -> None:
    patient.first.weight.copy_(patient.first.weight.roll(-1, 1))


def inputs_times(factors: list[float]) -> Callable[[Any], None]:
    """Return the cure that multiplies the weights of the eight input channels."""
    return lambda patient: patient.first.weight.mul_(torch.tensor(factors).view(1, -1, 1))


STD = deviations()
INVERSE = [1 / std for std in STD]
SIGNS = [1.0, *[-1.0] * BITS]
# In the order of the sentences in the lesson.
ILLNESSES = (
    Illness("scaled_by_key_dim", changed(KEY_DIM**-0.5), divided_by(KEY_DIM**-0.5)),
    Illness("scaled_by_length", changed(LENGTH**-0.5), divided_by(LENGTH**-0.5)),
    Illness("scaled_up_by_key_dim", changed(KEY_DIM**0.5), divided_by(KEY_DIM**0.5)),
    Illness("query_key_exchanged", changed(exchange=True), exchanged),
    Illness("not_divided", changed(factors=STD), inputs_times(INVERSE)),
    Illness("divided_by_variance", changed(factors=INVERSE), inputs_times(STD)),
    Illness("bits_inverted", changed(factors=SIGNS), inputs_times(SIGNS)),
    Illness("encoding_first", changed(rolled=1), rolled_back),
)


def with_data(names: Mapping[str, Any], model: Any) -> Callable[[torch.Tensor], torch.Tensor]:
    """Return a network that reads the heights of its inputs as the data functions among `names` make them."""
    sequences, _ = known()

    def read(inputs: torch.Tensor) -> torch.Tensor:
        mean, std, _, _ = scale()
        every = torch.cat([sequences, inputs[:, :1] * std + mean])
        joined = names["add_position"](every, names["positional_encoding"](LENGTH))
        _, made = names["make_datasets"](joined, torch.zeros(len(every), 1, LENGTH), KNOWN)
        answer: torch.Tensor = model(made[:][0])
        return answer

    return read


def trained(names: Mapping[str, Any]) -> dict[str, torch.Tensor]:
    """Return the weights of a healthy network, trained with the reference; with it the scale, and the encoding."""
    sequences, targets = (torch.cat(parts) for parts in zip(known(), generate(MORE, 2, SEED + 1), strict=True))
    joined = names["add_position"](sequences, names["positional_encoding"](LENGTH))
    _, training_set = names["make_datasets"](joined, targets, KNOWN)
    torch.manual_seed(SEED)
    layer = names["SelfAttentionLayer"](CHANNELS, CHANNELS, key_dim=KEY_DIM)
    made = network(layer)
    train(made, training_set, names["training_loop"], steps=STEPS, seed=SEED)
    numbers = [float(part(each)) for each in known() for part in (torch.mean, torch.std)]
    inputs, _ = training_set[:1]
    return made.state_dict() | {"scale": torch.tensor(np.array(numbers)), "encoding": inputs[0, 1:]}
