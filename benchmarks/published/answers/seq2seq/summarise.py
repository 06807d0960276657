# %% by_gather [right]
def summarise(states, mask):
    half = states.shape[-1] // 2
    last = mask.long().sum(1) - 1
    index = last[:, None, None].expand(-1, 1, half)
    return torch.cat([states[:, :, :half].gather(1, index).squeeze(1), states[:, 0, half:]], dim=1)


# %% one_sentence_after_the_other [right]
def summarise(states, mask):
    rows = []
    for state, words in zip(states, mask):
        forward, backward = state[words].chunk(2, dim=-1)
        rows.append(torch.cat((forward[-1], backward[0])))
    return torch.stack(rows)


# %% last_of_the_rectangle [one] forward half at place T
def summarise(states, mask):
    half = states.shape[-1] // 2
    return torch.cat([states[:, -1, :half], states[:, 0, half:]], dim=-1)


# %% mean_of_words [one]
def summarise(states, mask):
    m = mask.unsqueeze(-1).to(states.dtype)
    return (states * m).sum(1) / m.sum(1)


# %% whole_last_state [one] both halves at the last word
def summarise(states, mask):
    last = mask.sum(1) - 1
    return states[torch.arange(len(states)), last]


# %% second_last [one] one place too early
def summarise(states, mask):
    half = states.size(2) // 2
    last = (mask.sum(1) - 2).clamp(min=0)
    return torch.cat([states[torch.arange(len(states)), last, :half], states[:, 0, half:]], dim=-1)


# %% padded_and_exchanged [two] place T, and the halves in the other order
def summarise(states, mask):
    half = states.shape[-1] // 2
    return torch.cat([states[:, 0, half:], states[:, -1, :half]], dim=-1)
