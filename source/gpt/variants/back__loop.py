def back(weights, k):
    N, H, S, _ = weights.shape
    total = torch.zeros(H, device=weights.device, dtype=weights.dtype)
    for n in range(N):
        for i in range(k, S):
            total = total + weights[n, :, i, i - k]
    return total / (N * (S - k))
