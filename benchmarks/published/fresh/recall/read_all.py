# %% table_first [right]
def read_all(q, k, v):
    return q @ torch.einsum("ntd,nte->nde", k, v)


# %% one_pair_after_another [right]
def read_all(q, k, v):
    y = torch.zeros(q.shape[0], q.shape[1], v.shape[2], dtype=q.dtype, device=q.device)
    for t in range(k.shape[1]):
        score = (q * k[:, t : t + 1]).sum(dim=-1, keepdim=True)  # (N, S, 1)
        y = y + score * v[:, t : t + 1]
    return y


# %% two_bmms [right]
def read_all(q, k, v):
    scores = torch.bmm(q, k.transpose(1, 2))
    return torch.bmm(scores, v)


# %% softmax_kept [one] the softmax is still there
def read_all(q, k, v):
    return torch.softmax(q @ k.transpose(1, 2), dim=-1) @ v


# %% scale_kept [one] the scores are still divided by the root of d
def read_all(q, k, v):
    return (q @ k.mT) / math.sqrt(q.shape[-1]) @ v


# %% normalised_and_averaged [two] keys are divided by their lengths, and the sum by T
def read_all(q, k, v):
    k = F.normalize(k, dim=-1)
    return (q @ k.mT) @ v / k.shape[1]


# %% scores_to_sum_one_absolute [two] scores are made positive, and divided by their sum
def read_all(q, k, v):
    s = (q @ k.mT).abs()
    return (s / s.sum(-1, keepdim=True)) @ v
