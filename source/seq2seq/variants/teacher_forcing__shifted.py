def decode_with_teacher(model, source, source_mask, target, ratio):
    h, mem = model.start(source, source_mask)
    sos = torch.full((target.shape[0], 1), SOS_token, dtype=target.dtype, device=target.device)
    shifted = torch.cat([sos, target[:, :-1]], dim=1)
    result = []
    for i in range(shifted.shape[1]):
        if i == 0 or random.uniform(0, 1) < ratio:
            inp = shifted[:, i]
        else:
            inp = result[-1].argmax(-1)  # not detached: whole numbers carry no graph
        out, h, _ = model.step(inp, h, mem)
        result.append(out)
    return torch.stack(result, 1)
