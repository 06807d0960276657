"""Return one tensor a thousand times: small to send, large to compare. It is too large for one value."""
# place: answer
# flag: no

import torch

ANSWER_TENSOR = torch.zeros(2**18)


def ANSWER(*args, **kwargs):
    return [ANSWER_TENSOR] * 1000
