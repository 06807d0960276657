def without_heads(attention, heads):
    layer = copy.deepcopy(attention)
    d = layer.head_dim
    columns = [h * d + j for h in heads for j in range(d)]
    layer.proj.weight.data[:, columns] = 0
    return layer
