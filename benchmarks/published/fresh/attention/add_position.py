# %% new_tensor_filled [right]
def add_position(x, encoding):
    N, C, T = x.shape
    B = encoding.shape[0]
    out = x.new_empty(N, C + B, T)
    out[:, :C] = x
    out[:, C:] = encoding
    return out


# %% one_by_one [right]
def add_position(x, encoding):
    return torch.stack([torch.cat((sequence, encoding)) for sequence in x])


# %% repeat_and_hstack [right]
def add_position(x, encoding):
    return torch.hstack((x, encoding.unsqueeze(0).repeat(len(x), 1, 1)))


# %% padded_and_added [right]
def add_position(x, encoding):
    B, C = len(encoding), x.shape[1]
    below = nn.functional.pad(x, (0, 0, 0, B))
    above = nn.functional.pad(encoding, (0, 0, C, 0))
    return below + above


# %% bits_on_top [one] the encoding comes before the channels of x
def add_position(x, encoding):
    return torch.cat([encoding.expand(x.shape[0], -1, -1), x], dim=1)


# %% first_one_only [one] only the first sequence gets the encoding, the others zeros
def add_position(x, encoding):
    extra = torch.zeros(x.shape[0], encoding.shape[0], x.shape[2], device=x.device)
    extra[0] = encoding
    return torch.cat([x, extra], dim=1)


# %% x_is_centred [one] the channels of x are changed: their mean is subtracted
def add_position(x, encoding):
    x = x - x.mean(dim=2, keepdim=True)
    return torch.cat([x, encoding[None].expand(len(x), -1, -1)], dim=1)


# %% on_top_upside_down [two] encoding first, and its rows in reverse order
def add_position(x, encoding):
    e = encoding.flip(0).unsqueeze(0).expand(x.size(0), -1, -1)
    return torch.cat((e, x), dim=1)
