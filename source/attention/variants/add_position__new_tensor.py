def add_position(x, encoding):
    N, C, T = x.shape
    B = encoding.shape[0]
    out = x.new_zeros(N, C + B, T)
    out[:, :C] = x
    out[:, C:] = encoding
    return out
