# %% chunks_stacked [right]
def split_heads(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


# %% sliced_in_a_loop [right]
def split_heads(x, num_heads):
    N, S, E = x.shape
    width = E // num_heads
    heads = x.new_zeros(N, num_heads, S, width)
    for h in range(num_heads):
        heads[:, h] = x[..., h * width : (h + 1) * width]
    return heads


# %% unflatten_movedim [right]
def split_heads(x: torch.Tensor, num_heads: int) -> torch.Tensor:
    return x.unflatten(2, (num_heads, -1)).movedim(2, 1).contiguous()


# %% straight_view [one] view to (N, H, S, E/H) without exchanging axes
def split_heads(x, num_heads):
    N, S, E = x.shape
    return x.reshape(N, num_heads, S, E // num_heads)


# %% every_hth_component [one] head h gets every H-th component instead of a run of neighbours
def split_heads(x, num_heads):
    N, S, E = x.shape
    return x.reshape(N, S, E // num_heads, num_heads).permute(0, 3, 1, 2)


# %% not_exchanged_backwards [two] axes not exchanged, and heads in reverse order
def split_heads(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).flip(2)
