# %% exp_of_masked [right]
def attend(scores, states, mask):
    hidden = scores.masked_fill(mask.logical_not(), float("-inf"))
    e = torch.exp(hidden - hidden.max(dim=1, keepdim=True).values)
    weights = e / e.sum(dim=1, keepdim=True)
    clean = torch.where(mask[..., None], states, torch.zeros_like(states))
    return (weights[..., None] * clean).sum(dim=1), weights


# %% sentence_alone [right]
def attend(scores, states, mask):
    contexts, all_weights = [], []
    for e, h, m in zip(scores, states, mask):
        w = torch.zeros_like(e)
        w[m] = torch.softmax(e[m], dim=0)
        contexts.append(w[m] @ h[m])
        all_weights.append(w)
    return torch.stack(contexts), torch.stack(all_weights)


# %% bmm_clone [right]
def attend(scores, states, mask):
    masked = scores.clone()
    masked[~mask] = -math.inf
    weights = F.softmax(masked, dim=-1)
    safe = states * 1.0
    safe[~mask] = 0
    context = torch.bmm(weights.unsqueeze(1), safe).squeeze(1)
    return context, weights


# %% nan_kept_out [right]
def attend(scores, states, mask):
    weights = torch.where(mask, scores, -math.inf).log_softmax(dim=1).exp()
    states = states.masked_fill(~mask.unsqueeze(-1), 0.0)
    return torch.einsum("nt,ntd->nd", weights, states), weights


# %% zero_score [one] padding gets the score 0 instead of minus infinity
def attend(scores, states, mask):
    weights = torch.softmax(scores * mask, dim=1)
    return (weights.unsqueeze(2) * states).sum(1), weights


# %% whole_batch [one] the softmax runs over the batch
def attend(scores, states, mask):
    weights = scores.masked_fill(~mask, -1e9).softmax(dim=0)
    return torch.einsum("nt,ntd->nd", weights, states), weights


# %% scores_overwritten [one] scores is changed in place
def attend(scores, states, mask):
    scores[~mask] = float("-inf")
    weights = scores.softmax(dim=-1)
    return (weights.unsqueeze(1) @ states.masked_fill(~mask.unsqueeze(2), 0)).squeeze(1), weights


# %% squeezed_everything [one] squeeze without an axis: with one sentence the batch axis is lost
def attend(scores, states, mask):
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
    context = (weights.unsqueeze(1) @ states.masked_fill(~mask.unsqueeze(2), 0)).squeeze()
    return context, weights


# %% pad_only_and_order [two] padding is looked at instead of words, and the weights come first
def attend(scores, states, mask):
    weights = scores.masked_fill(mask, -1e9).softmax(dim=1)
    return weights, (weights[..., None] * states).sum(1)


# %% zeroed_after_and_mean [two] weights zeroed after the softmax, and the mean of the weighted states
def attend(scores, states, mask):
    weights = scores.softmax(dim=1) * mask
    return (weights.unsqueeze(-1) * states).mean(dim=1), weights
