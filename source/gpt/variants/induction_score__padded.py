def induction_score(weights, letters, asked):
    same = letters[:, :, None] == letters[:, None, :]
    after = F.pad(same[:, :, :-1].float(), (1, 0))
    s = torch.einsum("nhst,nst->nhs", weights, after)
    return torch.stack([s[:, h][asked].mean() for h in range(weights.shape[1])])
