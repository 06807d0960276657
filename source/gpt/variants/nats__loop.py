def nats(logits, letters):
    N, S, V = logits.shape
    print("rows:", N)
    out = torch.zeros(N, S - 1)
    for n in range(N):
        for s in range(S - 1):
            out[n, s] = torch.logsumexp(logits[n, s], 0) - logits[n, s, letters[n, s + 1]]
    return out
