def summarise(states, mask):
    N, T, K = states.shape
    lengths = mask.long().sum(1)
    index = (lengths - 1).view(N, 1, 1).expand(N, 1, K // 2)
    fwd, bwd = states.split(K // 2, dim=-1)
    return torch.cat((fwd.gather(1, index).squeeze(1), bwd[:, 0]), dim=-1)
