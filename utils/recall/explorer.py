"""The explorer of `recall`: pairs are told one after the other to three memories, and a guest is asked for.

The page is `utils/recall/page`. The picture, shown where a page cannot run, has how much of each told value comes back.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from utils.alive.explorer import Explorer
from utils.common.devices import device_of
from utils.common.figures import BLUE, ORANGE, label
from utils.common.messages import N_, Message, said
from utils.recall.exporting import TOLD, exported
from utils.recall.hotel import name

if TYPE_CHECKING:
    from matplotlib.figure import FigureBase

WORDS = {
    "hint": N_("Three of your porters are told the same pairs. Choose a guest: what does each memory bring back?"),
    "keys": N_(
        "Keyboard: Tab leads to guests and buttons, Enter asks for a guest; among the memories, arrow keys choose one."
    ),
    "memories": N_("The memories: choose one"),
    "softmax": N_("softmax"),
    "table": N_("table"),
    "delta": N_("delta rule"),
    "told": N_("What the porters are told: choose a guest to ask for"),
    "pair_told": N_("{name}: {room}"),
    "pair_old": N_("{pair}, no longer true"),
    "asked": N_("Where is {name}?"),
    "one_more": N_("Tell one more guest"),
    "many_more": N_("Tell 16 more"),
    "moves": N_("{name} moves"),
    "new_day": N_("New day"),
    "answer": N_("room {room} ({sure} sure)"),
    "right": N_("{share} right (guests: {count})"),
    "table_keeps": N_("keeps {count} numbers, always"),
    "cache_keeps": N_("keeps {count} numbers so far"),
    "table_picture": N_("The table: rows belong to keys, columns to values; blue is positive, orange is negative."),
    "cache_picture": N_("A row for each pair told: on the left its key, on the right its value, {size} numbers each."),
    "comes_for": N_("How much of each value comes back for {name}"),
    "strength": N_("strength of the delta rule"),
    "pair": N_("pair told"),
    "query": N_("query"),
    "key": N_("key"),
    "product": N_("product"),
    "unfold": N_("One number ({memory}): {share} of the value of “{pair}” comes back"),
    "component": N_("component {c}: the query's {q} times the key's {k} is {product}"),
    "dot": N_("The products add up to {sum}"),
    "scaled": N_("divided by the root of {size}: the score is {score}"),
    "row_sum": N_("divided by the sum over all pairs, {all}: the weight is {weight}"),
    "comes_back": N_("that is the weight of this value: {share} of it comes back"),
    "corrected": N_("later pairs have corrected the table: {share} of this value comes back"),
    "by_mistake": N_("with this mistake or strength, {share} of this value comes back"),
    "mistake_write_replaces": N_("old table lost"),
    "mistake_write_fades": N_("table fades"),
    "mistake_read_all_softmax": N_("softmax put back"),
    "mistake_read_scaled": N_("divided by √d"),
    "mistake_delta_only_adds": N_("delta only adds"),
    "mistake_delta_sign": N_("wrong sign in delta"),
    "why_write_replaces": N_(
        "The table has only the last pair: one row's pattern. Every guest gets back some of that one value."
    ),
    "why_write_fades": N_(
        "Each new pair makes all earlier ones a tenth weaker. Tell 16 more: hardly any of the first values is left."
    ),
    "why_read_all_softmax": N_(
        "Keys of length 1 have dot products between −1 and 1. After a softmax, all weights are nearly "
        "equal: the answer is a mean of all values. And there is no longer a table."
    ),
    "why_read_scaled": N_(
        "All values come back smaller, by the same factor. The most likely room mostly stays the same, "
        "but the porter is less sure; and a delta rule that reads like this would correct too little."
    ),
    "why_delta_only_adds": N_(
        "If the old answer is not subtracted, the delta rule is a table that only adds. Let a guest move: both rooms "
        "come back."
    ),
    "why_delta_sign": N_(
        "Each pair is subtracted instead of written, and each repetition makes the error larger. Let a guest move a "
        "few times, and look at the numbers."
    ),
    "of_days": N_("{share} right, on twelve new days"),
    "try_few": N_("Sixteen guests"),
    "ask_few": N_("16 guests, and nobody moves. Which memories are right at least nine times out of ten?"),
    "tell_few": N_("Each guest was told once, and there is room for all of them in each memory."),
    "try_moves": N_("Everybody moves"),
    "ask_moves": N_("16 guests, and all of them move. Which memories are right at least nine times out of ten?"),
    "tell_moves": N_(
        "Both values have the same key. Only a memory that takes the old value away knows which came later."
    ),
    "try_full": N_("A full hotel"),
    "ask_full": N_("128 guests, and nobody moves. Which memories are right at least nine times out of ten?"),
    "tell_full": N_(
        "A table of fixed size has a wall. Look at the noise: each guest brings back a bit of all the others."
    ),
    "guide_told": N_(
        "These pairs are told from left to right. Press Play to see them told one after the other; choose a guest to "
        "ask for. A struck-out pair is no longer true, because the guest has moved."
    ),
    "guide_answers": N_("The answers of your three porters, and how many guests each of them knows."),
    "guide_pictures": N_(
        "What each memory keeps. The cache gets a row for each pair; the tables keep their size, and patterns mix."
    ),
    "guide_bars": N_(
        "How much of each value comes back: blue for the right one, orange for the guest's old room, grey for the "
        "noise of other guests."
    ),
    "guide_moves": N_(
        "Let the guest move. Which of the three notices? Below, the strength β of the correction changes."
    ),
    "guide_number": N_("Open this line: one number, starting from the components of query and key."),
    "guide_mistakes": N_("Each switch is a mistake that the check knows. Switch one on, and watch what changes."),
    "guide_trials": N_("And three questions to guess, before you see what your porters answer."),
}


# What is different on the page of a patient, beside a healthy porter.
OF_PATIENTS = {
    "hint": N_("Your porter and your patient are told the same pairs. Choose a guest: what does each bring back?"),
    "yours": N_("your porter"),
    "patient": N_("your patient"),
    "guide_answers": N_("The answers of your porter and of your patient, and how many guests each of them knows."),
    "guide_moves": N_("Let the guest move. Which of the two notices? Below, the strength β of the correction changes."),
}


def explore(*, softmax: Any, table: Any, delta: Any) -> Explorer:
    """Explore three porters, by the kind of their memory. All tables and caches have the porters' own widths.

    The result is shown as a live page; its method `save("mine.html")` writes the page as a file.
    """
    description = N_(
        "Three bar charts, for softmax, table and delta rule: how much of each told value comes back for a "
        "guest who was told first, and again at the end with another room."
    )
    porters = {"softmax": softmax, "table": table, "delta": delta}
    return Explorer(describes=Message(description), **_of(porters, WORDS))


def compare(yours: Any, patient: Any) -> Explorer:
    """Explore two porters whose memories use the delta rule: the student's own beside a patient."""
    description = N_(
        "Two bar charts, for your porter and your patient: how much of each told value comes back for a guest who was "
        "told first, and again at the end with another room."
    )
    return Explorer(describes=Message(description), **_of({"yours": yours, "patient": patient}, WORDS | OF_PATIENTS))


def _of(porters: dict[str, Any], words: dict[str, str]) -> dict[str, Any]:
    """Return what an explorer of these porters has besides its alternative text."""
    return {
        "lesson": "recall",
        "title": N_("Explore your memories: recall"),
        "export": partial(exported, porters),
        "words": words,
        "draw": partial(draw, porters=porters, words=words),
        "size": (9.5, 3.4),
        "height": 1010,
    }


def draw(figure: "FigureBase", *, porters: dict[str, Any], words: dict[str, str]) -> None:
    """Draw how much of each value comes back for the guest who has moved, one chart for each memory."""
    asked, _ = TOLD[0]
    last = len(TOLD) - 1
    rows = [said(N_("{name}: {room}")).format(name=name(guest), room=room) for guest, room in TOLD]
    margins = {"left": 0.13, "right": 0.98, "bottom": 0.17}
    charts = figure.subplots(1, len(porters), sharex=True, sharey=True, gridspec_kw=margins)
    for ax, (kind, porter) in zip(charts, porters.items(), strict=True):
        colours = [BLUE if t == last else ORANGE if guest == asked else "0.6" for t, (guest, _) in enumerate(TOLD)]
        ax.barh(range(len(TOLD)), shares_of(porter, asked), color=colours)
        ax.set_yticks(range(len(TOLD)), rows)
        ax.axvline(0, color="0.5", linewidth=0.8)
        ax.set_title(label(words[kind]), fontsize="medium")
        ax.set_xlabel(label("share of the value"))
    charts[0].invert_yaxis()


@torch.no_grad()
def shares_of(porter: Any, asked: int) -> list[float]:
    """Return how much of each value of the first day comes back for a guest."""
    device = device_of(porter)
    guests = torch.tensor([[guest for guest, _ in TOLD]], device=device)
    # What comes back is a sum of the values times some numbers. With values of which each has a component of its own,
    # the components of the sum are these numbers.
    apart = torch.eye(len(TOLD), device=device).unsqueeze(0)
    queries = porter.queries(torch.tensor([[asked]], device=device))
    returned: list[float] = porter.memory(queries, porter.keys(guests), apart)[0, 0].tolist()
    return returned
