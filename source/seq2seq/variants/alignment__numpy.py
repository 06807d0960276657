import numpy as np


def alignment(weights, read, written):
    return list(zip(written, [read[j] for j in np.asarray(weights).argmax(axis=-1)]))
