"""The Transformer's decoder in the lesson `captioning`: one layer of it, and the whole model around it.

The layout is that of Vaswani et al. 2017 ("Attention Is All You Need"), figure 1, right, from bottom to top, with the
picture's features in place of the encoder's output. The norms come after the sums (post-norm), as there.
N batch, S words of the caption, T places of the memory, E width, D features, V words known.
"""

import itertools

from utils.common.figures import RED
from utils.common.messages import N_
from utils.drawings.canvas import (
    CONTEXT,
    INK,
    KEY,
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
from utils.drawings.words import blank

__all__ = ["captioning_transformer", "decoder_layer"]

ENTRIES = (("Q", 0.28, QUERY), ("K", 0.5, KEY), ("V", 0.72, VALUE))  # at which share of an attention's width
FEED_FORWARD = 2048  # units, as in the paper and the lesson


def decoder_layer(language: str | None = None) -> Canvas:
    """x = norm(x + dropout(f(x))) for f = self-attention, cross-attention, feed-forward."""
    say, canvas = blank(
        language,
        716,
        N_("One layer of the decoder"),
        N_(
            "From bottom to top: the words, (N, S, E), enter masked self-attention as queries, keys and values; "
            "cross-attention takes its queries from them, keys and values from the memory, (N, T, E); then comes "
            "the feed-forward network. Each of the three is followed by dropout; a residual connection "
            "adds the part's input, and the sum is normalised, after the addition."
        ),
    )
    middle, wide, high = 290, 250, 44
    left = middle - wide / 2
    canvas.frame(100, 56, 380, 600)
    canvas.remark(116, 76, say(N_("one layer")), anchor="start")

    def sublayer(bottom: float, label: str, colour: str) -> tuple[Box, Box]:
        """Draw a function of x, dropout, the sum with x, the norm, from `bottom` up; return function and norm."""
        function = canvas.box(left, bottom - 58 - high, wide, high, label, colour=colour)
        plus = canvas.node(middle, function.y - 36, "+")
        norm = canvas.box(left + 55, plus.y - 16 - 26, wide - 110, 26, say(N_("normalise")), size=SMALL)
        canvas.arrow(function.top(), plus.bottom())
        canvas.remark(middle + 10, function.y - 13, "dropout", anchor="start")
        canvas.arrow(plus.top(), norm.bottom())
        canvas.arrow((middle, bottom - 10), (left - 30, bottom - 10), (left - 30, plus.y + 12), plus.left())
        return function, norm

    def entries(function: Box, bottom: float, letters: str) -> None:
        """Name an attention's inputs, and draw arrows from below to those of `letters`."""
        for letter, part, colour in ENTRIES:
            x = function.top(part)[0]
            canvas.text(x - 10, function.foot + 10, f"${letter}$", colour=ink(colour))
            if letter in letters:
                canvas.arrow((middle, bottom - 22), (x, bottom - 22), (x, function.foot), colour=stroke(colour))

    bottom = 650.0
    own, first = sublayer(bottom, say(N_("self-attention, masked")), WEIGHT)
    canvas.arrow((middle, 686), (middle, bottom - 22), head=False)
    canvas.text(middle, 698, say(N_("words")) + " $(N, S, E)$", size=SMALL)
    entries(own, bottom, "QKV")
    cross, second = sublayer(first.y, say(N_("cross-attention")), WEIGHT)
    canvas.arrow(first.top(), (middle, first.y - 22), head=False)
    entries(cross, first.y, "Q")
    thought, third = sublayer(second.y, say(N_("feed-forward network")) + f"\n$E$ → {FEED_FORWARD} → $E$", NEUTRAL)
    canvas.arrow(second.top(), thought.bottom())
    canvas.arrow(third.top(), (middle, 34))
    canvas.remark(middle, 20, "$(N, S, E)$")

    mask = canvas.box(540, own.y - 4, 150, 52, say(N_("causal mask")) + "\n$(S, S)$", size=SMALL)
    canvas.arrow(mask.left(), own.right())
    memory = canvas.box(540, cross.y + 30, 190, 62, colour=CONTEXT)
    label = say(N_("memory: features of the picture")) + "\n$(N, T, E)$"
    canvas.text(635, memory.y + 31, label, size=SMALL, room=150)
    for (_, part, colour), y in zip(ENTRIES[:0:-1], (14, 25), strict=True):
        x = cross.x + part * wide
        canvas.arrow((540, cross.foot + y), (x, cross.foot + y), (x, cross.foot), colour=stroke(colour))
    return canvas


def captioning_transformer(language: str | None = None, features: str = "(N, D)", memory: str = "(N, 1, E)") -> Canvas:
    """The whole model; `features` and `memory` are the shapes of the picture's features and of the memory."""
    say, canvas = blank(
        language,
        552,
        N_("The captioning Transformer"),
        N_(
            "Left, from bottom to top: the caption's words, (N, S), are embedded, (N, S, E), a positional encoding"
            " is added, and two decoder layers with a causal mask and a linear output give the scores of each next"
            " word, (N, S, V). Right: a convolutional network has turned the picture into features "
            "beforehand; a visual projection turns these into the memory, which every decoder layer looks "
            "at."
        ),
    )
    words = say(N_("<START> a small red circle <END>")).split(" ")
    middle, wide, cell = 250, 210, 78
    left = middle - wide / 2

    def line(labels: list[str], y: float, colour: str) -> Box:
        shade = [[tint(colour, 0.25)] * len(labels)]
        return canvas.grid(middle - cell * len(labels) / 2, y, shade, cell=cell, high=30, labels=[labels])

    read = line(words[:-1], 488, NEUTRAL)
    canvas.remark(middle, 532, say(N_("caption")) + " $(N, S)$")
    embedding = canvas.box(left, 424, wide, 34, say(N_("embedding")))
    plus = canvas.node(middle, 388, "+")
    position = canvas.box(24, 366, 100, 44, say(N_("positional encoding")), size=SMALL)
    canvas.arrow(position.right(), plus.left())
    canvas.frame(left - 22, 202, wide + 44, 142)
    first = canvas.box(left, 284, wide, 42, say(N_("decoder layer {number}"), number=1), colour=WEIGHT)
    second = canvas.box(left, 218, wide, 42, say(N_("decoder layer {number}"), number=2), colour=WEIGHT)
    output = canvas.box(left, 132, wide, 34, say(N_("output, linear")))
    following = line(words[1:], 60, CONTEXT)
    canvas.remark(middle, 40, say(N_("scores of each next word")))
    for below, above in itertools.pairwise((read, embedding, plus, first, second, output, following)):
        canvas.arrow(below.top(), above.bottom())
    for y, shape in ((358, "$(N, S, E)$"), (184, "$(N, S, E)$"), (111, "$(N, S, V)$")):
        canvas.remark(middle + 10, y, shape, anchor="start")
    mask = canvas.box(24, 244, 84, 58, say(N_("causal mask")) + "\n$(S, S)$", size=SMALL)
    for layer in (first, second):
        canvas.arrow(mask.right(), (120, 273), (120, layer.left()[1]), layer.left())

    # From the picture, drawn like the lesson's scenes, to the memory.
    centre = 620
    scene = canvas.box(centre - 48, 448, 96, 70, colour=INK, strength=0.85)
    canvas.dot(centre, 483, 14, RED)
    canvas.remark(centre, 532, say(N_("picture")))
    label = say(N_("convolutional network")) + "\n" + say(N_("(done beforehand)"))
    network = canvas.box(centre - 95, 368, 190, 46, label, size=SMALL, dashed=True)
    projection = canvas.box(centre - 95, 296, 190, 34, say(N_("visual projection")))
    seen = canvas.box(centre - 60, 222, 120, 34, say(N_("memory")), colour=CONTEXT)
    for below, above in itertools.pairwise((scene, network, projection, seen)):
        canvas.arrow(below.top(), above.bottom())
    canvas.remark(centre + 10, 350, f"${features}$", anchor="start")
    canvas.remark(centre + 10, 276, f"${memory}$", anchor="start")
    canvas.arrow(seen.left(), second.right(), colour=stroke(CONTEXT))
    canvas.arrow((460, 239), (460, 305), first.right(), colour=stroke(CONTEXT))
    canvas.text(468, 222, "$K$, $V$", size=SMALL)
    return canvas
