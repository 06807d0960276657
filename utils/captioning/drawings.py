"""Diagrams of the lesson `captioning`: heads, scaled dot products, the causal mask, the decoder, four questions.

The scaled dot product has the steps of Vaswani et al. 2017 ("Attention Is All You Need"), figure 2, left, in the order
of the code, from top to bottom; the decoder is drawn in `decoder`. N batch, S target, T source, E width, H heads.
"""

import itertools
import math

from utils.captioning.decoder_drawings import captioning_transformer, decoder_layer
from utils.common.figures import BLUE, RED
from utils.common.messages import N_, in_context
from utils.drawings.canvas import (
    CONTEXT,
    INK,
    KEY,
    LARGE,
    NEUTRAL,
    QUERY,
    QUIET,
    SMALL,
    VALUE,
    WEIGHT,
    Box,
    Canvas,
    ink,
    stroke,
    tint,
)
from utils.drawings.words import blank

__all__ = [
    "captioning_transformer",
    "causal_mask",
    "decoder_layer",
    "four_questions",
    "heads_as_axis",
    "scaled_dot_product",
]

HEADS = (0.65, 0.38, 0.16)  # each head its shade of the query's blue
DROPOUT = 0.1  # as in the lesson
MINUS_INFINITY = "−∞"


def heads_as_axis(language: str | None = None) -> Canvas:
    """(N, S, E) is split into (N, S, H, E/H); two axes are exchanged: (N, H, S, E/H); after attention, back again."""
    say, canvas = blank(
        language,
        330,
        N_("Heads as an axis"),
        N_(
            "A matrix of S rows and E columns is split into H blocks of E/H columns: (N, S, E) becomes (N, S, H, "
            "E/H). Exchanging the axes of positions and heads gives each head its own matrix, (N, H, S, E/H)."
            " Each head attends. Then the axes are exchanged back and the blocks joined: (N, S, E). One "
            "position is marked: its row is in one piece at first, and then a third of it is in each head."
        ),
    )
    cell, positions, share, marked = 17, 3, 2, 1
    block, high = share * cell, positions * cell

    def shades(colour: str, head: int) -> list[list[str]]:
        return [[tint(colour, HEADS[head])] * share] * positions

    def row(left: float, top: float, colour: str, gap: float) -> float:
        for h in range(len(HEADS)):
            canvas.grid(left + h * (block + gap), top, shades(colour, h), cell=cell, line=stroke(colour))
        wide = 3 * block + 2 * gap
        canvas.outline(left, top + marked * cell, wide, cell)
        return wide

    def column(left: float, colour: str) -> None:
        for h in range(len(HEADS)):
            canvas.grid(left, 60 + h * (high + 12), shades(colour, h), cell=cell, line=stroke(colour))
            canvas.outline(left, 60 + h * (high + 12) + marked * cell, block, cell)

    def across(start: float, end: float, y: float, label: str) -> None:
        canvas.arrow((start, y), (end, y))
        canvas.text((start + end) / 2, y - 15, label, size=SMALL)

    upper, lower = 60, 238
    in_middle, out_middle = upper + high / 2, lower + high / 2
    row(44, upper, QUERY, 0)
    canvas.text(28, in_middle, "$S$", size=LARGE)
    canvas.brace(44, 44 + 3 * block, upper - 4, "$E$")
    canvas.remark(95, upper + high + 15, "$(N, S, E)$")
    across(156, 232, in_middle, say(N_("split")))
    row(242, upper, QUERY, 12)
    canvas.brace(242, 242 + block, upper - 4, "$E/H$")
    canvas.remark(305, upper + high + 15, "$(N, S, H, E/H)$")
    across(378, 492, in_middle, say(N_("exchange axes")))
    column(502, QUERY)
    canvas.remark(593, 30, "$(N, H, S, E/H)$")
    across(546, 640, 60 + 1.5 * high + 12, say(N_("attend")))
    column(650, CONTEXT)
    for h in range(len(HEADS)):
        canvas.text(
            692, 60 + h * (high + 12) + high / 2, say(N_("head {number}"), number=h + 1), size=SMALL, anchor="start"
        )
    canvas.arrow((667, 60 + 3 * high + 24), (667, out_middle), (378, out_middle))
    canvas.text(440, out_middle - 15, say(N_("exchange back")), size=SMALL)
    row(242, lower, CONTEXT, 12)
    canvas.remark(305, lower + high + 15, "$(N, S, H, E/H)$")
    across(232, 156, out_middle, say(in_context("heads", "join")))
    row(44, lower, CONTEXT, 0)
    canvas.remark(95, lower + high + 15, "$(N, S, E)$")
    return canvas


def scaled_dot_product(language: str | None = None) -> Canvas:
    """softmax(QKᵀ/√d, hidden positions −∞), dropout, times V: the steps, and beside each the values of one row."""
    say, canvas = blank(
        language,
        486,
        N_("Scaled dot-product attention, step by step"),
        N_(
            "From top to bottom: Q times K transposed, (N, H, S, T); divided by the root of E/H; minus infinity "
            "where the mask is 0; softmax of each row; dropout, while training; times V, which gives (N, H, S, "
            "E/H). Beside it, one row of scores on its way: 4, 2, 6, 8; divided by 2; the last one hidden; as "
            "weights 0.24, 0.09, 0.67 and exactly 0; after dropout 0.27, 0, 0.74, 0."
        ),
    )
    middle, wide, high, step, first = 222, 200, 34, 62, 92
    left = middle - wide / 2
    steps = (
        ("$Q K^⊤$", WEIGHT),
        (say(N_("divide by $√(E/H)$")), NEUTRAL),
        (say(N_("mask: −∞ where it is 0")), NEUTRAL),
        (say(N_("softmax of each row")), WEIGHT),
        ("dropout", NEUTRAL),
        (say(N_("weights × $V$")), CONTEXT),
    )
    boxes = [
        canvas.box(left, first + i * step, wide, high, label, colour=colour) for i, (label, colour) in enumerate(steps)
    ]
    for i, (above, below) in enumerate(itertools.pairwise(boxes)):
        canvas.arrow(above.bottom(), below.top())
        if not i:
            canvas.remark(middle + 10, above.foot + 14, "$(N, H, S, T)$", anchor="start")
    # The inputs of the steps, and the output.
    q = canvas.box(130, 20, 64, 30, "$Q$", colour=QUERY, size=LARGE)
    k = canvas.box(250, 20, 64, 30, "$K$", colour=KEY, size=LARGE)
    v = canvas.box(366, 20, 64, 30, "$V$", colour=VALUE, size=LARGE)
    for source, letter, part in ((q, "S", 0.2), (k, "T", 0.8)):
        canvas.arrow(source.bottom(), boxes[0].top(part), colour=stroke(QUERY if letter == "S" else KEY))
    shapes = ((q, "S", "end", -8), (k, "T", "start", 8), (v, "T", "start", 8))
    for source, letter, anchor, shift in shapes:
        x = source.x + source.width / 2 + shift
        canvas.remark(x, 68, f"$(N, H, {letter}, E/H)$", anchor=anchor)
    canvas.arrow(v.bottom(), (398, boxes[5].y + high / 2), boxes[5].right(), colour=stroke(VALUE))
    mask = canvas.box(16, boxes[2].y - 5, 74, 44, say(N_("mask")) + "\n$(S, T)$", size=SMALL)
    canvas.arrow(mask.right(), boxes[2].left())
    canvas.arrow(boxes[5].bottom(), (middle, boxes[5].foot + 34))
    canvas.remark(middle + 10, boxes[5].foot + 17, "$(N, H, S, E/H)$", anchor="start")
    # The values of one row at each step.
    scores = (4.0, 2.0, 6.0, 8.0)
    seen = [s / 2 for s in scores[:3]]  # E/H = 4 here; the mask hides the last position
    weights = [math.exp(s) / sum(map(math.exp, seen)) for s in seen] + [0.0]
    dropped = [0 if i == 1 else w / (1 - DROPOUT) for i, w in enumerate(weights)]
    rows = (
        [f"{s:g}" for s in scores],
        [f"{s / 2:g}" for s in scores],
        [*(f"{s:g}" for s in seen), MINUS_INFINITY],
        [f"{w:.2f}" if w else "0" for w in weights],
        [f"{w:.2f}" if w else "0" for w in dropped],
    )
    canvas.remark(590, 45, say(N_("one row, here with $T$ = 4 and $E/H$ = 4")), room=270)
    for i, (box, labels) in enumerate(zip(boxes[:5], rows, strict=True)):
        colour = WEIGHT if i > 2 else NEUTRAL
        shares = [0.0 if label in ("0", MINUS_INFINITY) else 0.25 if i < 3 else 0.8 * float(label) for label in labels]
        canvas.grid(486, box.y + 2, [[tint(colour, s) for s in shares]], cell=48, high=30, labels=[labels])
    for box, label in ((boxes[3], "Σ = 1"), (boxes[4], "$p$ = 0.1")):
        canvas.remark(688, box.y + high / 2, label, anchor="start")
    canvas.text(582, boxes[5].y + high / 2, "$y$ = 0.27 $v_1$ + 0.74 $v_3$")
    return canvas


def causal_mask(language: str | None = None) -> Canvas:
    """The mask (S, S), true where column <= row: a row for each word that looks, a column for each word looked at."""
    say, canvas = blank(
        language,
        322,
        N_("What a causal mask hides"),
        N_(
            "A square of words looking, in rows, and words looked at, in columns. On and below the diagonal the "
            "mask is 1: a word may look at itself and at the words before it. Above, it is 0: the score becomes "
            "minus infinity, the weight exactly 0. At the end of each row is the word to be predicted, "
            "which that row must not see."
        ),
    )
    words = say(N_("<START> a small red circle <END>")).split(" ")
    read, wanted = words[:-1], words[1:]
    count, left, top, cell, high = len(read), 156, 84, 74, 38
    labels = [["1" if j <= i else "0" for j in range(count)] for i in range(count)]
    shades = [[tint(WEIGHT, 0.45) if j <= i else tint(NEUTRAL, 0.16) for j in range(count)] for i in range(count)]
    grid = canvas.grid(left, top, shades, cell=cell, high=high, labels=labels)
    canvas.text(left + cell * count / 2, 28, say(N_("is looked at (key)")), size=SMALL, colour=ink(KEY), bold=True)
    canvas.text(left - 12, 28, say(N_("looks (query)")), size=SMALL, colour=ink(QUERY), bold=True, anchor="end")
    canvas.text(grid.end + 92, 28, say(N_("has to be predicted")), size=SMALL, colour=QUIET, bold=True)
    for i, (word, following) in enumerate(zip(read, wanted, strict=True)):
        y = top + (i + 0.5) * high
        canvas.text(left + (i + 0.5) * cell, top - 18, word)
        canvas.text(left - 12, y, word, anchor="end")
        canvas.arrow((grid.end + 10, y), (grid.end + 46, y))
        canvas.text(grid.end + 56, y, following, anchor="start")
    y = grid.foot + 26
    for x, colour, label in (
        (left, tint(WEIGHT, 0.45), say(N_("1: may be looked at"))),
        (left + 200, tint(NEUTRAL, 0.16), say(N_("0: hidden, score −∞, weight 0"))),
    ):
        canvas.grid(x, y - 7, [[colour]], cell=14)
        canvas.text(x + 22, y, label, size=SMALL, anchor="start")
    return canvas


def four_questions(language: str | None = None) -> Canvas:
    """One word of a caption: which words it sees, where it looks, what it depends on, and whether it is true."""
    say, canvas = blank(
        language,
        348,
        N_("Four questions about one word"),
        N_(
            "In the middle the caption “a small red circle”, of which the word “red” is marked. Above it, arrows from "
            "the words before it: self-attention, which the mask lets see only these. On the left a picture, from "
            "which cross-attention brings what the word looks at. Below it, the same picture with a patch hidden: how "
            "far the word's log-probability falls says what it depends on. On the right the claim, red, is compared "
            "with the scene's fact, red: the word is true."
        ),
    )

    def picture(y: float, hidden: bool) -> Box:
        scene = canvas.box(36, y, 104, 84, colour=INK, strength=0.85)
        canvas.dot(112, y + 58, 15, BLUE)
        if hidden:  # painted in the colour of the background
            canvas.grid(44, y + 6, [[tint(INK, 0.85)]], cell=44)
        else:
            canvas.dot(66, y + 28, 15, RED)
        return scene

    seen, covered = picture(122, hidden=False), picture(240, hidden=True)
    words, cell, left, middle = say(N_("<START> a small red circle <END>")).split(" ")[1:-1], 78, 216, 164
    asked = words.index(say(N_("red")))
    line = canvas.grid(left, middle - 17, [[tint(NEUTRAL, 0.2)] * len(words)], cell=cell, high=34, labels=[words])
    word = left + asked * cell
    canvas.outline(word, middle - 17, cell, 34)
    for i in range(asked):
        x, y, end = left + (i + 0.5) * cell, line.y - 22 * (asked - i), word + 24 * (i + 1)
        canvas.arrow((x, line.y), (x, y), (end, y), (end, line.y), colour=stroke(QUERY))
    for scene, x in ((seen, word + 24), (covered, word + 54)):
        colour = stroke(VALUE) if scene is seen else stroke(RED)
        start = scene.right(0.9 if scene is seen else 0.5)  # below the words
        canvas.arrow(start, (x, start[1]), (x, line.foot), colour=colour)
    canvas.text(left, 40, say(N_("1. Which words does it see?")), anchor="start", bold=True, colour=ink(QUERY))
    canvas.text(left, 62, say(N_("self-attention, masked")), size=SMALL, anchor="start")
    canvas.text(36, 82, say(N_("2. Where does it look?")), anchor="start", bold=True, colour=ink(VALUE), room=180)
    canvas.text(36, 104, say(N_("cross-attention")), size=SMALL, anchor="start")
    beside = word + 74
    canvas.text(beside, 256, say(N_("3. What does it depend on?")), anchor="start", bold=True, colour=ink(RED))
    canvas.text(beside, 278, say(N_("hide a patch, subtract")), size=SMALL, anchor="start")
    canvas.text(beside, 304, "$Δ$ = log $p$ − log $p′$", anchor="start")
    canvas.text(576, 82, say(N_("4. Is it true?")), anchor="start", bold=True, colour=ink(CONTEXT))
    claim = canvas.box(576, 106, 144, 34, say(N_("claim: {word}"), word=words[asked]), colour=CONTEXT)
    canvas.box(576, 188, 144, 34, say(N_("fact: {word}"), word=words[asked]), colour=CONTEXT)
    canvas.text(648, 164, "= ✓", size=LARGE, colour=ink(CONTEXT))
    canvas.arrow((line.end, middle), (552, middle), (552, claim.left()[1]), claim.left(), colour=stroke(CONTEXT))
    return canvas
