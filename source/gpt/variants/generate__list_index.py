@torch.no_grad()
def generate(language_model, letters, length, choose):
    out = letters.clone()
    for _ in range(length):
        scores = language_model(out)[:, [-1], :]
        out = torch.hstack((out, choose(scores.squeeze(1)).view(-1, 1)))
    return out
