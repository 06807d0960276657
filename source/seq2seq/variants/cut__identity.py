def cut(W, G):
    eye = torch.eye(W.shape[1], dtype=W.dtype, device=W.device)
    return W @ eye[:, :G], W @ eye[:, G:]
