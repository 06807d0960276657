# %% masked_fill_bmm [right]
def attend(scores, states, mask):
    weights = torch.softmax(scores.masked_fill(mask.logical_not(), -math.inf), dim=1)
    return torch.bmm(weights[:, None, :], states)[:, 0, :], weights


# %% where_einsum [right]
def attend(scores, states, mask):
    weights = torch.where(mask, scores, float("-inf")).softmax(-1)
    return torch.einsum("nt,ntd->nd", weights, states), weights


# %% exp_and_divide [right] the maximum over the words is subtracted first
def attend(scores, states, mask):
    masked = scores.masked_fill(~mask, float("-inf"))
    e = (masked - masked.max(dim=1, keepdim=True).values).exp()
    a = e / e.sum(1, keepdim=True)
    return (a.unsqueeze(-1) * states).sum(1), a


# %% each_sentence_alone [right]
def attend(scores, states, mask):
    rows, context = [], []
    for n in range(scores.shape[0]):
        a = scores[n][mask[n]].softmax(0)
        rows.append(torch.zeros_like(scores[n]).masked_scatter(mask[n], a))
        context.append(a @ states[n][mask[n]])
    return torch.stack(context), torch.stack(rows)


# %% zeroed_afterwards [one] weights times mask after the softmax
def attend(scores, states, mask):
    weights = scores.softmax(dim=1) * mask
    return torch.einsum("nt,ntd->nd", weights, states), weights


# %% zero_before_softmax [one] scores times mask
def attend(scores, states, mask):
    weights = (scores * mask).softmax(dim=1)
    return torch.einsum("nt,ntd->nd", weights, states), weights


# %% over_the_batch [one] softmax(dim=0)
def attend(scores, states, mask):
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=0)
    return torch.einsum("nt,ntd->nd", weights, states), weights


# %% scores_overwritten [one] masked_fill_ changes scores
def attend(scores, states, mask):
    weights = scores.masked_fill_(~mask, float("-inf")).softmax(dim=1)
    return torch.einsum("nt,ntd->nd", weights, states), weights


# %% padding_alone [one] the mask is the wrong way round
def attend(scores, states, mask):
    weights = scores.masked_fill(mask, float("-inf")).softmax(dim=1)
    return torch.einsum("nt,ntd->nd", weights, states), weights


# %% everything_squeezed [one] squeeze() takes the batch away where N is 1
def attend(scores, states, mask):
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=1)
    context = torch.bmm(weights.unsqueeze(1), states).squeeze()
    return context, weights


# %% context_by_max [one] the state with the largest weight in place of the mean
def attend(scores, states, mask):
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=1)
    best = weights.argmax(dim=1)
    return states[torch.arange(len(states), device=states.device), best], weights


# %% root_of_width [one] scores divided by sqrt(D)
def attend(scores, states, mask):
    scores = scores / math.sqrt(states.shape[-1])
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=1)
    return torch.einsum("nt,ntd->nd", weights, states), weights


# %% results_exchanged [one] weights first
def attend(scores, states, mask):
    weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=1)
    return weights, torch.einsum("nt,ntd->nd", weights, states)


# %% unmasked_and_summed [two] no mask, the states are summed without weights
def attend(scores, states, mask):
    weights = scores.softmax(dim=1)
    return states.sum(dim=1), weights


# %% late_and_over_batch [two] softmax over the batch, mask afterwards
def attend(scores, states, mask):
    weights = torch.softmax(scores, dim=0) * mask.float()
    return (weights.unsqueeze(2) * states).sum(dim=1), weights


# %% overwritten_and_squeezed [two] scores changed, squeeze()
def attend(scores, states, mask):
    scores[~mask] = float("-inf")
    weights = scores.softmax(dim=1)
    return (weights.unsqueeze(1) @ states).squeeze(), weights


# %% inverted_with_small_filler [two] mask inverted with -1e9, mean in place of the sum
def attend(scores, states, mask):
    weights = scores.masked_fill(mask, -1e9).softmax(dim=1)
    return (weights.unsqueeze(2) * states).mean(dim=1), weights


# %% zero_fill_mean [two] hidden scores 0, mean in place of the sum
def attend(scores, states, mask):
    weights = scores.masked_fill(~mask, 0.0).softmax(dim=1)
    return (weights.unsqueeze(-1) * states).mean(dim=1), weights


# %% sigmoid_detached [two] sigmoid in place of the softmax, no gradient through the weights
def attend(scores, states, mask):
    weights = torch.sigmoid(scores).masked_fill(~mask, 0.0).detach()
    return torch.einsum("nt,ntd->nd", weights, states), weights
