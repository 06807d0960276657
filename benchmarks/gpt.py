"""Figures of the lesson `gpt`: what one layer, a wider one and two layers learn; heads off; writing; the cache.

Run `python -m benchmarks.gpt [learn] [cache] [--seeds N]`; the tables go to standard output, the recorded ones are in
`benchmarks/gpt.md`.
"""

import argparse
import json
import time
from typing import Any

import torch

from autograder.exams.reference import reference_names
from autograder.lesson.text import Lesson
from utils.generation import looking, model, training, writing
from utils.tales.letters import LETTERS, training_rows, unseen_rows

# name: layers, width. The wider layer has as many weights as the two.
MODELS = {"one layer": (1, 96), "one layer, wider": (1, 136), "two layers": (2, 96)}
PARTS = ("GPT", "Block", "SelfAttention", "RMSNorm", "rotate")
LENGTHS = (64, 128, 256, 512, 1024)


def learn(names: dict[str, Any], seed: int, name: str) -> dict[str, Any]:
    """Train one model as the lesson does; return all that is measured of it."""
    rows = training_rows(8000, length=193, seed=1 + seed)
    unseen = unseen_rows(600, length=193, seed=10_000 + seed, known=rows.names)
    layers, width = MODELS[name]
    made = model.build(
        *(names[part] for part in PARTS), num_letters=len(LETTERS), layers=layers, width=width, seed=seed
    )
    start = time.process_time()
    training.train(made, rows, names["nats"], seed=seed)
    seconds = time.process_time() - start
    scores = [(training.STEPS, looking.scores_of(made, names["induction_score"], unseen))]
    found: dict[str, Any] = {
        "model": name,
        "seed": seed,
        "weights": sum(parameter.numel() for parameter in made.parameters()),
        "cpu_seconds": round(seconds),
        "losses": [round(loss, 3) for loss in looking.losses_of(made, names["nats"], unseen)],
        "score": round(float(scores[0][1].max()), 2),
    }
    if layers > 1:
        off = looking.switched_off(made, scores, names["without_heads"], names["nats"], unseen)
        found["off"] = {heads: [round(loss, 3) for loss in losses] for heads, losses in off.items()}
        temperatures = (0.5, 1.0, 1.5)
        found["written"] = writing.judged(made, names["generate"], names["nucleus"], rows.names, temperatures, tales=20)
    return found


def cache(names: dict[str, Any]) -> list[writing.Times]:
    """Return the times of a letter, with a cache and without."""
    made = model.build(*(names[part] for part in PARTS), num_letters=len(LETTERS), layers=2)
    return writing.times(made, names["step"], LENGTHS)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=["learn", "cache"])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--models", nargs="*", default=list(MODELS))
    options = parser.parse_args()
    torch.set_num_threads(1)
    names = reference_names(Lesson.load("gpt"))
    if "cache" in options.parts:
        for one in cache(names):
            print(
                f"| {one.length} | {one.without:.1f} | {one.cached:.2f} | {one.without / one.cached:.1f} |", flush=True
            )
    if "learn" in options.parts:
        for seed in range(options.seeds):
            for name in options.models:
                print(json.dumps(learn(names, seed, name)), flush=True)


if __name__ == "__main__":
    main()
