# %% fused_on_a_slice [right]
def window(q, k, v, width):
    return F.scaled_dot_product_attention(q, k[:, -width:], v[:, -width:])


# %% hidden_early_pairs [right]
def window(q, k, v, width):
    T, d = k.shape[1:]
    scores = torch.einsum("nsd,ntd->nst", q, k) / d**0.5
    early = torch.arange(T, device=q.device) < T - width
    scores = scores.masked_fill(early, float("-inf"))
    return torch.softmax(scores, dim=-1) @ v


# %% first_kept_place [right]
def window(q, k, v, width):
    first = max(0, k.shape[1] - width)
    k, v = k[:, first:], v[:, first:]
    scores = torch.bmm(q, k.permute(0, 2, 1)) * (1 / math.sqrt(q.size(-1)))
    e = torch.exp(scores - scores.amax(dim=2, keepdim=True))
    return torch.bmm(e, v) / e.sum(dim=2, keepdim=True)


# %% first_pairs [one] the window keeps the first `width` pairs of the day instead of the last
def window(q, k, v, width):
    k, v = k[:, :width], v[:, :width]
    return torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1) @ v


# %% one_pair_more [one] the window is one pair too wide
def window(q, k, v, width):
    k, v = k[:, -(width + 1) :], v[:, -(width + 1) :]
    return torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1) @ v


# %% cut_after_the_softmax [one] early weights are cut off after the softmax, so the rest sums to less than 1
def window(q, k, v, width):
    weights = torch.softmax(q @ k.mT / math.sqrt(k.shape[-1]), dim=-1)
    return weights[:, :, -width:] @ v[:, -width:]


# %% unscaled_questions_cut [two] no scale, and only keys' window: values are the first ones
def window(q, k, v, width):
    w = torch.softmax(q @ k[:, -width:].mT, dim=-1)
    return w @ v[:, : w.shape[-1]]
