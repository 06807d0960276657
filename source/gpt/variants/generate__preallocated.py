@torch.no_grad()
def generate(language_model, letters, length, choose):
    N, S = letters.shape
    text = torch.zeros(N, S + length, dtype=letters.dtype, device=letters.device)
    text[:, :S] = letters
    for i in range(S, S + length):
        text[:, i] = choose(language_model(text[:, :i])[:, -1, :])
    return text
