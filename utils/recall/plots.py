"""The figures of the lesson `recall`: shares of right answers by the number of guests, or by age; tables."""

import itertools
from collections.abc import Callable, Mapping, Sequence

import torch

from utils.common.curves import read_curve
from utils.common.figures import BLUE, GREEN, ORANGE, PALETTE, PINK, figure, label
from utils.common.messages import N_, Message, grouped, listed, said
from utils.recall.hotel import ROOMS
from utils.recall.training import Curve

MARKERS = "os^Dv"
# Orange through the page's ground to blue: zero is invisible on a light page and on a dark one.
NEGATIVE, POSITIVE = ORANGE, BLUE


def recalled(curves: Mapping[str, Curve], dashed: Mapping[str, Curve] | None = None) -> None:
    """Draw the share of right answers against the number of guests; `dashed` are the same curves as predicted."""
    description = Message(
        N_(
            "Right answers in percent over the number of guests; {numbers}. The dotted line is guessing, {chance:.1f}%."
        ),
        {"numbers": grouped(_at_ends(name, curve) for name, curve in curves.items()), "chance": 100 / ROOMS},
    )
    reads = [_read(name, curve) for name, curve in curves.items()]
    predicted = {name: curve for name, curve in (dashed or {}).items() if name in curves}
    reads += [_read(said(N_("{name}, dashed"), name=label(name)), curve) for name, curve in predicted.items()]
    with figure(width=6.5, height=3.8, describes=description, reads=reads) as ax:
        for number, (name, curve) in enumerate(curves.items()):
            colour, marker = PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]
            # Later lines are thinner, so that one below another can be seen.
            style = {"color": colour, "marker": marker, "markersize": 4, "linewidth": 2.6 - 0.4 * number}
            ax.plot(list(curve), _percent(curve), label=label(name), **style)
            if name in predicted:
                ax.plot(list(predicted[name]), _percent(predicted[name]), color=colour, linestyle="--", linewidth=1)
        ax.axhline(100 / ROOMS, color="0.4", linestyle=":")
        longest = max(curves.values(), key=len)
        ax.set_xscale("log", base=2)
        ax.set_xticks(list(longest), [str(pairs) for pairs in longest])
        ax.set_ylim(0, 103)
        ax.grid(alpha=0.3)
        ax.set_xlabel(label("guests"))
        ax.set_ylabel(label("right answers (%)"))
        ax.legend(fontsize="small")


def _read(name: str, curve: Curve) -> str:
    return read_curve(name, list(zip(curve, _percent(curve), strict=True)), ".0f")


def _percent(curve: Curve) -> list[float]:
    return [100 * share for share in curve.values()]


def _at_ends(name: str, curve: Curve) -> str:
    (first, at_first), *_, (last, at_last) = curve.items()
    return label(
        "{name}: {at_first:.0f}% at {first}, {at_last:.0f}% at {last}",
        name=label(name),
        at_first=100 * at_first,
        first=first,
        at_last=100 * at_last,
        last=last,
    )


def collapsed(curves: Mapping[str, Curve], axis: Callable[[int, int], float]) -> None:
    """Draw the same curves against T, against T / d, and against the student's axis.

    curves: by names such as "d = 16".
    """
    ways: dict[str, Callable[[int, int], float]] = {
        "T": lambda d, T: T,
        "T / d": lambda d, T: T / d,
        N_("your axis(d, T)"): axis,
    }
    description = Message(
        N_(
            "The shares of right answers of {names}, drawn three times: over the number of guests T, over "
            "T / d, and over your axis, where the curves differ at a share of one half by a factor of "
            "{factor:.1f}."
        ),
        {"names": listed(map(label, curves)), "factor": spread(curves, axis)},
    )
    reads = [
        said(N_("Over {way}, the curves differ by a factor of {factor:.1f}"), way=label(way), factor=spread(curves, x))
        for way, x in ways.items()
    ]
    with figure(1, 3, width=3.3, height=3.2, sharey=True, describes=description, reads=reads) as axes:
        for ax, (way, x) in zip(axes, ways.items(), strict=True):
            for number, (name, curve) in enumerate(curves.items()):
                d = width_of(name)
                places = [float(x(d, pairs)) for pairs in curve]
                colour, marker = PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]
                ax.plot(places, _percent(curve), color=colour, marker=marker, markersize=4, label=label(name))
            if all(float(x(width_of(name), pairs)) > 0 for name, curve in curves.items() for pairs in curve):
                ax.set_xscale("log")
            ax.set_xlabel(label(way))
        axes[0].set_ylim(0, 103)
        axes[0].set_ylabel(label("right answers (%)"))
        axes[0].legend(fontsize="small")


def width_of(name: str) -> int:
    """Return the 16 of "d = 16"."""
    return int(name.rpartition("=")[2])


def spread(curves: Mapping[str, Curve], axis: Callable[[int, int], float]) -> float:
    """Return the ratio of the largest to the smallest x at which the curves fall below one half."""
    halves = [x for name, curve in curves.items() if (x := _half(curve, width_of(name), axis)) > 0]
    return max(halves) / min(halves) if halves else float("nan")


def _half(curve: Curve, d: int, axis: Callable[[int, int], float]) -> float:
    """Return the x between the last point above one half and the next one; 0 if the curve never falls so low."""
    points = list(curve.items())
    for (before, high), (after, low) in itertools.pairwise(points):
        if high >= 0.5 > low:
            part = (high - 0.5) / (high - low)
            return (1 - part) * float(axis(d, before)) + part * float(axis(d, after))
    return 0.0


def tables(by_pairs: Mapping[int, torch.Tensor]) -> None:
    """Draw tables (d, d), one picture for each number of pairs written: positive blue, negative orange."""
    from matplotlib.colors import LinearSegmentedColormap

    description = Message(
        N_(
            "Tables of numbers as coloured squares, after {pairs} pairs. After one pair every row has the "
            "same pattern, stronger or weaker or with the colours exchanged; after many pairs no pattern "
            "can be seen."
        ),
        {"pairs": listed(map(str, by_pairs))},
    )
    reads = [
        said(
            N_(
                "After {pairs}: numbers from {low:.2f} to {high:.2f}, the largest in row {row}, column {column}; "
                "likeness of two rows {alike:.2f}"
            ),
            pairs=pairs,
            row=int(table.abs().argmax()) // len(table),
            column=int(table.abs().argmax()) % len(table),
            low=float(table.min()),
            high=float(table.max()),
            alike=_alike(table),
        )
        for pairs, table in by_pairs.items()
    ]
    # A colour with less and less of it towards zero, so that the figure has the ground of a light or a dark page.
    ends = (0.0, (*_rgb(NEGATIVE), 1.0)), (0.5, (*_rgb(NEGATIVE), 0.0)), (0.5, (*_rgb(POSITIVE), 0.0))
    colours = LinearSegmentedColormap.from_list("table", [*ends, (1.0, (*_rgb(POSITIVE), 1.0))])
    size = {"width": 2.5, "height": 2.7, "squeeze": False}
    with figure(1, len(by_pairs), **size, describes=description, reads=reads) as axes:
        for ax, (pairs, table) in zip(axes[0], by_pairs.items(), strict=True):
            most = float(table.abs().max())
            ax.imshow(table.numpy(), cmap=colours, vmin=-most, vmax=most)
            ax.set_title(label("after {pairs}", pairs=pairs), fontsize="medium")
            ax.set(xticks=range(0, len(table), 5), yticks=range(0, len(table), 5))
            ax.set_xlabel(label("component of the value"))
        axes[0][0].set_ylabel(label("component of the key"))


def _alike(table: torch.Tensor) -> float:
    """Return the mean size of the cosine of two rows (d, d): 1 where all rows have one pattern or its opposite."""
    rows = torch.nn.functional.normalize(table, dim=1)
    apart = ~torch.eye(len(rows), dtype=torch.bool)
    return float((rows @ rows.T).abs()[apart].mean())


def _rgb(colour: str) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)


def by_age(curves: Mapping[str, Sequence[float]]) -> None:
    """Draw the share of right answers against the number of guests told since, one curve for each name."""
    description = Message(
        N_("The share of right answers over the number of guests told since; {numbers}."),
        {
            "numbers": grouped(
                label(
                    "{name}: {latest:.0f}% for the latest guest, {earliest:.0f}% for the earliest",
                    name=label(name),
                    latest=100 * shares[0],
                    earliest=100 * shares[-1],
                )
                for name, shares in curves.items()
            )
        },
    )
    reads = [
        read_curve(name, [(t, 100 * share) for t, share in enumerate(shares)], ".0f") for name, shares in curves.items()
    ]
    with figure(width=6, height=3.2, describes=description, reads=reads) as ax:
        for (name, shares), colour, style in zip(curves.items(), (BLUE, GREEN, PINK), ("-", "--", "-."), strict=False):
            ax.plot([100 * share for share in shares], color=colour, linestyle=style, label=label(name))
        ax.axhline(100 / ROOMS, color="0.4", linestyle=":")
        ax.set_ylim(0, 103)
        ax.set_xlabel(label("guests told since"))
        ax.set_ylabel(label("right answers (%)"))
        ax.legend(fontsize="small")
