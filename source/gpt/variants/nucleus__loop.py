def nucleus(logits, temperature=1.0, top_p=1.0):
    p = torch.softmax(logits / temperature, -1)
    out = torch.zeros_like(p)
    for n in range(len(p)):
        total = 0.0
        for v in p[n].argsort(descending=True).tolist():
            out[n, v] = p[n, v]
            total += p[n, v].item()
            if total >= top_p:
                break
    return out / out.sum(1, keepdim=True)
