"""The explorer of `captioning`: change a scene, and see what your model writes about it, and where each word looks.

The page is `utils/captioning/page`. The picture, which is shown where a page cannot run, has two words of a caption.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from utils.alive.explorer import Explorer
from utils.alive.words import WALK
from utils.captioning.data import caption_text
from utils.captioning.exporting import LONGEST, exported
from utils.captioning.interface import Captioner
from utils.captioning.looking import weights_of
from utils.captioning.plots import MARKS
from utils.captioning.scenes.dataset import scene_of
from utils.captioning.scenes.features import CELLS, SIDE, grid_of
from utils.captioning.scenes.grammar import judge
from utils.captioning.scenes.scene import render
from utils.captioning.scores import plain
from utils.common.figures import BLUE, label
from utils.common.messages import N_, Message

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

SHOWN = (3, 8)  # the colours of both things, as in "a small red circle above a large blue ring"
HIGH = 3.4  # inches of a word's row in the picture
WORDS = {
    **WALK,
    "hint": N_("Drag a thing, give it another colour, shape or size, and read what your model writes."),
    "keys": N_(
        "Keyboard: Tab to a thing; arrow keys move it, with Shift farther; C changes its colour, S its shape, Z its "
        "size. Arrow keys also go from word to word, from head to head, and from step to step of the walk."
    ),
    "captioner": N_("the captioning model"),
    "scene": N_("the scene"),
    "thing": N_("{size} {colour} {shape}"),
    "placed": N_("{thing}, {x} from the left, {y} from the top"),
    "colour": N_("colour"),
    "shape": N_("shape"),
    "size": N_("size"),
    "background": N_("background"),
    "add": N_("Add a thing"),
    "remove": N_("Remove it"),
    "red": N_("red"),
    "orange": N_("orange"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "blue": N_("blue"),
    "purple": N_("purple"),
    "pink": N_("pink"),
    "brown": N_("brown"),
    "circle": N_("circle"),
    "square": N_("square"),
    "triangle": N_("triangle"),
    "star": N_("star"),
    "cross": N_("cross"),
    "ring": N_("ring"),
    "small": N_("small"),
    "large": N_("large"),
    "white": N_("white"),
    "grey": N_("grey"),
    "black": N_("black"),
    "caption": N_("Your model's caption: choose a word"),
    "true": N_("true"),
    "false": N_("false"),
    "malformed": N_("not a sentence of the grammar"),
    "likeliest": N_("The most likely words at this place: choose another one, and the rest follows"),
    "undo": N_("Let the model choose again"),
    "with": N_("“{word}” with {share}."),
    "looks": N_("{name} looks most at “{place}” ({weight})."),
    "heads": N_("Where it looks on the picture, layer by layer and head by head"),
    "mean": N_("layer {layer}, mean"),
    "head": N_("{layer}, head {head}"),
    "among": N_("Where it looks among the words before"),
    "partner": N_("looked at"),
    "place": N_("row {row}, column {column}"),
    "key": N_("key"),
    "dot": N_("The products add up to q · k = {sum}"),
    "scaled": N_("divided by √{d}: the score is {score}"),
    "sum_cross": N_("divided by the sum over the 16 places, {all}: the weight is {weight}"),
    "sum_self": N_("divided by the sum over the words before, {all}: the weight is {weight}"),
    "sum_words": N_("divided by the sum over all words of the caption, {all}: the weight is {weight}"),
    "mistake_no_causal_mask": N_("future seen"),
    "mistake_no_positions": N_("no positions"),
    "mistake_scale_missing": N_("no scale"),
    "mistake_heads_ignored": N_("one head only"),
    "mistake_softmax_over_queries": N_("softmax over the other axis"),
    "mistake_one_layer_only": N_("one layer only"),
    "why_no_causal_mask": N_(
        "Early words now change with the words written after them, which never happened in training. (Trained "
        "without the mask, the model would only have learned to copy the next word.)"
    ),
    "why_no_positions": N_(
        "The words enter without any order. See whether the caption loses its order: the mask alone says a lot about "
        "order, but this model was trained with positions and relies on them."
    ),
    "why_scale_missing": N_(
        "Scores are √d times as large, so each head looks at hardly more than one place: the maps become sharp, "
        "whether or not the caption survives."
    ),
    "why_heads_ignored": N_(
        "All components are compared at once, with one map for everything: a word cannot look at two places for two "
        "reasons."
    ),
    "why_softmax_over_queries": N_(
        "Now the weights of each place sum to 1 over the words, instead of the weights of each word over the "
        "places: the first word takes everything, because it is the only one, and later words share what is left."
    ),
    "why_one_layer_only": N_(
        "The second layer never runs: what the first layer has seen goes straight to the words, and many words need "
        "the second layer."
    ),
    "try_without": N_("Take one part away"),
    "ask_without": N_("Take one part of the formula away at a time. With which of these is the caption still true?"),
    "tell_without": N_("Another model, or another scene, may tell another story: try it."),
    "try_three": N_("Three things"),
    "ask_three": N_("There were never three things in training. Whose colours will the caption name?"),
    "tell_three": N_("The grammar has no sentence for three. Drag them, and see which ones it leaves out."),
    "try_alike": N_("Two of one colour"),
    "ask_alike": N_("In training, two things never had the same colour. Will the caption be true?"),
    "tell_alike": N_("Give one of them another colour, and compare the probabilities of its word."),
    "try_between": N_("Between the places"),
    "ask_between": N_(
        "In training, a single thing was always at one of nine places, or close to it. This ring is between two of "
        "them. Will the caption be true?"
    ),
    "tell_between": N_("Move it up and down, and see at which heights the caption is true."),
    "guide_scene": N_("This is the input: drag a thing, or give it another colour below."),
    "guide_caption": N_(
        "Your model describes the scene at once, and the grammar says whether the caption is true. Choose a word."
    ),
    "guide_map": N_("The pink squares are where this word looks: the larger, the more."),
    "guide_heads": N_("Each head has its own map, in each layer. Which ones find the thing?"),
    "guide_next": N_("These were the candidates. Choose another word, and the model goes on from there."),
    "guide_mistakes": N_("Each switch is a mistake that the check knows. Switch one on, and watch what changes."),
    "guide_trials": N_("Four situations to guess, before you see what your model does."),
    "guide_walk": N_(
        "And the whole way to one word, step by step, from the vector of the word before it to the next word: what "
        "each part adds to it."
    ),
    "walk_before": N_("The word before"),
    "walk_after": N_("The word after"),
    "walk_of": N_("“{word}” (word {n})"),
    "adds_word": N_("word"),
    "adds_position": N_("position"),
    "adds_biases": N_("biases"),
    "adds_self": N_("layer {layer}, words, head {head}"),
    "adds_cross": N_("layer {layer}, picture, head {head}"),
    "adds_thought": N_("layer {layer}, feed-forward"),
    "stream_self": N_("layer {layer}, words"),
    "stream_cross": N_("layer {layer}, picture"),
    "walk_embedding": N_(
        "To predict “{word}”, the model starts from the word before, “{read}”: its row of the embedding, {size} "
        "numbers, plus the vector of position {position}."
    ),
    "walk_qkv_self": N_(
        "From the stream, the query of head {head} in layer {layer} is computed: what the head looks for among the "
        "words. Each word offers a key, here that of “{place}”, and a value, which it hands on."
    ),
    "walk_qkv_cross": N_(
        "From the stream, the query of head {head} in layer {layer} is computed: what the head looks for on the "
        "picture. Each place offers a key, here that of “{place}”, and a value, which it hands on. Keys and values "
        "come from the picture."
    ),
    "walk_weights_down": N_(
        "With this mistake, the softmax runs over the words: the weights of one place add up to 100% over all words."
    ),
    "walk_stream": N_(
        "Each part adds a vector of {size} numbers to the stream, and each norm rescales everything that was added "
        "before. The strips show what is left of each part after the last norm; the last strip is their sum."
    ),
    "walk_logits": N_(
        "From the last stream, the output layer computes a logit for each word (left; the mean of all logits is "
        "subtracted, which changes no percentage). The softmax turns logits into percentages. Choose the word that "
        "the next step explains."
    ),
    "adds_held": N_("The norms rescale all parts alike. With their scales held, the sum is exact."),
    "question_helps": N_(
        "Choose a word for a colour. Which part adds most to it? Is it the head that looks most at the thing?"
    ),
    "question_kind": N_(
        "Compare a word for a shape, “above” or “below”, and “a”. Which of them owes most to the picture, and which "
        "to the words before?"
    ),
    "question_moved": N_(
        "Choose a picture head of layer 1 and the step “query, key, value”. Drag a thing a little: which strips "
        "change, and which do not? Why is this different in layer 2?"
    ),
    "question_two": N_(
        "At a word for a colour, choose the other thing's colour among the logits. Which parts speak for it, and "
        "which parts make the difference between the two colours?"
    ),
    "question_biases": N_(
        "The bar “biases” knows neither the picture nor the words before it. Compare it for “a” and for “purple” at "
        "the same place: which word does the model favour before it has seen anything?"
    ),
}


def explore(
    model: Captioner, urls: Sequence[str], idx_to_word: Sequence[str], word_to_idx: Mapping[str, int], heads: int
) -> Explorer:
    """Explore a model with `heads` heads that was trained on grids of features; `urls` are the scenes' addresses.

    The result is shown as a live page; its method `save("mine.html")` writes the page as a file.
    """
    return Explorer(
        lesson="captioning",
        title=N_("Explore your model: captioning"),
        export=partial(exported, model, urls, idx_to_word, word_to_idx, heads),
        words=WORDS,
        draw=partial(draw, model=model, url=urls[0], idx_to_word=idx_to_word, word_to_idx=word_to_idx),
        size=(9.0, HIGH * len(SHOWN)),
        describes=Message(
            N_(
                "A scene with the caption that the model writes, and for one word of it: where on the scene the word "
                "looks, how much it looks at each word before it, and the probabilities of the four most likely words."
            )
        ),
        height=1580,
    )


def draw(figure: "FigureBase", **given: Any) -> None:
    """Draw two words of a caption, one below the other; `given`: the arguments of `draw_word` besides the word."""
    for row, word in zip(figure.subfigures(len(SHOWN), 1, squeeze=False)[:, 0], SHOWN, strict=True):
        draw_word(row, word=word, **given)


def draw_word(
    figure: "FigureBase",
    *,
    url: str,
    word: int,
    model: Captioner,
    idx_to_word: Sequence[str],
    word_to_idx: Mapping[str, int],
) -> None:
    """Draw the picture, where one word looks on it and among the words before, and the likeliest words in its stead."""
    scene = scene_of(url)
    picture = render(scene, SIDE)
    features = torch.from_numpy(grid_of(picture[None])).to(model.output.weight.device)
    caption = plain(caption_text(model.sample(features, max_length=LONGEST)[0], idx_to_word))
    words = [*caption.split(), "<END>"]
    seen = ["<START>", *words[:-1]]
    rows = torch.tensor([[word_to_idx[seen_word] for seen_word in seen]]).to(features.device)
    at = min(word, len(words)) - 1  # the position at which the model predicts the word

    def look(kind: str) -> np.ndarray:
        return np.asarray(weights_of(model, features, rows, kind)[-1][0, :, at].mean(0).cpu())

    with torch.no_grad():
        probabilities = model(features, rows)[0, at].softmax(-1).cpu()
    mark = MARKS[judge(caption, scene)][0]
    figure.suptitle(f"{mark} {caption}", fontsize="medium")
    margins = {"left": 0.02, "right": 0.98, "bottom": 0.12, "top": 0.8, "wspace": 0.5}
    shown, on_picture, among_words, candidates = figure.subplots(1, 4, gridspec_kw=margins)
    shown.imshow(picture)
    on_picture.imshow(picture.mean(axis=2), cmap="gray", vmin=0, vmax=255)
    weights = look("multihead_attn").reshape(CELLS, CELLS)
    on_picture.imshow(weights, cmap="inferno", alpha=0.75, extent=(0, SIDE, SIDE, 0), vmin=0)
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
