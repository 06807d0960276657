def summarise(states, mask):
    # 最后一个词:此处为真,下一处为假
    following = torch.cat([mask[:, 1:], torch.zeros_like(mask[:, :1])], dim=1)
    last = (mask & ~following).to(states.dtype)
    half = states.size(2) // 2
    forward = torch.einsum("nt,ntk->nk", last, states[..., :half])
    return torch.cat([forward, states[:, 0, half:]], dim=1)
