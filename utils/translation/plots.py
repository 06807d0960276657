"""The figures of the lesson `seq2seq`: similarities, softmax, losses, quality by length, and the alignment map.

An alignment map has a row for each word written and a column for each word read; a bright square in a row shows where
the decoder looked for that word (Bahdanau, Cho and Bengio 2015, figure 3).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch

from utils.common.curves import Losses, draw_losses
from utils.common.errors import WorkbookError
from utils.common.figures import BLUE, L_, figure, label
from utils.common.messages import N_, Message
from utils.translation.interface import Decode, TranslationModel
from utils.translation.pairs import pad_sentences
from utils.translation.vocabulary import EOS_token, Lang, PAD_token

if TYPE_CHECKING:  # loading matplotlib takes half a second, which only a program that draws should spend
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage


def similarity_maps(
    tables: Mapping[str, torch.Tensor],
    names: Mapping[str, tuple[Sequence[str], Sequence[str]]],
    unit: str = L_("similarity"),
) -> None:
    """Draw tables of numbers side by side; `names[title]`: the words of rows and columns; `unit`: the numbers' name."""
    description = Message(
        N_("Tables of numbers on coloured squares, brighter for larger numbers: {tables}."),
        {"tables": "; ".join(_read_out(title, table, names[title]) for title, table in tables.items())},
    )
    with figure(1, len(tables), width=4.2, height=3.4, describes=description) as axes:
        for ax, (title, table) in zip(np.atleast_1d(axes), tables.items(), strict=True):
            numbers = np.asarray(table)
            image = ax.imshow(numbers, cmap="cividis")
            rows, columns = names[title]
            ax.set(title=label(title))
            ax.set_xticks(range(len(columns)), columns, rotation=45, ha="right")
            ax.set_yticks(range(len(rows)), rows)
            bright = (numbers.min() + numbers.max()) / 2
            for (i, j), value in np.ndenumerate(numbers):
                ink = "black" if value > bright else "white"
                whole = abs(value) >= 10 or abs(value - round(value)) < 1e-6
                text = f"{value:.0f}" if whole else f"{value:.2f}"
                ax.text(j, i, text, ha="center", va="center", color=ink, fontsize=9)
            ax.figure.colorbar(image, ax=ax, shrink=0.8, label=label(unit))


def _read_out(title: str, table: torch.Tensor, names: tuple[Sequence[str], Sequence[str]]) -> str:
    """Return a table as text, row by row."""
    rows, columns = names
    lines = [
        f"{row}: " + ", ".join(f"{column} {value:.3g}" for column, value in zip(columns, values, strict=True))
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
        {"temperatures": ", ".join(f"{one:g}" for one in temperatures)},
    )
    with figure(1, len(temperatures), width=3.2, height=2.6, sharey=True, describes=description) as axes:
        for ax, temperature in zip(axes, temperatures, strict=True):
            ax.bar(range(len(names)), np.asarray((scores / temperature).softmax(dim=0)), color=BLUE)
            ax.set_xticks(range(len(names)), names, rotation=45, ha="right")
            ax.set(title=label("temperature {temperature:g}", temperature=temperature), ylim=(0, 1))
        axes[0].set_ylabel(label("weight"))


def loss_curves(histories: Mapping[str, Losses | Sequence[float]]) -> None:
    """Draw the losses of each epoch, in training and on unseen pairs."""
    description = Message(
        N_("Curves of the loss over the epochs for {names}: in training, and on unseen pairs of sentences."),
        {"names": ", ".join(map(label, histories))},
    )
    with figure(width=5.5, describes=description) as ax:
        draw_losses(ax, histories)
        ax.set(xlabel=label("epoch"), ylabel=label("loss (nats per word)"))


def quality_by_length(curves: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """Draw BLEU against the length of the sentence read, one line per model."""
    description = Message(
        N_("Lines of the BLEU score on held-out pairs over the length of the French sentence: {numbers}."),
        {"numbers": _points(curves)},
    )
    with figure(width=6, describes=description) as ax:
        for marker, (name, points) in zip("os^Dv", curves.items(), strict=False):
            ax.plot(*zip(*points, strict=True), marker=marker, label=label(name))
        ax.set(xlabel=label("length of the French sentence (words)"), ylim=(0, 102))
        ax.set_ylabel(label("BLEU on held-out pairs (%)"))
        ax.legend()


def _points(curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    return "; ".join(
        f"{label(name)}: " + ", ".join(f"({length:g}, {bleu:.0f})" for length, bleu in points)
        for name, points in curves.items()
    )


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
        {"sentences": "; ".join(sentences)},
    )
    with figure(1, len(sentences), **size, describes=description) as axes:
        for ax, sentence in zip(np.atleast_1d(axes), sentences, strict=True):
            source = pad_sentences(input_lang, [sentence])
            words, weights = decode(model, source, source != PAD_token, max_length)
            if weights is None:
                raise WorkbookError(
                    N_(
                        "This translator gives no attention weights, so there is no map to draw: train one with "
                        "attention."
                    )
                )
            written = [output_lang.index2word[i] for i in words[0].tolist() if i != PAD_token]
            read = [*sentence.split(" "), output_lang.index2word[EOS_token]]
            image = alignment_map(ax, weights[0, : len(written)], read, written)
        ax.figure.colorbar(image, ax=axes, label=label("attention weight"), shrink=0.8)
