def induction_score(weights, letters, asked):
    previous = torch.roll(letters, 1, dims=1)
    counts = letters.unsqueeze(-1) == previous.unsqueeze(1)
    counts[..., 0] = False
    looked = weights.mul(counts[:, None]).sum(3)
    m = asked[:, None].to(weights.dtype)
    return (looked * m).sum((0, 2)) / m.sum()
