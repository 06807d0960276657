"""The embedded scenes as a data set: the same six files as COCO's, written into the user's cache in a second.

What: `scenes_folder()` returns a folder that `load_coco_data` can read; `scene_of(url)` returns the scene at an address
such as `scenes://val/17`. Scenes, captions and features come from the other modules of this folder.
"""

import hashlib
import json
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

from utils.captioning.coco import files
from utils.captioning.scenes import grammar
from utils.captioning.scenes import scene as scenes
from utils.captioning.scenes.features import ASSET, SIDE, grid_of, shipped_features
from utils.common.errors import DataError
from utils.common.messages import N_
from utils.common.progress import progress
from utils.common.storage import data_folder

SCHEME = "scenes://"
CAPTION_WIDTH = 17  # START, up to 15 words, END: as in COCO's files


@cache
def all_scenes() -> dict[str, list[scenes.Scene]]:
    """Return the data set's scenes by split; they are made once per process."""
    return scenes.make_scenes()


def scene_of(url: str) -> scenes.Scene:
    """Return the scene at an address `scenes://SPLIT/NUMBER`.

    Raises: DataError for an unknown scene.
    """
    split, _, number = url.removeprefix(SCHEME).partition("/")
    if (
        url.startswith(SCHEME)
        and split in all_scenes()
        and number.isdecimal()
        and int(number) < len(all_scenes()[split])
    ):
        return all_scenes()[split][int(number)]
    raise DataError(
        N_("There is no scene {url}; addresses look like {example}, see train_urls and val_urls."),
        url=url,
        example=f"{SCHEME}val/17",
    )


@cache
def _edition() -> str:
    """Return a name for the sources of the files: other features or another grammar give another name."""
    sources = [ASSET, Path(scenes.__file__), Path(grammar.__file__), Path(__file__)]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:12]


def scenes_folder(*, raw: bool = False) -> Path:
    """Return the folder of the scenes' files, which are written if missing; `raw` adds the files with 4096 features.

    Raises: DataError when a file cannot be written.
    """
    folder = data_folder("scenes") / _edition()
    try:
        if not all((folder / name).is_file() for name in files.needed()):
            _lay(folder)
        for split in files.SPLITS if raw else ():
            if not (folder / files.features_name(split, False)).is_file():
                _add_features(folder, split, pca_features=False)
    except OSError as error:
        raise DataError(
            N_("The scenes cannot be laid into {folder} ({error}); make room and try again."),
            folder=str(folder),
            error=str(error.strerror or error),
        ) from None
    return folder


@cache
def scene_grids() -> dict[str, np.ndarray]:
    """Return `train_features` and `val_features` as grids, (pictures, 16, GRID_WIDTH) float32; takes seconds.

    In a rehearsal, the grids of the first scenes are those of all.
    """
    grids = {}
    for split, items in all_scenes().items():
        pictures = [scenes.render(scene, SIDE) for scene in progress(items, N_("drawing scenes"))]
        drawn = grid_of(np.stack(pictures))
        grids[f"{split}_features"] = np.resize(drawn, (len(items), *drawn.shape[1:]))
    return grids


def _lay(folder: Path) -> None:
    """Write all files into another folder, then rename it, so that no process reads a folder that is half written."""
    draft = Path(tempfile.mkdtemp(prefix="making-", dir=folder.parent))
    try:
        _write(draft)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            os.replace(draft, folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process has written the same files meanwhile
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(folder: Path) -> None:
    import h5py  # see coco/files.py

    words = [*files.SPECIAL_WORDS, *grammar.vocabulary()]
    index = {word: i for i, word in enumerate(words)}
    (folder / files.VOCABULARY).write_text(json.dumps({"idx_to_word": words, "word_to_idx": index}), encoding="utf-8")
    rng = np.random.RandomState(scenes.SCENES_SEED + 1)
    with h5py.File(folder / files.CAPTIONS, "w") as file:
        for split, items in all_scenes().items():
            texts = [text for scene in items for text in grammar.captions_of(scene, rng)]
            captions = np.full((len(texts), CAPTION_WIDTH), index["<NULL>"], dtype=np.int32)
            for row, text in zip(captions, texts, strict=True):
                indices = [index[word] for word in ("<START>", *text.split(), "<END>")]
                row[: len(indices)] = indices
            file[f"{split}_captions"] = captions
            file[f"{split}_image_idxs"] = np.repeat(np.arange(len(items), dtype=np.int32), grammar.CAPTIONS_EACH)
    for split, items in all_scenes().items():
        urls = "\n".join(f"{SCHEME}{split}/{number}" for number in range(len(items)))
        (folder / files.urls_name(split)).write_text(urls + "\n", encoding="utf-8")
        _add_features(folder, split, pca_features=True)


def _add_features(folder: Path, split: str, *, pca_features: bool) -> None:
    import h5py

    small = shipped_features(split)
    name = files.features_name(split, pca_features)
    draft = folder / f"{name}.{os.getpid()}"
    try:
        with h5py.File(draft, "w") as file:
            shape = (len(small), files.WIDTHS[pca_features])
            if pca_features:
                file["features"] = np.pad(small, ((0, 0), (0, shape[1] - small.shape[1])))
            else:  # 4032 of the 4096 columns are zeros, which take no space when compressed
                dataset = file.create_dataset("features", shape, "f4", chunks=(len(small), 64), compression="gzip")
                dataset[:, : small.shape[1]] = small
        os.replace(draft, folder / name)
    finally:
        draft.unlink(missing_ok=True)
