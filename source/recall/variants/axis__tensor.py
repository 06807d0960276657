def axis(d, T):
    return torch.tensor(T, dtype=torch.float64) / d**2
