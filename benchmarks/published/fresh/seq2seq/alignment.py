# %% comprehension [right]
def alignment(weights, read, written):
    return [(word, read[t]) for word, t in zip(written, weights.argmax(dim=1).tolist())]


# %% pure_python [right]
def alignment(weights, read, written):
    pairs = []
    for word, row in zip(written, weights.tolist()):
        best = max(range(len(row)), key=row.__getitem__)
        pairs.append((word, read[best]))
    return pairs


# %% zip_of_lists [right]
def alignment(weights, read, written):
    best = torch.topk(weights, 1, dim=-1).indices.flatten()
    return list(zip(written, [read[int(i)] for i in best]))


# %% by_column [one] for each word read, the word written that looked at it most
def alignment(weights, read, written):
    return [(written[s], word) for word, s in zip(read, weights.argmax(dim=0).tolist())]


# %% pair_turned [one] the word read comes first in the pair
def alignment(weights, read, written):
    return [(read[t], word) for word, t in zip(written, weights.argmax(dim=1))]


# %% numbers [one] the number of the place instead of the word
def alignment(weights, read, written):
    return [(word, int(row.argmax())) for word, row in zip(written, weights)]


# %% least_looked_at_dictionary [two] the least weight, in a dictionary
def alignment(weights, read, written):
    return {word: read[int(row.argmin())] for word, row in zip(written, weights)}
