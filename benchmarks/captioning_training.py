"""Measures whether a captioner that is trained for a minute describes unseen scenes, for several seeds.

    python -m benchmarks.captioning_training > benchmarks/captioning_training.md

Trains the lesson's reference classes as the lesson does. Reports CPU seconds on one thread, the share of true captions
and BLEU-4 on the 1,000 unseen scenes, the control with shuffled features, the ablations, and the loss after overfitting
50 captions.
"""

import contextlib
import io
import platform
import time

import numpy as np
import torch

from autograder.common.course import WORKBOOK
from autograder.exams import reference
from autograder.lesson.text import Lesson
from utils.captioning.recurrent import RecurrentCaptioner
from utils.captioning.scenes.dataset import scenes_folder
from utils.captioning.scores import describe_split
from utils.captioning_solver_transformer import CaptioningSolverTransformer
from utils.coco_utils import load_coco_data

SEEDS = (0, 1, 2, 3, 4)


def lesson_names() -> dict:
    """Return the names that the completed notebook defines, and those that training cells define before they train."""
    names = dict(reference.reference_names(Lesson.load("captioning", WORKBOOK)))
    for cell in Lesson.load("captioning", WORKBOOK).of_role("show"):
        if cell.name in ("train_on_scenes", "ablation"):
            code = cell.code.split("\nmodel, history")[0].split("\nif wanted(")[0]
            reference.run_cell(code, cell.name, names)
    return names


def quietly(function, *args, **kwargs):
    """Call a function without its output; return its result and its CPU seconds."""
    started = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        result = function(*args, **kwargs)
    return result, time.process_time() - started


def overfit(names: dict, seed: int) -> float:
    """Train on 50 captions for 200 steps; return the last loss."""
    np.random.seed(seed)  # noqa: NPY002 - minibatches are drawn with it
    torch.manual_seed(seed)
    few = load_coco_data(scenes_folder(), max_train=50)
    model = names["CaptioningTransformer"](few["word_to_idx"], 512, wordvec_dim=256, num_heads=2, max_length=30)
    solver = CaptioningSolverTransformer(
        model, few, few["idx_to_word"], num_epochs=100, batch_size=25, learning_rate=0.001, verbose=False
    )
    solver.train()
    return solver.loss_history[-1]


def recurrent(scenes: dict, seed: int) -> tuple[RecurrentCaptioner, float]:
    """Train the recurrent network as the lesson does; return it and the loss of its last 20 steps."""
    np.random.seed(seed)  # noqa: NPY002 - minibatches are drawn with it
    torch.manual_seed(seed)
    model = RecurrentCaptioner(scenes["word_to_idx"], input_dim=512, wordvec_dim=256)
    solver = CaptioningSolverTransformer(
        model, scenes, scenes["idx_to_word"], batch_size=64, learning_rate=0.003, verbose=False
    )
    solver.train(300)
    return model, float(np.mean(solver.loss_history[-20:]))


def main() -> None:
    torch.set_num_threads(1)
    names = lesson_names()
    scenes = names["scenes"]
    train = names["train_captioner"]
    print("# Training the captioner on the embedded scenes\n")
    print(
        f"`python -m benchmarks.captioning_training`, one thread of {platform.machine()}, torch {torch.__version__}.\n"
    )
    print("## 300 steps of 64 captions, described: 1,000 unseen scenes\n")
    print("| seed | CPU-s | true | false | malformed | BLEU-4 | shuffled features: true | BLEU-4 |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for seed in SEEDS:
        (model, _), seconds = quietly(train, scenes, steps=300, seed=seed)
        scores = describe_split(model, scenes)
        shuffled = np.random.RandomState(seed).permutation(scenes["val_features"])
        chance = describe_split(model, scenes | {"val_features": shuffled})
        print(
            f"| {seed} | {seconds:.0f} | {scores['true']:.1%} | {scores['false']:.1%} | {scores['malformed']:.1%} "
            f"| {scores['bleu']:.3f} | {chance['true']:.1%} | {chance['bleu']:.3f} |",
            flush=True,
        )
    print("\n## A recurrent network, a GRU of 256 units: 300 steps of 64 captions\n")
    print("| GRU, seed | CPU-s | true | false | malformed | BLEU-4 |\n| --- | --- | --- | --- | --- | --- |")
    for seed in SEEDS:
        (model, _), seconds = quietly(recurrent, scenes, seed)
        scores = describe_split(model, scenes)
        shares = " | ".join(f"{scores[name]:.1%}" for name in ("true", "false", "malformed"))
        print(f"| {seed} | {seconds:.0f} | {shares} | {scores['bleu']:.4f} |", flush=True)
    print("\n## 50 captions by heart, 200 steps of 25: final loss\n")
    print("| " + " | ".join(f"seed {seed}" for seed in SEEDS[:3]) + " |\n|" + " --- |" * 3)
    print("| " + " | ".join(f"{overfit(names, seed):.4f}" for seed in SEEDS[:3]) + " |\n", flush=True)
    print("## Ablations, 300 steps of 32 captions, 300 unseen scenes: final loss, true, malformed\n")
    for number, seed in enumerate(SEEDS[:2]):
        results, _ = quietly(names["ablation"], seed)
        if not number:
            print("| seed | " + " | ".join(results) + " |\n|" + " --- |" * (1 + len(results)))
        row = [f"{r['loss']:.2f}, {r['true']:.0%}, {r['malformed']:.0%}" for r in results.values()]
        print(f"| {seed} | " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
