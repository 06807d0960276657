def score_without(model, head, without_heads, scores_of):
    other = copy.deepcopy(model)
    other.blocks[0].attention = without_heads(other.blocks[0].attention, [head])
    return scores_of(other)[1]
