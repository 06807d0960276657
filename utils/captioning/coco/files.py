"""Reading COCO's captioning files, with errors that say what is wrong.

What: `read(folder)` opens captions, features, vocabulary and addresses. Arrays that are contiguous in their files are
mapped into memory. With `sparingly`, large arrays are `Rows` instead, which read only the rows that are indexed.
Source: the schema of the files in http://cs231n.stanford.edu/coco_captioning.zip.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np

from utils.captioning.coco.rows import Lines, Rows
from utils.common.errors import DataError
from utils.common.messages import N_, Message, listed

CAPTIONS, VOCABULARY = "coco2014_captions.h5", "coco2014_vocab.json"
SPLITS = ("train", "val")
WIDTHS = {True: 512, False: 4096}  # of the features, by whether they are reduced to principal components
SPECIAL_WORDS = ("<NULL>", "<START>", "<END>", "<UNK>")
SMALL = 12_000_000  # bytes: smaller files are read whole in any case
FETCH = Message(N_("fetch it again with: {command}"), {"command": "python -m utils.download coco"})

# Captioned pictures as `utils.coco_utils.load_coco_data` describes them. No TypedDict, because code makes the keys from
# a split's name, "train" or "val".
Captioned = dict[str, Any]


def features_name(split: str, pca_features: bool) -> str:
    """Return the file name of a split's features."""
    return f"{split}2014_vgg16_fc7{'_pca' if pca_features else ''}.h5"


def urls_name(split: str) -> str:
    """Return the file name of a split's picture addresses."""
    return f"{split}2014_urls.txt"


def needed(pca_features: bool = True) -> list[str]:
    """Return the names of the files that `read` opens."""
    pairs = [(features_name(split, pca_features), urls_name(split)) for split in SPLITS]
    return [CAPTIONS, VOCABULARY, *(name for pair in pairs for name in pair)]


def any_there(folder: str | Path) -> bool:
    """Return whether the folder holds one of the files."""
    return any((Path(folder) / name).exists() for name in needed())


def read(folder: Path, *, pca_features: bool = True, sparingly: bool = False) -> Captioned:
    """Return the dictionary described at `utils.coco_utils.load_coco_data`, with every row.

    `sparingly`: large arrays are `Rows` and `Lines`, which read what is indexed.

    Raises: DataError.
    """
    missing = [name for name in needed(pca_features) if not (folder / name).is_file()]
    if missing:
        raise DataError(
            N_("The folder {folder} lacks {names}; {fetch}"), folder=str(folder), names=listed(missing), fetch=FETCH
        )
    data: Captioned = {}
    captions = folder / CAPTIONS
    for split in SPLITS:
        data[f"{split}_captions"] = _array(captions, f"{split}_captions", "iu", (None, None), sparingly)
        data[f"{split}_image_idxs"] = _array(
            captions, f"{split}_image_idxs", "iu", (len(data[f"{split}_captions"]),), sparingly
        )
    for split in SPLITS:
        path = folder / features_name(split, pca_features)
        data[f"{split}_features"] = _array(path, "features", "f", (None, WIDTHS[pca_features]), sparingly)
        last = int(np.max(data[f"{split}_image_idxs"], initial=-1))
        if last >= len(data[f"{split}_features"]):
            raise DataError(
                N_(
                    "{path}: the captions name picture {last}, beyond the rows of the key 'features' ({count}); {fetch}"
                ),
                path=str(path),
                last=last,
                count=len(data[f"{split}_features"]),
                fetch=FETCH,
            )
    data["idx_to_word"], data["word_to_idx"] = _vocabulary(folder / VOCABULARY)
    for split in SPLITS:
        path = folder / urls_name(split)
        # An array of objects takes a fifth of the memory of an array of fixed-width texts.
        small = not sparingly or path.stat().st_size <= SMALL // 6
        urls: np.ndarray | Lines = np.array(_text(path).splitlines(), dtype=object) if small else Lines(path)
        if len(urls) != len(data[f"{split}_features"]):
            raise DataError(
                N_("{path}: expected as many lines as pictures, {count}, found {found}; {fetch}"),
                path=str(path),
                count=len(data[f"{split}_features"]),
                found=len(urls),
                fetch=FETCH,
            )
        data[f"{split}_urls"] = urls
    return data


def _array(
    path: Path, key: str, kinds: str, shape: tuple[int | None, ...], sparingly: bool = False
) -> np.ndarray | Rows:
    """Return the array `key` of an HDF5 file; None in `shape` means any size.

    kinds: the accepted kinds of numpy's dtypes. sparingly: return a large array as `Rows`.
    """
    import h5py  # here, because its thirty libraries are a quarter of the memory that a process of the lessons maps

    try:
        with h5py.File(path, "r") as file:
            if not isinstance(file.get(key), h5py.Dataset):
                raise _lacks_key(path, key, sorted(file))
            dataset = file[key]
            stored, dtype, offset = dataset.shape, dataset.dtype, dataset.id.get_offset()
            fits = len(stored) == len(shape) and all(
                want in (None, have) for want, have in zip(shape, stored, strict=True)
            )
            if not fits or dtype.kind not in kinds:
                wanted = "x".join("?" if size is None else str(size) for size in shape)
                kind = "float32" if kinds == "f" else "int32"
                raise DataError(
                    N_("{path}: key '{key}': expected {wanted} of {kind}, found {found} of {dtype}; {fetch}"),
                    path=str(path),
                    key=key,
                    wanted=wanted,
                    kind=kind,
                    found="x".join(map(str, stored)) or Message(N_("a single value")),
                    dtype=str(dtype),
                    fetch=FETCH,
                )
            if sparingly and dataset.size * dtype.itemsize > SMALL:
                return Rows(path, key, stored, dtype)
            if sparingly or offset is None or dataset.size == 0:  # compressed or chunked
                return np.asarray(dataset[...])
    except OSError as error:
        raise DataError(
            N_(
                "{path}: expected an HDF5 file with the key '{key}', found {size:,} bytes that cannot be read "
                "({error}); {fetch}"
            ),
            path=str(path),
            key=key,
            size=path.stat().st_size,
            error=str(error),
            fetch=FETCH,
        ) from None
    # Copy on write: an assignment changes the array in memory, not the file.
    return np.asarray(np.memmap(path, dtype=dtype, mode="c", offset=offset, shape=stored))


def _lacks_key(path: Path, key: str, keys: list[str]) -> DataError:
    text = N_("{path}: expected the key '{key}', found {found}; {fetch}")
    return DataError(text, path=str(path), key=key, found=listed(keys) or Message(N_("none")), fetch=FETCH)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        text = N_("{path}: expected UTF-8 text, but it cannot be read ({error}); {fetch}")
        raise DataError(text, path=str(path), error=str(error), fetch=FETCH) from None


def _vocabulary(path: Path) -> tuple[list[str], dict[str, int]]:
    try:
        content = json.loads(_text(path))
    except json.JSONDecodeError as error:
        text = N_("{path}: expected JSON, found something else ({error}); {fetch}")
        raise DataError(text, path=str(path), error=str(error), fetch=FETCH) from None
    missing = [key for key in ("idx_to_word", "word_to_idx") if not isinstance(content, dict) or key not in content]
    if missing:
        raise _lacks_key(path, missing[0], list(content))
    words, indices = content["idx_to_word"], content["word_to_idx"]
    lost = [word for word in SPECIAL_WORDS if word not in indices]
    if lost or len(words) != len(indices):
        raise DataError(
            N_(
                "{path}: expected as many words as indices and {special} among them, found {words} and {indices}, "
                "lacking: {lost}; {fetch}"
            ),
            path=str(path),
            special=listed(SPECIAL_WORDS),
            words=len(words),
            indices=len(indices),
            lost=listed(lost) or Message(N_("none")),
            fetch=FETCH,
        )
    return words, indices
