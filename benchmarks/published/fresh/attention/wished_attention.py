# %% two_hot_vectors [right]
def wished_attention(kind, slot):
    k = nn.functional.one_hot(kind, 3)
    s = nn.functional.one_hot(slot, 8)
    scores = (k @ k.T) * (s @ s.T)
    return scores / scores.sum(dim=1, keepdim=True)


# %% compare_by_broadcasting [right]
def wished_attention(kind, slot):
    agree = (kind[:, None] == kind[None, :]) & (slot[:, None] == slot[None, :])
    weights = agree.double()
    weights /= weights.sum(-1)[:, None]
    return weights


# %% softmax_of_minus_infinity [right]
def wished_attention(kind, slot):
    code = slot * 3 + kind
    different = code.unsqueeze(0).ne(code.unsqueeze(1))
    scores = torch.zeros(different.shape, device=kind.device).masked_fill(different, float("-inf"))
    return scores.softmax(dim=1)


# %% plain_loops [right]
def wished_attention(kind, slot):
    T = len(kind)
    A = torch.zeros(T, T, device=kind.device)
    for i in range(T):
        friends = [j for j in range(T) if kind[j] == kind[i] and slot[j] == slot[i]]
        for j in friends:
            A[i, j] = 1 / len(friends)
    return A


# %% sum_of_the_numbers [one] kind + slot is the number, so different pairs share one
def wished_attention(kind, slot):
    f = nn.functional.one_hot(kind + slot, 10).float()
    s = f @ f.T
    return s / s.sum(dim=1, keepdim=True)


# %% kinds_alone [one] only the kinds are compared
def wished_attention(kind, slot):
    f = nn.functional.one_hot(kind, 3).float()
    s = torch.einsum("ic,jc->ij", f, f)
    return s / s.sum(1, keepdim=True)


# %% never_oneself [one] a position does not look at itself
def wished_attention(kind, slot):
    code = kind * 8 + slot
    s = (code[:, None] == code[None, :]).float()
    s.fill_diagonal_(0)
    return s / s.sum(dim=1, keepdim=True).clamp(min=1)


# %% softmax_of_the_scores [one] a softmax of the scores instead of a division by their sum
def wished_attention(kind, slot):
    f = nn.functional.one_hot(8 * kind + slot, 24).float()
    return torch.softmax(f @ f.T, dim=1)


# %% either_agrees_unscaled [two] kind or slot is enough, and rows are not divided by their sum
def wished_attention(kind, slot):
    same = (kind[:, None] == kind[None, :]) | (slot[:, None] == slot[None, :])
    return same.float()
