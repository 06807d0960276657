def without_heads(attention, heads):
    new = copy.deepcopy(attention)
    with torch.no_grad():
        E = new.proj.weight.shape[0]
        new.proj.weight.view(E, new.num_heads, -1)[:, heads] = 0.0
    return new
