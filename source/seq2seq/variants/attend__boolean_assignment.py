def attend(scores, states, mask):
    s = scores.clone()
    s[mask == False] = -math.inf  # noqa: E712
    w = F.softmax(s, dim=-1)
    c = torch.einsum("nt,ntd->nd", w, states)
    return c, w
