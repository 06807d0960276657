def score_without(model, head, without_heads, scores_of):
    first = next(iter(model.blocks))
    old = first.attention
    first.attention = without_heads(old, [head])
    layers = list(scores_of(model))
    first.attention = old
    return layers[1]
