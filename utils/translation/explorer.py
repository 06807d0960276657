"""The explorer of `seq2seq`: write a French sentence, choose a word of its translation and see where it looks."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from utils.common import explorer
from utils.common.errors import WorkbookError
from utils.common.explorer import Written, sharpened
from utils.common.figures import BLUE, PINK, label
from utils.common.messages import N_, Message, said
from utils.french.normalise import normalizeString
from utils.translation.interface import Decode, TranslationModel
from utils.translation.pairs import pad_sentences
from utils.translation.plots import alignment_map
from utils.translation.vocabulary import EOS_token, Lang, PAD_token

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0)
LONGEST = 33  # words of a sentence, as in the lesson
POINTED = 5  # the word of the translation that is chosen at first
CONTROLS = (N_("sentence"), N_("word"), N_("temperature"))  # the names of `draw`'s arguments


def explore(
    model: TranslationModel, sentences: Sequence[str], input_lang: Lang, output_lang: Lang, decode: Decode
) -> None:
    """Explore a translator with attention; `sentences` are suggestions, and the user may write others."""
    controls = {"sentence": Written(sentences), "word": range(1, LONGEST + 1), "temperature": TEMPERATURES}
    shown = [{"sentence": sentence, "word": POINTED, "temperature": 1.0} for sentence in sentences[:2]]
    view = partial(draw, model=model, input_lang=input_lang, output_lang=output_lang, decode=decode)
    explorer.explore(
        view,
        controls,
        shown,
        height=3.6,
        describes=Message(
            N_(
                "The alignment map of a sentence and its translation with the row of one written word marked, and "
                "that row as bars: how much the word looks at each French word."
            )
        ),
    )


def draw(
    figure: "FigureBase",
    *,
    model: TranslationModel,
    input_lang: Lang,
    output_lang: Lang,
    decode: Decode,
    sentence: str,
    word: int,
    temperature: float,
) -> None:
    """Draw the alignment map with the row of one word (counted from 1) marked, and beside it that row as bars."""
    from matplotlib.patches import Rectangle

    text = normalizeString(sentence).strip()
    unknown = [one for one in text.split(" ") if one not in input_lang.word2index]
    if unknown:
        raise WorkbookError(
            said(
                N_("The vocabulary has no {words}: write a sentence with words of the corpus."),
                words=", ".join(f"“{one}”" for one in unknown),
            )
        )
    source = pad_sentences(input_lang, [text])
    words, weights = decode(model, source, source != PAD_token, LONGEST + 7)
    if weights is None:
        raise WorkbookError(said(N_("This translator gives no attention weights: explore one with attention.")))
    written = [output_lang.index2word[int(i)] for i in words[0] if i != PAD_token]
    read = [*text.split(" "), output_lang.index2word[EOS_token]]
    looks = sharpened(weights[0, : len(written)], temperature)
    row = min(word, len(written)) - 1
    margins = {"left": 0.1, "right": 0.98, "bottom": 0.3, "top": 0.9, "wspace": 0.25}
    left, right = figure.subplots(1, 2, gridspec_kw=margins)
    alignment_map(left, looks, read, written)
    left.add_patch(Rectangle((-0.5, row - 0.5), len(read), 1, fill=False, edgecolor=PINK, linewidth=2))
    right.bar(range(len(read)), looks[row].tolist(), color=BLUE)
    right.set_xticks(range(len(read)), read, rotation=60, ha="right")
    right.set(ylim=(0, 1), ylabel=label("attention weight"))
    right.set_title(label("where “{word}” looks", word=written[row]), fontsize="medium")
