# %% try_finally [right]
def score_without(model, head, without_heads, scores_of):
    block = model.blocks[0]
    own = block.attention
    block.attention = without_heads(own, [head])
    try:
        return scores_of(model)[1]
    finally:
        block.attention = own


# %% deep_copy_of_the_model [right]
def score_without(model, head, without_heads, scores_of):
    twin = copy.deepcopy(model)
    twin.blocks[0].attention = without_heads(twin.blocks[0].attention, [head])
    all_scores = scores_of(twin)
    return all_scores[1, :]


# %% exchanged_by_tuple [right]
def score_without(model, head, without_heads, scores_of):
    original, model.blocks[0].attention = (
        model.blocks[0].attention,
        without_heads(model.blocks[0].attention, heads=[head]),
    )
    first, second = scores_of(model)
    model.blocks[0].attention = original
    return second


# %% never_put_back [one] the layer is not put back
def score_without(model, head, without_heads, scores_of):
    model.blocks[0].attention = without_heads(model.blocks[0].attention, [head])
    return scores_of(model)[1]


# %% scores_of_the_first [one] the scores of the first layer are returned
def score_without(model, head, without_heads, scores_of):
    kept = model.blocks[0].attention
    model.blocks[0].attention = without_heads(kept, [head])
    scores = scores_of(model)[0]
    model.blocks[0].attention = kept
    return scores


# %% measured_too_late [one] the scores are measured after the layer was put back
def score_without(model, head, without_heads, scores_of):
    kept = model.blocks[0].attention
    model.blocks[0].attention = without_heads(kept, [head])
    model.blocks[0].attention = kept
    return scores_of(model)[1]


# %% second_layer_and_left [two] the head of the second layer is switched off, and stays off
def score_without(model, head, without_heads, scores_of):
    model.blocks[1].attention = without_heads(model.blocks[1].attention, [head])
    return scores_of(model)[1]


# %% all_but_this_all_layers [two] all heads up to this one are off, and the whole table is returned
def score_without(model, head, without_heads, scores_of):
    kept = model.blocks[0].attention
    model.blocks[0].attention = without_heads(kept, list(range(head + 1)))
    scores = scores_of(model)
    model.blocks[0].attention = kept
    return scores
