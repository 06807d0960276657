"""The embedded scenes: pictures, language, features, and the files laid for the loader."""

import json
import zlib

import h5py
import numpy as np
import pytest

from utils.captioning.coco import files
from utils.captioning.scenes import dataset
from utils.captioning.scenes import scene as scenes
from utils.captioning.scenes.features import features_of, shipped_features
from utils.captioning.scenes.grammar import captions_of, judge, vocabulary
from utils.captioning.scenes.scene import Scene, Thing, render
from utils.common.errors import DataError, ShapeError

ABOVE = Scene((Thing("small", "red", "circle"), Thing("large", "blue", "star")), "white", relation="above", jitter=3)
ALONE = Scene((Thing("large", "green", "square"),), "black", place="in the top left corner", jitter=8)


@pytest.fixture
def data_home(tmp_path, monkeypatch):
    monkeypatch.setenv("ATTENTION_WORKBOOK_DATA", str(tmp_path))
    return tmp_path


def test_scenes_are_the_same_every_time_and_validation_is_unseen():
    one, other = scenes.make_scenes(), scenes.make_scenes()
    assert one == other
    assert {split: len(items) for split, items in one.items()} == scenes.COUNTS
    assert not {s.meaning for s in one["train"]} & {s.meaning for s in one["val"]}


def test_the_scenes_are_those_on_which_the_lesson_s_numbers_were_measured():
    """Whoever changes scenes or captions measures the numbers in the lesson again, and then notes their sums here."""
    made = scenes.make_scenes()
    assert zlib.crc32("\n".join(map(str, made["train"] + made["val"])).encode()) == 3090989267
    rng = np.random.RandomState(0)
    captions = [caption for scene in made["train"][:2000] for caption in captions_of(scene, rng)]
    assert zlib.crc32("\n".join(captions).encode()) == 566276733


def test_a_picture_shows_the_colours_where_the_scene_says():
    picture = render(ABOVE, 96).astype(int)
    rows = {}
    for thing in ABOVE.things:
        near = np.abs(picture - np.array(scenes.COLOURS[thing.colour])).sum(axis=2) < 40
        rows[thing.colour] = np.argwhere(near)
    assert rows["red"][:, 0].max() < rows["blue"][:, 0].min()
    assert len(rows["red"]) < len(rows["blue"])


def test_a_picture_is_the_same_at_every_size():
    small, large = render(ALONE, 64).astype(float), render(ALONE, 192).astype(float)
    shrunk = large.reshape(64, 3, 64, 3, 3).mean(axis=(1, 3))
    assert np.abs(small - shrunk).mean() < 3


@pytest.mark.parametrize(
    "caption, verdict",
    [
        ("a small red circle above a large blue star", "true"),
        ("<START> a small red circle above a large blue star <END> <NULL>", "true"),
        ("there is a small red circle above a large blue star", "true"),
        ("a small red circle and a large blue star below it", "true"),
        ("a small red circle over a large blue star on white", "true"),
        ("a small red circle over a large blue star on black", "false"),
        ("a large blue star above a small red circle", "false"),
        ("a small red circle to the left of a large blue star", "false"),
        ("a small red circle above a large blue ring", "false"),
        ("a small red circle in the middle", "false"),
        ("a small red circle above a large blue", "malformed"),
        ("a small red circle above a large blue star star", "malformed"),
        ("", "malformed"),
    ],
)
def test_judging(caption, verdict):
    assert judge(caption, ABOVE) == verdict


def test_every_caption_of_the_grammar_is_true_and_fits():
    rng = np.random.RandomState(5)
    words = set(vocabulary())
    for scene in scenes.make_scenes()["val"][:200]:
        for caption in captions_of(scene, rng):
            assert judge(caption, scene) == "true"
            assert len(caption.split()) <= 15
            assert set(caption.split()) <= words


def test_the_shipped_features_are_those_of_the_pictures():
    # stored in 16 bits: half a thousandth of the largest component, which is about 10
    items = scenes.make_scenes()["val"][:23]
    np.testing.assert_allclose(
        features_of(np.stack([render(s) for s in items])), shipped_features("val")[:23], atol=0.02
    )


def test_features_want_pictures_of_64():
    with pytest.raises(ShapeError, match=r"\(N, 64, 64, 3\)"):
        features_of(np.zeros((2, 32, 32, 3), dtype=np.uint8))


def test_files_have_the_schema_of_coco(data_home):
    folder = dataset.scenes_folder()
    assert sorted(path.name for path in folder.iterdir()) == sorted(files.needed())
    with h5py.File(folder / "coco2014_captions.h5") as file:
        assert file["train_captions"].shape == (25000, 17) and file["train_captions"].dtype == np.int32
        captions, pictures = file["val_captions"][:], file["val_image_idxs"][:]
    words = json.loads((folder / "coco2014_vocab.json").read_text())["idx_to_word"]
    assert words[:4] == ["<NULL>", "<START>", "<END>", "<UNK>"]
    for row, number in list(zip(captions, pictures, strict=True))[::97]:
        text = " ".join(words[i] for i in row)
        assert judge(text, dataset.all_scenes()["val"][number]) == "true"
        assert row[0] == 1 and (row == 2).sum() == 1


def test_laying_again_changes_nothing_and_leaves_no_drafts(data_home):
    folder = dataset.scenes_folder()
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert dataset.scenes_folder() == folder
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_half_written_folder_is_mended(data_home):
    folder = dataset.scenes_folder()
    (folder / "coco2014_vocab.json").unlink()
    assert (dataset.scenes_folder() / "coco2014_vocab.json").is_file()


@pytest.mark.parametrize(
    "url", ["scenes://val/1000", "scenes://test/1", "scenes://val/-1", "scenes://val/x", "http://x/1"]
)
def test_unknown_addresses(url):
    with pytest.raises(DataError, match="no scene"):
        dataset.scene_of(url)
