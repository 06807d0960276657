def score_without(model, head, without_heads, scores_of):
    kept = model.blocks[0].attention
    try:
        model.blocks[0].attention = without_heads(kept, [head])
        return scores_of(model)[1]
    finally:
        model.blocks[0].attention = kept
