"""How good captions are: BLEU-4 against people's (or the grammar's) wordings, and, for scenes, truth.

Source: Papineni et al. 2002 (BLEU), on words as they are.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from utils.captioning.data import caption_text
from utils.captioning.interface import Captioner
from utils.coco.files import Captioned
from utils.common.bleu import bleu
from utils.scenes.dataset import SCHEME, scene_of
from utils.scenes.grammar import judge

JUDGEMENTS = ("true", "false", "malformed")


def plain(caption: str) -> str:
    """The caption's words without `<START>` and `<END>`."""
    return " ".join(word for word in caption.split() if word not in ("<START>", "<END>", "<NULL>"))


def references(data: Captioned, split: str) -> list[list[str]]:
    """Return, for every picture of the split, all its captions."""
    found: list[list[str]] = [[] for _ in data[f"{split}_urls"]]
    for picture, caption in zip(data[f"{split}_image_idxs"], np.asarray(data[f"{split}_captions"]), strict=True):
        found[picture].append(plain(caption_text(caption, data["idx_to_word"])))
    return found


def bleu4(captions: list[str], wordings: list[list[str]]) -> float:
    """BLEU-4 of captions against each picture's wordings, between 0 and 1."""
    return bleu([plain(caption) for caption in captions], wordings)


def truth(captions: list[str], urls: Sequence[str]) -> dict[str, float]:
    """Return the shares of captions that are true, false, malformed of their scenes."""
    counted = Counter(judge(caption, scene_of(url)) for caption, url in zip(captions, urls, strict=True))
    return {judgement: counted[judgement] / len(captions) for judgement in JUDGEMENTS}


def describe_split(
    model: Captioner, data: Captioned, split: str = "val", limit: int | None = None, **options: Any
) -> dict[str, Any]:
    """Caption every picture of a split: `captions`, `bleu`, and for scenes `true`, `false`, `malformed`."""
    pictures = np.arange(len(data[f"{split}_urls"]))[:limit]
    words = model.sample(np.asarray(data[f"{split}_features"][pictures]), max_length=16, **options)
    captions = [plain(caption_text(caption, data["idx_to_word"])) for caption in words]
    wordings, urls = references(data, split)[: len(pictures)], data[f"{split}_urls"][pictures]
    result: dict[str, Any] = {"captions": captions, "bleu": bleu4(captions, wordings)}
    if urls[0].startswith(SCHEME):
        result |= truth(captions, urls)
    return result
