def attend(scores, states, mask):
    contexts, weights = [], []
    for e, h, m in zip(scores, states, mask):
        a = torch.zeros_like(e)
        a[m] = torch.softmax(e[m], dim=0)
        contexts.append(a @ h)
        weights.append(a)
    return torch.stack(contexts), torch.stack(weights)
