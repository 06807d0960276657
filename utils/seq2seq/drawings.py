"""Diagrams of the lesson `seq2seq`: translation by one vector and with attention, W cut in two, the decoder, a summary.

The second has the layout of Bahdanau, Cho and Bengio 2015, figure 1. The lesson translates French into English in all
its languages, so the example's words are not translated.
N sentences, T words read, S words written, V words known; D, G, R, E widths of states, decoder, scores, embeddings.
"""

import math

from utils.common.messages import N_
from utils.drawings.canvas import (
    CONTEXT,
    KEY,
    LARGE,
    NEUTRAL,
    QUERY,
    QUIET,
    SMALL,
    VALUE,
    WEIGHT,
    WRONG,
    Box,
    Canvas,
    ink,
    stroke,
    tint,
)
from utils.drawings.words import blank

__all__ = ["cut", "decoder_step", "one_vector", "summary", "teacher_forcing", "with_attention"]

READ = ("elle", "porte", "une", "robe", "rouge")
WRITTEN = ("she", "wears", "a", "red", "dress")
SCORES = (0.0, 0.6, 0.4, 1.8, 3.6)  # of each word read, when "red" is to be written
WRITING = 3  # index of "red"
MAP = (  # the scores of each word written, one row per word
    (3.2, 1.0, 0.0, 0.2, 0.0),
    (1.0, 3.6, 0.4, 0.2, 0.0),
    (0.0, 0.6, 3.4, 1.2, 0.2),
    SCORES,
    (0.0, 0.4, 1.0, 3.4, 1.6),
)


def _softmax(scores: tuple[float, ...]) -> list[float]:
    total = sum(map(math.exp, scores))
    return [math.exp(score) / total for score in scores]


def one_vector(language: str | None = None) -> Canvas:
    """c = [forward state at the last word ; backward state at the first], the same at every step of the decoder."""
    say, canvas = blank(
        language,
        300,
        N_("Encoder and decoder with one vector between them"),
        N_(
            "Left, the encoder: a state for each of five French words, joined by arrows in both directions. The "
            "forward state at the last word and the backward state at the first make one vector c. Right, the "
            "decoder: a chain of states that write five English words. Each gets c and the word written just "
            "before; all of the sentence passes through c, whatever its length."
        ),
    )
    top, size, gap = 150, 44, 18
    states = _encoder(canvas, 24, top, size, gap)
    canvas.remark((states[0].x + states[-1].end) / 2, 276, say(N_("encoder")))
    vector = canvas.box(364, top - 18, 40, size + 36, "$c$", colour=CONTEXT, size=LARGE, strength=0.5)
    canvas.text(384, 242, say(N_("one vector")), size=SMALL, bold=True)
    canvas.remark(384, 260, "$(N, D)$")
    canvas.arrow(states[-1].right(), vector.left(), colour=stroke(VALUE))
    _state(canvas, 340, top - 2, "$h_5$", forward=True)
    canvas.arrow(states[0].top(), (states[0].top()[0], 96), (384, 96), vector.top(), colour=stroke(VALUE))
    _state(canvas, states[2].top()[0], 80, "$h_1$", forward=False)

    decoder = [canvas.box(442 + i * (size + gap), top, size, size, f"$s_{i + 1}$", colour=QUERY) for i in range(5)]
    floor = 226
    bus = ((420, top + size / 2), (420, floor), (decoder[-1].bottom()[0], floor))
    canvas.arrow(*bus, head=False, colour=stroke(CONTEXT))
    canvas.arrow(vector.right(), decoder[0].left(), colour=stroke(CONTEXT))
    canvas.text(424, top + 6, "$s_0$")
    before = None
    for box, word in zip(decoder, WRITTEN, strict=True):
        x = box.top()[0]
        canvas.arrow((x, floor), box.bottom(), colour=stroke(CONTEXT))
        canvas.text(x, 60, word)
        canvas.arrow(box.top(), (x, 74))
        if before:
            canvas.arrow(before.right(), box.left())
            canvas.arrow((before.top()[0] + 6, 74), box.top(0.2), colour=QUIET, dashed=True)
        before = box
    canvas.arrow((464, 26), (494, 26), colour=QUIET, dashed=True)
    canvas.remark(504, 26, say(N_("the word written just before")), anchor="start")
    canvas.remark((decoder[0].x + decoder[-1].end) / 2, 276, say(N_("decoder")))
    return canvas


def _state(canvas: Canvas, x: float, y: float, label: str, forward: bool) -> None:
    """Write the name of a state, and over its letter an arrow to the right (forward) or to the left (backward)."""
    written = canvas.text(x, y, label)
    left, right, over = written.x - 1, written.x + 13, written.y - 4
    tip, tail = (right, left) if forward else (left, right)
    canvas.arrow((tail, over), (tip, over), head=False, thick=1.2)
    back = tip - 4 if forward else tip + 4
    canvas.arrow((back, over - 3), (tip, over), (back, over + 3), head=False, thick=1.2)


def _encoder(canvas: Canvas, left: float, top: float, size: float, gap: float) -> list[Box]:
    """Draw the words read and their states, joined by arrows in both directions; return the states."""
    boxes: list[Box] = []
    for i, word in enumerate(READ):
        box = canvas.box(left + i * (size + gap), top, size, size, f"$h_{i + 1}$", colour=VALUE)
        canvas.text(box.bottom()[0], box.foot + 38, word)
        canvas.arrow((box.bottom()[0], box.foot + 26), box.bottom())
        if boxes:
            canvas.arrow(boxes[-1].right(0.3), box.left(0.3), colour=stroke(VALUE))
            canvas.arrow(box.left(0.7), boxes[-1].right(0.7), colour=stroke(VALUE))
        boxes.append(box)
    return boxes


def cut(language: str | None = None) -> Canvas:
    """W [s ; h] = W_s s + W_h h: a matrix with G + D columns times two vectors in a row, as two products."""
    say, canvas = blank(
        language,
        232,
        N_("W cut in two"),
        N_(
            "On the left a matrix W of R rows times a column in which s is above h. One row of W is outlined, from end "
            "to end: some of its numbers have the colour of s, which they meet in the product, the others meet h. It "
            "equals, on the right, W_s times s, plus W_h times h, with the two parts of that row outlined. The first "
            "product is computed for each English word, the second, the keys, once for each French word."
        ),
    )
    cell, G, D, R, middle = 26, 2, 3, 3, 116

    def matrix(x: float, columns: int, colour: str, label: str) -> Box:
        box = canvas.grid(x, middle - R * cell / 2, [[tint(colour, 0.3)] * columns] * R, cell=cell)
        canvas.text(box.top()[0], box.y - 14, label)
        return box

    def vector(x: float, y: float, rows: int, colour: str, label: str) -> Box:
        box = canvas.grid(x, y, [[tint(colour, 0.45)]] * rows, cell=cell)
        canvas.text(box.end + 14, box.y + rows * cell / 2, label, colour=ink(colour))
        return box

    first = matrix(70, G, QUERY, "$W_s$")
    second = matrix(first.end, D, KEY, "$W_h$")
    canvas.remark(first.x - 24, middle, "$R$")
    canvas.brace(first.x, second.end, first.y - 34, "$W$")
    canvas.outline(first.x, first.y, second.end - first.x, cell)
    above = vector(second.end + 22, middle - (G + D) * cell / 2, G, QUERY, "$s$")
    vector(above.x, above.foot, D, VALUE, "$h$")
    canvas.text(310, middle, "=", size=LARGE)
    first = matrix(346, G, QUERY, "$W_s$")
    canvas.outline(first.x, first.y, first.width, cell)
    vector(first.end + 12, middle - G * cell / 2, G, QUERY, "$s$")
    canvas.text(484, middle, "+", size=LARGE)
    second = matrix(516, D, KEY, "$W_h$")
    canvas.outline(second.x, second.y, second.width, cell)
    vector(second.end + 12, middle - D * cell / 2, D, VALUE, "$h$")
    canvas.remark(first.end, 206, say(N_("for each English word")), room=170)
    canvas.remark(second.end, 206, say(N_("once for each French word: the keys")), room=230)
    return canvas


def with_attention(language: str | None = None) -> Canvas:
    """c_i = sum of weight_it h_t, a context for each word; the weights come from s_{i-1} and every h_t."""
    say, canvas = blank(
        language,
        452,
        N_("Encoder and decoder with attention"),
        N_(
            "Below, the encoder's states of five French words. Above, the decoder's states. To write "
            "'red', the decoder's previous state gives every state a weight; lines as thick as the "
            "weights, the thickest from 'rouge', lead to a sum, the context, which goes into the "
            "decoder's next state. Each word written gets its own context."
        ),
    )
    size, gap = 48, 66
    states = _encoder(canvas, 130, 346, size, gap)
    around = canvas.frame(118, 334, states[-1].end - 118 + 12, size + 24)
    weights = _softmax(SCORES)
    centre, height = states[2].top()[0], 222
    plus = canvas.node(centre, height, "Σ", radius=15)
    for box, weight in zip(states, weights, strict=True):
        x, y = box.top()
        dx, dy = centre - x, height - y
        length = math.hypot(dx, dy)
        end = (centre - 17 * dx / length, height - 17 * dy / length)
        canvas.arrow((x, y), end, colour=stroke(VALUE), thick=1 + 6 * weight)
        aside = 24 + 16 * weight
        canvas.text(
            x + 0.3 * dx + (-aside if dx > 0 else aside),
            y + 0.3 * dy - 4,
            f"{weight:.2f}",
            size=SMALL,
            colour=ink(WEIGHT),
        )

    decoder: list[Box] = []
    for i, (name, word) in enumerate(zip(("i−1", "i", "i+1"), WRITTEN[WRITING - 1 :], strict=True)):
        box = canvas.box(centre - 24 + (i - 1) * 150, 104, size, size, f"$s_{{{name}}}$", colour=QUERY)
        x = box.top()[0]
        canvas.text(x, 34, word, bold=i == 1)
        canvas.arrow(box.top(), (x, 48))
        if decoder:
            canvas.arrow(decoder[-1].right(), box.left())
            canvas.arrow((decoder[-1].top()[0] + 8, 48), box.top(0.2), colour=QUIET, dashed=True)
        decoder.append(box)
    for box, x in ((decoder[0], 40), (decoder[-1], 746 - 40)):
        y = box.y + size / 2
        canvas.arrow(*(((x, y), box.left()) if x < centre else (box.right(), (x, y))), dashed=True)
    canvas.arrow(plus.top(), decoder[1].bottom(), colour=stroke(CONTEXT))
    canvas.text(centre + 12, 180, say(N_("$c_i$, the context")), size=SMALL, anchor="start")

    query = decoder[0].bottom()[0]
    score = canvas.box(
        query - 134, height - 24, 178, 48, say(N_("score each state, softmax")), size=SMALL, colour=WEIGHT
    )
    canvas.arrow(decoder[0].bottom(), (query, score.y), colour=stroke(QUERY))
    canvas.text(query - 10, 176, say(N_("query")), size=SMALL, colour=ink(QUERY), anchor="end")
    canvas.arrow(score.right(), plus.left(), colour=stroke(WEIGHT))
    canvas.text((score.end + plus.x) / 2, height - 14, "$α_{i t}$", colour=ink(WEIGHT))
    x = around.x + 30
    canvas.arrow((x, around.y), (x, score.foot), colour=stroke(KEY))
    canvas.text(x - 10, 292, say(N_("keys")), size=SMALL, colour=ink(KEY), anchor="end")
    canvas.text(around.end - 90, 262, say(N_("values")), size=SMALL, colour=ink(VALUE), anchor="start")
    return canvas


def decoder_step(language: str | None = None) -> Canvas:
    """Query, scores, softmax over the words, context, GRU, logits: one word of the translation."""
    say, canvas = blank(
        language,
        552,
        N_("One step of the attention decoder"),
        N_(
            "The decoder's state before the step, (N, G), is the query. It is scored against the keys of all "
            "encoder states, (N, T, R); a softmax, masked at padding, gives the weights, (N, T); the weighted sum of "
            "the states, (N, T, D), is the context, (N, D). The previous word and the context enter the GRU, which"
            " makes the new state; new state, context and word give the scores of the next word, (N, V)."
        ),
    )
    canvas.box(24, 24, 150, 46, "$s_{i−1}$\n" + say(N_("query")) + " $(N, G)$", colour=QUERY, size=SMALL)
    keys = canvas.box(212, 24, 150, 46, "$W_h h_t$\n" + say(N_("keys")) + " $(N, T, R)$", colour=KEY, size=SMALL)
    states = canvas.box(440, 24, 170, 46, "$h_t$\n" + say(N_("states")) + " $(N, T, D)$", colour=VALUE, size=SMALL)
    canvas.arrow(states.left(), keys.right())
    canvas.remark(403, 32, say(N_("once")))
    score = canvas.box(94, 112, 256, 40, "$e_{i t} = v · tanh(W_s s_{i−1} + W_h h_t)$", colour=WEIGHT)
    canvas.arrow((144, 70), (144, 112), colour=stroke(QUERY))
    canvas.arrow((287, 70), (287, 112), colour=stroke(KEY))
    softmax = canvas.box(112, 196, 220, 40, say(N_("softmax over the words")), colour=WEIGHT)
    canvas.arrow(score.bottom(), softmax.top())
    canvas.remark(232, 174, "$(N, T)$", anchor="start")
    mask = canvas.box(152, 276, 140, 46, say(N_("mask")) + " $(N, T)$\n" + say(N_("hides padding")), size=SMALL)
    canvas.arrow(mask.top(), softmax.bottom())
    context = canvas.box(440, 196, 170, 40, "$c_i = Σ_t α_{i t} h_t$", colour=CONTEXT)
    canvas.arrow(softmax.right(), context.left(), colour=stroke(WEIGHT))
    canvas.text(386, 202, "$α_{i t}$", colour=ink(WEIGHT))
    canvas.remark(386, 230, "$(N, T)$")
    canvas.arrow(states.bottom(), context.top(), colour=stroke(VALUE))

    middle = 525
    joined = canvas.box(440, 278, 170, 40, "$[e(y_{i−1}) ; c_i]$")
    canvas.arrow(context.bottom(), joined.top(), colour=stroke(CONTEXT))
    canvas.remark(middle + 10, 257, "$c_i$ $(N, D)$", anchor="start")
    word = canvas.box(646, 262, 84, 46, "$e(y_{i−1})$\n$(N, E)$", size=SMALL)
    canvas.arrow(word.left(), (610, 285))
    canvas.remark(684, 248, say(N_("the previous word")), room=100)
    cell = canvas.box(440, 362, 170, 40, "GRU", colour=QUERY)
    canvas.arrow(joined.bottom(), cell.top())
    canvas.arrow((50, 70), (50, 382), cell.left(), colour=stroke(QUERY))
    canvas.remark(260, 368, "$s_{i−1}$ $(N, G)$")
    output = canvas.box(425, 448, 200, 40, "$W_o [s_i ; c_i ; e(y_{i−1})]$")
    canvas.arrow(cell.bottom(), output.top(), colour=stroke(QUERY))
    canvas.arrow((610, 308), (638, 308), (638, 468), output.right())
    canvas.arrow((middle, 426), (330, 426), colour=stroke(QUERY))
    canvas.remark(386, 412, "$s_i$ $(N, G)$")
    canvas.text(320, 426, say(N_("to the next step")), size=SMALL, anchor="end")
    canvas.arrow(output.bottom(), (middle, 518))
    canvas.text(middle, 530, say(N_("scores of the next word")) + " $(N, V)$", size=SMALL)
    return canvas


def teacher_forcing(language: str | None = None) -> Canvas:
    """Two choices of a step's input word: the right word, or the model's own."""
    say, canvas = blank(
        language,
        456,
        N_("Teacher forcing, and the model's own words"),
        N_(
            "Four steps of a decoder, twice. Above, with the teacher: the second word comes out wrong, "
            "but the third step is given the right word all the same, and goes on well. Below, on its "
            "own: each step is given the word that has just come out, so a wrong second word misleads all "
            "later steps."
        ),
    )
    right = WRITTEN[:4]
    left, wide, gap, start = 150, 92, 56, "SOS"

    def row(top: float, title: str, given: tuple[str, ...], said: tuple[str, ...], own: bool) -> None:
        canvas.text(20, top + 66, title, anchor="start", room=100, bold=True)
        canvas.remark(20, top + 134, say(N_("is given")), anchor="start")
        canvas.remark(20, top + 6, say(N_("says")), anchor="start")
        before = None
        for i, (word, answer) in enumerate(zip(given, said, strict=True)):
            x = left + i * (wide + gap)
            middle = x + wide / 2
            cell = canvas.box(x, top + 46, wide, 40, f"$s_{i + 1}$", colour=QUERY)
            good = answer == right[i]
            sign, colour = ("✓", VALUE) if good else ("✗", WRONG)
            canvas.text(middle, top + 6, f"{answer} {sign}", colour=ink(colour), size=LARGE)
            forced = not own and i > 0
            entry = canvas.box(x, top + 120, wide, 30, word, colour=CONTEXT if forced else NEUTRAL)
            canvas.arrow(cell.top(), (middle, top + 18))
            canvas.arrow(entry.top(), cell.bottom())
            if before:
                canvas.arrow(before.right(), cell.left())
            if own and i < len(given) - 1:
                turn = x + wide + 0.5 * gap
                path = ((middle + 44, top + 6), (turn, top + 6), (turn, top + 135), (x + wide + gap, top + 135))
                canvas.arrow(*path, colour=stroke(CONTEXT), dashed=True)
            before = cell

    row(36, say(N_("with the teacher")), (start, *right[:3]), ("she", "is", "a", "red"), own=False)
    canvas.remark(left + 2 * (wide + gap) - gap / 2 + 46, 204, say(N_("the right words, whatever it said")))
    row(258, say(N_("on its own")), (start, "she", "is", "tired"), ("she", "is", "tired", "."), own=True)
    canvas.remark(left + 2 * (wide + gap) - gap / 2 + 46, 428, say(N_("its own words, wrong ones too")))
    return canvas


def summary(language: str | None = None) -> Canvas:
    """The lesson in one drawing: states, keys, scores and weights below each word read, and what the decoder does."""
    say, canvas = blank(
        language,
        452,
        N_("One step of the translator, and the map"),
        N_(
            "A table with a column for each of five French words, and one for padding. From top to bottom, each column "
            "has the word's state, its key, its score when 'red' is to be written, and a bar for its weight; padding "
            "has the score minus infinity, and no bar. The bar of 'rouge' is by far the highest. On the right, the "
            "decoder: its state before the step is the query, which enters the scores; weights and states make the "
            "context; query and context make the new state, which writes 'red'. At the bottom, the weights of this "
            "step are one row of a map; its other rows are those of the other English words."
        ),
    )
    left, wide, high = 158, 62, 34
    words = (*READ, "PAD")
    middles = [left + (i + 0.5) * wide for i in range(len(words))]
    rows = {"word": 24, "state": 46, "key": 108, "score": 180, "bar": 286, "map": 328}
    for i, (x, word) in enumerate(zip(middles, words, strict=True)):
        canvas.text(x, rows["word"], word)
        state = canvas.box(x - 24, rows["state"], 48, high, f"$h_{i + 1}$", colour=VALUE, dashed=i == len(READ))
        key = canvas.box(
            x - 24, rows["key"], 48, high, f"$W_h h_{i + 1}$", colour=KEY, size=SMALL, dashed=i == len(READ)
        )
        canvas.arrow(state.bottom(), key.top())
        score = f"{SCORES[i]:.1f}" if i < len(READ) else "−∞"
        canvas.arrow(key.bottom(), (x, rows["score"] - 12))
        canvas.text(x, rows["score"], score)
    weights = [*_softmax(SCORES), 0.0]
    for x, weight in zip(middles, weights, strict=True):
        tall = 60 * weight
        if tall:
            canvas.grid(x - 13, rows["bar"] - tall, [[tint(WEIGHT, 0.6)]], cell=26, high=tall, line=stroke(WEIGHT))
        canvas.text(x, rows["bar"] + 12, f"{weight:.2f}" if tall else "0", size=SMALL, colour=ink(WEIGHT))
    end = left + len(words) * wide
    canvas.arrow((left, rows["bar"]), (end, rows["bar"]), head=False, colour=QUIET)

    fills = [[tint(WEIGHT, share) for share in (*_softmax(scores), 0.0)] for scores in MAP]
    cells = canvas.grid(left, rows["map"], fills, cell=wide, high=22)
    for i, word in enumerate(WRITTEN):
        canvas.text(left - 10, rows["map"] + 22 * (i + 0.5), word, anchor="end", bold=i == WRITING)
    canvas.outline(left, rows["map"] + 22 * WRITING, cells.width, 22)

    for name, label, gap in (
        ("state", say(N_("states")), ""),
        ("key", say(N_("keys")), "cut"),
        ("score", say(N_("scores")), "score"),
        ("bar", say(N_("weights")), "attend"),
    ):
        y = rows[name] + {"score": 0, "bar": -24}.get(name, high / 2)
        canvas.text(16, y - (8 if gap else 0), label, anchor="start")
        if gap:
            canvas.remark(16, y + 9, gap, anchor="start")
    canvas.text(16, rows["map"] + 47, say(N_("map")), anchor="start")
    canvas.remark(16, rows["map"] + 64, "alignment", anchor="start")

    canvas.remark((left + end) / 2, 205, "$v · tanh(W_s s_{i−1} + W_h h_t)$")

    x, size = 596, 130
    canvas.remark(x + size / 2, 143, "step")
    query = canvas.box(x, 157, size, 46, "$s_{i−1}$\n" + say(N_("query")), colour=QUERY, size=SMALL)
    context = canvas.box(x, 240, size, 46, "$c_i = Σ_t α_{i t} h_t$\n" + say(N_("context")), colour=CONTEXT, size=SMALL)
    new = canvas.box(x, 323, size, 46, "$s_i$\n" + say(N_("new state")), colour=QUERY, size=SMALL)
    canvas.arrow(query.left(), (end + 2, rows["score"]), colour=stroke(QUERY))
    canvas.arrow((end + 2, 263), context.left(), colour=stroke(WEIGHT))
    middle = context.top()[0]
    canvas.arrow((end + 2, 63), (x - 14, 63), (x - 14, 252), (x, 252), colour=stroke(VALUE))
    canvas.arrow(context.bottom(), new.top(), colour=stroke(CONTEXT))
    canvas.arrow(query.right(0.7), (734, 189), (734, 346), new.right(), colour=stroke(QUERY))
    canvas.arrow(new.bottom(), (middle, 408), colour=stroke(QUERY))
    canvas.text(middle, 420, WRITTEN[WRITING], bold=True)
    return canvas
