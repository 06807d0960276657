def truth(claims, facts):
    said = claims.ne(0)
    wrong = (said * claims.ne(facts)).sum(1)  # wrong claims of each caption
    number = len(claims)
    malformed = int((said.sum(1) == 0).sum())
    false = int((wrong > 0).sum())
    return [(number - false - malformed) / number, false / number, malformed / number]
