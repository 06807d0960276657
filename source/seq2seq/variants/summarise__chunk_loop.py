def summarise(states, mask):
    out = []
    for state, m in zip(states, mask):
        f, b = state[m].chunk(2, dim=-1)
        out.append(torch.cat([f[-1], b[0]]))
    return torch.stack(out)
