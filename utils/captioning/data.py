"""Captioned pictures: the COCO 2014 files if they were downloaded, else the embedded scenes in the same form.

What: `load_coco_data`, `sample_coco_minibatch` and `decode_captions` have the names, and the dictionary the keys, that
published code uses.
Source: COCO captions (Chen et al. 2015, https://arxiv.org/abs/1504.00325), VGG-16 features and the ten files
of Stanford's course CS231n (http://cs231n.stanford.edu/coco_captioning.zip).
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from utils.captioning.coco import files
from utils.captioning.coco.files import Captioned
from utils.captioning.scenes import dataset
from utils.common.errors import DataError
from utils.common.messages import N_
from utils.common.storage import data_folder


def load_coco_data(
    base_dir: str | Path | None = None, max_train: int | None = None, pca_features: bool = True
) -> Captioned:
    """Load captioned pictures as a dictionary.

    `train_captions` (n, 17) int32, `train_image_idxs` (n,) int32 rows of `train_features` (pictures, D) float32 and
    `train_urls` (pictures,); the same for `val_`; `idx_to_word` list and `word_to_idx` dict of V words.
    Without `max_train` these are numpy arrays, mapped from the files: an assignment changes the copy in memory, never
    the file. With it, those of large files are `Rows` and `Lines`, indexed in the same way: only what is used is read.

    Args: base_dir: the folder of the COCO files; None for those that `python -m utils.download coco` fetched, or, if
        there are none, the embedded scenes. max_train: draw this many training captions, with numpy's global generator,
        as published code does, so that a seed gives the same rows. pca_features: D = 512, else the raw features with
        D = 4096 (of scenes: zeros added).
    Raises: DataError that names file, key, expected and found.
    """
    if base_dir is None:
        base_dir = data_folder("coco_captioning")
        if not files.any_there(base_dir):
            base_dir = dataset.scenes_folder(raw=not pca_features)
    data = files.read(Path(base_dir), pca_features=pca_features, sparingly=max_train is not None)
    if max_train is not None:
        if max_train < 1:
            raise DataError(
                N_("max_train={max_train} leaves nothing to train on: ask for at least one caption, or None."),
                max_train=max_train,
            )
        rows = np.random.randint(len(data["train_captions"]), size=max_train)  # noqa: NPY002 - the field's generator
        for key in ("train_captions", "train_image_idxs"):
            data[key] = data[key][rows]
    return data


def sample_coco_minibatch(
    data: Captioned, batch_size: int = 100, split: str = "train"
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw captions at random: words (batch, 17), their pictures' features (batch, D) and urls (batch,)."""
    captions = data[f"{split}_captions"]
    rows = np.random.choice(len(captions), batch_size)  # noqa: NPY002 - the field's generator
    pictures = data[f"{split}_image_idxs"][rows]
    return captions[rows], data[f"{split}_features"][pictures], data[f"{split}_urls"][pictures]


def decode_captions(captions: ArrayLike, idx_to_word: Sequence[str]) -> str | list[str]:
    """Return the words of a caption (S,) as a string, those of captions (N, S) as a list of strings.

    Words after `<END>` are left out, and so is `<NULL>`.
    """
    captions = np.asarray(captions)
    if captions.ndim == 1:
        return caption_text(captions, idx_to_word)
    return [caption_text(caption, idx_to_word) for caption in captions]


def caption_text(caption: np.ndarray, idx_to_word: Sequence[str]) -> str:
    """Return the words of one caption (S,) as a string: up to and including `<END>`, without `<NULL>`."""
    words = []
    for index in caption:
        word = idx_to_word[int(index)]
        if word != "<NULL>":
            words.append(word)
        if word == "<END>":
            break
    return " ".join(words)
