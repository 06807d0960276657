"""The explorer of `seq2seq`: write a French sentence, and see its translation, and where each word looks.

The page is `utils/seq2seq/page`. The picture, which is shown where a page cannot run, has a word of two sentences.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from utils.alive.explorer import Explorer
from utils.common.errors import WorkbookError
from utils.common.figures import BLUE, PINK, label
from utils.common.messages import N_, Message, said
from utils.seq2seq.exporting import LONGEST, exported
from utils.seq2seq.interface import Decode, TranslationModel
from utils.seq2seq.pairs import pad_sentences
from utils.seq2seq.plots import alignment_map
from utils.seq2seq.vocabulary import EOS_token, Lang, PAD_token

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

POINTED = 5  # the word of the translation that is chosen at first
SHOWN = 2  # sentences of the picture
HIGH = 3.6  # inches of a sentence's row in the picture
WORDS = {
    "hint": N_("Write a French sentence: it is translated while you type. Point at a word and see where it looked."),
    "keys": N_(
        "Keyboard: type in the field, where arrow keys and Enter choose a suggested word; Tab leads to "
        "the words of the "
        "translation, where arrow keys choose one; Enter on another candidate writes it."
    ),
    "translator": N_("the translator"),
    "sentence": N_("French sentence"),
    "examples": N_("Sentences to try"),
    "near": N_("Words of the vocabulary"),
    "complete": N_("“{word}” may become:"),
    "unknown": N_("“{word}” is not in the vocabulary; near it:"),
    "translation": N_("Your translator's words: choose one"),
    "stale": N_("The translation is still that of the sentence before."),
    "beam": N_("A beam of 4 writes: {words} (mean log-probability per word {mean}; greedy: {greedy})"),
    "beam_same": N_("A beam of 4 writes the same (mean log-probability per word {mean})."),
    "lines": N_("French words above, English words below; the larger the weight, the thicker the line"),
    "looked": N_("Where the chosen word looked"),
    "likeliest": N_("The most likely words at this place: choose another one, and the rest follows"),
    "undo": N_("Let the model choose again"),
    "map": N_("The alignment map: a row for each word written"),
    "unfold": N_("One number: “{word}” looks at “{read}” with {weight}"),
    "partner": N_("looked at"),
    "query": N_("query W s"),
    "key": N_("key W h"),
    "bent": N_("tanh of their sum"),
    "product": N_("times v"),
    "component": N_("component {c}: tanh({q} + {k}) = {b}; {v} × {b} = {product}"),
    "component_no_tanh": N_("component {c}: {q} + {k} = {b}; {v} × {b} = {product}"),
    "score": N_("The products add up to v · tanh(W s + W h), the score of “{read}”: {score}"),
    "largest": N_("the largest score takes everything: the weight is {weight}"),
    "sum": N_("divided by the sum over all words read, {all}: the weight is {weight}"),
    "no_score": N_("With this mistake no score is computed at all."),
    "mistake_attend_plain_mean": N_("uniform weights"),
    "mistake_attend_last_word": N_("one vector instead"),
    "mistake_attend_hard": N_("only the largest counts"),
    "mistake_additive_no_tanh": N_("no tanh"),
    "mistake_decoder_state_forgotten": N_("state forgotten"),
    "mistake_greedy_same_word_fed": N_("fed SOS at each step"),
    "why_attend_plain_mean": N_(
        "Each word gets the same mean of all states: the decoder knows what was said, but not which word is next. "
        "Short sentences may survive; long ones lose or repeat words."
    ),
    "why_attend_last_word": N_(
        "Each word gets the last word's state and nothing else: everything before it has to fit into this state. Try a "
        "longer sentence."
    ),
    "why_attend_hard": N_(
        "One French word for each English one. It often still works, because a state knows its "
        "neighbours; but argmax has no gradient, so nothing could have been learned this way."
    ),
    "why_additive_no_tanh": N_(
        "Without tanh, the query adds the same number to all scores, and the softmax takes it away again: "
        "each word looks at the same places. All rows of the map are equal."
    ),
    "why_decoder_state_forgotten": N_(
        "The cell begins at zero at each step, so the decoder knows only the last word and what it looks at: it "
        "forgets where in the sentence it is."
    ),
    "why_greedy_same_word_fed": N_(
        "The decoder never learns what it has written. It begins again with each word, or repeats itself."
    ),
    "try_crossing": N_("Where does it look?"),
    "ask_crossing": N_(
        "When the translator writes the fifth word of the first sentence, which word does it look at most?"
    ),
    "tell_crossing": N_("The lines cross where the two languages order their words differently."),
    "try_without": N_("Take one part away"),
    "ask_without": N_("Switch the mistakes on, one at a time. With which of them does the translation stay the same?"),
    "tell_without": N_("A short sentence forgives much. Write a longer one, and switch them on again."),
    "try_long": N_("One vector for all"),
    "ask_long": N_(
        "Instead of looking, the decoder gets only the last word's state. Which of the two translations stays the same?"
    ),
    "tell_long": N_("That is why it looks back: a longer sentence does not fit in one vector."),
    "guide_type": N_(
        "Write here. Words of the vocabulary are suggested while you write, and similar ones for a word that it lacks."
    ),
    "guide_words": N_("Your translator writes at once. Choose a word, with the pointer or with the arrow keys."),
    "guide_lines": N_(
        "Its lines show where it looked: the larger the weight, the thicker the line. Where they cross, the "
        "order changes."
    ),
    "guide_map": N_("The same as a table: a row for each English word. The framed row is the chosen one."),
    "guide_number": N_("Open this line: one weight, from the components of query and key to its percentage."),
    "guide_next": N_("These were the candidates. Choose another word, and the translator goes on from there."),
    "guide_mistakes": N_("Each switch is a mistake that the check knows. Switch one on, and watch what changes."),
    "guide_trials": N_("And three questions to guess, before you see what your translator does."),
}


def explore(
    model: TranslationModel, sentences: Sequence[str], input_lang: Lang, output_lang: Lang, decode: Decode
) -> Explorer:
    """Explore a translator with attention; `sentences` are suggestions, and the user may write others.

    The result is shown as a live page; its method `save("mine.html")` writes the page as a file.
    """
    return Explorer(
        lesson="seq2seq",
        title=N_("Explore your translator: seq2seq"),
        export=partial(exported, model, sentences, input_lang, output_lang, decode, POINTED),
        words=WORDS,
        draw=partial(
            draw_all,
            model=model,
            sentences=sentences[:SHOWN],
            input_lang=input_lang,
            output_lang=output_lang,
            decode=decode,
        ),
        size=(9.0, HIGH * min(SHOWN, len(sentences))),
        describes=Message(
            N_(
                "The alignment map of a sentence and its translation with the row of one written word marked, and "
                "that row as bars: how much the word looks at each French word."
            )
        ),
        height=1130,
    )


def draw_all(
    figure: "FigureBase",
    *,
    model: TranslationModel,
    sentences: Sequence[str],
    input_lang: Lang,
    output_lang: Lang,
    decode: Decode,
) -> None:
    """Draw the pointed word of each sentence, one below the other."""
    rows = figure.subfigures(len(sentences), 1, squeeze=False)[:, 0]
    for row, sentence in zip(rows, sentences, strict=True):
        draw(row, sentence, model, input_lang, output_lang, decode)


def draw(
    figure: "FigureBase",
    sentence: str,
    model: TranslationModel,
    input_lang: Lang,
    output_lang: Lang,
    decode: Decode,
    word: int = POINTED,
) -> None:
    """Draw the alignment map with the row of one word (counted from 1) marked, and beside it that row as bars."""
    from matplotlib.patches import Rectangle

    source = pad_sentences(input_lang, [sentence])
    words, weights = decode(model, source, source != PAD_token, LONGEST)
    if weights is None:
        raise WorkbookError(said(N_("This translator gives no attention weights: explore one with attention.")))
    written = [output_lang.index2word[int(i)] for i in words[0] if i != PAD_token]
    read = [*sentence.split(" "), output_lang.index2word[EOS_token]]
    looks = weights[0, : len(written)]
    row = min(word, len(written)) - 1
    margins = {"left": 0.1, "right": 0.98, "bottom": 0.3, "top": 0.9, "wspace": 0.25}
    left, right = figure.subplots(1, 2, gridspec_kw=margins)
    alignment_map(left, looks, read, written)
    left.add_patch(Rectangle((-0.5, row - 0.5), len(read), 1, fill=False, edgecolor=PINK, linewidth=2))
    right.bar(range(len(read)), looks[row].tolist(), color=BLUE)
    right.set_xticks(range(len(read)), read, rotation=60, ha="right")
    right.set(ylim=(0, 1), ylabel=label("attention weight"))
    right.set_title(label("where “{word}” looks", word=written[row]), fontsize="medium")
