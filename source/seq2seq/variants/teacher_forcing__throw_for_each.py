def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    word = torch.zeros(target.size(0), dtype=torch.long, device=target.device) + SOS_token
    logits = []
    for right in target.unbind(1):
        out, hidden, weights = model.step(word, hidden, memory)
        logits += [out]
        own = out.max(dim=-1).indices
        word = torch.where(torch.rand(len(own), device=own.device) < ratio, right, own)
    return torch.stack(logits).transpose(0, 1)
