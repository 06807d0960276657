"""Diagrams of the lesson `attention`: one layer of self-attention, its reach, and the encoding of positions.

Shapes: N sequences, T positions, C channels of the input, D channels into the layer, E out of it, d of a query and a
key, B bits. The first has the layout of Vaswani et al. 2017, figure 2 (left), turned on its side;
`convolution_and_attention` draws a receptive field as a cone, as is usual.
"""

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
    WRONG,
    Box,
    Canvas,
    ink,
    stroke,
    tint,
)
from utils.drawings.words import blank

__all__ = ["convolution_and_attention", "in_one_picture", "positions_as_channels", "queries_keys_values"]

# The kind of shape at each of the example's six positions. Positions of the same kind look at each other.
KINDS = (0, 1, 0, 2, 1, 2)
LOOKING = 2  # the position i, which is marked in Q, scores, weights and Y


def queries_keys_values(language: str | None = None) -> Canvas:
    """Self-attention: Q, K, V from x by 1x1 convolutions, a row for each position; A = softmax(QKᵀ); Y = A V."""
    say, canvas = blank(
        language,
        392,
        N_("Self-attention: how queries, keys and values flow"),
        N_(
            "From the input x of shape (N, D, T), three convolutions of kernel size 1, transposed, give "
            "the queries Q and the keys K, each (N, T, d), and the values V, (N, T, E): a row for each "
            "position. Q times K "
            "transposed gives the scores, (N, T, T); a softmax of each row turns them into the weights A. "
            "A times V is the output Y, (N, T, E). Row i of A says where position i looks, and mixes row "
            "i of Y from the rows of V."
        ),
    )
    cell, count = 13, len(KINDS)
    wide = cell * count

    def marked_row(grid: Box) -> None:
        canvas.outline(grid.x, grid.y + LOOKING * cell, grid.width, cell)
        canvas.text(grid.end + 12, grid.y + (LOOKING + 0.5) * cell, "$i$", size=LARGE)

    def matrix(x: float, middle: float, size: tuple[int, int], colour: str, name: str, shape: str) -> Box:
        rows, columns = size
        fills = [[tint(colour, 0.3)] * columns] * rows
        grid = canvas.grid(x, middle - rows * cell / 2, fills, cell=cell, line=stroke(colour))
        canvas.text(x + grid.width / 2, grid.y - 13, name, size=LARGE)
        canvas.remark(x + grid.width / 2, grid.foot + 12, shape)
        return grid

    x = matrix(16, 192, (4, count), NEUTRAL, say(N_("input $x$")), "$(N, D, T)$")
    by_one, turned = say(N_("1×1 convolution")), say(N_("transposed"))
    rows = {}
    for middle, colour, name, letter, width, shape in (
        (70, QUERY, say(N_("query")), "Q", 3, "$(N, T, d)$"),
        (192, KEY, say(N_("key")), "K", 3, "$(N, T, d)$"),
        (314, VALUE, say(N_("value")), "V", 5, "$(N, T, E)$"),
    ):
        layer = canvas.box(122, middle - 31, 106, 62, f"{name}\n{by_one}\n{turned}", colour=colour, size=SMALL)
        canvas.arrow(x.right(), (108, 192), (108, middle), layer.left())
        rows[letter] = matrix(252, middle, (count, width), colour, f"${letter}$", shape)
        canvas.arrow(layer.right(), rows[letter].left())
    marked_row(rows["Q"])

    product = canvas.box(346, 114, 48, 34, "$Q K^⊤$")
    canvas.arrow(rows["Q"].right(0.9), (370, rows["Q"].right(0.9)[1]), product.top(), colour=stroke(QUERY))
    canvas.arrow(rows["K"].right(), (370, 192), product.bottom(), colour=stroke(KEY))
    # Half of the positions of another kind are a little alike, so that the softmax has something to take away.
    likeness = (0.4, 2.4, 4.0)  # of another kind; of another kind and a little alike; of the same kind
    kinds = [[2 if a == b else (i + j) % 2 for j, b in enumerate(KINDS)] for i, a in enumerate(KINDS)]
    scores = [[likeness[kind] for kind in row] for row in kinds]
    weights = [[math.exp(s) / sum(map(math.exp, row)) for s in row] for row in scores]
    top = 131 - wide / 2
    before = canvas.grid(416, top, [[tint(NEUTRAL, s / 4) for s in row] for row in scores], cell=cell)
    after = canvas.grid(564, top, [[tint(WEIGHT, 2 * w) for w in row] for row in weights], cell=cell)
    for grid, name in ((before, say(N_("scores"))), (after, say(N_("weights $A$")))):
        canvas.text(grid.x + wide / 2, top - 13, name, size=LARGE)
    canvas.outline(before.x, top + LOOKING * cell, wide, cell)
    marked_row(after)
    canvas.remark(before.x + wide / 2, before.foot + 12, "$(N, T, T)$")
    canvas.remark(after.x + wide / 2, top - 40, say(N_("row $i$: where position $i$ looks")))
    canvas.arrow(product.right(), before.left())
    canvas.arrow(before.right(), after.left())
    canvas.text(529, 118, "softmax", size=SMALL)
    canvas.text(529, 144, say(N_("each row")), size=SMALL)

    mixed = canvas.box(579, 297, 48, 34, "$A V$")
    canvas.arrow(after.bottom(), mixed.top(), colour=stroke(WEIGHT))
    canvas.remark(after.x + wide / 2 + 8, 223, "$(N, T, T)$", anchor="start")
    canvas.arrow(rows["V"].right(), mixed.left(), colour=stroke(VALUE))
    y = matrix(652, 314, (count, 5), CONTEXT, say(N_("output $Y$")), "$(N, T, E)$")
    marked_row(y)
    canvas.arrow(mixed.right(), y.left())
    return canvas


def convolution_and_attention(language: str | None = None, layers: int = 4) -> Canvas:
    """The horizon of `layers` convolutions with kernel 5, 4 layers + 1 points, beside the reach of one attention."""
    seen = 4 * layers + 1
    say, canvas = blank(
        language,
        308,
        N_("A convolution's horizon beside attention's reach"),
        N_(
            "Left: rows of dots, one row for each layer. Each dot sees 5 dots of the row below, so that after "
            "{layers} convolutions an output sees a cone of {points} input points; the partner outside it is not "
            "seen. Right: one layer of attention. The same output is connected to all input points by lines, thick "
            "ones to its own shape and to its partner, thin ones to the others."
        ),
        layers=layers,
        points=seen,
    )
    count, step, own, partner = 25, 13, 10, 22
    top, bottom = 78, 212

    def panel(left: float, title: str, remark: str) -> list[float]:
        canvas.text(left + step * (count - 1) / 2, 28, title, size=LARGE, bold=True)
        positions = [left + step * j for j in range(count)]
        for middle, colour in ((own, stroke(QUERY)), (partner, stroke(KEY))):
            ground = bottom + 34
            shape = [(positions[middle - 2], ground), (positions[middle], ground - 20), (positions[middle + 2], ground)]
            canvas.polygon(shape, fill=colour)
        canvas.remark(positions[own], top - 20, say(N_("output")))
        canvas.remark(positions[own], bottom + 48, say(N_("own shape")))
        canvas.remark(positions[partner], bottom + 48, say(N_("partner")))
        canvas.text(left + step * (count - 1) / 2, bottom + 76, remark)
        return positions

    title = say(N_("{layers} convolutions, kernel 5"), layers=layers)
    positions = panel(32, title, say(N_("sees {points} points, the partner is outside"), points=seen))
    half = 2 * layers + 0.5
    cone = [(positions[own] - 6, top - 7), (positions[own] + 6, top - 7)]
    cone += [(positions[own] + half * step, bottom + 7), (positions[own] - half * step, bottom + 7)]
    canvas.polygon(cone, fill=tint(QUERY, 0.18))
    for layer in range(layers + 1):
        y = top + (bottom - top) * layer / layers
        for j, x in enumerate(positions):
            inside = abs(j - own) <= 2 * layer
            canvas.dot(x, y, 3.6, stroke(QUERY) if inside else tint(NEUTRAL, 0.7))
    positions = panel(402, say(N_("one layer of attention")), say(N_("sees every point, and chooses where to look")))
    for j, x in enumerate(positions):
        alike = min(abs(j - own), abs(j - partner)) <= 2
        thick = 2.4 if alike else 0.6
        canvas.arrow((x, bottom - 4), (positions[own], top + 4), head=False, thick=thick, colour=stroke(WEIGHT))
    for y in (top, bottom):
        for j, x in enumerate(positions):
            canvas.dot(x, y, 3.6, stroke(QUERY) if y == bottom or j == own else tint(NEUTRAL, 0.7))
    return canvas


def positions_as_channels(language: str | None = None) -> Canvas:
    """The position t in binary, a channel a bit, joined to the channels of x: (N, C, T), (B, T) -> (N, C + B, T)."""
    say, canvas = blank(
        language,
        236,
        N_("The binary positional encoding, joined to the channels"),
        N_(
            "A sequence of 8 heights, one channel of shape (C, T), is drawn above three channels of bits, "
            "(B, T), which contain the positions 0 to 7 in binary: bit 0 changes at every step, bit 2 "
            "once. Joined, they are "
            "one input of C + B channels. Read from bottom to top, the bits of position 6 are 1, 1, 0."
        ),
    )
    heights = (0, 4, 8, 4, 0, 6, 6, 0)
    count, bits, cell, high, marked = len(heights), 3, 30, 28, 6
    names = [say(N_("heights")), *(say(N_("bit {number}"), number=b) for b in range(bits))]
    shades = [[tint(NEUTRAL, 0.1 + h / 14) for h in heights]]
    digits = [[str(t >> b & 1) for t in range(count)] for b in range(bits)]
    bit_shades = [[tint(QUERY, 0.45 if digit == "1" else 0.06) for digit in row] for row in digits]
    wide = count * cell

    def numbers(left: float) -> None:
        canvas.text(left - 14, 30, "$t$", size=LARGE)
        for t in range(count):
            canvas.remark(left + (t + 0.5) * cell, 30, str(t))

    left, right = 84, 482
    numbers(left)
    x = canvas.grid(left, 46, shades, cell=cell, high=high)
    encoding = canvas.grid(left, 116, bit_shades, cell=cell, high=high, labels=digits)
    for name, y in zip(names, (60, 130, 158, 186), strict=True):
        canvas.text(left - 10, y, name, size=SMALL, anchor="end")
    canvas.remark(left + wide / 2, x.foot + 13, "$(N, C, T)$")
    canvas.remark(left + wide / 2, encoding.foot + 14, "$(B, T)$")

    numbers(right)
    joined = canvas.grid(right, 46, [*shades, *bit_shades], cell=cell, high=high, labels=[[""] * count, *digits])
    canvas.outline(right + marked * cell, joined.y + high, cell, bits * high)
    canvas.remark(right + wide / 2, joined.foot + 14, "$(N, C + B, T)$")
    remark = say(N_("position 6, read upwards: 1 1 0"))
    canvas.text(right + wide / 2, joined.foot + 44, remark, size=SMALL)
    canvas.arrow(x.right(), joined.left(1 / 8))
    canvas.arrow(encoding.right(), (left + wide + 50, 158), (left + wide + 50, 116), joined.left(5 / 8))
    canvas.text((left + wide + right) / 2, 84, say(N_("join")))
    return canvas


def in_one_picture(language: str | None = None) -> Canvas:
    """The lesson in one picture: what a point of a shape sees by convolutions, by attention, and with positions."""
    say, canvas = blank(
        language,
        312,
        N_("The lesson in one picture"),
        N_(
            "Three panels with the same sequence: a triangle, a rectangle, a triangle and a rectangle. An output "
            "above the first triangle looks at the points below. Left, convolutions: it sees a cone of its "
            "neighbours, and no partner; task 1 is not solved. Middle, attention: it looks at all points, and mostly "
            "at the two triangles, wherever they are; task 1 is solved, task 2 is not. Right, attention with "
            "positions: below the points are their numbers, and it looks mostly at the two shapes on the left; task 2 "
            "is solved."
        ),
    )
    count, step, top, foot = 17, 12.5, 84, 176
    shapes = ((2, True), (6, False), (10, True), (14, False))  # the middle of each shape; whether it is a triangle
    output = shapes[0][0]

    def panel(left: float, title: str, near: tuple[int, ...], sees: str, *judged: tuple[str, str]) -> list[float]:
        """Draw the points, the shapes and the words; thick lines lead to the shapes whose middles are in `near`."""
        points = [left + step * j for j in range(count)]
        middle = left + step * (count - 1) / 2
        canvas.text(middle, 26, title, size=LARGE, bold=True)
        canvas.remark(points[output] - 12, top - 21, say(N_("output")), anchor="start")
        for at, triangle in shapes:
            edge = 0 if triangle else 1.4  # half the width of the upper side, in points
            outline = [
                (points[at] + step * x, foot + 34 - y) for x, y in ((-1.4, 0), (-edge, 20), (edge, 20), (1.4, 0))
            ]
            canvas.polygon(outline, fill=stroke(QUERY if triangle else KEY))
        for j, x in enumerate(points if near else []):
            thick = 2.4 if any(abs(j - at) <= 1 for at in near) else 0.6
            ends = (x, foot - 4), (points[output], top + 4)
            canvas.arrow(*ends, head=False, thick=thick, colour=stroke(WEIGHT))
        canvas.text(middle, foot + 76, sees, size=SMALL, room=236)
        for number, (words, colour) in enumerate(judged):
            canvas.text(middle, foot + 100 + 20 * number, words, colour=ink(colour))
        return points

    def dots(points: list[float], seen: int) -> None:
        canvas.dot(points[output], top, 3.6, stroke(QUERY))
        for j, x in enumerate(points):
            canvas.dot(x, foot, 3.6, stroke(QUERY) if abs(j - output) <= seen else tint(NEUTRAL, 0.7))

    first, second = N_("task 1: {result}"), N_("task 2: {result}")
    failed, solved = say(N_("not solved")), say(N_("solved"))
    near_by = say(N_("sees its neighbours, not the partner"))
    points = panel(24, say(N_("convolutions")), (), near_by, (say(first, result=failed), WRONG))
    width = 2.6 * step
    cone = [(points[output] + x, y) for x, y in ((-6, top - 6), (6, top - 6), (width, foot + 6), (-width, foot + 6))]
    canvas.polygon(cone, fill=tint(QUERY, 0.18))
    dots(points, 2)

    bag = say(N_("sees all points, but not where they are"))
    judged = (say(first, result=solved), VALUE), (say(second, result=failed), WRONG)
    dots(panel(273, say(N_("attention")), (2, 10), bag, *judged), count)

    placed = say(N_("sees all points, and where they are"))
    points = panel(522, say(N_("attention and positions")), (2, 6), placed, (say(second, result=solved), VALUE))
    dots(points, count)
    for j in range(0, count, 2):
        canvas.remark(points[j], foot + 50, str(j))
    return canvas
