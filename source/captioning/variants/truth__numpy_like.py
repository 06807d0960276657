def truth(claims, facts):
    said = claims != 0
    wrong = ((claims != facts) & said).sum(1) > 0
    nothing = said.sum(1) == 0
    n = len(claims)
    false, malformed = wrong.sum().item() / n, nothing.sum().item() / n
    return 1 - false - malformed, false, malformed
