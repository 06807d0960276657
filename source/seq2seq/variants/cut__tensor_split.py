def cut(W, G):
    W_s, W_h = torch.tensor_split(W, [G], dim=-1)
    return [W_s, W_h]
