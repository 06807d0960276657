@torch.no_grad()
def generate(language_model, letters, length, choose):
    if not length:
        return letters
    nxt = choose(language_model(letters)[:, letters.size(1) - 1])
    return generate(language_model, torch.cat((letters, nxt.reshape(-1, 1)), 1), length - 1, choose)
