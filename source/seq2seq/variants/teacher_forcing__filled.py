def decode_with_teacher(model, source, source_mask, target, ratio):
    hidden, memory = model.start(source, source_mask)
    previous = torch.full((len(target),), SOS_token, dtype=torch.long, device=source.device)
    steps = {}
    for i in range(target.size(1)):
        steps[i], hidden, weights = model.step(previous, hidden, memory)
        _, best = steps[i].max(dim=-1)
        previous = target[:, i] if torch.rand(()).item() < ratio else best.detach()
    return torch.stack(list(steps.values())).transpose(0, 1)
