def induction_score(weights, letters, asked):
    alike = (letters[:, :, None] == letters[:, None, :-1]).float()
    looked = (weights[..., 1:] * alike[:, None]).sum(-1)
    return (looked * asked[:, None]).sum(dim=(0, 2)) / asked.sum()
