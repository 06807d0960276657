"""CS231n, assignment 3, `Transformer_Captioning.ipynb`: three cells that print an error for the student to read.

Sources: editions 2021 to 2024, the notebook in https://github.com/Na-moe/CS231n-2024 (commit e023905); 2025, in
https://github.com/Bert8799/cs231n-spring2025 (commit ea50d3c); 2026, in https://github.com/MuQY1818/cs231n-2026-zh
(commit ef4da98). Their texts ask for errors below 1e-3 (attention; 7e-3 in 2026), of the order of 1e-3 (encoding, read
as below 1e-2) and of the order of 1e-5 (captioning, read as below 1e-4).

Until 2025 the cells run while dropout is at work, so that the printed values depend on which weights are dropped. Where
a checker below is "regenerated", the values come from the reference under the same seed, which is kinder to the course
than its own print. The captioning cell is always regenerated: our feed-forward part is not theirs of 2025 and 2026.
"""

from collections.abc import Callable
from typing import Any

import torch

from autograder.common.course import WORKBOOK
from autograder.exams.reference import reference_names
from autograder.lesson.text import Lesson
from benchmarks.published.checkers import Checker, PublishedTest, relative_error
from utils.captioning.stand_ins import stand_ins

SEED = 231
ATTENTION_LIMIT, ATTENTION_LIMIT_2026, ENCODING_LIMIT, SCORES_LIMIT = 1e-3, 7e-3, 1e-2, 1e-4
Results = list[torch.Tensor]

# Printed in 2021 to 2025: self-attention, the same with a mask, attention to other data; N = 1, S = 3, E = 8, H = 2.
TRAINED = torch.tensor([
    [[-0.2494, 0.1396, 0.4323, -0.2411, -0.1547, 0.2329, -0.1936, -0.1444],
     [-0.1997, 0.1746, 0.7377, -0.3549, -0.2657, 0.2693, -0.2541, -0.2476],
     [-0.0625, 0.1503, 0.7572, -0.3974, -0.1681, 0.2168, -0.2478, -0.3038]],
    [[-0.1347, 0.1934, 0.8628, -0.4903, -0.2614, 0.2798, -0.2586, -0.3019],
     [-0.1013, 0.3111, 0.5783, -0.3248, -0.3842, 0.1482, -0.3628, -0.1496],
     [-0.2071, 0.1669, 0.7097, -0.3152, -0.3136, 0.2520, -0.2774, -0.2208]],
    [[-0.1980, 0.4083, 0.1968, -0.3477, 0.0321, 0.4258, -0.8972, -0.2744],
     [-0.1603, 0.4155, 0.2295, -0.3485, -0.0341, 0.3929, -0.8248, -0.2767],
     [-0.0908, 0.4113, 0.3017, -0.3539, -0.1020, 0.3784, -0.7189, -0.2912]],
])  # fmt: skip
TRAINED_ENCODING = torch.tensor([
    [-1.2340, 1.1127, 1.6978, -0.0865, -0.0000, 1.2728],
    [0.9028, -0.4781, 0.5535, 0.8133, 1.2644, 1.7034],
])  # fmt: skip
# Printed in 2026, after `eval()`.
EVALUATED = torch.tensor([
    [[-0.1030, 0.2090, 0.7481, -0.4116, -0.2772, 0.2357, -0.2740, -0.2798],
     [-0.1794, 0.1637, 0.6930, -0.3435, -0.2300, 0.2457, -0.2504, -0.2323],
     [-0.1861, 0.1567, 0.6677, -0.3078, -0.2731, 0.2302, -0.2714, -0.2082]],
    [[-0.1209, 0.1806, 0.8056, -0.4654, -0.2262, 0.2552, -0.2544, -0.2812],
     [-0.2374, 0.1183, 0.7423, -0.3777, -0.1460, 0.2716, -0.2213, -0.2077],
     [-0.0851, 0.2423, 0.7941, -0.3778, -0.4924, 0.1512, -0.4241, -0.1740]],
    [[-0.1965, 0.0702, 0.5227, -0.1388, -0.3530, 0.2163, -0.2643, -0.1902],
     [-0.3592, -0.0899, 0.5836, 0.0029, -0.3643, 0.2667, -0.1973, -0.1698],
     [-0.3795, 0.0433, 0.5634, -0.0749, -0.4379, 0.2714, -0.2207, -0.1980]],
])  # fmt: skip
EVALUATED_ENCODING = torch.tensor([
    [-1.1106, 1.0014, 1.5280, -0.0778, -0.6964, 1.1455],
    [0.8125, -0.4303, 0.4981, 0.7320, 1.1380, 1.5331],
])  # fmt: skip


def attention_outputs(make: Any, training: bool) -> Results:
    """Run the attention cell with a class: self-attention, masked self-attention, attention to other data."""
    torch.manual_seed(SEED)
    layer = make(8, num_heads=2).train(training)
    data = torch.randn(1, 3, 8)
    alone = layer(query=data, key=data, value=data)
    mask = torch.randn(3, 3) < 0.5
    masked = layer(query=data, key=data, value=data, attn_mask=mask)
    other = torch.randn(1, 3, 8)
    return [alone, masked, layer(query=data, key=other, value=other)]


def encoded(make: Any, training: bool) -> Results:
    """Run the encoding cell with a class: N = 1, S = 2, E = 6."""
    torch.manual_seed(SEED)
    data = torch.randn(1, 2, 6)
    return [make(6).train(training)(data)]


def captioned(make: Any, training: bool, fixed: bool) -> Results:
    """Run the captioning cell with a class: N = 4, S = 3, D = 20, E = 30, V = 3. fixed: weights from -1.4 to 1.3.

    Attention and encoding are the reference's, so that this class alone is judged.
    """
    names = reference_names(Lesson.load("captioning", WORKBOOK))
    words = {"<NULL>": 0, "cat": 2, "dog": 3}
    torch.manual_seed(SEED)
    with stand_ins(names["MultiHeadAttention"], names["PositionalEncoding"]):
        model = make(words, input_dim=20, wordvec_dim=30, num_heads=2, num_layers=2, max_length=30).train(training)
    if not fixed:
        features = torch.randn(4, 20)
        return [model(features, torch.randint(0, len(words), (4, 3)))]
    for weight in model.parameters():
        weight.data = torch.linspace(-1.4, 1.3, weight.numel(), dtype=torch.float64).reshape(weight.shape)
    features = torch.linspace(-1.5, 0.3, 80, dtype=torch.float64).reshape(4, 20)
    return [model.double()(features, (torch.arange(12) % len(words)).reshape(4, 3))]


def printed(run: Callable[[Any], Results], values: torch.Tensor, limit: float) -> PublishedTest:
    """Return a test that compares a cell's results with printed values, one array for each result."""

    def test(student: Any, right: Any) -> None:
        for got, expected in zip(run(student), values, strict=True):
            error = relative_error(got, expected[None])
            assert error < limit, f"error {error:.2g}"

    return test


def regenerated(run: Callable[[Any], Results], limit: float) -> PublishedTest:
    """Return a test that compares a cell's results with those of the reference."""

    def test(student: Any, right: Any) -> None:
        for got, expected in zip(run(student), run(right), strict=True):
            error = relative_error(got, expected)
            assert error < limit, f"error {error:.2g}"

    return test


ATTENTION, ENCODING, CAPTIONING = (
    f"captioning/{question}" for question in ("multi_head_attention", "positional_encoding", "captioning_transformer")
)
CHECKERS = (
    Checker(
        "CS231n 2021–25, as printed",
        "CS231n, assignment 3, 2024 and 2025",
        {
            ATTENTION: printed(lambda make: attention_outputs(make, True), TRAINED, ATTENTION_LIMIT),
            ENCODING: printed(lambda make: encoded(make, True), TRAINED_ENCODING[None], ENCODING_LIMIT),
        },
    ),
    Checker(
        "CS231n 2021–24, regenerated",
        "CS231n, assignment 3, 2024",
        {
            ATTENTION: regenerated(lambda make: attention_outputs(make, True), ATTENTION_LIMIT),
            ENCODING: regenerated(lambda make: encoded(make, True), ENCODING_LIMIT),
            CAPTIONING: regenerated(lambda make: captioned(make, True, fixed=True), SCORES_LIMIT),
        },
    ),
    Checker(
        "CS231n 2025, regenerated",
        "CS231n, assignment 3, 2025",
        {
            ATTENTION: regenerated(lambda make: attention_outputs(make, True), ATTENTION_LIMIT),
            ENCODING: regenerated(lambda make: encoded(make, True), ENCODING_LIMIT),
            CAPTIONING: regenerated(lambda make: captioned(make, True, fixed=False), SCORES_LIMIT),
        },
    ),
    Checker(
        "CS231n 2026",
        "CS231n, assignment 3, 2026",
        {
            ATTENTION: printed(lambda make: attention_outputs(make, False), EVALUATED, ATTENTION_LIMIT_2026),
            ENCODING: printed(lambda make: encoded(make, False), EVALUATED_ENCODING[None], ENCODING_LIMIT),
            CAPTIONING: regenerated(lambda make: captioned(make, False, fixed=False), SCORES_LIMIT),
        },
    ),
)
