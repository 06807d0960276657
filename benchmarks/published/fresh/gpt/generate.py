# %% preallocated [right]
@torch.no_grad()
def generate(language_model, letters, length, choose):
    N, S = letters.shape
    text = letters.new_zeros(N, S + length)
    text[:, :S] = letters
    for place in range(S, S + length):
        text[:, place] = choose(language_model(text[:, :place])[:, -1])
    return text


# %% recursive [right]
@torch.no_grad()
def generate(language_model, letters, length, choose):
    if length == 0:
        return letters
    chosen = choose(language_model(letters)[:, -1, :])
    longer = torch.cat((letters, chosen.view(-1, 1)), dim=1)
    return generate(language_model, longer, length - 1, choose)


# %% columns_in_a_list [right]
@torch.no_grad()
def generate(language_model, letters, length, choose):
    columns = list(letters.unbind(dim=1))
    while len(columns) < letters.shape[1] + length:
        scores = language_model(torch.stack(columns, dim=1)).select(1, -1)
        columns.append(choose(scores))
    return torch.stack(columns, dim=1)


# %% only_the_last_letter [one] the model is given only the last letter
@torch.no_grad()
def generate(language_model, letters, length, choose):
    for _ in range(length):
        scores = language_model(letters[:, -1:])[:, -1]
        letters = torch.cat([letters, choose(scores)[:, None]], dim=1)
    return letters


# %% without_the_beginning [one] only the continuation is returned
@torch.no_grad()
def generate(language_model, letters, length, choose):
    text = letters
    for _ in range(length):
        text = torch.cat([text, choose(language_model(text)[:, -1]).unsqueeze(1)], dim=1)
    return text[:, letters.shape[1] :]


# %% first_scores_one_short [two] scores after the first letter, and one letter too few
@torch.no_grad()
def generate(language_model, letters, length, choose):
    for _ in range(length - 1):
        scores = language_model(letters)[:, 0]
        letters = torch.cat([letters, choose(scores).unsqueeze(1)], dim=1)
    return letters


# %% in_front_greedy [two] argmax instead of choose, and letters are put in front
@torch.no_grad()
def generate(language_model, letters, length, choose):
    for _ in range(length):
        best = language_model(letters)[:, -1].argmax(dim=-1, keepdim=True)
        letters = torch.cat([best, letters], dim=1)
    return letters
