def generate(language_model, letters, length, choose):
    goal = letters.shape[1] + length
    while letters.shape[1] < goal:
        scores = language_model(letters).detach()
        letters = torch.hstack([letters, choose(scores[:, -1]).view(-1, 1)])
    return letters
