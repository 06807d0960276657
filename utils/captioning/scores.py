"""How good captions are: BLEU-4 against reference captions, and, for scenes, whether they are true.

Source: Papineni et al. 2002 (BLEU), on words as they are.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from utils.captioning.coco.files import Captioned
from utils.captioning.data import caption_text
from utils.captioning.interface import Captioner
from utils.captioning.scenes.claims import claims_of, facts_of
from utils.captioning.scenes.dataset import SCHEME, scene_of
from utils.captioning.scenes.grammar import judge
from utils.common.bleu import bleu
from utils.common.progress import rehearsed

JUDGEMENTS = ("true", "false", "malformed")
LONGEST = 16  # words of a caption


def plain(caption: str) -> str:
    """Return the caption's words without `<START>`, `<END>` and `<NULL>`."""
    return " ".join(word for word in caption.split() if word not in ("<START>", "<END>", "<NULL>"))


def references(data: Captioned, split: str) -> list[list[str]]:
    """Return all captions of each picture of the split."""
    by_picture: list[list[str]] = [[] for _ in data[f"{split}_urls"]]
    for picture, caption in zip(data[f"{split}_image_idxs"], np.asarray(data[f"{split}_captions"]), strict=True):
        by_picture[picture].append(plain(caption_text(caption, data["idx_to_word"])))
    return by_picture


def bleu4(captions: list[str], wordings: list[list[str]]) -> float:
    """Return the BLEU-4 of captions, from 0 to 1; `wordings` are the reference captions of each picture."""
    return bleu([plain(caption) for caption in captions], wordings)


def truth(captions: list[str], urls: Sequence[str]) -> dict[str, float]:
    """Return the shares of captions that are true, false and malformed for their scenes."""
    counted = Counter(judge(caption, scene_of(url)) for caption, url in zip(captions, urls, strict=True))
    return {judgement: counted[judgement] / len(captions) for judgement in JUDGEMENTS}


def describe_split(
    model: Captioner,
    data: Captioned,
    split: str = "val",
    limit: int | None = None,
    truth_of: Callable[[torch.Tensor, torch.Tensor], Sequence[float]] | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Caption every picture of a split: `captions`, `bleu`, and for scenes `true`, `false`, `malformed`.

    limit: how many pictures at most. truth_of: a student's function in place of `truth`: claims (N, 9), facts (N, 9) ->
        the three shares. options: go to `model.sample`.
    """
    pictures = np.arange(len(data[f"{split}_urls"]))[:limit]
    words = model.sample(np.asarray(data[f"{split}_features"][pictures]), max_length=rehearsed(LONGEST), **options)
    captions = [plain(caption_text(caption, data["idx_to_word"])) for caption in words]
    wordings, urls = references(data, split)[: len(pictures)], data[f"{split}_urls"][pictures]
    result: dict[str, Any] = {"captions": captions, "bleu": bleu4(captions, wordings)}
    if not urls[0].startswith(SCHEME):
        return result
    if truth_of is None:
        return result | truth(captions, urls)
    shares = truth_of(claims_of(captions), facts_of(urls))
    return result | {name: float(share) for name, share in zip(JUDGEMENTS, shares, strict=True)}
