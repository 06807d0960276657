"""How public checks work: a call per gap, in under a second, says what is right, what is wrong and where to look.

`from utils.attention import check` imports one check per gap of that lesson: `check.loss(loss_function, nn)` judges an
answer, `check.loss.hint()` shows a hint. No solution is shipped: expected values and known mistakes are stored as
numbers, in the lesson's folder.

    standing.py      the table in a lesson's last cell: which questions are done
    own_code.py      `OwnCode`: the check that asks about the student's own code
    patients.py      sick models that are named and healed: what lessons share
    check.py         `Check`: judges an answer, shows the verdicts, and gives one hint after the other
    order.py         a gap's lines, to be put in order by a student who is stuck
    catch.py         how many known mistakes show in a small case, before the code is written
    going_on.py      lets "Run All" reach the lesson's end while gaps are open; the first cell installs it
    outline.py       a lesson's questions in order, and its cells that show something
    engine/          how a test is run, and how its result is judged, named and shown

A module imports only from lines below its own, and from `utils/common/`.
"""
