def answers(keys, rooms, words):
    told = F.one_hot(rooms, len(words)).to(words.dtype) @ words
    scores = keys @ (keys.transpose(1, 2) @ told) @ words.T
    return scores.sort(dim=-1, descending=True).indices[..., 0]
