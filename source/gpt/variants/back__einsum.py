def back(weights, k):
    return torch.einsum("nhii->h", weights[..., k:, : weights.shape[3] - k]) / weights.shape[0] / (weights.shape[3] - k)
