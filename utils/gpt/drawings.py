"""Diagrams of the lesson `gpt`: block, turned hands, whole model, induction head, cache, shared keys, the lesson.

The block is that of GPT-2 (Radford et al. 2019); the hands are Su et al. 2021, figure 1; the induction head follows
Olsson et al. 2022 (https://arxiv.org/abs/2209.11895). N batch, S positions, E width, V letters.
"""

import itertools
import math

from utils.common.messages import N_
from utils.drawings.canvas import (
    CONTEXT,
    KEY,
    LARGE,
    NEUTRAL,
    QUERY,
    SMALL,
    VALUE,
    WEIGHT,
    Box,
    Canvas,
    ink,
    stroke,
    tint,
)
from utils.drawings.words import WIDTH, blank

__all__ = ["block", "cache", "induction", "recap", "shared_keys", "turned_hands", "whole_model"]

SPEED = 0.3  # radians per position, of the pair that is drawn
QUERY_AT, KEY_AT = 5, 3  # their positions
QUERY_ANGLE, KEY_ANGLE = 20, 70  # degrees, before the turn


def block(language: str | None = None) -> Canvas:
    """The residual stream of a block: each part reads a normalised copy and adds its result."""
    say, canvas = blank(
        language,
        372,
        N_("A block with its stream"),
        N_(
            "A vertical arrow, the residual stream, goes up on the left. Twice, a copy leaves it to the "
            "right, goes through a norm and then through a part, first attention, then feed-forward, and "
            "comes back to a plus sign on the stream, where it is added. There is no norm on the stream "
            "itself."
        ),
    )
    x = 170

    def part(y: float, norm: str, label: str, colour: str, remark: str) -> Box:
        plus = canvas.node(x, y - 78, "+")
        first = canvas.box(x + 100, y - 20, 104, 40, norm)
        second = canvas.box(x + 254, y - 24, 150, 48, label, colour=colour)
        canvas.arrow((x, y), first.left())
        canvas.arrow(first.right(), second.left())
        canvas.arrow(second.top(), (second.top()[0], y - 78), (x + 12, y - 78))
        canvas.remark(x + 50, y - 12, say(N_("a copy")))
        canvas.remark(second.end + 14, y, remark, anchor="start", room=136)
        return plus

    lower = part(
        300,
        say(N_("norm {number}"), number=1),
        say(N_("attention")),
        WEIGHT,
        say(N_("carries something from place to place")),
    )
    upper = part(
        150,
        say(N_("norm {number}"), number=2),
        say(N_("feed-forward")),
        CONTEXT,
        say(N_("thinks about each place alone")),
    )
    thick = 3
    canvas.arrow((x, 340), lower.bottom(), thick=thick)
    canvas.arrow(lower.top(), upper.bottom(), thick=thick)
    canvas.arrow(upper.top(), (x, 22), thick=thick)
    canvas.text(x, 354, "$x$  $(N, S, E)$", size=SMALL)
    canvas.remark(x - 22, 186, say(N_("the residual stream")), anchor="end", room=110)
    return canvas


def turned_hands(language: str | None = None) -> Canvas:
    """A pair of components of a query and of a key, before and after both are turned by their positions."""
    turn = math.degrees(SPEED)
    before = KEY_ANGLE - QUERY_ANGLE
    query, key = QUERY_ANGLE + QUERY_AT * turn, KEY_ANGLE + KEY_AT * turn
    numbers = {"q": QUERY_AT, "k": KEY_AT, "turn": f"{turn:.0f}", "before": before, "after": f"{key - query:.0f}"}
    say, canvas = blank(
        language,
        318,
        N_("Turned hands"),
        N_(
            "Two clock faces with two hands each, a query and a key. On the left, before the turn, the angle between "
            "them is {before}°. On the right the query has been turned to position {q} and the key to "
            "position {k}, {turn}° for each step; the angle between them is now {after}°: only the difference of the "
            "positions, two steps, counts."
        ),
        **numbers,
    )
    radius, middle = 92, 166

    def face(x: float, title: str, query: float, key: float, remark: str) -> None:
        canvas.text(x, 34, title, size=SMALL, bold=True, room=330)
        canvas.dot(x, middle, radius, tint(NEUTRAL, 0.12))
        for angle, label, colour in ((query, "$q$", QUERY), (key, "$k$", KEY)):
            across, up = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            tip = x + radius * across, middle - radius * up
            canvas.arrow((x, middle), tip, colour=stroke(colour), thick=2.5)
            canvas.text(tip[0] + 14 * across, tip[1] - 14 * up, label, size=LARGE, colour=ink(colour))
        canvas.remark(x, 288, remark, room=320)

    face(
        190,
        say(N_("before")),
        QUERY_ANGLE,
        KEY_ANGLE,
        say(N_("angle between them: {before}°"), **numbers),
    )
    face(
        556,
        say(N_("turned: $q$ at position {q}, $k$ at position {k}"), **numbers),
        query,
        key,
        say(N_("{after}°: less by two steps of {turn}°"), **numbers),
    )
    canvas.arrow((316, middle), (430, middle))
    return canvas


def whole_model(language: str | None = None) -> Canvas:
    """Letters, embedding, two blocks, norm, output, scores: from bottom to top."""
    say, canvas = blank(
        language,
        386,
        N_("The whole model"),
        N_(
            "From bottom to top: letters, (N, S); embedding, which gives the stream, (N, S, E); two blocks; a norm; "
            "the output; scores of each next letter, (N, S, V). No positions are added: inside the blocks, queries and "
            "keys are turned."
        ),
    )
    parts = (
        (say(N_("output")), VALUE),
        (say(N_("norm")), NEUTRAL),
        (say(N_("block {number}"), number=2), WEIGHT),
        (say(N_("block {number}"), number=1), WEIGHT),
        (say(N_("embedding")), QUERY),
    )
    wide, high, gap, top = 210, 38, 22, 52
    x = 373 - wide / 2
    boxes = [canvas.box(x, top + i * (high + gap), wide, high, label, colour=c) for i, (label, c) in enumerate(parts)]
    for above, below in itertools.pairwise(boxes):
        canvas.arrow(below.top(), above.bottom())
    foot = boxes[-1].foot
    canvas.arrow((373, foot + 22), boxes[-1].bottom())
    canvas.arrow(boxes[0].top(), (373, top - 22))
    canvas.text(373, 18, say(N_("scores of each next letter $(N, S, V)$")), size=SMALL)
    canvas.text(373, foot + 34, say(N_("letters $(N, S)$")), size=SMALL)
    for below in boxes[1:]:
        canvas.remark(391, below.y - gap / 2, "$(N, S, E)$", anchor="start")
    canvas.remark(
        boxes[2].end + 20,
        boxes[2].foot + gap / 2,
        say(N_("queries and keys are turned here")),
        anchor="start",
        room=130,
    )
    return canvas


TEXT = "Nelako saw Nel"
ASKS, FOUND = 13, 3  # the letter that looks, and the one it finds


def induction(language: str | None = None) -> Canvas:
    """Two layers that find what followed the same two letters the last time."""
    say, canvas = blank(
        language,
        262,
        N_("How two layers repeat a name"),
        N_(
            "The letters of “Nelako saw Nel” in a row. Below, layer 1: the letter a of Nelako looks at "
            "the two letters before it and notes: before me, e and l. Above, layer 2: the last l, which "
            "has an e before it, looks for a place with e and l before it, finds that a, and copies it: "
            "the next letter is a."
        ),
    )
    cell, left, top = 44, 36, 118
    fills = [tint(NEUTRAL, 0.08)] * len(TEXT)
    for places, fill in (((ASKS - 1, ASKS), tint(QUERY, 0.3)), ((FOUND,), tint(VALUE, 0.35))):
        for place in places:
            fills[place] = fill
    grid = canvas.grid(left, top, [fills], cell=cell, labels=[list(TEXT.replace(" ", "·"))], size=LARGE)

    def centre(i: int) -> float:
        return left + (i + 0.5) * cell

    for back, y in ((1, 180), (2, 190)):
        start, end = centre(FOUND) + 5 * back - 8, centre(FOUND - back)
        canvas.arrow((start, grid.foot), (start, y), (end, y), (end, grid.foot))
    canvas.remark(centre(FOUND) + 14, 206, say(N_("layer 1: before me: “e” and “l”")), anchor="start")
    canvas.arrow(
        (centre(ASKS), top), (centre(ASKS), 68), (centre(FOUND), 68), (centre(FOUND), top), colour=stroke(WEIGHT)
    )
    canvas.remark((centre(ASKS) + centre(FOUND)) / 2, 44, say(N_("layer 2: what came after “e” and “l” before?")))
    canvas.arrow((grid.end, top + cell / 2), (grid.end + 24, top + cell / 2))
    canvas.text(grid.end + 38, top + cell / 2, "a", size=LARGE, bold=True, colour=ink(VALUE))
    canvas.remark(grid.end + 12, top + cell + 16, say(N_("next")))
    return canvas


def cache(language: str | None = None) -> Canvas:
    """A new position adds its key and its value to the cache, and looks at all positions in the cache."""
    say, canvas = blank(
        language,
        300,
        N_("One step with a cache"),
        N_(
            "Two rows of five cells, keys above and values below. Four cells of each, places 0 to 3, are in the cache "
            "already; the fifth, place 4, is new. The new place's query, turned by position 4, meets all "
            "five keys; the weights average all five values."
        ),
    )
    cell, high, left = 74, 36, 150
    rows = ((70, KEY, "key"), (190, VALUE, "value"))
    grids = []
    for y, colour, name in rows:
        label = "$k_{}$" if name == "key" else "$v_{}$"
        old = canvas.grid(
            left, y, [[tint(colour, 0.2)] * 4], cell=cell, high=high, labels=[[label.format(i) for i in range(4)]]
        )
        new = canvas.grid(
            left + 4 * cell + 14, y, [[tint(colour, 0.6)]], cell=cell, high=high, labels=[[label.format(4)]]
        )
        grids.append((old, new))
    (old_keys, new_key), (old_values, new_value) = grids
    canvas.text(left - 14, 70 + high / 2, say(N_("keys")), anchor="end", colour=ink(KEY))
    canvas.text(left - 14, 190 + high / 2, say(N_("values")), anchor="end", colour=ink(VALUE))
    canvas.brace(left, old_keys.end, 64, say(N_("in the cache")))
    canvas.brace(new_key.x, new_key.end, 64, say(N_("new")))
    query = canvas.box(new_key.end + 56, 70 - 4, 110, 44, say(N_("query $q_4$")), colour=QUERY)
    canvas.arrow(query.left(), new_key.right(), colour=stroke(QUERY))
    weights = canvas.grid(left, 134, [[tint(WEIGHT, s) for s in (0.1, 0.7, 0.15, 0.1)]], cell=cell, high=24)
    last = canvas.grid(left + 4 * cell + 14, 134, [[tint(WEIGHT, 0.25)]], cell=cell, high=24)
    canvas.text(left - 14, 146, say(N_("weights")), anchor="end", colour=ink(WEIGHT))
    for above, below in ((old_keys, weights), (weights, old_values), (new_key, last), (last, new_value)):
        canvas.arrow(above.bottom(), below.top())
    result = canvas.box(new_value.end + 56, 190 - 4, 110, 44, say(N_("result")), colour=CONTEXT)
    canvas.arrow(new_value.right(), result.left())
    canvas.remark(left + 2 * cell, 262, say(N_("computed once, at their own positions 0 to 3")), room=300)
    canvas.remark(result.x + 20, 262, say(N_("turned by its own position, 4")), room=230)
    return canvas


def shared_keys(language: str | None = None) -> Canvas:
    """Three layers of four queries that look at four, two and one key and value (Ainslie et al. 2023, figure 2)."""
    say, canvas = blank(
        language,
        232,
        N_("Shared keys and values"),
        N_(
            "Three layers of four queries each. In the first layer, every query has its own key and "
            "value; in the second, two queries share a key and a value; in the third, all four share one "
            "key and one value."
        ),
    )
    heads, cell, high = 4, 42, 34
    names = N_("a key for each query"), N_("a key for two queries"), N_("one key for all")
    for number, (shared, name) in enumerate(zip((4, 2, 1), names, strict=True)):
        left = 57 + 232 * number
        across = heads * cell / shared  # the queries that share a key
        canvas.text(left + heads * cell / 2, 28, say(name), size=SMALL, bold=True, room=200)
        for head in range(heads):
            x = left + head * cell + 4
            query = canvas.grid(x, 58, [[tint(QUERY, 0.3)]], cell=cell - 8, high=high, labels=[["$q$"]])
            middle = left + (head * shared // heads + 0.5) * across
            canvas.arrow(query.bottom(), (middle, 138), colour=stroke(QUERY))
        for group in range(shared):
            grid_left = left + (group + 0.5) * across - cell / 2 + 4
            kept = [[tint(KEY, 0.3)], [tint(VALUE, 0.3)]]
            canvas.grid(grid_left, 138, kept, cell=cell - 8, high=high, labels=[["$k$"], ["$v$"]])
    return canvas


WHOLE = "Nelako·Nel"


def recap(language: str | None = None) -> Canvas:
    """The lesson in one picture: a text, two layers that read it, scores, and the letter drawn, which is read next."""
    say, canvas = blank(
        language,
        400,
        N_("The lesson in one picture"),
        N_(
            "At the bottom a row of letters, “Nelako Nel”. From each letter a stream goes up through layer 1 and "
            "layer 2. In layer 1, the a of Nelako looks at the two letters before it, e and l. In layer 2, the "
            "last l, which has an e before it, looks at that a. At the top, the last stream gives a score for "
            "each letter; that of a is the highest. The letter drawn, a, is the next one at the bottom. A dashed "
            "frame holds what is kept of the earlier letters: their keys and values. Notes on the right say in "
            "which section each part was built."
        ),
    )
    cell, left, high, letters, deep, top = 40, 24, 36, 326, 52, 78
    layers = 232, 140  # the upper edges of layer 1 and layer 2
    last = len(WHOLE) - 1

    def centre(i: int) -> float:
        return left + (i + 0.5) * cell

    fills = [tint(NEUTRAL, 0.08)] * len(WHOLE)
    for places, fill in (((last - 1, last), tint(QUERY, 0.3)), ((FOUND,), tint(VALUE, 0.35))):
        for place in places:
            fills[place] = fill
    grid = canvas.grid(left, letters, [fills], cell=cell, high=high, labels=[list(WHOLE)], size=LARGE)
    end = grid.end
    for y, colour in zip(layers, (QUERY, WEIGHT), strict=True):
        canvas.polygon([(left, y), (end, y), (end, y + deep), (left, y + deep)], fill=tint(colour, 0.15))
    canvas.frame(left - 9, layers[1] - 12, last * cell + 7, layers[0] + deep - layers[1] + 24)
    for i in range(last):
        canvas.arrow((centre(i), letters), (centre(i), layers[1] - 20), colour=NEUTRAL, thick=1)
    for back, y in ((1, layers[0] + 18), (2, layers[0] + 34)):
        canvas.arrow((centre(FOUND), y), (centre(FOUND - back), y), colour=stroke(QUERY), thick=2.5)
    lower, upper = (canvas.node(centre(last), y + deep / 2, "+") for y in layers)
    canvas.arrow(upper.left(), (centre(FOUND), layers[1] + deep / 2), colour=stroke(WEIGHT), thick=2.5)
    for start, stop in ((letters, lower.foot), (lower.y, upper.foot), (upper.y, top)):
        canvas.arrow((centre(last), start), (centre(last), stop), thick=2.5)
    for i, share in enumerate((0.1, 0.2, 1.0, 0.15, 0.08)):  # the letters' probabilities
        canvas.grid(centre(last) - 34 + 14 * i, top - 6 - 40 * share, [[tint(VALUE, 0.6)]], cell=11, high=40 * share)
    drawn = canvas.grid(grid.end + 20, letters, [[tint(VALUE, 0.35)]], cell=cell, high=high, labels=[["a"]], size=LARGE)
    across = drawn.top()[0]
    canvas.arrow((centre(last) + 42, top - 24), (across, top - 24), (across, letters), colour=stroke(VALUE))
    for y, note in (
        (54, N_("scores of the next letter; the loss, in nats (1); the draw (8)")),
        (108, N_("dashed: keys and values, kept in a cache (9)")),
        (166, N_("layer 2: what came after “e” and “l” before? An induction head (6)")),
        (258, N_("layer 1: before me: “e” and “l”; turned hands see distances (3)")),
        (306, N_("the stream: each part adds to it (2)")),
        (344, N_("letters become vectors (4)")),
    ):
        canvas.remark(drawn.end + 14, y, say(note), anchor="start", room=WIDTH - drawn.end - 28)
    return canvas
