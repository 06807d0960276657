def generate(language_model, letters, length, choose):
    pieces = [letters]
    with torch.no_grad():
        for _ in range(length):
            logits = language_model(torch.cat(pieces, dim=1))
            pieces.append(choose(logits[:, -1, :])[:, None])
    return torch.cat(pieces, dim=1)
