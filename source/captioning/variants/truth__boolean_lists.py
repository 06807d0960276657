def truth(claims, facts):
    malformed = [not any(row.tolist()) for row in claims]
    false = [bool(((row != fact) & (row != 0)).any()) for row, fact in zip(claims, facts)]
    true = [not m and not f for m, f in zip(malformed, false)]
    return [sum(part) / len(part) for part in (true, false, malformed)]
