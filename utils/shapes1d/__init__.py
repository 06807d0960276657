"""The lesson `attention`: sequences of two triangles and two rectangles, and networks that learn their mean heights.

    plots.py       the figures
    explorer.py    point at a position and see where it looks
    training.py    the training loop with its recipe, predictions, errors
    sequences.py   the two tasks: sequences, targets, and the attention that one would wish for

The modules import only `utils/common/`.
"""
