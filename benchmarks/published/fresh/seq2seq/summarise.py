# %% gather_last [right]
def summarise(states, mask):
    N, T, D = states.shape
    forward, backward = states.chunk(2, dim=2)
    last = mask.sum(dim=1) - 1
    index = last.view(N, 1, 1).expand(N, 1, D // 2)
    return torch.cat([forward.gather(1, index).squeeze(1), backward[:, 0]], dim=1)


# %% one_hot_of_the_end [right]
def summarise(states, mask):
    half = states.shape[-1] // 2
    after = torch.cat([mask[:, 1:], torch.zeros_like(mask[:, :1])], dim=1)
    end = (mask & ~after).unsqueeze(-1)
    final = torch.where(end, states[..., :half], 0.0).sum(dim=1)
    return torch.hstack([final, states[:, 0, half:]])


# %% each_sentence [right]
def summarise(states, mask):
    half = states.size(2) // 2
    rows = []
    for h, m in zip(states, mask):
        words = h[m]
        rows.append(torch.cat((words[-1, :half], words[0, half:])))
    return torch.stack(rows)


# %% last_column [one] the forward half is taken from the last place, padding or not
def summarise(states, mask):
    half = states.shape[2] // 2
    return torch.cat([states[:, -1, :half], states[:, 0, half:]], dim=1)


# %% one_place_later [one] one place past the last word
def summarise(states, mask):
    half = states.shape[2] // 2
    n = torch.arange(len(states), device=states.device)
    last = mask.sum(1).clamp(max=states.shape[1] - 1)
    return torch.cat([states[n, last, :half], states[:, 0, half:]], dim=1)


# %% both_at_the_end [one] the backward half is taken at the last word too
def summarise(states, mask):
    n = torch.arange(states.shape[0], device=states.device)
    return states[n, mask.sum(dim=1) - 1]


# %% backward_first_last_column [two] the backward half comes first, and the forward half is taken at the last place
def summarise(states, mask):
    f, b = states.chunk(2, dim=-1)
    return torch.cat([b[:, 0], f[:, -1]], dim=-1)
