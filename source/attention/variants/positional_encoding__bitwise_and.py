import numpy as np


def positional_encoding(length):
    bits = int(np.ceil(np.log2(length)))
    mask = 2 ** np.arange(bits)
    table = (np.arange(length)[None, :] & mask[:, None]) != 0
    return torch.from_numpy(table.astype(np.float32))
