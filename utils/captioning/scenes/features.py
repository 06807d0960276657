"""Features of a scene's picture, from a small convolutional network: one vector, or one for each of 4 x 4 places.

What: `features_of` returns the 64 features of 64 x 64 pictures, as the scenes' data set ships them. `grid_of` returns
the output of the network's last convolution, place by place. The network was trained on other scenes to classify their
attributes. The 64 features are the principal components of its last layer before the classes, as COCO's 512 features
are those of VGG-16's layer fc7.
Why: a decoder needs features from which the words can be read linearly. With raw pixels, colour grids or random
convolutions most captions were false; with a hidden layer after a ReLU it was one caption in seven.
Source: `python -m benchmarks.train_scene_features` makes the shipped file; Simonyan and Zisserman 2015 for VGG.
"""

from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import nn

from utils.common.errors import DataError, ShapeError
from utils.common.messages import N_

ASSET = Path(__file__).parent / "features.npz"
SIDE = 64  # pixels of a picture's side, as in the network's training
WIDTH = 64  # features of a picture; the attributes to be classified have 53 values in all
CELLS = 4  # places along each side of a grid: 64 pixels after four convolutions of stride 2
# Features of a place: the last convolution's channels, and the place's row and column, each one-hot.
GRID_WIDTH = 64 + 2 * CELLS


class SceneNetwork(nn.Module):
    """Four strided convolutions, a hidden layer, and WIDTH features: (N, 3, 64, 64) -> (N, 64)."""

    def __init__(self, hidden: int = 128):
        super().__init__()
        channels = (3, 16, 32, 48, 64)
        self.convolutions = nn.ModuleList(
            nn.Conv2d(a, b, kernel_size=5 if i < 2 else 3, stride=2, padding=2 if i < 2 else 1)
            for i, (a, b) in enumerate(pairwise(channels))
        )
        self.hidden = nn.Linear(channels[-1] * (SIDE // 16) ** 2, hidden)
        self.summary = nn.Linear(hidden, WIDTH)

    def grid(self, x: torch.Tensor) -> torch.Tensor:
        """(N, 3, 64, 64) -> (N, 64, CELLS, CELLS)."""
        for convolution in self.convolutions:
            x = torch.relu(convolution(x))
        return x

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        summary: torch.Tensor = self.summary(torch.relu(self.hidden(self.grid(x).flatten(1))))
        return summary


def as_input(pictures: np.ndarray) -> torch.Tensor:
    """(N, 64, 64, 3) uint8 -> (N, 3, 64, 64) float32 between -1 and 1."""
    pictures = np.asarray(pictures)
    if pictures.ndim != 4 or pictures.shape[1:] != (SIDE, SIDE, 3):
        raise ShapeError(
            N_(
                "The pictures must have the shape (N, {side}, {side}, 3), but have {shape}; draw them with "
                "render(scene, {side})."
            ),
            side=SIDE,
            shape=str(pictures.shape),
        )
    return torch.from_numpy(pictures.astype(np.float32) / 127.5 - 1.0).permute(0, 3, 1, 2).contiguous()


@cache
def _assets() -> dict[str, np.ndarray]:
    try:
        with np.load(ASSET, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except (OSError, ValueError, KeyError) as error:
        raise DataError(
            N_("The shipped file {path} cannot be read ({error}); it belongs to the workbook: fetch that again."),
            path=str(ASSET),
            error=str(error),
        ) from None


def shipped_features(split: str) -> np.ndarray:
    """Return the data set's features of `split` ("train" or "val"): (pictures, 64) float32."""
    return _assets()[split].astype(np.float32)


@cache
def _network() -> SceneNetwork:
    network = SceneNetwork()
    weights = {name: torch.from_numpy(_assets()[f"net.{name}"].astype(np.float32)) for name in network.state_dict()}
    network.load_state_dict(weights)
    return network.eval()


def convolutions() -> list[nn.Conv2d]:
    """Return the network's convolutions, each followed by ReLU: all that the features of the places need."""
    return [layer for layer in _network().convolutions if isinstance(layer, nn.Conv2d)]


@torch.no_grad()
def features_of(pictures: np.ndarray) -> np.ndarray:
    """Return the features of pictures: (N, 64, 64, 3) uint8 -> (N, 64) float32."""
    summary = torch.cat([_network()(part) for part in as_input(pictures).split(256)]).numpy()
    components: np.ndarray = (summary - _assets()["mean"]) @ _assets()["components"].T
    return components.astype(np.float32)


@torch.no_grad()
def grid_of(pictures: np.ndarray) -> np.ndarray:
    """Return the features of the places of pictures: (N, 64, 64, 3) uint8 -> (N, 16, GRID_WIDTH) float32.

    The places run from left to right, row by row. A place's features depend on 37 x 37 of the 64 x 64 pixels.
    """
    seen = torch.cat([_network().grid(part) for part in as_input(pictures).split(256)])  # (N, 64, CELLS, CELLS)
    row, column = torch.eye(CELLS).repeat_interleave(CELLS, 0), torch.eye(CELLS).repeat(CELLS, 1)  # (16, CELLS)
    where = torch.cat([row, column], dim=1).expand(len(seen), -1, -1)
    grid: np.ndarray = torch.cat([seen.flatten(2).transpose(1, 2), where], dim=2).numpy()
    return grid
