def score_without(model, head, without_heads, scores_of):
    backup = copy.deepcopy(model.blocks[0].attention)
    model.blocks[0].attention = without_heads(model.blocks[0].attention, [head])
    with torch.no_grad():
        result = scores_of(model)[1].detach()
    model.blocks[0].attention = backup
    return result
