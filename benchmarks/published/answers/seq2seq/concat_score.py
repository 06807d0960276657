# %% expanded_query [right]
def concat_score(query, states, W, v):
    T = states.shape[1]
    both = torch.cat([query[:, None].expand(-1, T, -1), states], dim=-1)
    return torch.tanh(both @ W.T) @ v


# %% by_linear [right]
def concat_score(query, states, W, v):
    repeated = query.unsqueeze(1).repeat(1, states.size(1), 1)
    hidden = F.linear(torch.cat((repeated, states), 2), W).tanh()
    return F.linear(hidden, v.unsqueeze(0)).squeeze(-1)


# %% states_first [one]
def concat_score(query, states, W, v):
    both = torch.cat([states, query[:, None].expand(-1, states.shape[1], -1)], dim=-1)
    return torch.tanh(both @ W.T) @ v


# %% linear_only [one] tanh is missing
def concat_score(query, states, W, v):
    both = torch.cat([query[:, None].expand(-1, states.shape[1], -1), states], dim=-1)
    return both @ W.T @ v


# %% sigmoid [one] in place of tanh
def concat_score(query, states, W, v):
    both = torch.cat([query[:, None].expand(-1, states.shape[1], -1), states], dim=-1)
    return torch.sigmoid(both @ W.T) @ v


# %% v_inside_states_first [two] tanh after v, states first
def concat_score(query, states, W, v):
    both = torch.cat([states, query[:, None].expand(-1, states.shape[1], -1)], dim=-1)
    return torch.tanh(both @ W.T @ v)


# %% softmax_without_tanh [two] no tanh, the scores through a softmax
def concat_score(query, states, W, v):
    both = torch.cat([query[:, None].expand(-1, states.shape[1], -1), states], dim=-1)
    return (both @ W.T @ v).softmax(dim=1)
