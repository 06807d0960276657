def score_without(model, head, without_heads, scores_of):
    block = model.blocks[0]
    kept = getattr(block, "attention")
    setattr(block, "attention", without_heads(attention=kept, heads=(head,)))
    second = scores_of(model).select(0, 1)
    setattr(block, "attention", kept)
    return second
