# %% appended [right]
@torch.no_grad()
def generate(language_model, letters, length, choose):
    for _ in range(length):
        scores = language_model(letters)[:, -1, :]
        letters = torch.hstack((letters, choose(scores).unsqueeze(-1)))
    return letters


# %% continuation_alone [one]
@torch.no_grad()
def generate(language_model, letters, length, choose):
    S = letters.shape[1]
    for _ in range(length):
        letters = torch.cat([letters, choose(language_model(letters)[:, -1])[:, None]], dim=1)
    return letters[:, S:]


# %% last_letter_only_probabilities [two] only the last letter is given, choose gets probabilities
@torch.no_grad()
def generate(language_model, letters, length, choose):
    for _ in range(length):
        p = language_model(letters[:, -1:])[:, -1].softmax(-1)
        letters = torch.cat([letters, choose(p)[:, None]], dim=1)
    return letters
