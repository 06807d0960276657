# %% offset_diagonal [right]
def back(weights, k):
    return torch.diagonal(weights, offset=-k, dim1=2, dim2=3).mean(dim=(0, 2))


# %% indexed_places [right]
def back(weights, k):
    places = torch.arange(k, weights.shape[2], device=weights.device)
    return weights[:, :, places, places - k].mean(dim=-1).mean(dim=0)


# %% loop_and_divide [right]
def back(weights, k):
    N, H, S, _ = weights.shape
    total = weights.new_zeros(H)
    for i in range(k, S):
        total = total + weights[:, :, i, i - k].sum(dim=0)
    return total / (N * (S - k))


# %% k_places_ahead [one] the diagonal above the main one: the weight on later places
def back(weights, k):
    return weights.diagonal(offset=k, dim1=-2, dim2=-1).mean((0, 2))


# %% divided_by_all_places [one] the sum is divided by S instead of S - k
def back(weights, k):
    N, H, S, _ = weights.shape
    d = weights.diagonal(offset=-k, dim1=2, dim2=3)
    return d.sum(dim=(0, 2)) / (N * S)


# %% all_up_to_k [one] the weights on all of the last k letters are summed
def back(weights, k):
    N, H, S, _ = weights.shape
    total = 0
    for i in range(k, S):
        total = total + weights[:, :, i, i - k : i].sum(-1).sum(0)
    return total / (N * (S - k))


# %% first_row_of_batch_one_too_far [two] only the first text, and k - 1 places back
def back(weights, k):
    return weights[0].diagonal(offset=-(k - 1), dim1=1, dim2=2).mean(dim=1)
