"""The public checks: one call per gap, in under a second, that says what is right, what is wrong and where to look.

`from utils.checks import attention as check` brings one check per gap of that lesson: `check.loss(loss_function, nn)`
judges, `check.loss.hint()` helps. No solution ships here: expected values and known mistakes are numbers.

    attention.py  captioning.py  seq2seq/    the lessons' checks: what each test does with your object
    check.py         `Check`: called, it judges, shows and remembers which hint comes next
    answer_key.py    the numbers that a check compares with
    answers/         one file of them per lesson, made by the instructors' build
    panel.py         verdicts as a person sees them
    verdict.py       passed, wrong, raised, not attempted; and which known mistake explains a result
    question.py      `Question` and its `Test`s, and running one of them
    probe.py         the seeded inputs and parameters of a test, and bringing results over
    observation.py   what a test saw, compared with something else

Arrows point down the list; the lessons' checks use the lesson's own folder as well, the others only `utils/common/`.
"""

from utils.checks import going_on

going_on.install()
