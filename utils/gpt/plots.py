"""The figures of the lesson `gpt`: learning curves, products by distance, heads' scores, where a head looks, times."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import torch

from utils.common.curves import read_curve
from utils.common.figures import BLUE, GREEN, ORANGE, PALETTE, figure, label
from utils.common.messages import N_, Message, grouped, listed, named
from utils.gpt.looking import Example, History
from utils.gpt.tales.grammar import DICE
from utils.gpt.writing import WritingTimes

if TYPE_CHECKING:  # loading matplotlib takes half a second, which only a program that draws should spend
    from matplotlib.axes import Axes
    from matplotlib.patches import Rectangle

CURVES = {"plain": GREEN, "first": ORANGE, "again": BLUE}
WIDTH_OF_HEAD = 24  # components, as in the lesson's model
WHITE_FROM = 0.8  # above this weight a letter is white, because its square is dark


def learning_curves(history: Mapping[str, History]) -> None:
    """Draw the three losses over the steps, a picture for each model."""
    description = Message(
        N_("Curves of three losses over the training steps, one picture for each of {names}; at the end {numbers}."),
        {
            "names": listed(map(label, history)),
            "numbers": grouped(named(label(name), _last(steps)) for name, steps in history.items()),
        },
    )
    points = {
        (name, kind): [(step, getattr(losses, kind)) for step, (losses, _) in steps]
        for name, steps in history.items()
        for kind in CURVES
    }
    reads = [read_curve(listed([label(name), label(kind)]), curve, ".2f") for (name, kind), curve in points.items()]
    reads.append(named(label("the dice"), f"{DICE:.2f}"))
    size = {"width": 4.4, "height": 3.2, "sharey": True, "squeeze": False}
    with figure(1, len(history), **size, describes=description, reads=reads) as axes:
        for ax, name in zip(axes[0], history, strict=True):
            for (kind, colour), marker in zip(CURVES.items(), "os^", strict=True):
                ax.plot(
                    *zip(*points[name, kind], strict=True),
                    color=colour,
                    marker=marker,
                    markersize=3.5,
                    label=label(kind),
                )
            ax.axhline(DICE, color="0.4", linestyle=":", label=label("the dice"))
            ax.set(title=label(name), ylim=(0, 3))
            ax.set_xlabel(label("training step (batches)"))
        axes[0, 0].set_ylabel(label("nats per letter"))
        axes[0, -1].legend(fontsize="small")


def plain_losses(curves: Mapping[str, Sequence[tuple[int, float]]], across: str, limit: int | None = None) -> None:
    """Draw the loss of plain letters, a curve for each name, over steps or positions.

    limit: the length of the training rows, marked by a line.
    """
    description = Message(
        N_("Curves of the loss of plain letters over the {across}; {numbers}."),
        {
            "across": label(across),
            "numbers": grouped(
                label("{name}: {first:.2f} at first, {last:.2f} at the end", name=label(name), first=a, last=b)
                for name, ((_, a), *_, (_, b)) in curves.items()
            ),
        },
    )
    reads = [read_curve(name, points, ".2f") for name, points in curves.items()]
    if limit is not None:
        reads.append(named(label("longest in training"), str(limit)))
    with figure(width=6, describes=description, reads=reads) as ax:
        for (name, points), colour, marker in zip(curves.items(), (BLUE, ORANGE, GREEN), "os^", strict=False):
            ax.plot(*zip(*points, strict=True), color=colour, marker=marker, markersize=3.5, label=label(name))
        if limit is not None:
            ax.axvline(limit, color="0.4", linestyle=":", label=label("longest in training"))
        ax.set_ylim(0, None)
        ax.set_xlabel(label(across))
        ax.set_ylabel(label("nats per plain letter"))
        ax.legend(fontsize="small")


def _last(history: History) -> str:
    losses = history[-1][1][0]
    return listed(f"{label(kind)} {getattr(losses, kind):.2f}" for kind in CURVES)


def products_by_distance(rotate: Callable[..., torch.Tensor], positions: Sequence[int] = (20, 60, 100)) -> None:
    """Draw the dot product of one query with one key against their distance, for queries at several positions."""
    generator = torch.Generator().manual_seed(3)
    query, key = torch.randn(2, 1, 1, 1, WIDTH_OF_HEAD, generator=generator)
    distances = range(21)
    description = Message(
        N_(
            "The dot product of a turned query and a turned key over their distance; the lines for "
            "queries at {positions} coincide."
        ),
        {"positions": listed(map(str, positions))},
    )
    lines = {
        position: [float((rotate(query, position) * rotate(key, position - back)).sum()) for back in distances]
        for position in positions
    }
    reads = [read_curve(label("dot product"), list(enumerate(lines[positions[0]])), ".2f")]
    with figure(width=6, describes=description, reads=reads) as ax:
        for (position, products), style, marker in zip(lines.items(), ("-", "--", ":"), "os^", strict=True):
            shown = label("query at position {position}", position=position)
            ax.plot(distances, products, linestyle=style, marker=marker, markersize=4, alpha=0.8, label=shown)
        ax.set_xlabel(label("distance of the key (positions back)"))
        ax.set_ylabel(label("dot product"))
        ax.legend(fontsize="small")


def scores_and_losses(scores: Sequence[tuple[int, torch.Tensor]], history: History) -> None:
    """Draw each head's score over the steps, with a line style for each layer; below it the loss of repeated names."""
    layers, heads = scores[-1][1].shape
    description = Message(
        N_(
            "Above, the score of each head over the training steps: {numbers} at the end. Below, the loss "
            "of repeated names, over the same steps."
        ),
        {
            "numbers": grouped(
                label("layer {layer}: {scores}", layer=layer, scores=listed(f"{score:.2f}" for score in of_layer))
                for layer, of_layer in enumerate(scores[-1][1].tolist(), start=1)
            )
        },
    )
    again = [(step, losses.again) for step, (losses, _) in history]
    curves = {
        (layer, head): [(step, float(at_step[layer, head])) for step, at_step in scores]
        for layer in range(layers)
        for head in range(heads)
    }
    names = {key: label("layer {layer}, head {head}", layer=key[0] + 1, head=key[1]) for key in curves}
    reads = [read_curve(names[key], curve, ".2f") for key, curve in curves.items()]
    reads.append(read_curve(label("again (nats per letter)"), again, ".2f"))
    with figure(2, 1, width=6.5, height=2.4, sharex=True, describes=description, reads=reads) as (upper, lower):
        for (layer, head), curve in curves.items():
            style = {"linestyle": "-" if layer else ":", "marker": "os^D"[head % 4] if layer else ""}
            style |= {"color": PALETTE[head % len(PALETTE)], "label": names[layer, head]}
            upper.plot(*zip(*curve, strict=True), markersize=3.5, **style)
        upper.set_ylabel(label("score (share of weight)"))
        upper.set_ylim(0, 1)
        upper.legend(fontsize="x-small", ncols=2)
        lower.plot(*zip(*again, strict=True), color=BLUE, marker="^", markersize=3.5)
        lower.set_ylabel(label("again (nats per letter)"))
        lower.set_xlabel(label("training step (batches)"))
        lower.set_ylim(0, None)


def weights_back(backs: Mapping[int, torch.Tensor]) -> None:
    """Draw each first-layer head's mean weight on the letter so many places back; backs[k] is (H,)."""
    heads = {head: [(k, float(weights[head])) for k, weights in backs.items()] for head in range(len(backs[1]))}
    description = Message(
        N_("The weight of each head of the first layer over the distance of the letter; the most is {numbers}."),
        {
            "numbers": grouped(
                label("head {head}: {weight:.2f} at {back} back", head=head, weight=weight, back=k)
                for head, curve in heads.items()
                for k, weight in [max(curve, key=lambda point: point[1])]
            )
        },
    )
    reads = [read_curve(label("head {head}", head=head), curve, ".2f") for head, curve in heads.items()]
    with figure(width=6, height=2.6, describes=description, reads=reads) as ax:
        for head, curve in heads.items():
            style = {"color": PALETTE[head % len(PALETTE)], "marker": "os^D"[head % 4], "markersize": 4}
            ax.plot(*zip(*curve, strict=True), label=label("head {head}", head=head), **style)
        ax.set_xticks(list(backs))
        ax.set_ylim(0, None)
        ax.set_xlabel(label("letters back"))
        ax.set_ylabel(label("mean weight"))
        ax.legend(fontsize="small")


def text_with_weights(examples: Sequence[Example]) -> None:
    """Write each example as a row of letters, darker with more weight; the letter that looks has a frame.

    The opacity is the root of the weight, because small weights would be invisible otherwise.
    """
    description = Message(
        N_("Rows of text: the more weight a head gives a letter, the darker it is: {found}."),
        {
            "found": grouped(
                label(
                    "after “…{end}” the most weight is on “{letter}”, and “{following}” comes next",
                    end=example.text[-12:],
                    letter=example.text[max(range(len(example.text)), key=example.weights.__getitem__)],
                    following=example.following,
                )
                for example in examples
            )
        },
    )
    with figure(width=9.5, height=0.42 * len(examples) + 0.3, describes=description) as ax:
        letters_with_weights(ax, examples)


def letters_with_weights(ax: "Axes", examples: Sequence[Example]) -> None:
    """Write the rows of `text_with_weights` into a figure's axes, in the colour of the figure's texts."""
    from matplotlib import rcParams

    text_colour = rcParams["text.color"]
    longest = max(len(example.text) for example in examples)
    for row, example in enumerate(examples):
        # Rows end at the same x, so that the letters that look are below each other.
        for position, (letter, weight) in enumerate(zip(example.text, example.weights, strict=True)):
            x = longest - len(example.text) + position
            ax.add_patch(_square(x, row, color=BLUE, alpha=min(1.0, weight) ** 0.5, linewidth=0))
            ink = "white" if weight > WHITE_FROM else text_colour
            ax.text(x, row, letter, ha="center", va="center", family="monospace", fontsize=9, color=ink)
        ax.add_patch(_square(longest - 1, row, fill=False, edgecolor=text_colour))
        ax.text(longest + 0.8, row, f"→ {example.following}", va="center", family="monospace", fontsize=10)
    ax.set(xlim=(-0.6, longest + 3), ylim=(len(examples) - 0.4, -0.6))
    ax.axis("off")


def _square(x: float, y: float, **style: Any) -> "Rectangle":
    from matplotlib.patches import Rectangle

    return Rectangle((x - 0.5, y - 0.4), 1, 0.8, **style)


def times_by_length(times: Sequence[WritingTimes]) -> None:
    """Draw the milliseconds of one more letter against the number of letters before it."""
    description = Message(
        N_("Milliseconds for one more letter over the number of letters before it: {numbers}."),
        {
            "numbers": grouped(
                label("{length}: {without:.1f} without a cache, {cached:.1f} with one", **row._asdict())
                for row in times
            )
        },
    )
    lengths = [row.length for row in times]
    with figure(width=6, describes=description) as ax:
        ax.loglog(lengths, [row.without for row in times], color=ORANGE, marker="s", label=label("all computed again"))
        ax.loglog(lengths, [row.cached for row in times], color=BLUE, marker="o", label=label("with a cache"))
        ax.set_xticks(lengths, [str(length) for length in lengths])
        ax.set_ylim(bottom=0.1)
        ax.yaxis.set_major_formatter("{x:g}")
        ax.minorticks_off()
        ax.set_xlabel(label("letters before it"))
        ax.set_ylabel(label("milliseconds per letter"))
        ax.legend(fontsize="small")
