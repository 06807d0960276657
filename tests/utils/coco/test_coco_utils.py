"""Loading COCO's files: schema, rows on demand, and errors that say what is wrong."""

import json

import h5py
import numpy as np
import pytest

from autograder.common.paths import ROOT
from utils.captioning.coco import files
from utils.captioning.coco.rows import Lines, Rows
from utils.coco_utils import decode_captions, load_coco_data, sample_coco_minibatch
from utils.common.errors import DataError

REAL = ROOT.parent / "shared" / "data" / "coco_captioning"
COUNTS = {"train": (41, 13), "val": (23, 7)}  # captions, pictures


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Small files in COCO's form; row i of the features holds the number i."""
    monkeypatch.setenv("ATTENTION_WORKBOOK_DATA", str(tmp_path / "home"))
    folder = tmp_path / "coco"
    folder.mkdir()
    words = [*files.SPECIAL_WORDS, *(f"word{i}" for i in range(5))]
    vocabulary = {"idx_to_word": words, "word_to_idx": {word: i for i, word in enumerate(words)}}
    (folder / "coco2014_vocab.json").write_text(json.dumps(vocabulary))
    rng = np.random.RandomState(0)
    with h5py.File(folder / "coco2014_captions.h5", "w") as file:
        for split, (captions, pictures) in COUNTS.items():
            file[f"{split}_captions"] = rng.randint(0, 9, (captions, 17), dtype=np.int32)
            file[f"{split}_image_idxs"] = rng.randint(0, pictures, captions, dtype=np.int32)
    for split, (_, pictures) in COUNTS.items():
        with h5py.File(folder / f"{split}2014_vgg16_fc7_pca.h5", "w") as file:
            file["features"] = np.repeat(np.arange(pictures, dtype=np.float32)[:, None], 512, axis=1)
        (folder / f"{split}2014_urls.txt").write_text("".join(f"http://{split}/{i}\n" for i in range(pictures)))
    return folder


def test_the_dictionary(folder):
    data = load_coco_data(folder)
    assert data["train_captions"].shape == (41, 17) and data["train_captions"].dtype == np.int32
    assert data["train_features"].shape == (13, 512) and data["train_features"].dtype == np.float32
    assert {type(data[f"{split}_{key}"]) for split in COUNTS for key in ("captions", "features", "urls")} == {
        np.ndarray
    }
    assert data["idx_to_word"][2] == "<END>" and data["word_to_idx"]["<UNK>"] == 3
    with h5py.File(folder / "coco2014_captions.h5") as file:
        np.testing.assert_array_equal(data["val_captions"], file["val_captions"][:])


def test_assignment_never_reaches_the_file(folder):
    load_coco_data(folder)["train_features"][3] = -1
    assert load_coco_data(folder)["train_features"][3, 0] == 3


@pytest.mark.parametrize("small", [12_000_000, 0])
def test_a_minibatch_keeps_caption_picture_and_url_together(folder, monkeypatch, small):
    monkeypatch.setattr(files, "SMALL", small)
    np.random.seed(1)  # noqa: NPY002
    data = load_coco_data(folder, max_train=11)
    assert len(data["train_captions"]) == 11
    whole = load_coco_data(folder)
    known = {(tuple(c), int(i)) for c, i in zip(whole["train_captions"], whole["train_image_idxs"], strict=True)}
    for split in ("train", "val"):
        captions, features, urls = sample_coco_minibatch(data, batch_size=19, split=split)
        assert features.shape == (19, 512)
        assert list(urls) == [f"http://{split}/{int(feature[0])}" for feature in features]
        if split == "train":
            assert all((tuple(c), int(f[0])) in known for c, f in zip(captions, features, strict=True))


def test_the_same_seed_draws_the_fields_rows(folder):
    np.random.seed(7)  # noqa: NPY002
    rows = np.random.randint(41, size=5)  # noqa: NPY002
    np.random.seed(7)  # noqa: NPY002
    np.testing.assert_array_equal(
        load_coco_data(folder, max_train=5)["train_captions"], load_coco_data(folder)["train_captions"][rows]
    )


def test_rows_index_as_arrays(folder):
    path = folder / "train2014_vgg16_fc7_pca.h5"
    rows = Rows(path, "features", (13, 512), np.dtype("f4"))
    whole = np.asarray(rows)
    for index in (
        5,
        -1,
        [3, 1, 3],
        slice(2, 9, 3),
        np.arange(13) % 2 == 0,
        np.array([[0, 1], [2, 0]]),
        (4, 7),
        ([1, 2], 5),
    ):
        np.testing.assert_array_equal(rows[index], whole[index])
    assert rows[[]].shape == (0, 512)
    assert float(np.max(rows + 1)) == 13
    lines = Lines(folder / "val2014_urls.txt")
    assert lines[2] == "http://val/2" and list(lines[[6, 0]]) == ["http://val/6", "http://val/0"]
    assert list(lines) == list(np.asarray(lines)) and len(lines) == 7
    with pytest.raises(IndexError):
        rows[13]


def damage(folder, name, how):
    path = folder / name
    if how == "missing":
        path.unlink()
    elif how == "truncated":
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    elif how == "text":
        path.write_text("<html>404</html>")
    else:
        how(path)


def rewrite(**arrays):
    def write(path):
        with h5py.File(path, "w") as file:
            for key, array in arrays.items():
                file[key] = array

    return write


def without_end(path):
    content = json.loads(path.read_text())
    content["word_to_idx"].pop("<END>")
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    "name, how, words",
    [
        ("val2014_urls.txt", "missing", ["lacks val2014_urls.txt", "python -m utils.download coco"]),
        ("coco2014_captions.h5", "truncated", ["coco2014_captions.h5", "train_captions", "bytes that cannot be read"]),
        ("train2014_vgg16_fc7_pca.h5", "text", ["train2014_vgg16_fc7_pca.h5", "HDF5", "features"]),
        ("coco2014_vocab.json", "truncated", ["coco2014_vocab.json", "expected JSON"]),
        ("coco2014_vocab.json", without_end, ["lacking: <END>"]),
        ("coco2014_captions.h5", rewrite(other=np.zeros(3)), ["'train_captions'", "found other"]),
        (
            "val2014_vgg16_fc7_pca.h5",
            rewrite(features=np.zeros((7, 4096), np.float32)),
            ["'features'", "?x512", "7x4096"],
        ),
        ("val2014_vgg16_fc7_pca.h5", rewrite(features=np.zeros((7, 512), np.int32)), ["float32", "int32"]),
        (
            "val2014_vgg16_fc7_pca.h5",
            rewrite(features=np.zeros((2, 512), np.float32)),
            ["name picture 6", "(2)"],
        ),
        ("train2014_urls.txt", "text", ["as many lines as pictures, 13", "found 1"]),
    ],
)
def test_damaged_files(folder, name, how, words):
    damage(folder, name, how)
    with pytest.raises(DataError) as caught:
        load_coco_data(folder)
    for word in words:
        assert word in str(caught.value)


def test_compressed_arrays_are_read_too(folder):
    with h5py.File(folder / "val2014_vgg16_fc7_pca.h5", "w") as file:
        file.create_dataset("features", data=np.ones((7, 512), np.float32), compression="gzip")
    assert load_coco_data(folder)["val_features"].sum() == 7 * 512


def test_scenes_without_any_files(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_DATA", str(tmp_path))
    data = load_coco_data(max_train=50)
    assert data["train_captions"].shape == (50, 17)
    assert data["train_features"].shape == (5000, 512)
    raw = load_coco_data(pca_features=False)["val_features"]
    assert raw.shape == (1000, 4096)
    np.testing.assert_array_equal(raw[:, :512], data["val_features"])


def test_max_train_must_leave_something(folder):
    with pytest.raises(DataError, match="max_train=0"):
        load_coco_data(folder, max_train=0)


def test_decoding():
    words = ["<NULL>", "<START>", "<END>", "<UNK>", "cat", "dog"]
    assert decode_captions(np.array([1, 4, 0, 5, 2, 4]), words) == "<START> cat dog <END>"
    assert decode_captions(np.array([[1, 4, 2], [5, 5, 5]]), words) == ["<START> cat <END>", "dog dog dog"]
    assert decode_captions([4, 2], dict(enumerate(words))) == "cat <END>"


@pytest.mark.skipif(not REAL.is_dir(), reason="the rows of the real COCO files are not here")
def test_real_rows(folder):
    captions = np.load(REAL / "train_captions_first_rows.npz")
    features = np.load(REAL / "train_features_first_rows.npz")
    captions, features = captions[captions.files[0]], features[features.files[0]]
    (folder / "coco2014_vocab.json").write_bytes((REAL / "coco2014_vocab.json").read_bytes())
    rewrite(
        train_captions=captions.astype(np.int32),
        train_image_idxs=(np.arange(len(captions)) % len(features)).astype(np.int32),
        val_captions=captions[:50].astype(np.int32),
        val_image_idxs=np.zeros(50, np.int32),
    )(folder / "coco2014_captions.h5")
    rewrite(features=features)(folder / "train2014_vgg16_fc7_pca.h5")
    (folder / "train2014_urls.txt").write_text("http://a/b\n" * len(features))
    data = load_coco_data(folder, max_train=29)
    assert len(data["idx_to_word"]) == 1004
    for text in decode_captions(data["train_captions"], data["idx_to_word"]):
        assert text.startswith("<START> ") and text.endswith(" <END>") and 3 <= len(text.split()) <= 17
    _, rows, _ = sample_coco_minibatch(data, 5)
    assert rows.shape == (5, 512) and rows.dtype == np.float32 and np.abs(rows).max() > 1
