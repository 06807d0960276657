def concat_score(query, states, W, v):
    s = torch.stack([query] * states.shape[1], dim=1)
    return F.linear(F.linear(torch.cat((s, states), -1), W).tanh(), v[None]).squeeze(-1)
