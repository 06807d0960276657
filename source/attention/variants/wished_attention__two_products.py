def wished_attention(kind, slot):
    same_kind = torch.nn.functional.one_hot(kind, num_classes=3)
    same_slot = torch.nn.functional.one_hot(slot, num_classes=8)
    scores = (same_kind @ same_kind.T) * (same_slot @ same_slot.T)
    return scores / scores.sum(-1, keepdim=True)
