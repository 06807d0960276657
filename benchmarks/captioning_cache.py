"""How much time the key/value cache saves when captions of 30 words are written.

python -m benchmarks.captioning_cache > benchmarks/captioning_cache.md
"""

import time

import numpy as np
import torch

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.captioning import layers

WORDS = 30
REPEATS = 3  # the fastest counts


def cpu_seconds(model, features, cached: bool) -> float:
    times = []
    for _ in range(REPEATS):
        started = time.process_time()
        model.sample(features, WORDS, cached=cached)
        times.append(time.process_time() - started)
    return min(times)


def main() -> None:
    torch.set_num_threads(1)
    names = reference.reference_names(Lesson.load("captioning", WORKBOOK))
    print("# Writing captions of 30 words: with the cache, and recomputing\n")
    print(f"`python -m benchmarks.captioning_cache`, one thread, torch {torch.__version__}; two layers, 1,004 words.\n")
    print("| width | feed-forward | captions | recomputing, CPU-s | with cache, CPU-s | times cheaper | identical |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    vocabulary = {word: i for i, word in enumerate(["<NULL>", "<START>", *map(str, range(1002))])}  # no <END>
    for width, count in ((256, 1), (256, 8), (256, 25), (256, 100), (512, 1), (512, 25)):
        torch.manual_seed(0)
        model = names["CaptioningTransformer"](vocabulary, 512, width, num_heads=4, max_length=WORDS)
        features = torch.randn(count, 512)
        captions = {cached: model.sample(features, WORDS, cached=cached) for cached in (False, True)}
        slow, fast = (cpu_seconds(model, features, cached) for cached in (False, True))
        same = "yes" if np.array_equal(captions[False], captions[True]) else "NO"
        row = (width, layers.FEED_FORWARD, count, f"{slow:.2f}", f"{fast:.2f}", f"{slow / fast:.1f}", same)
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
    print("\nThe cache computes 30 positions instead of 465, and one pass of `forward` confirms the captions.")


if __name__ == "__main__":
    main()
