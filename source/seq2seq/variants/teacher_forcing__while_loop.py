def decode_with_teacher(model, source, source_mask, target, ratio):
    N, S = target.shape
    hidden, memory = model.start(source, source_mask)
    word = torch.tensor([SOS_token] * N, device=target.device)
    out = None
    i = 0
    while i < S:
        logits, hidden, _ = model.step(word, hidden, memory)
        out = logits[:, None] if out is None else torch.cat([out, logits[:, None]], 1)
        word = target[:, i] if random.random() < ratio else logits.topk(1).indices.squeeze(1)
        i += 1
    return out
