"""Make the scenes' features: train a small network on other scenes' attributes, reduce by PCA, store.

    python -m benchmarks.train_scene_features

Run once, by the authors, whenever `utils/captioning/scenes/scene.py` changes: about eight minutes on one core.
Deterministic on one machine (fixed seeds, one thread). The network never sees a caption nor a scene of the data set.
"""

import time

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from utils.captioning.scenes import scene as scenes
from utils.captioning.scenes.features import ASSET, WIDTH, SceneNetwork, as_input

SEED = 7  # of the network's weights and of its own scenes
PICTURES = 40_000  # drawn for training
EPOCHS = 12
BATCH = 64
WEIGHT_DECAY = 0.02
# Smoothed labels draw the pictures of one attribute together and all attributes equally far apart (Müller et al. 2019,
# https://arxiv.org/abs/1906.02629): without, the shapes were too faint for the decoder, and 15% of captions false.
SMOOTHING = 0.1


def labels(scene: scenes.Scene) -> list[int]:
    """The attributes as classes: per thing size, colour, shape (0 = no such thing), place or relation, background."""
    kinds = (list(scenes.SIZES), list(scenes.COLOURS), list(scenes.SHAPES))
    classes = []
    for i in range(2):
        thing = scene.things[i] if i < len(scene.things) else None
        words = (thing.size, thing.colour, thing.shape) if thing else None
        classes += [1 + kind.index(word) for kind, word in zip(kinds, words, strict=True)] if words else [0, 0, 0]
    layout = [*scenes.PLACES, *scenes.RELATIONS].index(scene.place or scene.relation or "")
    return [*classes, layout, list(scenes.BACKGROUNDS).index(scene.background)]


def class_counts() -> list[int]:
    """The number of classes of each attribute, in the order of `labels`."""
    each = [1 + len(scenes.SIZES), 1 + len(scenes.COLOURS), 1 + len(scenes.SHAPES)]
    return [*each, *each, len(scenes.PLACES) + len(scenes.RELATIONS), len(scenes.BACKGROUNDS)]


def draw(items: list[scenes.Scene]) -> npt.NDArray[np.uint8]:
    """The scenes' pictures: (N, 64, 64, 3), 0 to 255."""
    return np.stack([scenes.render(scene) for scene in items])


def train(network: SceneNetwork, heads: nn.Linear) -> None:
    """Train the network, and the linear heads that name the attributes, on PICTURES scenes drawn for this."""
    rng = np.random.RandomState(SEED)
    items = [scenes.random_scene(rng) for _ in range(PICTURES)]
    x, y = draw(items), torch.tensor([labels(scene) for scene in items])
    optimizer = torch.optim.AdamW([*network.parameters(), *heads.parameters()], lr=3e-3, weight_decay=WEIGHT_DECAY)
    steps = EPOCHS * PICTURES // BATCH
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=3e-3, total_steps=steps)
    for epoch in range(EPOCHS):
        total, right = 0.0, 0
        for rows in np.array_split(rng.permutation(PICTURES), PICTURES // BATCH):
            scores = heads(network(as_input(x[rows]))).split(class_counts(), dim=1)
            loss = torch.zeros(())
            for i, s in enumerate(scores):
                loss = loss + nn.functional.cross_entropy(s, y[rows, i], label_smoothing=SMOOTHING)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(rows)
            guess = torch.stack([s.argmax(1) for s in scores], dim=1)
            right += int((guess == y[rows]).all(dim=1).sum())
        shares = f"loss {total / PICTURES:.3f}, all right {right / PICTURES:.1%}"
        print(f"epoch {epoch + 1}: {shares}, {time.process_time():.0f} CPU-s", flush=True)


@torch.no_grad()
def main() -> None:
    """Train, print how often all attributes are read correctly, and write the shipped file."""
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    network = SceneNetwork()
    heads = nn.Linear(WIDTH, sum(class_counts()))
    with torch.enable_grad():
        train(network, heads)
    # The shipped weights have 16 bits; the features are made with the rounded weights, so that both agree.
    for parameter in network.parameters():
        parameter.copy_(parameter.half().float())
    data = scenes.make_scenes()
    summary = {
        split: torch.cat([network(p) for p in as_input(draw(items)).split(256)]) for split, items in data.items()
    }
    for split, items in data.items():
        scores = heads(summary[split]).split(class_counts(), dim=1)
        guess = torch.stack([s.argmax(1) for s in scores], dim=1)
        right = (guess == torch.tensor([labels(scene) for scene in items])).all(dim=1).float().mean()
        print(f"{split}: every attribute right in {right:.1%} of the pictures")
    mean = summary["train"].mean(0)
    _, spread, components = np.linalg.svd((summary["train"] - mean).numpy(), full_matrices=False)
    components = components[:WIDTH]
    # One scale for all components, so that the first has a standard deviation of 4; like COCO's, not whitened.
    components = components * (4.0 / (spread[0] / np.sqrt(len(summary["train"]))))
    store = {split: ((h - mean).numpy() @ components.T).astype(np.float16) for split, h in summary.items()}
    store |= {f"net.{name}": value.numpy().astype(np.float16) for name, value in network.state_dict().items()}
    ASSET.parent.mkdir(exist_ok=True)
    np.savez_compressed(ASSET, mean=mean.numpy(), components=components.astype(np.float32), **store)
    print(f"{ASSET.name}: {ASSET.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
