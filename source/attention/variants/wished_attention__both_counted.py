import numpy as np


def wished_attention(kind, slot):
    kind, slot = np.asarray(kind), np.asarray(slot)
    f = np.concatenate([np.eye(3)[kind], np.eye(8)[slot]], axis=1)
    scores = (f @ f.T > 1.5).astype(np.float32)
    return torch.from_numpy(scores / scores.sum(axis=1, keepdims=True))
