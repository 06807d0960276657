def induction_score(weights, letters, asked):
    N, H, S, _ = weights.shape
    total = torch.zeros(H, device=weights.device)
    for n in range(N):
        for i in range(S):
            if asked[n, i]:
                for t in range(1, S):
                    if letters[n, t - 1] == letters[n, i]:
                        total += weights[n, :, i, t]
    return total / asked.sum()
