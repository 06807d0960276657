# %% loop_over_words [right]
def concat_score(query, states, W, v):
    columns = []
    for t in range(states.shape[1]):
        both = torch.cat([query, states[:, t]], dim=1)  # (N, G + D)
        columns.append(torch.tanh(both @ W.T) @ v)
    return torch.stack(columns, dim=1)


# %% expand_and_linear [right]
def concat_score(query, states, W, v):
    q = query.unsqueeze(1).expand(-1, states.size(1), -1)
    hidden = F.linear(torch.cat((q, states), dim=-1), W).tanh()
    return (hidden * v).sum(dim=-1)


# %% cut_already [right]
def concat_score(query, states, W, v):
    G = query.shape[1]
    left = torch.einsum("rg,ng->nr", W[:, :G], query)
    right = torch.einsum("rd,ntd->ntr", W[:, G:], states)
    return torch.einsum("r,ntr->nt", v, torch.tanh(left[:, None] + right))


# %% states_first [one] the states come before the query
def concat_score(query, states, W, v):
    q = query[:, None].expand(-1, states.shape[1], -1)
    return torch.tanh(torch.cat([states, q], dim=2) @ W.T) @ v


# %% relu_in_between [one] ReLU instead of tanh
def concat_score(query, states, W, v):
    q = query[:, None].expand(-1, states.shape[1], -1)
    return torch.relu(torch.cat([q, states], dim=2) @ W.T) @ v


# %% tanh_outside [one] tanh after the product with v
def concat_score(query, states, W, v):
    q = query[:, None].expand(-1, states.shape[1], -1)
    return torch.tanh(torch.cat([q, states], dim=2) @ W.T @ v)


# %% weights_of_linear_scores [two] no tanh, and a softmax over the words
def concat_score(query, states, W, v):
    q = query[:, None].expand(-1, states.shape[1], -1)
    return (torch.cat([q, states], dim=2) @ W.T @ v).softmax(dim=1)
