"""How long a question takes, with everything kept and with a table."""

import time
from collections.abc import Callable

import torch

from utils.common.devices import one_thread
from utils.recall.model import Memory

QUESTIONS = 64
REPEATS = 5  # of which the shortest counts: on a busy computer the others measure its other work


@one_thread()
@torch.no_grad()
def milliseconds(
    memory: Memory, read: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], pairs: int, d: int
) -> tuple[float, float]:
    """Return the milliseconds of `QUESTIONS` questions, asked of all pairs with `memory` and of a table with `read`."""
    generator = torch.Generator().manual_seed(0)
    q, k, v = (torch.randn(1, length, d, generator=generator) for length in (QUESTIONS, pairs, pairs))
    table = k.transpose(1, 2) @ v
    return shortest(lambda: memory(q, k, v)), shortest(lambda: read(table, q))


def shortest(call: Callable[[], object]) -> float:
    """Return the shortest of several times of a call, in milliseconds."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1000 * min(times)
