"""The lesson `attention`: sequences of two triangles and two rectangles, and networks that learn their mean heights.

    plots.py       the figures
    explorer.py    drag shapes, and see where each position of your own networks looks
    exporting.py   the networks as the explorer's page reads them
    training.py    the training loop with its recipe, predictions, errors
    sequences.py   the two tasks: sequences, targets, and the attention that one would wish for

The explorer stands on `exporting.py` and `utils/alive/`; the others import only `utils/common/`.
"""
