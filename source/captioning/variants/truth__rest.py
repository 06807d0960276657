def truth(claims, facts):
    malformed = (claims.abs().sum(dim=1) == 0).float().mean()
    # where a caption says nothing, put the fact in: what remains different is wrong
    filled = torch.where(claims == 0, facts, claims)
    false = 1 - torch.eq(filled, facts).prod(dim=1).float().mean()
    return 1 - false - malformed, false, malformed
