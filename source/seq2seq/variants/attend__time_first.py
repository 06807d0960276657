def attend(scores, states, mask):
    # worked out time first, (T, N, K), and turned back at the end
    s, h, m = scores.t(), states.permute(1, 0, 2), mask.t()
    a = torch.softmax(s.masked_fill(m.logical_not(), -float("inf")), dim=0)
    return (a.unsqueeze(-1) * h).sum(0), a.transpose(0, 1)
