# %% by_numpy [right]
def alignment(weights, read, written):
    best = weights.detach().cpu().numpy().argmax(axis=1)
    return [(written[i], read[j]) for i, j in enumerate(best)]


# %% wrong_axis_and_order [two] argmax over the written words, French word first
def alignment(weights, read, written):
    best = weights.argmax(dim=0)
    return [(word, written[i]) for word, i in zip(read, best)]


# %% pair_reversed [one] French word first
def alignment(weights, read, written):
    return [(read[j], word) for word, j in zip(written, weights.argmax(dim=-1).tolist())]
