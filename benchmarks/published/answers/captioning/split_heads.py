# %% unflatten [right]
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


# %% stacked_slices [right] one slice of the width for each head
def split_heads(x, num_heads):
    width = x.shape[-1] // num_heads
    return torch.stack([x[:, :, i * width : (i + 1) * width] for i in range(num_heads)], dim=1)


# %% every_other_component [one] head i gets the components i, i + H, i + 2H
def split_heads(x, num_heads):
    return torch.stack([x[..., i::num_heads] for i in range(num_heads)], dim=1)


# %% positions_not_exchanged [one] (N, S, H, E/H) is returned
def split_heads(x, num_heads):
    N, S, E = x.shape
    x = x.view(N, S, num_heads, E // num_heads)
    return x


# %% heads_with_width [one] the last two axes are exchanged
def split_heads(x, num_heads):
    N, S, E = x.shape
    return x.view(N, S, num_heads, E // num_heads).permute(0, 2, 3, 1)


# %% number_is_width [two] H taken for the width of a head, and no exchange
def split_heads(x, num_heads):
    N, S, E = x.shape
    return x.reshape(N, E // num_heads, S, num_heads)
