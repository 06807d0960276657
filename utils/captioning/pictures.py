"""Pictures by address: scenes are drawn, files of the web are fetched once and kept. No exception is raised.

Why: many of COCO's addresses are dead today, and a lesson goes on without the picture.
"""

import contextlib
import hashlib
import io
import os
import tempfile
import urllib.request
import warnings
from pathlib import Path

import numpy as np

from utils.captioning.scenes.dataset import SCHEME, scene_of
from utils.captioning.scenes.scene import render
from utils.common.storage import data_folder

SCENE_SIDE = 256  # pixels: large enough to look at
TIMEOUT = 8  # seconds to wait for the first and for every further answer
LARGEST = 20_000_000  # bytes; COCO's pictures have about 200,000
_gone: set[str] = set()  # addresses that failed in this process: asking again would only wait again


def image_from_url(url: str) -> np.ndarray | None:
    """Return the picture at an address as (height, width, 3) uint8, or None if it cannot be shown.

    Reasons for None: the file is gone, is too large or no picture, or the connection broke or was too slow.
    """
    url = str(url)
    try:
        if url.startswith(SCHEME):
            return render(scene_of(url), SCENE_SIDE)
        if url in _gone or not url.startswith(("http://", "https://")):
            return None
        return _fetched(url)
    except Exception:  # servers, disks and broken files cause many kinds of errors
        _gone.add(url)
        return None


def _fetched(url: str) -> np.ndarray:
    kept = data_folder("pictures") / hashlib.sha256(url.encode()).hexdigest()
    if kept.is_file():
        with contextlib.suppress(Exception):  # spoiled in the cache: fetch it again
            return _decoded(kept.read_bytes())
    request = urllib.request.Request(url, headers={"User-Agent": "attention-workbook"})
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        content = answer.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ValueError("too large")
    picture = _decoded(content)
    with contextlib.suppress(OSError):  # a full disk must not hide the picture
        _keep(kept, content)
    return picture


def _decoded(content: bytes) -> np.ndarray:
    from PIL import Image  # see scenes/scene.py

    with warnings.catch_warnings():
        warnings.simplefilter("error")  # Pillow only warns of pictures that would fill the memory
        with Image.open(io.BytesIO(content)) as picture:
            return np.asarray(picture.convert("RGB"))


def _keep(path: Path, content: bytes) -> None:
    handle, draft = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(draft, path)
    finally:
        Path(draft).unlink(missing_ok=True)
