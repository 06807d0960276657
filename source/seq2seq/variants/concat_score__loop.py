def concat_score(query, states, W, v):
    scores = []
    for t in range(states.shape[1]):
        sh = torch.cat([query, states[:, t]], dim=1)
        scores.append(torch.mv((sh @ W.t()).tanh(), v))
    return torch.stack(scores, dim=1)
