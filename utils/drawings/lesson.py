"""The diagram that opens every lesson: what a student does with its cells, from left to right."""

from collections.abc import Callable

from utils.common.messages import N_, Message
from utils.drawings.canvas import CONTEXT, NEUTRAL, QUERY, SMALL, VALUE, WEIGHT, WRONG, Canvas, ink, stroke
from utils.drawings.words import blank

__all__ = ["how_a_lesson_works"]

GUESSES = N_(
    "Below, three boxes: a guess in place of three dots, a training, and a table with your guess beside the result."
)


def how_a_lesson_works(lesson: str, language: str | None = None) -> Canvas:
    """Draw how a student works: run a cell, write in a gap, check and mend it, hand in; below, a guess and its result.

    lesson: the lesson's name, by which the notebook is handed in.
    """
    say, canvas = blank(
        language,
        272,
        N_("How a lesson works"),
        N_(
            "Four boxes from left to right. A cell with code: run it with Shift and Enter. A gap, marked with the "
            "comment Your code goes here: write your code there and run it. A check: it says in a second what is "
            "right, what is wrong, and where to look; an arrow with a cross leads back to the gap, one with a tick "
            "goes on. The last box is the notebook {lesson}.ipynb, to be handed in under that name. {guesses}"
        ),
        lesson=lesson,
        guesses=Message(GUESSES),
    )
    top, high = 62, 52
    cells = (
        (24, 116, NEUTRAL, say(N_("code")), say(N_("run it with Shift + Enter"))),
        (188, 178, QUERY, "# Your code goes here", say(N_("write your code there, and run it"))),
        (414, 128, VALUE, "check.…", say(N_("run it: what is right, what is wrong, where to look"))),
        (590, 132, CONTEXT, f"{lesson}.ipynb", say(N_("hand it in under this name"))),
    )
    boxes = []
    for x, width, colour, label, remark in cells:
        boxes.append(canvas.box(x, top, width, high, label, colour=colour))
        canvas.remark(x + width / 2, top + high + 22, remark, room=width + 24)
    run, gap, check, handed = boxes
    canvas.arrow(run.right(), gap.left())
    canvas.arrow(gap.right(), check.left())
    canvas.arrow(check.right(), handed.left(), colour=stroke(VALUE))
    canvas.text((check.end + handed.x) / 2, top + 10, "✓", colour=ink(VALUE))
    canvas.arrow(check.top(), (check.top()[0], 28), (gap.top()[0], 28), gap.top(), colour=stroke(WRONG))
    canvas.text((check.x + gap.end) / 2, 15, "✗", colour=ink(WRONG))

    _guess(say, canvas)
    return canvas


def _guess(say: Callable[..., str], canvas: Canvas) -> None:
    """Draw, below the code's boxes, a guess, a training, and the table with both."""
    below, flat = 196, 40
    guess = canvas.box(24, below, 198, flat, "guesses[…] = 5", colour=WEIGHT)
    canvas.remark(123, below + flat + 20, say(N_("a guess in place of …, not graded")))
    training = canvas.box(280, below, 150, flat, say(N_("training")))
    shown = canvas.box(488, below, 234, flat, say(N_("your guess beside the result")), colour=WEIGHT, size=SMALL)
    canvas.arrow(guess.right(), training.left())
    canvas.arrow(training.right(), shown.left())
