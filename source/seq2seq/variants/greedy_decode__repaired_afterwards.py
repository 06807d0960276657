@torch.no_grad()
def greedy_decode(model, source, source_mask, max_length=MAX_LENGTH):
    was_training = model.training
    model.train(False)
    hidden, memory = model.start(source, source_mask)
    word = source.new_full((len(source),), SOS_token)
    words, weights = [], []
    while len(words) < max_length:
        logits, hidden, look = model.step(word, hidden, memory)
        _, word = torch.topk(logits, 1)
        word = word[:, 0]
        words.append(word)
        if (torch.stack(words) == EOS_token).any(dim=0).all():
            max_length = len(words)
        if look is not None:
            weights.append(look)
    words = torch.stack(words, dim=1)
    # everything after the first EOS becomes PAD
    is_end = (words == EOS_token).long()
    after = is_end.cumsum(1) - is_end > 0
    words = words.masked_fill(after, PAD_token)
    model.train(was_training)
    return words, (torch.stack(weights, dim=1) if weights else None)
