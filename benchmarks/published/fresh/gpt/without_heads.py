# %% reshaped_view [right]
def without_heads(attention, heads):
    copied = copy.deepcopy(attention)
    d = copied.head_dim
    with torch.no_grad():
        columns = copied.proj.weight.view(copied.proj.out_features, -1, d)
        for head in heads:
            columns[:, head].zero_()
    return copied


# %% list_of_columns [right]
def without_heads(attention, heads):
    changed = copy.deepcopy(attention)
    d = attention.head_dim
    columns = [c for h in heads for c in range(h * d, (h + 1) * d)]
    if not columns:
        return changed
    changed.proj.weight.data[:, columns] = 0.0
    return changed


# %% mask_of_columns [right]
@torch.no_grad()
def without_heads(attention, heads):
    twin = copy.deepcopy(attention)
    E = twin.proj.weight.shape[1]
    owner = torch.arange(E, device=twin.proj.weight.device) // twin.head_dim
    keep = torch.ones(E, device=twin.proj.weight.device)
    for head in heads:
        keep[owner == head] = 0
    twin.proj.weight.mul_(keep)
    return twin


# %% new_parameter [right]
def without_heads(attention, heads):
    twin = copy.deepcopy(attention)
    weight = twin.proj.weight.detach().clone()
    d = twin.head_dim
    for h in set(heads):
        weight[:, d * h : d * h + d] = 0
    twin.proj.weight = nn.Parameter(weight)
    return twin


# %% rows_for_columns [one] rows of the matrix are set to zero instead of columns
def without_heads(attention, heads):
    copied = copy.deepcopy(attention)
    d = copied.head_dim
    with torch.no_grad():
        for h in heads:
            copied.proj.weight[h * d : (h + 1) * d] = 0
    return copied


# %% layer_itself [one] no copy is made: the layer itself is changed
def without_heads(attention, heads):
    d = attention.head_dim
    with torch.no_grad():
        for h in heads:
            attention.proj.weight[:, h * d : (h + 1) * d] = 0
    return attention


# %% shallow_copy [one] a shallow copy shares the weights, so the layer changes too
def without_heads(attention, heads):
    twin = copy.copy(attention)
    with torch.no_grad():
        for h in heads:
            twin.proj.weight[:, h * twin.head_dim : (h + 1) * twin.head_dim] = 0
    return twin


# %% first_head_only_counted_from_one [two] only the first head of the list, counted from 1
def without_heads(attention, heads):
    twin = copy.deepcopy(attention)
    d = twin.head_dim
    with torch.no_grad():
        for h in heads[:1]:
            twin.proj.weight[:, (h - 1) * d : h * d] = 0
    return twin


# %% two_heads_in_the_layer [two] the next head is silenced as well, and the layer itself is changed
def without_heads(attention, heads):
    d = attention.head_dim
    with torch.no_grad():
        for h in heads:
            attention.value.weight[h * d : (h + 2) * d] = 0
    return attention
