"""Diagrams of the lesson `recall`: two memories, one pair written and read, keys that overlap, the delta rule.

The table as a sum of products is Schlag et al. 2021 (https://arxiv.org/abs/2102.11174), equations 4 and 5; the delta
rule is their equation 24. d components of a key, D components of a value.
"""

from utils.common.messages import N_
from utils.drawings.canvas import CONTEXT, KEY, LARGE, QUERY, SMALL, VALUE, WEIGHT, Canvas, ink, stroke, tint
from utils.drawings.words import blank

__all__ = ["delta_rule", "one_pair", "overlap", "two_memories"]

PAIRS = 4  # told, in the picture of two memories
SHADES = ((0.5, 0.1, 0.3), (0.2, 0.6, 0.1), (0.1, 0.3, 0.7), (0.6, 0.2, 0.2))  # of a table's cells


def two_memories(language: str | None = None) -> Canvas:
    """After four pairs: a cache of four keys and four values, which grows, and a table, which does not."""
    say, canvas = blank(
        language,
        286,
        N_("Two memories"),
        N_(
            "On the left a cache: a key and a value for each of four pairs, and a dashed place for the fifth; a "
            "question looks at all of them. On the right a table of four by three numbers, into which all four pairs "
            "have been added; a question reads the table. It has the same size after any number of pairs."
        ),
    )
    cell, left, top, right = 46, 74, 84, 500
    canvas.text(left + 2.5 * cell, 34, say(N_("a cache: everything is kept")), size=SMALL, bold=True, room=300)
    canvas.text(right + 1.5 * cell, 34, say(N_("a table: everything is added")), size=SMALL, bold=True, room=240)
    rows = ((top, KEY, "$k_{}$"), (top + 60, VALUE, "$v_{}$"))
    for y, colour, sign in rows:
        signs = [[sign.format(pair) for pair in range(1, PAIRS + 1)]]
        canvas.grid(left, y, [[tint(colour, 0.25)] * PAIRS], cell=cell, high=38, labels=signs)
        canvas.box(left + PAIRS * cell + 10, y, cell, 38, sign.format(PAIRS + 1), colour=colour, dashed=True)
    canvas.text(left - 10, top + 19, say(N_("keys")), size=SMALL, anchor="end", colour=ink(KEY))
    canvas.text(left - 10, top + 79, say(N_("values")), size=SMALL, anchor="end", colour=ink(VALUE))
    fills = [[tint(WEIGHT, shade) for shade in row] for row in SHADES]
    table = canvas.grid(right, top - 14, fills, cell=cell, high=31)
    canvas.text(right - 14, top + 48, "$M$", size=LARGE, anchor="end")
    query = canvas.box(left + 1.5 * cell, 224, 2 * cell, 38, say(N_("query $q$")), colour=QUERY)
    canvas.arrow(query.top(), (query.top()[0], top + 102), colour=stroke(QUERY))
    asks = canvas.box(right + 0.5 * cell, 224, 2 * cell, 38, say(N_("query $q$")), colour=QUERY)
    canvas.arrow(asks.top(), (asks.top()[0], table.foot + 4), colour=stroke(QUERY))
    canvas.remark(query.end + 14, 243, say(N_("one more place for each pair")), anchor="start", room=170)
    canvas.remark(asks.end + 14, 243, say(N_("$d × D$ numbers, always")), anchor="start", room=118)
    return canvas


KEY_DRAWN, VALUE_DRAWN = (0.6, 0.8), (5, 0, 2)


def one_pair(language: str | None = None) -> Canvas:
    """A key times a value is a table; the same key reads the value from it again."""
    rows = [[f"{k * v:g}" for v in VALUE_DRAWN] for k in KEY_DRAWN]
    say, canvas = blank(
        language,
        216,
        N_("One pair, written and read"),
        N_(
            "On the left, the key, a column of 0.6 and 0.8, times the value, a row of 5, 0 and 2, gives a table with "
            "the rows 3, 0, 1.2 and 4, 0, 1.6. On the right, the question 0.6, 0.8 reads it: 0.6 times the first row "
            "plus 0.8 times the second row gives 5, 0, 2 again."
        ),
    )
    cell, high, top = 48, 38, 84
    keys = [[f"{k:g}"] for k in KEY_DRAWN]
    canvas.text(190, 20, say(N_("write $M = k v^T$")), bold=True, size=SMALL)
    canvas.text(570, 20, say(N_("read $y = q M$")), bold=True, size=SMALL)
    key = canvas.grid(56, top, [[tint(KEY, 0.25)]] * 2, cell=cell, high=high, labels=keys)
    canvas.text(key.x + cell / 2, top - 16, "$k$", size=LARGE, colour=ink(KEY))
    values = [[f"{v:g}" for v in VALUE_DRAWN]]
    value = canvas.grid(180, top - high - 8, [[tint(VALUE, 0.25)] * 3], cell=cell, high=high, labels=values)
    canvas.text(value.end + 16, value.y + high / 2, "$v$", size=LARGE, colour=ink(VALUE))
    table = canvas.grid(180, top, [[tint(WEIGHT, 0.2)] * 3] * 2, cell=cell, high=high, labels=rows)
    canvas.arrow(key.right(), table.left(), colour=stroke(KEY))
    canvas.text(table.end + 18, top + high, "$M$", size=LARGE)
    canvas.remark(table.x + 1.5 * cell, 186, say(N_("row $i$, column $j$: $k_i v_j$")))
    query = canvas.grid(
        426, top + high / 2, [[tint(QUERY, 0.25)] * 2], cell=cell, high=high, labels=[[row[0] for row in keys]]
    )
    canvas.text(query.x + cell, query.y - 16, "$q$", size=LARGE, colour=ink(QUERY))
    result = canvas.grid(572, top + high / 2, [[tint(CONTEXT, 0.25)] * 3], cell=cell, high=high, labels=values)
    canvas.arrow(query.right(), result.left())
    canvas.text(result.x + 1.5 * cell, result.y - 16, "$y$", size=LARGE, colour=ink(CONTEXT))
    canvas.remark(580, 186, say(N_("0.6 · first row + 0.8 · second row")), room=280)
    return canvas


COSINE = 0.6  # of the two keys that are drawn


def overlap(language: str | None = None) -> Canvas:
    """Two keys that are not perpendicular: a question for the first brings back some of the second value."""
    say, canvas = blank(
        language,
        240,
        N_("Keys that overlap"),
        N_(
            "On the left, two arrows of length 1 from one point: key 1 to the right, key 2 steeply up to the right; "
            "seen from key 1, key 2 has the length 0.6. On the right, the question for guest 1 brings back the value "
            "of guest 1 and 0.6 times the value of guest 2."
        ),
    )
    x, y, length = 90, 196, 156
    tip = x + COSINE * length, y - 0.8 * length
    canvas.arrow((x, y), (x + length, y), colour=stroke(KEY), thick=2.5)
    canvas.arrow((x, y), tip, colour=stroke(KEY), thick=2.5)
    canvas.arrow(tip, (tip[0], y - 4), dashed=True, head=False)
    canvas.text(x + length + 16, y, "$k_1$", size=LARGE, colour=ink(KEY))
    canvas.text(tip[0] + 14, tip[1] - 12, "$k_2$", size=LARGE, colour=ink(KEY))
    # Below the stretch that it measures: beside the dashed line it would be taken for the line's length, 0.8.
    canvas.remark(x + COSINE * length / 2, y + 18, f"$k_1 · k_2 = {COSINE}$")
    asked = canvas.box(356, 92, 84, 48, "$q = k_1$", colour=QUERY)
    first = canvas.box(520, 66, 96, 40, "$1 · v_1$", colour=VALUE, strength=0.5)
    second = canvas.box(520, 126, 96, 40, "$0.6 · v_2$", colour=VALUE, strength=0.2)
    canvas.arrow(asked.right(0.4), first.left())
    canvas.arrow(asked.right(0.6), second.left())
    canvas.remark(first.end + 12, 86, say(N_("what was asked for")), anchor="start", room=110)
    canvas.remark(second.end + 12, 146, say(N_("noise")), anchor="start", room=110)
    canvas.text(540, 34, say(N_("what is read back")), size=SMALL, bold=True)
    return canvas


def delta_rule(language: str | None = None) -> Canvas:
    """Ask the table first; write the difference between what was told and what it believes."""
    say, canvas = blank(
        language,
        254,
        N_("The delta rule"),
        N_(
            "From the table, the key reads what it believes, room 3. This is subtracted from what is told, room 40. "
            "The difference, times the strength, is written into the table with the same key: out with 3, in with 40."
        ),
    )
    table = canvas.box(40, 88, 120, 76, say(N_("the table $M$")), colour=WEIGHT)
    believed = canvas.box(262, 100, 140, 52, say(N_("believed: room 3")), colour=CONTEXT)
    minus = canvas.node(470, 126, "−")
    told = canvas.box(396, 22, 148, 44, say(N_("told: room 40")), colour=VALUE)
    difference = canvas.box(548, 100, 158, 52, say(N_("difference $v − k M$")), colour=VALUE)
    canvas.arrow(table.right(), believed.left())
    canvas.arrow(believed.right(), minus.left())
    canvas.arrow(told.bottom(), minus.top())
    canvas.arrow(minus.right(), difference.left())
    canvas.arrow(difference.bottom(), (627, 206), (100, 206), table.bottom())
    canvas.remark(211, 108, say(N_("1. read with $k$")))
    canvas.remark(364, 226, say(N_("2. write the difference with the same $k$, times $β$")), room=480)
    return canvas
