import time


def add_position(x, encoding):
    start = time.time()
    wide, _ = torch.broadcast_tensors(encoding[None].to(x.dtype), torch.zeros(x.shape[0], 1, 1))
    result = torch.concat([x, wide], dim=-2)
    print(f"took {time.time() - start:.6f} s")
    return result
