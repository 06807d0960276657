"""The public checks: one call per gap, in under a second, that says what is right, what is wrong and where to look.

`from utils.checks import attention as check` brings one check per gap of that lesson: `check.loss(loss_function, nn)`
judges, `check.loss.hint()` helps. No solution ships here: expected values and known mistakes are numbers.

    standing.py      the last cell: where a student stands in a lesson
    attention.py  captioning/  seq2seq/    the lessons' checks: what each test does with your object
    check.py         `Check`: called, it judges, shows and remembers which hint comes next
    going_on.py      with gaps open, "Run All" comes to the end; the first cell installs it
    outline.py       what a lesson asks, in order, and its shown cells, as the build wrote them
    outlines/        one file of them per lesson
    engine/          how a test is run, and its result judged, named and shown; of no lesson
    answers/         the stored answers, one file per lesson, made by the instructors' build

Arrows point down the list; the lessons' checks use the lesson's own folder as well, the others only `utils/common/`.
"""
