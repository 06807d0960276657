"""The explorer of `captioning`: choose a scene, change it, choose a word of its caption and see where it looks."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from utils.captioning.data import caption_text
from utils.captioning.interface import Captioner
from utils.captioning.looking import weights_of
from utils.captioning.plots import MARKS
from utils.captioning.scores import plain
from utils.common import explorer
from utils.common.explorer import sharpened
from utils.common.figures import BLUE, label
from utils.common.messages import N_, Message, said
from utils.scenes.dataset import scene_of
from utils.scenes.features import CELLS, SIDE, grid_of
from utils.scenes.grammar import judge
from utils.scenes.scene import COLOURS, SHAPES, Scene, render

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

SCENES = 20  # from which the user can choose
LONGEST = 15  # words of a caption
TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0)
KEPT, MEAN = N_("as it is"), N_("mean of the heads")
ON, OFF = N_("on"), N_("off")
# The names of `draw`'s arguments; colour and shape are those of the first thing.
CONTROLS = (N_("scene"), N_("colour"), N_("shape"), N_("word"), N_("head"), N_("temperature"), N_("positions"))


def explore(
    model: Captioner, urls: Sequence[str], idx_to_word: Sequence[str], word_to_idx: Mapping[str, int], heads: int
) -> None:
    """Explore a model with `heads` heads that was trained on grids of features; `urls` are the scenes' addresses."""
    head_names = [said(MEAN), *(said(N_("head {number}"), number=head + 1) for head in range(heads))]
    controls = {
        "scene": range(min(SCENES, len(urls))),
        "colour": [KEPT, *COLOURS],
        "shape": [KEPT, *SHAPES],
        "word": range(1, LONGEST + 1),
        "head": head_names,
        "temperature": TEMPERATURES,
        "positions": [ON, OFF],
    }
    start = {"scene": 0, "colour": KEPT, "shape": KEPT, "head": head_names[0], "temperature": 1.0, "positions": ON}
    # Words 3 and 8 are the colours of both things, as in "a small red circle above a large blue ring".
    shown = [start | {"word": word} for word in (3, 8)]
    view = partial(
        draw, model=model, urls=urls, idx_to_word=idx_to_word, word_to_idx=word_to_idx, head_names=head_names
    )
    explorer.explore(
        view,
        controls,
        shown,
        height=3.4,
        describes=Message(
            N_(
                "A scene with the caption that the model writes, and for one word of it: where on the scene the word "
                "looks, how much it looks at each word before it, and the probabilities of the four likeliest words."
            )
        ),
    )


def changed(scene: Scene, colour: str, shape: str) -> Scene:
    """Return a scene whose first thing has this colour and shape; any other text, such as `KEPT`, changes nothing."""
    first, *others = scene.things
    first = replace(
        first,
        colour=colour if colour in COLOURS else first.colour,
        shape=shape if shape in SHAPES else first.shape,
    )
    return replace(scene, things=(first, *others))


@contextlib.contextmanager
def without_positions(model: Captioner) -> Iterator[None]:
    """Within this context, a model's words enter the decoder without the encoding of their positions."""
    encoding: Any = model.positional_encoding
    hook = encoding.register_forward_hook(lambda layer, inputs, output: inputs[0])
    try:
        yield
    finally:
        hook.remove()


def draw(figure: "FigureBase", *, model: Captioner, positions: str, **choice: Any) -> None:
    """Call `draw_word`, for the model with or without the encoding of positions."""
    with without_positions(model) if positions == OFF else contextlib.nullcontext():
        draw_word(figure, model=model, **choice)


def draw_word(
    figure: "FigureBase",
    *,
    model: Captioner,
    urls: Sequence[str],
    idx_to_word: Sequence[str],
    word_to_idx: Mapping[str, int],
    head_names: Sequence[str],
    scene: int,
    colour: str,
    shape: str,
    word: int,
    head: str,
    temperature: float,
) -> None:
    """Draw the picture, where one word looks on it and among the words before, and the likeliest words at its place."""
    what = changed(scene_of(urls[scene]), colour, shape)
    picture = render(what, SIDE)
    features = torch.from_numpy(grid_of(picture[None])).to(model.output.weight.device)
    caption = plain(caption_text(model.sample(features, max_length=LONGEST + 1)[0], idx_to_word))
    words = [*caption.split(), "<END>"]
    seen = ["<START>", *words[:-1]]
    rows = torch.tensor([[word_to_idx[one] for one in seen]]).to(features.device)
    at = min(word, len(words)) - 1  # the position at which the model predicts the word
    chosen = head_names.index(head)

    def look(kind: str) -> np.ndarray:
        weights = sharpened(weights_of(model, features, rows, kind)[-1][0, :, at], temperature).cpu().numpy()  # (H, T)
        return np.asarray(weights.mean(0) if chosen == 0 else weights[chosen - 1])

    with torch.no_grad():
        probabilities = model(features, rows)[0, at].softmax(-1).cpu()
    mark, ink = MARKS[judge(caption, what)]
    figure.suptitle(f"{mark} {caption}", color=ink, fontsize="medium")
    margins = {"left": 0.02, "right": 0.98, "bottom": 0.12, "top": 0.8, "wspace": 0.5}
    shown, on_picture, among_words, candidates = figure.subplots(1, 4, gridspec_kw=margins)
    shown.imshow(picture)
    on_picture.imshow(picture.mean(axis=2), cmap="gray", vmin=0, vmax=255)
    where = look("multihead_attn").reshape(CELLS, CELLS)
    on_picture.imshow(where, cmap="inferno", alpha=0.75, extent=(0, SIDE, SIDE, 0), vmin=0)
    for ax in (shown, on_picture):
        ax.axis("off")
    on_picture.set_title(label("where “{word}” looks", word=words[at]), fontsize="medium")
    among_words.barh(range(at + 1), look("self_attn")[: at + 1], color=BLUE)
    among_words.set_yticks(range(at + 1), seen[: at + 1], fontsize="small")
    among_words.invert_yaxis()
    among_words.set(xlim=(0, 1))
    among_words.set_title(label("among the words"), fontsize="medium")
    likeliest = probabilities.topk(4).indices.tolist()
    candidates.barh(range(4), probabilities[likeliest].tolist(), color=BLUE)
    candidates.set_yticks(range(4), [idx_to_word[i] for i in likeliest], fontsize="small")
    candidates.invert_yaxis()
    candidates.set(xlim=(0, 1))
    candidates.set_title(label("probability"), fontsize="medium")
