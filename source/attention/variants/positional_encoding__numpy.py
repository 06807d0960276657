import numpy as np


def positional_encoding(length):
    bits = int(np.ceil(np.log2(length)))
    grid = np.arange(length)[None, :] // 2 ** np.arange(bits)[:, None]
    return torch.from_numpy((grid % 2).astype(np.float32))
