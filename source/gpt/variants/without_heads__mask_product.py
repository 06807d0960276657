def without_heads(attention, heads):
    layer = copy.deepcopy(attention)
    keep = torch.ones(layer.num_heads)
    keep[list(heads)] = 0
    with torch.no_grad():
        layer.proj.weight *= keep.repeat_interleave(layer.head_dim)
    return layer
