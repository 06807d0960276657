def nucleus(logits, temperature=1.0, top_p=1.0):
    out = torch.zeros_like(logits)
    for n, row in enumerate(torch.softmax(logits / temperature, dim=-1)):
        total = 0.0
        for v in row.argsort(descending=True).tolist():
            out[n, v] = row[v]
            total += row[v].item()
            if total >= top_p:
                break
    return out / out.sum(dim=1, keepdim=True)
