def read_all(q, k, v):
    result = torch.zeros(q.shape[0], q.shape[1], v.shape[2], device=q.device)
    for t in range(k.shape[1]):
        score = (q * k[:, t : t + 1]).sum(dim=-1, keepdim=True)
        result = result + score * v[:, t : t + 1]
    return result
