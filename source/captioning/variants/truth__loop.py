def truth(claims, facts):
    count = {"true": 0, "false": 0, "malformed": 0}
    for said, is_so in zip(claims.tolist(), facts.tolist(), strict=True):
        if not any(said):
            count["malformed"] += 1
        elif all(s == 0 or s == f for s, f in zip(said, is_so, strict=True)):
            count["true"] += 1
        else:
            count["false"] += 1
    return count["true"] / len(claims), count["false"] / len(claims), count["malformed"] / len(claims)
