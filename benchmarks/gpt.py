"""Measures the numbers of the lesson `gpt`: losses of one layer, a wider layer, two layers; their texts; the cache.

Run `python -m benchmarks.gpt [learn] [cache] [shared] [deep] [longer] [--seeds N | --seed S…] [--models NAME…]
[--keep FOLDER]`; each printed line is a training, as JSON. The recorded tables are in `benchmarks/gpt.md`. The last
three parts train the lesson's optional models, with the classes of the lesson's own cells.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from autograder.common.course import WORKBOOK
from autograder.exams.reference import reference_names, run_cell
from autograder.lesson.text import Lesson
from utils.gpt import looking, model, writing
from utils.gpt.tales.letters import END, LETTERS, Rows, encode, training_rows, unseen_rows
from utils.gpt.writing import BEGINNING

# name: layers, width. The wider layer has as many weights as the two layers.
MODELS = {"one layer": (1, 96), "one layer, wider": (1, 136), "two layers": (2, 96)}
PARTS = ("GPT", "Block", "SelfAttention", "RMSNorm", "rotate")
LENGTHS = (64, 128, 256, 512, 1024)
TEMPERATURES = (0.5, 1.0, 1.5)
TALES = 100  # tales written at each temperature: chance moves the share of new names by 2 %
LONG = 385  # letters of rows that are twice as long as those in training

Result = dict[str, Any]


def data(seed: int) -> tuple[Rows, Rows]:
    """Return the rows for training, and unseen rows with other names; for seed 0 they are the lesson's."""
    rows = training_rows(8000, length=193, seed=1 + seed)
    return rows, unseen_rows(600, length=193, seed=10_000 + seed, known=rows.names)


def build(names: dict[str, Any], seed: int, **other: Any) -> Any:
    """Return a model of the reference's parts; `other` may replace parts, and sets the model's sizes."""
    parts = {part: other.pop(part, names[part]) for part in PARTS}
    return model.build(**parts, num_letters=len(LETTERS), seed=seed, **other)


def generate_cached(step: Any) -> Callable[..., torch.Tensor]:
    """Return the lesson's `generate` with a cache, so that each letter is computed once."""

    @torch.no_grad()
    def generate(model: Any, letters: torch.Tensor, length: int, choose: Any) -> torch.Tensor:
        with writing.caching(model, step):
            new = letters
            for _ in range(length):
                new = choose(model(new)[:, -1]).unsqueeze(1)
                letters = torch.cat([letters, new], dim=1)
        return letters

    return generate


def learn(names: dict[str, Any], seed: int, name: str, folder: Path | None) -> Result:
    """Train one model as the lesson does; return its measurements; keep its weights in `folder`."""
    rows, unseen = data(seed)
    layers, width = MODELS[name]
    made = build(names, seed, layers=layers, width=width)
    start = time.process_time()
    names["train"](made, rows, names["nats"], seed=seed)
    seconds = time.process_time() - start
    if folder is not None:
        torch.save(made.state_dict(), folder / f"{name.replace(' ', '-').replace(',', '')}-{seed}.pt")
    scores = [(0, looking.scores_of(made, names["induction_score"], unseen))]
    result: Result = {
        "model": name,
        "seed": seed,
        "weights": sum(parameter.numel() for parameter in made.parameters()),
        "cpu_seconds": round(seconds),
        "losses": rounded(looking.losses_of(made, names["nats"], unseen)),
        "score": round(float(scores[0][1].max()), 2),
    }
    if layers > 1:
        off = looking.switched_off(made, scores, names["without_heads"], names["nats"], unseen)
        result["off"] = {heads: rounded(losses) for heads, losses in off.items()}
        result["beginning"] = first_look(made, *looking.best_head(scores))
        generate = generate_cached(names["step"])
        result["written"] = writing.judged(made, generate, names["nucleus"], rows.names, TEMPERATURES, tales=TALES)
    return result


@torch.no_grad()
def first_look(made: Any, layer: int, head: int) -> float:
    """Return the weight of a head, at the end of the explorer's first text, on the letter to be copied."""
    name = BEGINNING.split()[-1]  # a name's beginning, which the text has written out before
    position = len(END) + BEGINNING.index(name) + len(name)
    looks = looking.looks(made, encode(END + BEGINNING).unsqueeze(0))[layer]  # (1, H, S, S)
    return round(float(looks[0, head, -1, position]), 2)


def rounded(numbers: Any) -> list[float]:
    return [round(number, 3) for number in numbers]


def cache(names: dict[str, Any]) -> Iterator[Result]:
    """Yield the seconds that a letter takes, with a cache and without, and their quotient."""
    for seconds in writing.times(build(names, 0, layers=2), names["step"], LENGTHS):
        yield seconds._asdict() | {"times": seconds.without / seconds.cached}


def with_cell(names: dict[str, Any], name: str) -> dict[str, Any]:
    """Return `names` and the names that a lesson's optional cell defines before it trains."""
    (cell,) = (cell for cell in Lesson.load("gpt", WORKBOOK).of_role("show") if cell.name == name)
    more = dict(names)
    run_cell(cell.code.partition("\nif wanted(")[0], name, more)
    return more


def shared(names: dict[str, Any], seed: int) -> Iterator[Result]:
    """Train models whose heads share keys and values."""
    grouped = with_cell(names, "grouped")["Grouped"]
    rows, unseen = data(seed)
    for key_heads in (4, 2, 1):
        grouped.key_heads = key_heads
        made = build(names, seed, layers=2, SelfAttention=grouped)
        names["train"](made, rows, names["nats"], seed=seed)
        weights = sum(parameter.numel() for parameter in made.parameters())
        losses = rounded(looking.losses_of(made, names["nats"], unseen))
        yield {"key heads": key_heads, "seed": seed, "weights": weights, "losses": losses}


def deep(names: dict[str, Any], seed: int) -> Iterator[Result]:
    """Train two models of eight layers: with the norm before each part, and with the norm after each sum."""
    blocks = {"norm before": names["Block"], "norm after": with_cell(names, "norm_after")["NormAfter"]}
    rows, unseen = data(seed)
    for name, block in blocks.items():
        made = build(names, seed, layers=8, width=48, num_heads=2, Block=block)
        measured = names["train"](
            made, rows, names["nats"], steps=100, seed=seed, measure=looking.measure(names["nats"], unseen)
        )
        yield {"model": name, "seed": seed, "plain": {step: round(losses.plain, 2) for step, (losses, _) in measured}}


def longer(names: dict[str, Any], seed: int) -> Iterator[Result]:
    """Let models with rotary and with learned positions read rows twice as long as those in training."""
    cell = with_cell(names, "longer")
    rows, _ = data(seed)
    long_rows = unseen_rows(600, length=LONG, seed=10_000 + seed, known=rows.names)
    for name, rotate in {"turned hands": names["rotate"], "learned positions": cell["unturned"]}.items():
        made = build(names, seed, layers=2, rotate=rotate)
        if name == "learned positions":
            made.embedding = cell["WithPositions"](made.embedding, longest=LONG)
        names["train"](made, rows, names["nats"], seed=seed)
        losses = looking.plain_by_place(made, names["nats"], long_rows)
        yield {"model": name, "seed": seed, "plain": {position: round(loss, 2) for position, loss in losses}}


OPTIONAL = {"shared": shared, "deep": deep, "longer": longer}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", default=["learn", "cache", *OPTIONAL])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seed", type=int, nargs="*")
    parser.add_argument("--models", nargs="*", default=list(MODELS))
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    torch.set_num_threads(1)
    names = reference_names(Lesson.load("gpt", WORKBOOK))
    if "cache" in options.parts:
        for result in cache(names):
            print(json.dumps(result), flush=True)
    for seed in range(options.seeds) if options.seed is None else options.seed:
        for name in options.models if "learn" in options.parts else ():
            print(json.dumps(learn(names, seed, name, options.keep)), flush=True)
        for part in OPTIONAL.keys() & set(options.parts):
            for result in OPTIONAL[part](names, seed):
                print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
