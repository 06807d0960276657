def induction_score(weights, letters, asked):
    alike = (letters.unsqueeze(2) == letters.unsqueeze(1)).tril(-1)
    after = alike.roll(1, dims=2)
    after[:, :, 0] = False
    chosen = (weights * after[:, None]).sum(-1).permute(0, 2, 1)
    return chosen[asked].mean(0)
