def without_heads(attention, heads):
    quiet = copy.deepcopy(attention)
    for h in heads:
        quiet.value.weight.data[h * attention.head_dim : (h + 1) * attention.head_dim] = 0
    return quiet
