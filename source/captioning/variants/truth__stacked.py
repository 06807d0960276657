def truth(claims, facts):
    # one number for each caption: 0 true, 1 false, 2 malformed
    wrong = ((claims != 0) & (claims != facts)).any(dim=-1).long()
    verdict = torch.where(claims.any(dim=-1), wrong, torch.full_like(wrong, 2))
    return nn.functional.one_hot(verdict, 3).double().mean(dim=0)
