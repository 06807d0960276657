# %% split_by_sizes [right]
def cut(W, G):
    parts = torch.split(W, (G, W.size(1) - G), dim=1)
    return parts[0], parts[1]


# %% index_select [right]
def cut(W, G):
    columns = torch.arange(W.shape[-1], device=W.device)
    return W.index_select(1, columns[:G]), W.index_select(1, columns[G:])


# %% between_rows [one] slices of rows
def cut(W, G):
    return W[:G, :], W[G:, :]


# %% halves [one] torch.chunk
def cut(W, G):
    W_s, W_h = torch.chunk(W, 2, dim=1)
    return W_s, W_h


# %% up_to_and_including [one]
def cut(W, G):
    W_s = W[:, : G + 1]
    W_h = W[:, G + 1 :]
    return W_s, W_h


# %% states_first_data [two] the last columns for s, without a gradient
def cut(W, G):
    W = W.data
    D = W.shape[1] - G
    return W[:, D:], W[:, :D]
