"""The figures of the lesson `seq2seq`: similarities, softmax, losses, quality by length, and the alignment map.

An alignment map has a row for each word written and a column for each word read; a bright square in a row shows where
the decoder looked for that word (Bahdanau, Cho and Bengio 2015, figure 3).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch

from utils.common.curves import MARKERS, Losses, draw_losses, read_losses
from utils.common.errors import WorkbookError
from utils.common.figures import BLUE, L_, PALETTE, figure, label
from utils.common.messages import N_, Message, grouped, listed, named
from utils.seq2seq.interface import Decode, TranslationModel
from utils.seq2seq.pairs import pad_sentences
from utils.seq2seq.vocabulary import EOS_token, Lang, PAD_token

if TYPE_CHECKING:  # loading matplotlib takes half a second, which only a program that draws should spend
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage


def similarity_maps(
    tables: Mapping[str, torch.Tensor],
    names: Mapping[str, tuple[Sequence[str], Sequence[str]]],
    unit: str = L_("similarity"),
) -> None:
    """Draw tables of numbers side by side; `names[title]`: the words of rows and columns; `unit`: the numbers' name.

    All tables have one scale of colours, as far below zero as above, so that equal colours mean equal numbers.
    """
    description = Message(
        N_("Tables of numbers on coloured squares, blue above zero, red below, pale near it: {tables}."),
        {"tables": grouped(_read_out(title, table, names[title]) for title, table in tables.items())},
    )
    limit = max(float(np.abs(table).max()) for table in map(np.asarray, tables.values()))
    with figure(1, len(tables), width=4.2, height=3.4, describes=description) as axes:
        for ax, (title, table) in zip(np.atleast_1d(axes), tables.items(), strict=True):
            image = ax.imshow(np.asarray(table), cmap="RdBu", vmin=-limit, vmax=limit)
            rows, columns = names[title]
            ax.set(title=label(title))
            ax.set_xticks(range(len(columns)), columns, rotation=45, ha="right")
            ax.set_yticks(range(len(rows)), rows)
            for (i, j), value in np.ndenumerate(table):
                ink = "white" if abs(value) > 0.7 * limit else "black"
                size = min(9, 46 / len(columns))  # in points, so that a number with its sign fits into its square
                ax.text(j, i, _number(value), ha="center", va="center", color=ink, fontsize=size)
        ax.figure.colorbar(image, ax=axes, shrink=0.8, label=label(unit))


def _number(value: float) -> str:
    """Return a number with two digits behind the point; a whole or a large number without digits there."""
    whole = abs(value) >= 10 or abs(value - round(value)) < 1e-6
    return (f"{value:.0f}" if whole else f"{value:.2f}").replace("-", "−")


def _read_out(title: str, table: torch.Tensor, names: tuple[Sequence[str], Sequence[str]]) -> str:
    """Return a table as text, row by row."""
    rows, columns = names
    lines = [
        named(row, listed(f"{column} {value:.3g}" for column, value in zip(columns, values, strict=True)))
        for row, values in zip(rows, np.asarray(table).tolist(), strict=True)
    ]
    return f"{label(title)} ({' | '.join(lines)})"


def softmax_bars(scores: torch.Tensor, names: Sequence[str], temperatures: Sequence[float] = (0.1, 1.0, 10.0)) -> None:
    """Draw softmax(scores / temperature) as bars, one picture per temperature."""
    description = Message(
        N_(
            "Bars of softmax weights, one picture for each temperature ({temperatures}): the higher the "
            "temperature, the more equal the bars."
        ),
        {"temperatures": listed(f"{temperature:g}" for temperature in temperatures)},
    )
    weights = {temperature: (scores / temperature).softmax(dim=0).tolist() for temperature in temperatures}
    reads = [
        named(
            label("temperature {temperature:g}", temperature=temperature),
            listed(f"{name} {weight:.2f}" for name, weight in zip(names, bars, strict=True)),
        )
        for temperature, bars in weights.items()
    ]
    size = {"width": 3.2, "height": 2.6, "sharey": True}
    with figure(1, len(temperatures), **size, describes=description, reads=reads) as axes:
        for ax, (temperature, bars) in zip(axes, weights.items(), strict=True):
            ax.bar(range(len(names)), bars, color=BLUE)
            ax.set_xticks(range(len(names)), names, rotation=45, ha="right")
            ax.set(title=label("temperature {temperature:g}", temperature=temperature), ylim=(0, 1))
        axes[0].set_ylabel(label("weight"))


def loss_curves(histories: Mapping[str, Losses | Sequence[float]]) -> None:
    """Draw the losses of each epoch, in training and on unseen pairs."""
    description = Message(
        N_("Curves of the loss over the epochs for {names}: in training, and on unseen pairs of sentences."),
        {"names": listed(map(label, histories))},
    )
    with figure(width=5.5, describes=description, reads=read_losses(histories)) as ax:
        draw_losses(ax, histories)
        ax.set(xlabel=label("epoch"), ylabel=label("loss (nats per word)"))


def quality_by_length(
    curves: Mapping[str, Sequence[tuple[float, float]]],
    training: Mapping[str, Sequence[tuple[float, float]]] | None = None,
) -> None:
    """Draw BLEU against the length of the sentence read: one line for each model, on held-out pairs.

    training: for some of these models, BLEU on the pairs that they were trained on. These lines are solid and those of
        held-out pairs dashed, as in the figure of the losses; without `training` all lines are solid.
    """
    training = training or {}
    lines: dict[str, tuple[Sequence[tuple[float, float]], dict[str, str]]] = {}
    for (name, points), colour, marker in zip(curves.items(), PALETTE, MARKERS, strict=False):
        style = {"color": colour, "marker": marker}
        if name in training:
            lines[label("{name}: training", name=label(name))] = training[name], style
        held_out = label("{name}: unseen", name=label(name)) if training else label(name)
        lines[held_out] = points, style | {"linestyle": "--" if training else "-"}
    description = Message(
        N_("Lines of the BLEU score over the length of the French sentence, in words: {numbers}."),
        {"numbers": grouped(named(name, _read_points(points)) for name, (points, _) in lines.items())},
    )
    with figure(width=6, describes=description) as ax:
        for name, (points, style) in lines.items():
            ax.plot(*zip(*points, strict=True), label=name, **style)
        ax.set(xlabel=label("length of the French sentence (words)"), ylim=(0, 102), ylabel=label("BLEU (%)"))
        ax.legend()


def _read_points(points: Sequence[tuple[float, float]]) -> str:
    return listed(f"{length:.0f} → {bleu:.0f}" for length, bleu in points)


def alignment_map(
    ax: "Axes", weights: torch.Tensor, source_words: Sequence[str], target_words: Sequence[str]
) -> "AxesImage":
    """Draw weights (S, T) with the words on the axes: a row per word written, a column per word read."""
    image = ax.imshow(np.asarray(weights), cmap="cividis", vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(len(source_words)), source_words, rotation=60, ha="right")
    ax.set_yticks(range(len(target_words)), target_words)
    ax.set(xlabel=label("words read (French)"), ylabel=label("words written (English)"))
    return image


def alignment_maps(
    model: TranslationModel,
    sentences: Sequence[str],
    input_lang: Lang,
    output_lang: Lang,
    decode: Decode,
    max_length: int = 40,
) -> None:
    """Translate a few normalised sentences, three at most, and draw their alignment maps side by side."""
    longest = max(len(sentence.split(" ")) for sentence in sentences)
    size = {"width": max(3.6, 0.42 * longest), "height": max(3.2, 0.34 * longest)}
    description = Message(
        N_(
            "Alignment maps, one for each sentence ({sentences}): a row for each English word written, bright "
            "under the French words that the decoder looked at."
        ),
        {"sentences": grouped(sentences)},
    )
    maps = [_looked(model, sentence, input_lang, output_lang, decode, max_length) for sentence in sentences]
    reads = [_read_map(sentence, *looked) for sentence, looked in zip(sentences, maps, strict=True)]
    with figure(1, len(sentences), **size, describes=description, reads=reads) as axes:
        for ax, (weights, read, written) in zip(np.atleast_1d(axes), maps, strict=True):
            image = alignment_map(ax, weights, read, written)
        ax.figure.colorbar(image, ax=axes, label=label("attention weight"), shrink=0.8)


def _looked(
    model: TranslationModel, sentence: str, input_lang: Lang, output_lang: Lang, decode: Decode, max_length: int
) -> tuple[torch.Tensor, list[str], list[str]]:
    """Translate a sentence; return the weights (S, T), the words read, and the words written."""
    source = pad_sentences(input_lang, [sentence])
    words, weights = decode(model, source, source != PAD_token, max_length)
    if weights is None:
        raise WorkbookError(
            N_("This translator gives no attention weights, so there is no map to draw: train one with attention.")
        )
    written = [output_lang.index2word[i] for i in words[0].tolist() if i != PAD_token]
    read = [*sentence.split(" "), output_lang.index2word[EOS_token]]
    return weights[0, : len(written)], read, written


def _read_map(sentence: str, weights: torch.Tensor, read: Sequence[str], written: Sequence[str]) -> str:
    """Read out, for each word written, the two words read that it looked at most."""
    rows = []
    for word, row in zip(written, weights, strict=True):
        most = row[: len(read)].topk(min(2, len(read)))
        looks = (
            f"{read[i]} {weight:.0%}" for weight, i in zip(most.values.tolist(), most.indices.tolist(), strict=True)
        )
        rows.append(f"{word} → {listed(looks)}")
    return named(f"“{sentence}”", grouped(rows))
