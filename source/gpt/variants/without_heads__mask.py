def without_heads(attention, heads):
    quiet = copy.deepcopy(attention)
    keep = torch.ones(attention.num_heads, device=attention.proj.weight.device)
    keep[list(heads)] = 0
    quiet.proj.weight.data.mul_(keep.repeat_interleave(attention.head_dim))
    return quiet
