"""The cost of loading 50 captions of full-size COCO files, compared with reading all of them.

    python -m benchmarks.captioning_reading > benchmarks/captioning_reading.md

Makes files of the real sizes in a temporary folder (about 330 MB). Each way of loading runs in its own process, which
measures CPU time, and how much the peak memory grows after the imports.
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np

from utils.captioning.coco import files
from utils.coco_utils import load_coco_data, sample_coco_minibatch

PICTURES = {"train": 82_783, "val": 40_504}
CAPTIONS = {"train": 400_135, "val": 195_954}
WORDS = 1004


def make_files(folder: Path) -> None:
    rng = np.random.default_rng(0)
    words = [*files.SPECIAL_WORDS, *(f"word{i}" for i in range(WORDS - 4))]
    vocabulary = {"idx_to_word": words, "word_to_idx": {word: i for i, word in enumerate(words)}}
    (folder / files.VOCABULARY).write_text(json.dumps(vocabulary))
    with h5py.File(folder / files.CAPTIONS, "w") as file:
        for split, count in CAPTIONS.items():
            file[f"{split}_captions"] = rng.integers(0, WORDS, (count, 17), dtype=np.int32)
            file[f"{split}_image_idxs"] = rng.integers(0, PICTURES[split], count, dtype=np.int32)
    for split, count in PICTURES.items():
        with h5py.File(folder / files.features_name(split, True), "w") as file:
            file["features"] = rng.standard_normal((count, 512), dtype=np.float32)
        urls = "".join(f"http://farm{i % 9}.staticflickr.com/{i:04d}/{i:010d}_{i:010x}_z.jpg\n" for i in range(count))
        (folder / files.urls_name(split)).write_text(urls)


def everything(folder: Path) -> None:
    """Read all rows of all files, as published loaders do."""
    data = {}
    with h5py.File(folder / files.CAPTIONS) as file:
        data |= {key: np.asarray(file[key]) for key in file}
    for split in PICTURES:
        with h5py.File(folder / files.features_name(split, True)) as file:
            data[f"{split}_features"] = np.asarray(file["features"])
        data[f"{split}_urls"] = np.asarray((folder / files.urls_name(split)).read_text().split("\n")[:-1])
    data["vocabulary"] = json.loads((folder / files.VOCABULARY).read_text())
    rows = np.random.default_rng(0).integers(0, CAPTIONS["train"], 50)
    data["train_captions"], data["train_image_idxs"] = data["train_captions"][rows], data["train_image_idxs"][rows]


def fifty(folder: Path) -> None:
    """Load 50 captions, and a minibatch of each split."""
    data = load_coco_data(folder, max_train=50)
    for split in PICTURES:
        sample_coco_minibatch(data, batch_size=25, split=split)


WAYS = {"reading everything": everything, "max_train=50": fifty}


def measure(way: str, folder: str) -> None:
    Path("/proc/self/clear_refs").write_text("5")  # forget the imports' peak (Linux)
    before = peak_megabytes()
    started = time.process_time()
    WAYS[way](Path(folder))
    seconds = time.process_time() - started
    print(json.dumps([seconds, peak_megabytes() - before]))


def peak_megabytes() -> float:
    """Return the process's peak resident memory."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) / 1024


def main() -> None:
    print("# Loading 50 captions of full-size COCO files\n")
    print("`python -m benchmarks.captioning_reading`; files in the system's cache; the best of three.\n")
    print("| way | CPU-s | peak memory, MB | share of time | share of memory |\n| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        make_files(Path(folder))
        results = {}
        for way in WAYS:
            command = [sys.executable, "-m", "benchmarks.captioning_reading", way, folder]
            runs = [json.loads(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(3)]
            results[way] = [min(column) for column in zip(*runs, strict=True)]
    whole = results["reading everything"]
    for way, (seconds, memory) in results.items():
        print(f"| {way} | {seconds:.3f} | {memory:.1f} | {seconds / whole[0]:.1%} | {memory / whole[1]:.1%} |")


if __name__ == "__main__":
    measure(*sys.argv[1:]) if len(sys.argv) > 1 else main()
