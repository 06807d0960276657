"""The lesson `attention`: sequences of two triangles and two rectangles, and networks that learn their mean heights.

    plots.py       the figures
    explorer.py    point at a position and see where it looks
    training.py    the training loop with its recipe, predictions, errors
    muon.py        the optimiser that the recipe needs for matrices
    sequences.py   the two tasks: sequences, targets, and the attention that one would wish for

`training.py` imports `muon.py`; the other modules import only `utils/common/`.
"""
