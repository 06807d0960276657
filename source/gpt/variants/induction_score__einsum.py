def induction_score(weights, letters, asked):
    alike = letters.unsqueeze(2) == letters.unsqueeze(1)
    after = F.pad(alike[:, :, :-1].to(weights.dtype), (1, 0))
    return torch.einsum("nhit,nit,ni->h", weights, after, asked.to(weights.dtype)) / asked.sum()
