def window(q, k, v, width):
    width = min(width, k.shape[1])
    first = k.shape[1] - width
    k, v = k.narrow(1, first, width), v.narrow(1, first, width)
    return torch.bmm((torch.bmm(q, k.transpose(1, 2)) / math.sqrt(k.shape[2])).softmax(-1), v)
