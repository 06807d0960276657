def score_without(model, head, without_heads, scores_of):
    first, second = model.blocks
    whole, first.attention = first.attention, without_heads(first.attention, [head])
    _, found = scores_of(model)
    first.attention = whole
    return found
