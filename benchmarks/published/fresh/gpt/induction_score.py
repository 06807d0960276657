# %% einsum_of_everything [right]
def induction_score(weights, letters, asked):
    alike = letters[:, :, None] == letters[:, None, :-1]  # (N, S, S - 1)
    on_them = torch.einsum("nhit,nit->nhi", weights[..., 1:], alike.to(weights.dtype))
    total = (on_them * asked[:, None]).sum(dim=(0, 2))
    return total / asked.sum()


# %% three_loops [right]
def induction_score(weights, letters, asked):
    N, H, S, _ = weights.shape
    scores = torch.zeros(H, dtype=weights.dtype, device=weights.device)
    count = 0
    for n in range(N):
        for i in range(S):
            if not asked[n, i]:
                continue
            count += 1
            for t in range(1, S):
                if letters[n, t - 1] == letters[n, i]:
                    scores += weights[n, :, i, t]
    return scores / count


# %% rolled_and_picked [right]
def induction_score(weights, letters, asked):
    before = torch.roll(letters, 1, dims=1)
    follows = before.unsqueeze(1) == letters.unsqueeze(2)  # (N, i, t)
    follows[:, :, 0] = False
    sums = (weights * follows.unsqueeze(1)).sum(dim=-1)  # (N, H, S)
    return sums.transpose(1, 2)[asked.bool()].mean(dim=0)


# %% on_the_same_letter [one] the weight on the earlier occurrence itself instead of what came after it
def induction_score(weights, letters, asked):
    alike = letters[:, :, None] == letters[:, None, :]
    sums = (weights * alike[:, None]).sum(-1)
    return sums.transpose(1, 2)[asked].mean(0)


# %% all_places_count [one] the mean is taken over all places, not only those asked for
def induction_score(weights, letters, asked):
    alike = (letters[:, :, None] == letters[:, None, :-1]).float()
    return (weights[..., 1:] * alike[:, None]).sum(-1).mean(dim=(0, 2))


# %% mean_of_row_means [one] a mean for each row of the batch, then the mean of these
def induction_score(weights, letters, asked):
    alike = (letters[:, :, None] == letters[:, None, :-1]).float()
    sums = (weights[..., 1:] * alike[:, None]).sum(-1)  # (N, H, S)
    per_row = (sums * asked[:, None]).sum(-1) / asked.sum(1, keepdim=True).clamp(min=1)
    return per_row.mean(0)


# %% last_occurrence_summed [two] only the last occurrence counts, and the sum is not divided
def induction_score(weights, letters, asked):
    N, H, S, _ = weights.shape
    total = torch.zeros(H, dtype=weights.dtype, device=weights.device)
    for n in range(N):
        for i in range(S):
            if asked[n, i]:
                earlier = [t for t in range(1, i + 1) if letters[n, t - 1] == letters[n, i]]
                if earlier:
                    total += weights[n, :, i, earlier[-1]]
    return total
