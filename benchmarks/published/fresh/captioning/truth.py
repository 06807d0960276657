# %% caption_by_caption [right]
def truth(claims, facts):
    counts = {"true": 0, "false": 0, "malformed": 0}
    for claim, fact in zip(claims.tolist(), facts.tolist()):
        made = [(c, f) for c, f in zip(claim, fact) if c != 0]
        if not made:
            counts["malformed"] += 1
        elif all(c == f for c, f in made):
            counts["true"] += 1
        else:
            counts["false"] += 1
    n = len(claims)
    return counts["true"] / n, counts["false"] / n, counts["malformed"] / n


# %% counting_disagreements [right]
def truth(claims, facts):
    claimed = claims.ne(0)
    wrong = (claimed & claims.ne(facts)).sum(dim=1)
    any_claim = claimed.sum(dim=1) > 0
    true = torch.logical_and(any_claim, wrong == 0).double().mean()
    return true, (wrong > 0).double().mean(), any_claim.logical_not().double().mean()


# %% rest_of_one [right]
def truth(claims, facts):
    N = claims.size(0)
    false = torch.any((claims != facts) * (claims != 0), dim=-1).sum().item() / N
    malformed = (claims.abs().sum(-1) == 0).sum().item() / N
    return 1 - false - malformed, false, malformed


# %% one_right_claim_is_enough [one] a caption is true if any of its claims agrees
def truth(claims, facts):
    claimed = claims != 0
    agrees = claimed & (claims == facts)
    malformed = ~claimed.any(dim=1)
    true = agrees.any(dim=1)
    false = ~true & ~malformed
    return true.float().mean(), false.float().mean(), malformed.float().mean()


# %% silence_is_false [one] leaving a fact out makes a caption false
def truth(claims, facts):
    malformed = (claims == 0).all(dim=1)
    true = (claims == facts).all(dim=1) & ~malformed
    false = ~true & ~malformed
    return true.float().mean(), false.float().mean(), malformed.float().mean()


# %% malformed_counts_as_true [one] a caption without claims is counted as true as well
def truth(claims, facts):
    wrong = ((claims != 0) & (claims != facts)).any(dim=1)
    nothing = (claims == 0).all(dim=1)
    return (~wrong).float().mean(), wrong.float().mean(), nothing.float().mean()


# %% sums_in_another_order [two] counts instead of shares, and malformed before false
def truth(claims, facts):
    nothing = (claims == 0).all(dim=1)
    wrong = ((claims != 0) & (claims != facts)).any(dim=1)
    return (~wrong & ~nothing).sum(), nothing.sum(), wrong.sum()


# %% share_of_claims_and_of_the_readable [two] shares of the captions that claim something, and a half-right one is true
def truth(claims, facts):
    claimed = claims != 0
    some = claimed.any(dim=1)
    right = (claimed & (claims == facts)).any(dim=1)
    n = some.sum()
    return right.sum() / n, (some & ~right).sum() / n, (~some).sum() / n
