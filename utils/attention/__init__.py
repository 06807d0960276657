"""The lesson `attention`: sequences of two triangles and two rectangles, and networks that learn their mean heights.

    cases.py       the small cases that a failed check draws
    check.py       what each check does with your object
    drawings.py    the diagrams
    explorer.py    drag shapes, and see where each position of your own networks looks
    page/          the explorer's page: ES modules
    patients.py    sick models: how they are disguised, made ill and measured; patients.npz, their weights
    plots.py       the figures
    readings.py    what the figures show, in words, for readers who do not see them
    exporting.py   the networks as the explorer's page reads them
    training.py    the training loop with its recipe, predictions, errors
    ground.py      how the error changes if the ground looks evenly at the ground
    sequences.py   the two tasks: sequences, targets, and the attention that we would wish for
    made/          generated: the checks' answers and small cases, the outline, translations

The explorer imports `exporting.py`, `plots.py` and `utils/alive/`; the others import only `utils/checks/`,
`utils/drawings/` and `utils/common/`.
"""
