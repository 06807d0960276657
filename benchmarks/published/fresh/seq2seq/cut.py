# %% split_sizes [right]
def cut(W, G):
    return W.split([G, W.shape[1] - G], dim=1)


# %% narrow [right]
def cut(W, G):
    R, both = W.shape
    W_s = W.narrow(1, 0, G).contiguous()
    W_h = W.narrow(1, G, both - G).contiguous()
    return W_s, W_h


# %% index_lists [right]
def cut(W, G):
    s = torch.arange(G, device=W.device)
    h = torch.arange(G, W.size(1), device=W.device)
    return W.index_select(1, s), W[:, h]


# %% cut_in_half [one] cut in the middle instead of at G
def cut(W, G):
    return tuple(W.chunk(2, dim=1))


# %% parts_exchanged [one] W_h comes first
def cut(W, G):
    return W[:, G:], W[:, :G]


# %% detached_from_the_end [two] the last G columns, detached
def cut(W, G):
    W = W.detach()
    return W[:, -G:], W[:, :-G]
