"""The explorer of `gpt`: the student's models write, a pointed letter shows where each head looks, heads go off.

The page is `utils/gpt/page`. The picture, shown where a page cannot run, has some tales: where the best head looks
in each, and the letter that comes next.
"""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from utils.alive.explorer import Explorer
from utils.alive.words import WALK
from utils.common.messages import N_, Message
from utils.gpt.exporting import Nucleus, exported
from utils.gpt.looking import Score, best_head, examples, scores_of
from utils.gpt.plots import letters_with_weights
from utils.gpt.tales.letters import Rows

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

SHOWN = 6  # tales of the picture
WORDS = {
    **WALK,
    "hint": N_("Your models write. Point at a letter: where does each head look from there, and what comes next?"),
    "keys": N_(
        "Keyboard: in a text, arrow keys move from letter to letter, Home and End to its ends; among the heads and "
        "among the steps of the walk, arrow keys choose one; Tab leads to everything else; Enter on a letter that "
        "may come next writes it."
    ),
    "beginning": N_("Beginning of the tale"),
    "examples": N_("Beginnings to try"),
    "nothing": N_("(nothing)"),
    "odd": N_(
        "No tale has the letter “{letter}”; the text still belongs to the previous beginning. There are: {letters}"
    ),
    "too_long": N_("A beginning has at most {limit} letters; the text still belongs to the previous beginning."),
    "writes": N_("“{name}” writes"),
    "letters": N_("The letters that “{name}” has written: choose one"),
    "cast": N_("Names: {count} (a tale has {people}):"),
    "formed": N_("Sentences well formed: {good} of {of}"),
    "dice": N_("Throw other dice"),
    "undo": N_("Let the model choose again"),
    "top_p": N_("nucleus: the most likely, until together they have"),
    "likeliest": N_("What comes after “{end}”? Choose another letter"),
    "cut": N_("cut"),
    "blank": N_("blank"),
    "line_end": N_("line end"),
    "heads": N_("Where each head looks, and its score"),
    "head": N_("layer {layer}, head {head}"),
    "on": N_("{name}: on"),
    "off_named": N_("Off: those that the score names"),
    "all_on": N_("All on"),
    "strip": N_("most at “{letter}”: {weight}"),
    "score_of": N_("the induction score"),
    "looks": N_(
        "After “{end}”, {name} looks most at “{letter}” ({weight}), which comes after “{before}”. Most likely next: "
        "“{next}” ({share})."
    ),
    "partner": N_("place looked at"),
    "place": N_("{t}: “{read}”"),
    "copy": N_("normalised copy"),
    "query_turned": N_("query, turned"),
    "key_turned": N_("key, turned"),
    "dot": N_(
        "The query is turned by position {p}, the key by {r}: they are {distance} apart. The products add up to {sum}"
    ),
    "scaled": N_("divided by the root of {size} components: the score is {score}"),
    "sum": N_("divided by the sum over all places that it sees, {all}: the weight is {weight}"),
    "wrong_nucleus": N_(
        "The probabilities of your `nucleus` differ from the lesson's formula by {d}. So nothing is drawn here. "
        "Check your function first."
    ),
    "mistake_attention_no_mask": N_("no mask"),
    "mistake_attention_values_turned": N_("values turned as well"),
    "mistake_attention_no_scale": N_("not divided by √d"),
    "mistake_step_no_offset": N_("offset forgotten in the cache"),
    "mistake_nucleus_temperature_multiplied": N_("times the temperature"),
    "mistake_nucleus_not_sorted": N_("nucleus without sorting"),
    "why_attention_no_mask": N_(
        "Each letter now looks at later ones, too, which these weights have never seen. In training it would be "
        "worse: the answer is there to be copied, and little is learned for the end of a text, where writing "
        "happens."
    ),
    "why_attention_values_turned": N_(
        "What a head carries now depends on where it came from: the same letter says something different at each "
        "place, and what comes next can no longer be read from it."
    ),
    "why_attention_no_scale": N_(
        "The scores are larger by a factor of √d, so nearly all weight falls on one place. What a head gathers from "
        "several places is lost, and words and names are misspelt."
    ),
    "why_step_no_offset": N_(
        "The beginning is at its places, but each new letter is turned as if it were at place 0. Distances are "
        "wrong, so heads that look back by distance find nothing: names, words and sentences fall apart."
    ),
    "why_nucleus_temperature_multiplied": N_(
        "Move the temperature: hot and cold are swapped. At one half, the model writes as it should at two."
    ),
    "why_nucleus_not_sorted": N_(
        "The sum runs along the alphabet, so it cuts off the end of the alphabet and not the unlikely letters. Make "
        "the nucleus small: even the most likely letter is cut if the letters before it in the alphabet have enough "
        "together."
    ),
    "kind_plain": N_("plain: letters of the words that all tales have"),
    "kind_first": N_("first: a name's letters, the first time"),
    "kind_again": N_("again: a name's letters, once more"),
    "try_heads": N_("Take the heads away"),
    "ask_heads": N_("Without the heads that the score names: which kinds of letters become harder to guess?"),
    "tell_heads": N_("A kind counts as lost if it costs half a nat more. Now look at the names in the text."),
    "changed": N_("{before} → {after} nats"),
    "try_layers": N_("A name that comes again"),
    "ask_layers": N_("Which of your models guesses a name that it has read once?"),
    "tell_layers": N_("It takes two steps: a letter learns what comes before it, then another can look for it."),
    "nats": N_("{loss} nats a letter"),
    "try_warm": N_("Cold and hot"),
    "ask_warm": N_("At which temperatures, without a cut, are all sentences of a tale well formed?"),
    "tell_warm": N_("The hotter, the bolder. Move the temperature, and watch the spelling fall apart."),
    "at": N_("temperature {temperature}"),
    "guide_begin": N_("Write a beginning here, or choose one. Your models go on from there, at once."),
    "guide_tales": N_(
        "This is what each model writes. Every name has a colour; the more the chosen head looks at a letter, the "
        "bluer it is. Point at one."
    ),
    "guide_next": N_("What may come after the pointed letter. Choose another one, and the tale goes on from it."),
    "guide_heads": N_("All heads, from the pointed letter. Untick the heads with a high score, and watch the names."),
    "guide_warm": N_("A low temperature makes the likely even more likely, a small nucleus cuts off the unlikely."),
    "guide_mistakes": N_("Each switch is a mistake that the check knows. Switch one on, and watch what changes."),
    "guide_trials": N_("Three questions to guess, before you see what your models do."),
    "guide_walk": N_(
        "And the whole way of one letter, step by step, from its vector to the next letter: what each part adds to "
        "it, and which head feeds which."
    ),
    "walk_before": N_("The letter before"),
    "walk_after": N_("The letter after"),
    "walk_of": N_("“{letter}” (place {i})"),
    "feed_forward": N_("layer {layer}, feed-forward"),
    "attention_of": N_("layer {layer}, attention"),
    "stage_feeds": N_("which head feeds which"),
    "walk_embedding": N_("The letter “{letter}” becomes a vector: its row of the embedding, {size} numbers."),
    "walk_qkv": N_(
        "A normalised copy of the stream of “{letter}” goes into layer {layer}. From it, the query of head {head} "
        "is computed: what the head looks for. Each place offers a key, here that of “{read}”, and a value, which "
        "it hands on."
    ),
    "walk_stream": N_(
        "Each part adds a vector of {size} numbers to the stream of “{letter}”. The last strip is their sum."
    ),
    "walk_logits": N_(
        "From the stream, normalised, the output layer computes a logit for each letter (left; the mean of all "
        "logits is subtracted, which changes no percentage). The softmax, at temperature {temperature}, turns "
        "logits into percentages. Choose the letter that the next step explains."
    ),
    "adds_held": N_(
        "The last norm divides every part by the same number, {root}. With this number held, the sum is exact."
    ),
    "walk_feeds": N_(
        "For each head of layer 2, the place where it looks most from “{letter}”. The last line is the lead of this "
        "place: its score minus the mean score of all places. The lines above show how much of this lead comes from "
        "each part of layer 1, through the keys (the norms' divisors are held)."
    ),
    "question_helps": N_(
        "Point at the second letter of a name that is told again. Which part adds most to the right next letter, "
        "and which part speaks most against it?"
    ),
    "question_feeds": N_(
        "Stay there. Which head of layer 1 gives the head with the highest score most of its lead? Go to the place "
        "that this head looks at, and choose the head of layer 1: where does it look from there, and why does the "
        "key then fit the query?"
    ),
    "question_new": N_(
        "Point at the first letter of a name that is told for the first time. Do the same heads add as much to the "
        "likeliest next letter? Where does the head with the highest score look now?"
    ),
    "question_removed": N_(
        "At the last letter of the beginning, subtract the bar of a head of layer 1 from the logit: this is your "
        "guess for the logit without the head. Take the head away and compare; then do the same with a head of "
        "layer 2. Why do guess and result differ?"
    ),
    "question_one_layer": N_(
        "Point at the same letter in the text of the model with one layer. Which part adds most to its likeliest "
        "next letter, and could this part know the name?"
    ),
}


def explore(models: Mapping[str, Any], rows: Rows, induction_score: Score, nucleus: Nucleus) -> Explorer:
    """Explore language models by name, the last one first; `rows` are tales that they have not seen.

    induction_score, nucleus: the student's functions. The result is shown as a live page; its method
    `save("mine.html")` writes the page as a file.
    """
    return Explorer(
        lesson="gpt",
        title=N_("Explore your language models: gpt"),
        export=partial(exported, models, rows, induction_score, nucleus),
        words=WORDS,
        draw=partial(draw, model=list(models.values())[-1], rows=rows, induction_score=induction_score),
        size=(9.5, 0.42 * SHOWN + 0.3),
        describes=Message(
            N_(
                "Rows of text, each up to the middle of a name that has occurred before: the more weight "
                "the head with the highest score gives a letter, the darker it is, and the letter that "
                "comes next is at the end."
            )
        ),
        height=1620,
    )


def draw(figure: "FigureBase", *, model: Any, rows: Rows, induction_score: Score) -> None:
    """Draw where the head with the highest score looks from the middle of a name, in some tales."""
    layer, head = best_head([(0, scores_of(model, induction_score, rows))])
    letters_with_weights(figure.subplots(), examples(model, rows, layer, head, count=SHOWN))
