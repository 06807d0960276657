def attend(scores, states, mask):
    hidden_scores = torch.where(mask, scores, torch.full_like(scores, -1e9))
    alpha = F.softmax(hidden_scores, dim=-1)
    return torch.einsum("nt,ntk->nk", alpha, states), alpha
