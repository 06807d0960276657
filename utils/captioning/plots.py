"""Figures of the lesson `captioning`."""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch

from utils.captioning.coco.files import Captioned
from utils.captioning.data import caption_text
from utils.captioning.interface import Captioner
from utils.captioning.looking import CannotBeShown, DependsOn, WordScores, weights_of
from utils.captioning.pictures import image_from_url
from utils.captioning.readings import read_encoding, read_head, read_maps, read_untrue
from utils.captioning.scenes.dataset import SCHEME, scene_of
from utils.captioning.scenes.features import CELLS, SIDE
from utils.captioning.scenes.grammar import judge
from utils.captioning.scenes.scene import render
from utils.captioning.scores import plain
from utils.common.curves import Losses, draw_losses, read_curve, read_losses
from utils.common.figures import BLUE, GREEN, L_, ORANGE, PINK, RED, figure, label
from utils.common.messages import N_, Message, grouped, listed, named

if TYPE_CHECKING:  # loading matplotlib takes half a second, which only a program that draws should spend
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap
    from matplotlib.image import AxesImage

MARKS = {"true": ("✓", GREEN), "false": ("✗", RED), "malformed": ("?", RED)}
WRAP = 30  # characters in a line under a picture
LARGEST_BLOCK = 6  # the most pictures in a row of the maps of words
STRONG = 0.3  # the square of a weight on another word has a frame from this weight on


def pictures(urls: Sequence[str], captions: Sequence[str], columns: int = 4) -> None:
    """Draw pictures with a caption below each; captions of scenes are marked as true (✓), false (✗) or malformed (?).

    The frame around a scene has the mark's colour. Captions have the colour of text, legible on light and dark pages.
    """
    rows = math.ceil(len(urls) / columns)
    below = [_marked(url, caption) for url, caption in zip(urls, captions, strict=False)]
    description = Message(
        N_(
            "Pictures, each with its caption below, for scenes after a mark that says whether it is true (✓), "
            "false (✗) or malformed (?): {captions}."
        ),
        {"captions": grouped(text for text, _ in below)},
    )
    size = {"width": 2.7, "height": 2.9, "squeeze": False}
    with figure(rows, columns, **size, describes=description, reads=read_untrue(urls, captions)) as axes:
        for ax in axes.flat:
            ax.axis("off")
        for ax, url, (text, colour) in zip(axes.flat, urls, below, strict=False):
            _picture(ax, image_from_url(url), frame=colour)
            ax.set_title(textwrap.fill(text, WRAP), fontsize=9, y=-0.05, va="top")


def _marked(url: str, caption: str) -> tuple[str, str | None]:
    """Return a caption after its mark, and the mark's colour; only captions of scenes can be judged."""
    mark, colour = MARKS[judge(caption, scene_of(url))] if str(url).startswith(SCHEME) else ("", None)
    return f"{mark} {plain(caption)}".strip(), colour


def _picture(ax: "Axes", image: np.ndarray | None, frame: str | None = None) -> None:
    from matplotlib.patches import Rectangle

    if image is None:  # no longer on the web: an empty frame above the caption says so
        gone = label("this picture is\nno longer available")
        ax.text(0.5, 0.5, gone, ha="center", va="center", transform=ax.transAxes)
        ax.add_patch(Rectangle((0, 0), 1, 1, fill=False, transform=ax.transAxes, linestyle=":"))
    else:
        ax.imshow(image, interpolation="antialiased")  # so that an SVG stores a photograph in the size of the figure
    if frame:
        ax.add_patch(Rectangle((0, 0), 1, 1, fill=False, transform=ax.transAxes, edgecolor=frame, linewidth=3))


def sampled_pictures(data: Captioned, split: str = "train", count: int = 8) -> None:
    """Draw captions of a split at random and show them under their pictures."""
    rows = np.random.choice(len(data[f"{split}_captions"]), count, replace=False)  # noqa: NPY002 - as minibatches are drawn
    captions = [caption_text(caption, data["idx_to_word"]) for caption in data[f"{split}_captions"][rows]]
    pictures(data[f"{split}_urls"][data[f"{split}_image_idxs"][rows]], captions)


def dot_products(widths: Sequence[int] = (4, 16, 64, 256), samples: int = 2000) -> None:
    """Draw how dot products of random vectors, and a softmax over ten of them, depend on the width and on scaling."""
    generator = torch.Generator().manual_seed(0)
    spread: list[float] = []
    peak: dict[bool, list[float]] = {False: [], True: []}
    for width in widths:
        q = torch.randn(samples, 1, width, generator=generator)
        scores = (q @ torch.randn(samples, width, 10, generator=generator))[:, 0]
        spread.append(scores.std().item())
        for scaled in peak:
            peak[scaled].append((scores / math.sqrt(width) if scaled else scores).softmax(-1).amax(-1).mean().item())
    softmaxes = ((False, "softmax(q·k)", RED), (True, "softmax(q·k / √d)", GREEN))
    description = N_(
        "Left: the spread of dot products of random vectors grows with the square root of their width. Right: "
        "without scaling, the largest of ten softmax weights rises towards 1 as the width grows; with scaling "
        "it stays low."
    )
    curves = {label("standard deviation of q·k"): spread, **{name: peak[scaled] for scaled, name, _ in softmaxes}}
    reads = [read_curve(name, list(zip(widths, curve, strict=True))) for name, curve in curves.items()]
    with figure(1, 2, width=4.2, describes=description, reads=reads) as (left, right):
        left.loglog(widths, spread, "o-", color=BLUE, label=label("measured"))
        left.loglog(widths, np.sqrt(widths), "--", color=ORANGE, label="√d")
        left.set(ylabel=label("standard deviation of q·k"), title=label("scores grow with the width"))
        for scaled, name, colour in softmaxes:
            right.semilogx(widths, peak[scaled], "o-", color=colour, label=name)
        right.set(ylabel=label("largest of 10 weights, mean"), ylim=(0, 1.05))
        right.set_title(label("unscaled, one key takes all"))
        left.set_yticks([2, 4, 8, 16], ["2", "4", "8", "16"])
        for ax in (left, right):
            ax.set_xlabel(label("width d of the vectors"))
            ax.set_xticks(widths, [str(width) for width in widths])
            ax.minorticks_off()
            ax.legend(frameon=False)


def encoding(table: torch.Tensor) -> None:
    """Draw a table of positions (M, E): its values, and the dot products of its rows."""
    values = table.detach().cpu().numpy()
    description = N_(
        "Left: the positional encoding as a table of colours from −1 to 1, a row for each position. Right: "
        "the dot products of all pairs of its rows, as a square of colours."
    )
    with figure(1, 2, width=4.6, height=3.4, describes=description, reads=read_encoding(values)) as (left, right):
        image = left.imshow(values, aspect="auto", cmap="RdBu", vmin=-1, vmax=1)
        left.set(xlabel=label("column j"), ylabel=label("position i"), title=label("the encoding P(i, j)"))
        left.figure.colorbar(image, ax=left, label=label("value"))
        image = right.imshow(values @ values.T, cmap="viridis")
        right.set(xlabel=label("position"), ylabel=label("position"), title=label("dot products of two rows"))
        right.figure.colorbar(image, ax=right, label="$P_i \\cdot P_k$")


def losses(histories: Mapping[str, Losses | Sequence[float]], ylabel: str = L_("loss (nats per place)")) -> None:
    """Draw losses by step, in training and on captions outside the training data, on a logarithmic axis."""
    description = Message(
        N_(
            "Curves of the loss over the training steps, on a logarithmic scale, for {names}: in training, and on "
            "captions that are not learned from."
        ),
        {"names": listed(map(label, histories))},
    )
    with figure(width=6, describes=description, reads=read_losses(histories)) as ax:
        draw_losses(ax, histories)
        ax.set(xlabel=label("step (batches)"), ylabel=label(ylabel))


def comparison(results: Mapping[str, Mapping[str, float]], keys: Sequence[str] = ("true", "bleu")) -> None:
    """Draw bars, one group for each result: share of true captions and BLEU-4."""
    labels = {"true": label("true captions (share)"), "bleu": "BLEU-4"}
    description = Message(
        N_("Bars, a group for each model, of what is measured on unseen scenes: {numbers}."),
        {"numbers": _numbers(results, keys, labels)},
    )
    with figure(width=7, height=2.6, describes=description) as ax:
        positions = np.arange(len(results))
        for number, key in enumerate(keys):
            heights = [result[key] for result in results.values()]
            bars = ax.bar(positions + 0.4 * number - 0.2, heights, width=0.38, label=labels.get(key, key))
            ax.bar_label(bars, fmt="%.2f", fontsize=8)
        ax.set_xticks(positions, [label(name) for name in results])
        ax.set(ylim=(0, 1.18), ylabel=label("unseen scenes"))
        ax.legend(frameon=False, ncols=len(keys), loc="upper right")


def _numbers(results: Mapping[str, Mapping[str, float]], keys: Sequence[str], labels: Mapping[str, str]) -> str:
    return grouped(
        named(label(name), listed(f"{labels.get(key, key)} {result[key]:.2f}" for key in keys))
        for name, result in results.items()
    )


def word_attention(
    model: Captioner, features: np.ndarray | torch.Tensor, caption: np.ndarray, idx_to_word: Sequence[str]
) -> None:
    """Draw where each word looks among the words before it: a map for each head of the first layer's self-attention.

    For a class whose weights cannot be read (`looking.py`) a sentence is printed instead.
    """
    words = [idx_to_word[int(i)] for i in caption if idx_to_word[int(i)] != "<NULL>"]
    device = model.output.weight.device
    rows = torch.as_tensor(caption[: len(words)], dtype=torch.long, device=device)
    try:
        first = weights_of(model, torch.as_tensor(features, device=device)[None], rows[None])[0]
    except CannotBeShown as trouble:
        print(trouble)
        return
    weights = first.reshape(-1, len(words), len(words)).cpu().numpy()  # (H, S, S)
    description = Message(
        N_(
            "One square of colours for each head: row by row, how much each word of “{caption}” looks at each of "
            "these words; the fields of words that look at others are framed."
        ),
        {"caption": " ".join(words)},
    )
    columns = 2
    size = (math.ceil(len(weights) / columns), columns)
    heads = [label("head {number}", number=head + 1) for head in range(len(weights))]
    reads = [
        read_head(head, _summary(values), values, words, STRONG) for head, values in zip(heads, weights, strict=True)
    ]
    with figure(*size, width=4.4, height=4.2, squeeze=False, describes=description, reads=reads) as axes:
        for ax in axes.flat[len(weights) :]:
            ax.axis("off")
        for head, (ax, values) in enumerate(zip(axes.flat, weights, strict=False)):
            image = _head(ax, values, words)
            ax.set_title(f"{heads[head]}\n{_summary(values)}")
            below = head + columns < len(weights)
            ax.set(xlabel="" if below else label("looks at"), ylabel="" if head % columns else label("word"))
        axes.flat[0].figure.colorbar(image, ax=axes, label=label("attention weight"), shrink=0.5)


def _head(ax: "Axes", weights: np.ndarray, words: Sequence[str]) -> "AxesImage":
    """Draw one head's weights (S, S): weights of exactly 0 are left empty, `STRONG` ones on other words are framed."""
    from matplotlib.patches import Rectangle

    image = ax.imshow(np.ma.masked_equal(weights, 0), cmap="viridis", vmin=0, vmax=1)
    ax.set_xticks(range(len(words)), words, rotation=90, fontsize=8)
    ax.set_yticks(range(len(words)), words, fontsize=8)
    for row, column in zip(*np.nonzero(weights >= STRONG), strict=True):
        if row != column:
            ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=PINK, linewidth=2))
    return image


def _summary(weights: np.ndarray) -> str:
    """Return the mean weight of words on themselves and on the word before, for a head's title."""
    later = weights[1:]  # the first word has no word before it
    own, before = (float(np.diagonal(later, offset=offset).mean()) if len(later) else 0.0 for offset in (1, 0))
    return label("itself {own:.0%}, the word before {before:.0%}", own=own, before=before)


def picture_attention(
    model: Captioner,
    url: str,
    idx_to_word: Sequence[str],
    word_to_idx: Mapping[str, int],
    depends_on: DependsOn,
    patch: int = 16,
    stride: int = 6,
    *,
    grid: bool = False,
) -> None:
    """Draw on which part of a scene each word of its caption depends: how far its log-probability falls without it.

    depends_on: the student's function, called for a patch at each position in turn, `stride` points apart. Negative
    falls are drawn as 0. With `grid` the features are those of a grid's cells, and a second map below each shows where
    the word looks: the weights of the last layer's cross-attention, the mean of its heads.
    """
    points = render(scene_of(url), SIDE)  # (SIDE, SIDE, 3)
    picture = torch.tensor(points, dtype=torch.float32)
    background = torch.from_numpy(np.median(points.reshape(-1, 3), axis=0).round()).float()  # (3,)
    score = WordScores(model, picture, idx_to_word, word_to_idx, grid=grid)
    corners = range(0, SIDE - patch + 1, stride)
    with torch.no_grad():
        of_patches = [depends_on(score, picture, (top, left, patch), background) for top in corners for left in corners]
    falls = torch.stack(of_patches).clamp(min=0).reshape(len(corners), len(corners), -1).numpy()
    edge = patch / 2
    extent = (edge - stride / 2, SIDE - edge + stride / 2, SIDE - edge + stride / 2, edge - stride / 2)
    maps = [
        _Maps(L_("depends on"), L_("fall of log-\nprobability (nats)"), RED, falls, extent, max(1.0, falls.max() / 2))
    ]
    if grid:
        try:
            last = weights_of(model, score.features(picture), score.seen, "multihead_attn")[-1]  # (1, H, S, T)
        except CannotBeShown as trouble:
            print(trouble)
        else:
            looks = last[0].mean(0).T.reshape(CELLS, CELLS, -1).cpu().numpy()
            whole = (0, SIDE, SIDE, 0)
            maps.append(_Maps(L_("looks at"), L_("weight, mean\nof the heads"), BLUE, looks, whole, looks.max()))
    _word_maps(points, score.words, maps)


class _Maps(NamedTuple):
    """The maps of all words, `values` (rows, columns, words), and how they are drawn.

    name: the name of the row of maps. label: the label of its colour bar. colour: the colour of `top` and larger
        values; at 0 a map is transparent. extent: the edges of the maps in the picture (left, right, bottom, top).
    """

    name: str
    label: str
    colour: str
    values: np.ndarray
    extent: tuple[float, float, float, float]
    top: float


def _word_maps(picture: np.ndarray, words: Sequence[str], kinds: Sequence[_Maps]) -> None:
    """Draw the picture once, then a stack of maps for each word, a row for each kind, over pale copies of the picture.

    The stacks take several blocks below each other; each row of maps has its name and its colour bar.
    """
    blocks = math.ceil((len(words) + 1) / LARGEST_BLOCK)
    columns = math.ceil((len(words) + 1) / blocks)
    description = Message(
        N_(
            "A scene, and beside it one copy for each word of its caption “{caption}”, coloured where the word "
            "depends on the picture, and below it, if the features form a grid, where the word looks."
        ),
        {"caption": " ".join(words)},
    )
    rows = blocks * len(kinds)
    reads = [read_maps(label(kind.name), kind.values, words, kind.extent, SIDE) for kind in kinds]
    with figure(rows, columns, width=1.55, height=1.5, squeeze=False, describes=description, reads=reads) as axes:
        for ax in axes.flat:
            ax.axis("off")
        stacks = [block[:, column] for block in np.split(axes, blocks) for column in range(columns)]
        stacks[0][0].imshow(picture)
        stacks[0][0].set_title(label("the picture"), fontsize=10)
        for number, (word, stack) in enumerate(zip(words, stacks[1:], strict=False)):
            stack[0].set_title(word, fontsize=10)
            for ax, kind in zip(stack, kinds, strict=True):
                _word_map(ax, picture, kind, number)
        for block in range(blocks):
            for row, kind in zip(axes[block * len(kinds) :], kinds, strict=False):
                _name_and_bar(row[0 if block else 1], row, kind)


def _word_map(ax: "Axes", picture: np.ndarray, kind: _Maps, number: int) -> None:
    """Draw one word's map over a pale grey copy of the picture."""
    ax.imshow(255 - (255 - picture.mean(axis=2)) / 2, cmap="gray", vmin=0, vmax=255)
    ax.imshow(kind.values[:, :, number], cmap=_from_clear(kind.colour), extent=kind.extent, vmin=0, vmax=kind.top)
    ax.set(xlim=(0, SIDE), ylim=(SIDE, 0))


def _from_clear(colour: str) -> "Colormap":
    """Return a scale of colours from transparent to nearly opaque `colour`."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    ends = [(*to_rgb(colour), opacity) for opacity in (0, 0.85)]
    return LinearSegmentedColormap.from_list("from clear", ends)


def _name_and_bar(first: "Axes", row: Sequence["Axes"], kind: _Maps) -> None:
    """Write a row's name before its first map, and draw its colour bar behind its last."""
    first.text(-0.06, 0.5, label(kind.name), rotation=90, ha="right", va="center", transform=first.transAxes)
    bar = first.figure.colorbar(first.images[1], ax=row, extend="max", shrink=0.9)
    bar.ax.set_facecolor("white")
    bar.set_label(label(kind.label), fontsize=8)
