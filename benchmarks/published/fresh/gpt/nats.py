# %% logsumexp_minus_own [right]
def nats(logits, letters):
    scores, coming = logits[:, :-1], letters[:, 1:]
    own = torch.gather(scores, 2, coming[..., None])[..., 0]
    return torch.logsumexp(scores, dim=2) - own


# %% cross_entropy_flattened [right]
def nats(logits, letters):
    N, S, V = logits.shape
    flat = logits[:, : S - 1, :].reshape(-1, V)
    loss = F.cross_entropy(flat, letters[:, 1:].reshape(-1), reduction="none")
    return loss.view(N, S - 1)


# %% one_hot_product [right]
def nats(logits, letters):
    log_p = F.log_softmax(logits, dim=-1)[:, :-1]
    chosen = F.one_hot(letters[:, 1:], logits.shape[-1])
    return -(log_p * chosen).sum(dim=-1)


# %% place_by_place [right]
def nats(logits, letters):
    rows = torch.arange(len(letters), device=letters.device)
    losses = []
    for s in range(letters.shape[1] - 1):
        log_p = logits[:, s].log_softmax(dim=1)
        losses.append(-log_p[rows, letters[:, s + 1]])
    return torch.stack(losses, dim=1)


# %% logits_and_letters_of_one_place [one] the scores at a place are compared with the same place's letter
def nats(logits, letters):
    log_p = torch.log_softmax(logits[:, 1:], dim=-1)
    return -log_p.gather(2, letters[:, 1:].unsqueeze(2)).squeeze(2)


# %% log_of_a_softmax [one] softmax and then log: a letter without a chance gives infinity
def nats(logits, letters):
    p = torch.softmax(logits[:, :-1], dim=-1)
    return -p.gather(2, letters[:, 1:].unsqueeze(2)).squeeze(2).log()


# %% over_the_places [one] the softmax runs over the places instead of the letters
def nats(logits, letters):
    log_p = logits[:, :-1].log_softmax(dim=1)
    return -log_p.gather(-1, letters[:, 1:, None])[:, :, 0]


# %% positive_log_and_bits [two] sign forgotten, and in bits instead of nats
def nats(logits, letters):
    log_p = logits[:, :-1].log_softmax(-1) / math.log(2)
    return log_p.gather(2, letters[:, 1:, None]).squeeze(-1)


# %% first_letters_probability [two] compared with the letter just read, and a probability instead of a loss
def nats(logits, letters):
    p = logits[:, :-1].softmax(dim=-1)
    return p.gather(2, letters[:, :-1].unsqueeze(-1)).squeeze(-1)
