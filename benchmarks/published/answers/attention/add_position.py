# %% repeated [right]
def add_position(x, encoding):
    return torch.cat((x, encoding.repeat(len(x), 1, 1)), dim=-2)


# %% added_up [one] a sum in place of more channels
def add_position(x, encoding):
    return x + encoding


# %% bits_above_and_in_order [two] the encoding first, scaled by the largest height
def add_position(x, encoding):
    p = encoding.expand(x.shape[0], -1, -1) * x.max()
    return torch.cat((p, x), dim=1)
