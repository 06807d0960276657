"""Where does a word look on a picture, if the model gets the features of a grid of 4 x 4 places?

    python -m benchmarks.captioning_grid > benchmarks/captioning_grid.md

Trains the lesson's model on grids as the lesson does, and gives it a true caption of each of 300 unseen scenes (the
first in the data set). For each word that describes a thing (size, colour, shape), by layer and head: the share of the
cross-attention's weight on places at which this thing stands, and how often the place with the largest weight is one of
them. Chance is the share of such places among the sixteen.
"""

import platform

import numpy as np
import torch

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from benchmarks.captioning_training import lesson_names, quietly
from utils.captioning.looking import cells_of, weights_of
from utils.captioning.scenes.dataset import scene_grids, scene_of
from utils.captioning.scenes.scene import drawn
from utils.captioning.scores import describe_split

SEEDS = (0, 1, 2)
SCENES = 300
NAMES = ("size", "colour", "shape")  # the three words after "a", in this order


def named(caption: list[str]) -> list[list[int]]:
    """Return for each thing in a caption the positions of its words: "a small red ring" -> 1, 2, 3."""
    return [[place + 1 + i for i in range(len(NAMES))] for place, word in enumerate(caption) if word == "a"]


def shares(model, data: dict, scenes: int = SCENES) -> tuple[dict, float]:
    """Return by ("size", layer, head or "mean") the weight's share on the thing and the hits of the largest; chance."""
    index, words = data["word_to_idx"], data["idx_to_word"]
    found: dict[tuple, list[tuple[float, float]]] = {}
    chance = []
    for picture in range(scenes):
        first = int(np.flatnonzero(data["val_image_idxs"] == picture)[0])
        caption = [words[i] for i in data["val_captions"][first] if words[i] not in ("<NULL>", "<START>", "<END>")]
        rows = torch.tensor([[index[word] for word in ("<START>", *caption[:-1])]])
        features = torch.from_numpy(data["val_features"][picture : picture + 1])
        layers = weights_of(model, features, rows, "multihead_attn")
        things = drawn(scene_of(data["val_urls"][picture]))[1]
        for thing, places in zip(things, named(caption), strict=True):
            stands = torch.from_numpy(cells_of(thing).flatten())
            chance.append(stands.double().mean().item())
            for name, place in zip(NAMES, places, strict=True):
                for layer, weights in enumerate(layers, start=1):
                    rows_of = {str(head + 1): row for head, row in enumerate(weights[0, :, place])}
                    for head, row in (rows_of | {"mean": weights[0, :, place].mean(0)}).items():
                        hit = float(stands[row.argmax()])
                        found.setdefault((name, layer, head), []).append((row[stands].sum().item(), hit))
    means = {key: tuple(np.mean(values, axis=0)) for key, values in found.items()}
    return means, float(np.mean(chance))


def main() -> None:
    torch.set_num_threads(1)
    names = lesson_names()
    (cell,) = (cell for cell in Lesson.load("captioning", WORKBOOK).of_role("show") if cell.name == "train_on_grid")
    training = next(line for line in cell.code.splitlines() if line.startswith("grid_model, "))
    data = names["grids"] = names["scenes"] | scene_grids()
    heads: list[str] = []
    lines = []
    print("# Where a word looks on a picture of 4 x 4 places\n")
    print(f"`python -m benchmarks.captioning_grid`, one thread of {platform.machine()}, torch {torch.__version__}.\n")
    print("| seed | CPU-s | true captions of 1,000 unseen scenes | BLEU-4 |\n| --- | --- | --- | --- |")
    for seed in SEEDS:
        seeded = training.replace("steps=", f"seed={seed}, steps=")
        _, seconds = quietly(reference.run_cell, seeded, cell.name, names)
        scores = describe_split(names["grid_model"], data)
        print(f"| {seed} | {seconds:.0f} | {scores['true']:.1%} | {scores['bleu']:.3f} |", flush=True)
        means, chance = shares(names["grid_model"], data)
        heads = sorted({head for _, _, head in means})
        for name in NAMES:
            for layer in (1, 2):
                row = [f"{means[name, layer, head][0]:.2f} ({means[name, layer, head][1]:.2f})" for head in heads]
                lines.append(f"| {seed} | {layer} | {name} | " + " | ".join(row) + f" | {chance:.2f} |")
    print(
        f"\n## Share of the weight on the named thing, {SCENES} unseen scenes; in brackets hits of the largest weight\n"
    )
    titles = [f"head {head}" if head.isdecimal() else head for head in heads]
    print("| seed | layer | word | " + " | ".join(titles) + " | chance |\n|" + " --- |" * (4 + len(heads)))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
