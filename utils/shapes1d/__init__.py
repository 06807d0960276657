"""The lesson `attention`: sequences of two triangles and two rectangles, and networks that learn their mean heights.

    explorer.py    drag shapes, and see where each position of your own networks looks
    plots.py       the figures
    exporting.py   the networks as the explorer's page reads them
    training.py    the training loop with its recipe, predictions, errors
    sequences.py   the two tasks: sequences, targets, and the attention that one would wish for

The explorer stands on `exporting.py`, `plots.py` and `utils/alive/`; the others import only `utils/common/`.
"""
