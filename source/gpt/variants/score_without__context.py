def score_without(model, head, without_heads, scores_of):
    block = model.blocks[0]
    with looking.attention_replaced(block, without_heads(block.attention, [head])):
        scores = scores_of(model)
    return scores[1, :]
