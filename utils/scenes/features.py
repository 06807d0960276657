"""What a small convolutional network sees in a picture of a scene: 64 numbers, or some for each of 4 x 4 places.

What: `features_of(pictures)` gives for any 64 x 64 picture the features that the scenes' data set ships. `grid_of`
gives what the same network has before it looks at the whole: its last convolution, place by place.
The network was trained on other scenes to name their attributes; its last layer before the names, turned to its
principal components, is the feature, as COCO's 512 numbers come from VGG-16's layer fc7.
Why: a decoder of captions needs features in which what is said can be found linearly; raw pixels, colour grids or
random convolutions were tried and leave most captions false, a hidden layer of rectified units leaves one in seven.
Source: `python -m autograder.course.train_scene_features` makes the shipped file; Simonyan and Zisserman 2015 for VGG.
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
SIDE = 64  # pixels of a picture's side, as the network saw them in training
WIDTH = 64  # numbers of a picture; its attributes have 53 values
CELLS = 4  # places along each side of a grid: 64 points after four convolutions of stride 2
# Numbers of a place: the last convolution's channels, and in which row and which column the place lies, one-hot.
GRID_WIDTH = 64 + 2 * CELLS


class SceneNetwork(nn.Module):
    """Four strided convolutions, a hidden layer, and WIDTH numbers to name the scene by: (N, 3, 64, 64) -> (N, 64)."""

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


@torch.no_grad()
def features_of(pictures: np.ndarray) -> np.ndarray:
    """Return the features of pictures: (N, 64, 64, 3) uint8 -> (N, 64) float32."""
    summary = torch.cat([_network()(part) for part in as_input(pictures).split(256)]).numpy()
    components: np.ndarray = (summary - _assets()["mean"]) @ _assets()["components"].T
    return components.astype(np.float32)


@torch.no_grad()
def grid_of(pictures: np.ndarray) -> np.ndarray:
    """Return the features of the places of pictures: (N, 64, 64, 3) uint8 -> (N, 16, GRID_WIDTH) float32.

    The places run from left to right, row by row. Each sees 37 of the side's 64 points, those around itself.
    """
    seen = torch.cat([_network().grid(part) for part in as_input(pictures).split(256)])  # (N, 64, CELLS, CELLS)
    row, column = torch.eye(CELLS).repeat_interleave(CELLS, 0), torch.eye(CELLS).repeat(CELLS, 1)  # (16, CELLS)
    where = torch.cat([row, column], dim=1).expand(len(seen), -1, -1)
    grid: np.ndarray = torch.cat([seen.flatten(2).transpose(1, 2), where], dim=2).numpy()
    return grid
