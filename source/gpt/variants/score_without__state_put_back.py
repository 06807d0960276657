def score_without(model, head, without_heads, scores_of):
    layer = model.blocks[0].attention
    before = copy.deepcopy(layer.state_dict())
    layer.load_state_dict(without_heads(layer, [head]).state_dict())
    scores = scores_of(model).clone()
    layer.load_state_dict(before)
    return scores[-1]
